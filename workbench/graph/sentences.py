"""Chunks and mentions in, the sentences that name each entity out, with vectors to compare them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.corpus.markdown import parse
from workbench.corpus.prose import prose
from workbench.corpus.words import terms
from workbench.extraction.lexica import ABBREVIATIONS

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

MIN_WORDS, MAX_CHARACTERS = 5, 400  # shorter is a heading or a label, longer a list or a table
TOO_LIKE = 0.5  # cosine from which two sentences say the same
LOOK = 8  # candidates a sentence to choose that are compared with the chosen ones
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_EMPHASIS = re.compile(r"(?<!\w)[*_]{1,3}(?=\w)|(?<=[\w.!?…])[*_]{1,3}(?!\w)")
_CLOSING = re.compile(r"[*_`\"”’')\].!?…。！？]*")
_END = re.compile(r"(\w*)[.!?…][\"”’')\]*_]*(?=\s+[^\sa-z])|[。！？]")


@dataclass(frozen=True)
class Sentences:
    """Sentences in the order of the chunks; `vectors` are unit tf-idf rows, one a sentence.

    `chunks[i]` is the short id of the chunk that sentence i stands in; `naming` gives the numbers
    of the sentences that name an entity, by its id, ascending.
    """

    texts: list[str]
    chunks: list[int]
    naming: dict[str, list[int]]
    vectors: csr_matrix | None

    def central(self, entity_ids: Iterable[str], most: int) -> list[int]:
        """Give the sentences nearest to the mean of all that name one of the entities.

        The nearest comes first; one that says nearly the same as a chosen one is passed over.
        Method: centroid-based extraction (Radev et al. 2004) over tf-idf.
        """
        numbers = np.unique([n for name in entity_ids for n in self.naming.get(name, ())])
        if not len(numbers) or self.vectors is None:
            return []
        rows = self.vectors[numbers.astype(np.int64)]
        scores = rows @ np.asarray(rows.mean(axis=0)).ravel()
        best = np.lexsort((numbers, -np.round(scores, 9)))[: most * LOOK]
        like = (rows[best] @ rows[best].T).toarray()
        chosen: list[int] = []
        for at in range(len(best)):
            if len(chosen) < most and all(like[at, other] < TOO_LIKE for other in chosen):
                chosen.append(at)
        return [int(numbers[best[at]]) for at in chosen]


def sentences_of(
    entities: pd.DataFrame, chunks: pd.DataFrame, entity_mentions: pd.DataFrame
) -> Sentences:
    """Cut the chunks into sentences and find those that name the entities mentioned there.

    An entity is found by its name and by the words of its first mention in the chunk.
    """
    ordered = chunks.sort_values("short_id", kind="stable")
    texts: list[str] = []
    owners: list[int] = []
    places: dict[str, tuple[int, int]] = {}
    for row in ordered.itertuples(index=False):
        found = split(row.text)
        places[row.id] = (len(texts), len(texts) + len(found))
        texts += found
        owners += [int(row.short_id)] * len(found)
    folded = [text.casefold() for text in texts]
    naming: dict[str, list[int]] = {}
    for entity, chunk, needles in _needles(entities, ordered, entity_mentions):
        for number in range(*places.get(chunk, (0, 0))):
            if any(_names(folded[number], needle) for needle in needles):
                naming.setdefault(entity, []).append(number)
    used = sorted({number for numbers in naming.values() for number in numbers})
    place = {number: at for at, number in enumerate(used)}  # the others are dropped
    kept = [texts[number] for number in used]
    return Sentences(
        kept,
        [owners[number] for number in used],
        {name: sorted({place[n] for n in numbers}) for name, numbers in naming.items()},
        _vectors(kept),
    )


def split(text: str) -> list[str]:
    """Give the sentences of a chunk's running text, one blank between words, links as they read.

    >>> split("# Start\\n\\nDocker Compose starts **all** of them, in order. Then\\nit waits.")
    ['Docker Compose starts all of them, in order.']
    """
    sentences = []
    for start, end in _passages(text):
        for raw in _cut(text[start:end]):
            sentence = " ".join(_EMPHASIS.sub("", _LINK.sub(r"\1", raw)).split())
            if sentence.count(" ") + 1 >= MIN_WORDS and len(sentence) <= MAX_CHARACTERS:
                sentences.append(sentence)
    return sentences


def _passages(text: str) -> list[tuple[int, int]]:
    """Give the characters of each block of running text, with the closing stop."""
    found: dict[int, tuple[int, int]] = {}
    for span in prose(text, parse(text)):
        if span.kind not in ("heading", "table_row"):
            found[span.block] = (found.get(span.block, (span.start, 0))[0], span.end)
    return [(start, _CLOSING.match(text, end).end()) for start, end in found.values()]


def _cut(passage: str) -> Iterable[str]:
    """Cut behind full stops, but not behind `Dr.`, `e.g.` or an initial."""
    start = 0
    for match in _END.finditer(passage):
        before = match[1] or ""
        if passage[match.end(1) : match.end(1) + 1] == "." and (
            before.lower() in ABBREVIATIONS or (len(before) == 1 and before.isupper())
        ):
            continue
        yield passage[start : match.end()]
        start = match.end()
    yield passage[start:]


def _needles(
    entities: pd.DataFrame, chunks: pd.DataFrame, mentions: pd.DataFrame
) -> Iterable[tuple[str, str, tuple[str, ...]]]:
    """Yield entity, chunk and the case-folded spellings to look for."""
    names = {key: str(name).casefold() for key, name in _pairs(entities, "id", "name")}
    starts = {
        row.id: (int(row.start_char), row.text)
        for row in chunks.itertuples(index=False)
        if pd.notna(row.start_char)
    }
    columns = ["entity_id", "chunk_id", "start_char", "end_char"]
    for entity, chunk, start, end in mentions[columns].itertuples(index=False, name=None):
        if entity not in names:
            continue
        needles = [names[entity]]
        if chunk in starts and pd.notna(start) and pd.notna(end):
            first, text = starts[chunk]
            needles.append(text[int(start) - first : int(end) - first].casefold())
        yield entity, chunk, tuple(dict.fromkeys(filter(None, needles)))


def _pairs(frame: pd.DataFrame, key: str, value: str) -> Iterable[tuple[str, object]]:
    return zip(frame[key], frame[value], strict=True)


def _names(sentence: str, needle: str) -> bool:
    """Say whether the needle stands in the sentence as a whole word."""
    at = sentence.find(needle)
    while at >= 0:
        end = at + len(needle)
        before, after = sentence[at - 1 : at], sentence[end : end + 1]
        if not (needle[0].isalnum() and before.isalnum() and before.isascii()) and not (
            needle[-1].isalnum() and after.isalnum() and after.isascii()
        ):
            return True
        at = sentence.find(needle, at + 1)
    return False


def _vectors(texts: Sequence[str]) -> csr_matrix | None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    if not any(terms(text) for text in texts):
        return None
    return TfidfVectorizer(analyzer=terms, sublinear_tf=True).fit_transform(texts)
