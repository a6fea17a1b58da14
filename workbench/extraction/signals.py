"""One document in, what gives names away in it out: a pure function of its text and format.

This is the unit of parallel work. It returns places (characters) and counts, no frames, so that
what travels between processes is small.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from workbench.corpus.markdown import prose, tree_of
from workbench.corpus.tree import Span, Tree
from workbench.extraction import phrases, structure
from workbench.extraction.acronyms import Definition, definitions
from workbench.extraction.lexica import DETERMINERS, ENGLISH, OTHERS, TITLES, VERB_BEFORE
from workbench.extraction.names import Run, runs, title_case
from workbench.extraction.shape import CAP, LOWER, MIXED, NAME_SHAPES, UPPER
from workbench.extraction.tokens import CLAUSE, JOIN, OPENINGS, POSSESSIVE, Tokens, tokenize


class Occurrence(NamedTuple):
    """A place that reads as a name; `cut` is where it begins without its first word, or -1."""

    start: int
    end: int
    signal: str
    cut: int = -1


class Link(NamedTuple):
    """A link or image in running text: its visible text, target and place."""

    text: str
    target: str
    start: int
    end: int


@dataclass
class Signals:
    """What one document says. Counts are by lower-cased word, outside title-case stretches."""

    spans: list[Span]
    occurrences: list[Occurrence]
    definitions: list[Definition]
    links: list[Link]
    phrases: phrases.Counts
    contexts: phrases.Contexts
    cjk: Counter[str]
    lower: Counter[str] = field(default_factory=Counter)  # written small
    capital: Counter[str] = field(default_factory=Counter)  # with a capital inside a sentence
    shouted: Counter[str] = field(default_factory=Counter)  # all capitals
    initial: Counter[str] = field(default_factory=Counter)  # with a capital, opening a sentence
    nouns: Counter[str] = field(default_factory=Counter)  # small, at the end of `the … word`
    verbs: Counter[str] = field(default_factory=Counter)  # small, after `to`, `will`, `they`
    technical: bool = False
    weak_case: bool = False


def document_signals(text: str, format_: str) -> Signals:
    """Read one document; `format_` is `markdown` or `plain`."""
    tree = tree_of(text, format_)
    spans = prose(text, tree)
    tokens = tokenize(text, spans)
    weak = weak_case(tokens)
    counts, contexts = phrases.count_phrases(tokens)
    found = Signals(
        spans=spans,
        occurrences=[Occurrence(*_as_term(mark, tokens)) for mark in structure.marks(text, tree)],
        definitions=[d for span in spans for d in definitions(text, span.start, span.end)],
        links=_links(tree),
        phrases=counts,
        contexts=contexts,
        cjk=phrases.cjk_phrases(tokens),
        technical=any(block.kind == "fence" for block in tree.blocks),
        weak_case=weak,
    )
    found.occurrences += [Occurrence(*mark) for mark in structure.quoted(text, spans)]
    _read_names(tokens, tree, spans, found)
    for definition in found.definitions:
        found.occurrences.append(Occurrence(*definition.short_span, "acronym"))
        found.occurrences.append(Occurrence(*definition.long_span, "acronym"))
    found.occurrences.sort()
    return found


def _as_term(mark: structure.Mark, tokens: Tokens) -> structure.Mark:
    """Call emphasis on several words inside a sentence a term: `called *forward secrecy*`."""
    if mark.signal != "emphasis":
        return mark
    at = bisect_left(tokens.starts, mark.start)
    several = at + 1 < len(tokens) and tokens.starts[at + 1] < mark.end
    inside = at < len(tokens) and tokens.sentences[at] == tokens.sentences[max(at - 1, 0)]
    opens = at == 0 or not inside or tokens.gaps[at] == CLAUSE
    return mark._replace(signal="term") if several and not opens else mark


def weak_case(tokens: Tokens) -> bool:
    """Say whether capitals say little here: German writes every noun with one.

    Told by the function words: more German than English ones.
    """
    counts = Counter(tokens.lowers)
    german = sum(counts[word] for word in OTHERS["de"] - ENGLISH)
    english = sum(counts[word] for word in ENGLISH - OTHERS["de"])
    return german > english


def _links(tree: Tree) -> list[Link]:
    return [
        Link(inline.text, inline.target, inline.start, inline.end)
        for inline in tree.inlines
        if inline.kind == "link" and inline.target
    ]


def _emphasised(tree: Tree, tokens: Tokens) -> set[int]:
    """Give the tokens that open a sentence inside emphasis: labels such as `**Fast Builds**:`."""
    starts = sorted(
        inline.text_start
        for inline in tree.inlines
        if inline.kind in ("strong", "emphasis", "link")
    )
    opening = set(starts)
    return {i for i, start in enumerate(tokens.starts) if start in opening}


def _title_case_marks(tokens: Tokens, tree: Tree) -> dict[int, tuple[int, int]]:
    """Give, for each token in a link or emphasis in title case, the characters of that mark.

    `[The Night the Disk Filled](…)`: the capitals inside are those of a title.
    """
    found: dict[int, tuple[int, int]] = {}
    for inline in tree.inlines:
        if inline.kind in ("link", "strong", "emphasis"):
            begin = bisect_left(tokens.starts, inline.text_start)
            end = bisect_left(tokens.starts, inline.text_end)
            if end - begin > 1 and title_case(tokens, begin, end):
                span = (inline.text_start, inline.text_end)
                found.update((i, span) for i in range(begin, end))
    return found


def _read_names(tokens: Tokens, tree: Tree, spans: list[Span], found: Signals) -> None:
    titled = _titled_sentences(tokens, spans)
    labels = _emphasised(tree, tokens)
    inside = _title_case_marks(tokens, tree)
    for run in runs(tokens, found.weak_case):
        signal = _signal(tokens, run, titled, labels)
        if signal in ("name", "initial") and run.first in inside:
            whole = inside[run.first] == (tokens.starts[run.first], tokens.ends[run.last - 1])
            signal = signal if whole else "label"
        start, end = tokens.starts[run.first], tokens.ends[run.last - 1]
        cut = tokens.starts[run.first + 1] if run.last - run.first > 1 else end
        found.occurrences.append(Occurrence(start, end, signal, cut if run.initial else -1))
        bare = _without_title(tokens, run)
        if bare > run.first:  # `President William McKinley` is also `William McKinley`
            found.occurrences.append(Occurrence(tokens.starts[bare], end, "name"))
    for i, lowered in enumerate(tokens.lowers):
        kind = tokens.shapes[i]
        if kind == LOWER:
            found.lower[lowered] += 1
            before = tokens.lowers[i - 1] if i and tokens.gaps[i] == JOIN else ""
            if before in VERB_BEFORE:
                found.verbs[lowered] += 1
            elif before and _is_noun(tokens, i):
                found.nouns[lowered] += 1
        elif kind not in NAME_SHAPES or tokens.sentences[i] in titled:
            continue
        elif tokens.gaps[i] in OPENINGS and kind == CAP:
            found.initial[lowered] += 1
        elif kind == UPPER:
            found.shouted[lowered] += 1
        else:
            found.capital[lowered] += 1


def _without_title(tokens: Tokens, run: Run) -> int:
    """Give where a run of at least two words goes on after titles, or its first token."""
    bare = run.first
    while bare < run.last and tokens.lowers[bare] in TITLES:
        bare += 1
    return bare if run.last - bare >= 2 else run.first


def _titled_sentences(tokens: Tokens, spans: list[Span]) -> set[int]:
    """Give the sentences where capitals mean nothing: headings, cells and labels in title case."""
    titled = set()
    begin = 0
    for i in range(1, len(tokens) + 1):
        if i < len(tokens) and tokens.sentences[i] == tokens.sentences[begin]:
            continue
        heading = spans[tokens.spans[begin]].kind == "heading"
        if title_case(tokens, begin, i) or (heading and _mostly_capital(tokens, begin, i)):
            titled.add(tokens.sentences[begin])
        begin = i
    return titled


def _mostly_capital(tokens: Tokens, begin: int, end: int) -> bool:
    """Say whether a heading is in title case: at most one small content word in three.

    In `Creating a Docker Compose file` two of four are small: its capitals are those of names.
    """
    content = [i for i in range(begin, end) if tokens.lowers[i] not in ENGLISH]
    small = sum(tokens.shapes[i] == LOWER for i in content)
    return small * 3 <= len(content)


def _signal(tokens: Tokens, run: Run, titled: set[int], labels: set[int]) -> str:
    """Name a run's evidence: `name`, `initial` (opens a sentence), `label` (title case)."""
    shaped = any(tokens.shapes[i] == MIXED for i in range(run.first, run.last))
    if tokens.sentences[run.first] in titled:
        return "shape" if shaped and run.last - run.first == 1 else "label"
    if run.initial:
        if run.first in labels:
            return "label"
        return "initial"
    return "name"


def _is_noun(tokens: Tokens, i: int) -> bool:
    """Say whether a word ends a group of at most three words after a determiner."""
    last = i + 1 == len(tokens)
    if not (last or tokens.gaps[i + 1] >= POSSESSIVE or tokens.lowers[i + 1] in ENGLISH):
        return False
    for j in range(i - 1, max(i - 4, -1), -1):
        if tokens.lowers[j] in DETERMINERS:
            return True
        if tokens.gaps[j] != JOIN or tokens.lowers[j] in ENGLISH:
            return False
    return False
