"""Spans of prose in, tokens out: words with shape, sentence and the kind of gap before them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from workbench.corpus.tree import Span
from workbench.extraction.lexica import ABBREVIATIONS, ADJECTIVE_PARTS
from workbench.extraction.shape import CAP, LOWER, NAME_SHAPES, UPPER, shape

# Gaps before a token, from the closest join to the hardest break.
JOIN, HYPHEN, DOT, POSSESSIVE, QUOTE, BREAK, CLAUSE, SENTENCE = range(8)
# After these a capital may only mark a beginning and says little.
OPENINGS = frozenset({QUOTE, CLAUSE, SENTENCE})

CJK = "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_LETTER = rf"[^\W_{CJK}]"
WORD = re.compile(
    rf"[{CJK}]+"
    rf"|(?!(?<=['’])(?:s|ll|re|ve|d|m|t)\b)"  # what is left of `Ghana 's`, `I 'll`
    rf"(?:(?<![\w.])\.(?=[A-Za-z]{{2}}))?"  # .NET, .env
    rf"{_LETTER}+(?:(?:[.\-‐'’]|_+|,(?=\d{{3}}\b)|(?<=[A-Z\d])/(?=\d)){_LETTER}+)*"
    rf"(?:(?<=[A-Z])/[A-Z]{{1,4}}(?![\w/]))?"  # CI/CD, TCP/IP
    rf"(?:\+\+|#(?!\w))?"  # C++, C#
)
_INITIALS = re.compile(r"(?:[A-Z]\.)*[A-Z]$")  # J. R. R. Tolkien, the U.S. Army
_MARKUP = re.compile(r"\]\([^)\n]*\)|\]\[[^\]\n]*\]|[*_\[\]\\]")
_STOP = re.compile(r"[.!?…。！？؟](?!\w)")
_BLANKS = re.compile(r"[ \t\u00a0]*\n?[ \t\u00a0]*$")
_HYPHENS = re.compile(r"\s?[-‐‑–]\s?$")
_QUOTES = re.compile(r"\s*[\"“”«»„`]\s*$")
_AMPERSAND = re.compile(r"\s?&\s?$")
_CLAUSE = re.compile(r"[^\w\s,;()\[\]/'’.%°&]\s*$|\s-\s+$")  # `: `, ` → `, `"`, a bullet
_POSSESSIVE = re.compile(r"\s?['’]s?\s*$")
_POSSESSIVE_END = re.compile(r"(?<=\w)['’][sS]$")


@dataclass(slots=True)
class Tokens:
    """Parallel lists, one item a token; `gaps[i]` is what stands before token i."""

    words: list[str] = field(default_factory=list)
    lowers: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    shapes: list[int] = field(default_factory=list)
    gaps: list[int] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)  # number of the sentence, over the document
    spans: list[int] = field(default_factory=list)  # number of the prose span
    bounds: list[tuple[int, int]] = field(default_factory=list)  # characters of each sentence

    def __len__(self) -> int:
        return len(self.words)


@lru_cache(maxsize=50_000)
def gap_kind(gap: str) -> int:
    """Say how two words hang together, from the characters between them."""
    if _BLANKS.match(gap):
        return JOIN
    if _HYPHENS.match(gap) or _AMPERSAND.match(gap):
        return HYPHEN
    if _POSSESSIVE.match(gap):
        return POSSESSIVE
    if gap.strip() == ".":
        return DOT
    if _STOP.search(gap):
        return SENTENCE
    if _QUOTES.match(gap):
        return QUOTE
    return CLAUSE if _CLAUSE.search(gap) else BREAK


@lru_cache(maxsize=50_000)
def markup_gap(gap: str) -> int:
    """Say the same of a gap with mark-up in it: names do not go on across it, sentences do."""
    if "|" in gap:  # the next table cell
        return CLAUSE
    if not gap.strip():
        return JOIN
    return max(BREAK, gap_kind(_MARKUP.sub("", gap)))


def _ends_sentence(kind: int, before: str, after: str) -> bool:
    """Say whether what stands between two words closes a sentence, and no abbreviation."""
    if kind == SENTENCE:
        return True
    if kind != DOT or after[0].islower():
        return False
    bare = before.lower()
    return not (bare in ABBREVIATIONS or _INITIALS.match(before))


@lru_cache(maxsize=100_000)
def pieces(word: str) -> tuple[tuple[int, int], ...]:
    """Give the parts (start, end) that a word falls into: the possessive goes, compounds split.

    `Docker's` is `Docker`; `GPU-accelerated` is `GPU` and `accelerated`, since only one of them
    is a name; `docker-compose`, `Jean-Pierre` and `X-ray` stay whole.
    """
    end = len(word)
    possessive = _POSSESSIVE_END.search(word)
    if possessive:
        end = possessive.start()
    parts = [match.span() for match in re.finditer(r"[^-‐]+", word[:end])]
    if len(parts) < 2 or any(b - a < 2 for a, b in parts):
        return ((0, end),)
    first, last = (shape(word[a:b]) for a, b in (parts[0], parts[-1]))
    ending = word[parts[-1][0] : end].lower()
    adjective = ending.endswith(("ed", "ing")) or ending in ADJECTIVE_PARTS
    derived = first in NAME_SHAPES and last == LOWER and (first != CAP or adjective)
    prefixed = first == LOWER and last in (CAP, UPPER)
    return tuple(parts) if derived or prefixed else ((0, end),)


def tokenize(text: str, spans: Iterable[Span]) -> Tokens:
    """Cut the spans of `text`, in order, into tokens; linear in their length.

    Another block or table cell starts a new sentence; inline code between two spans of a block,
    which is left out, only breaks names.
    """
    tokens = Tokens()
    last_end, sentence_start, block, crossed = -1, 0, None, False
    words, gaps, bounds = tokens.words, tokens.gaps, tokens.bounds
    for number, span in enumerate(spans):
        fresh = span.block != block
        crossed, block = not fresh, span.block
        for match in WORD.finditer(text, span.start, span.end):
            base = match.start()
            for a, b in pieces(match.group()):
                start, end = base + a, base + b
                gap = "" if fresh else text[last_end:start]
                kind = SENTENCE if fresh else markup_gap(gap) if crossed else gap_kind(gap)
                if fresh or (kind >= DOT and _ends_sentence(kind, words[-1], text[start])):
                    if words:
                        bounds.append((sentence_start, last_end))
                    sentence_start, kind, fresh = start, SENTENCE, False
                crossed = False
                word = text[start:end]
                words.append(word)
                gaps.append(kind)
                tokens.starts.append(start)
                tokens.ends.append(end)
                tokens.sentences.append(len(bounds))
                tokens.spans.append(number)
                last_end = end
    if words:
        bounds.append((sentence_start, last_end))
    tokens.lowers = [lowered(word) for word in words]
    tokens.shapes = [shape(word) for word in words]
    return tokens


@lru_cache(maxsize=200_000)
def lowered(word: str) -> str:
    """Give a word in small letters, with the plain apostrophe: the key of the word lists."""
    return word.lower().replace("’", "'")
