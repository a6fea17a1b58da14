"""A text and what a model says of it in, the places that bear it out or why to refuse it out."""

from __future__ import annotations

import json
import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from workbench.extraction.keys import key, singular
from workbench.extraction.lexica import FUNCTION_WORDS

Span = tuple[int, int]  # characters, in the text that was looked at

# Scripts without blanks between words: each character is looked up as a word of its own.
_NO_BLANKS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff"
_LETTERS = rf"[^\W_{_NO_BLANKS}]"
_WORD = re.compile(
    rf"[{_NO_BLANKS}]|(?:(?<![\w.])\.(?=[^\W\d_]))?{_LETTERS}+(?:(?<=\d)[-./:,]+(?=\d){_LETTERS}+)*[#+]*"
)
_ELLIPSIS = re.compile(r"\s*(?:\.\.\.|…|\[…\])\s*")
_SIGN = re.compile(r"[/~@]|--")
_SIGNED = re.compile(r"(?<![\w/~@.-])(?:[/~@]|--)\Z")
# What a sentence, a quotation or a cell begins with.
_OPENS = re.compile(r"(?:^|[.!?:。\"“«„\n|>#*-])[\s\"'“”‘’«»„(\[*_`]*\Z")
_BLANK_LINE = re.compile(r"\n\s*\n")
_LEAST_WORDS = 2  # a quote of one word bears nothing out
_SIMPLE_SCRIPTS = "\u0590"  # Latin, Greek and Cyrillic lie before it: accents are left out there


@dataclass(frozen=True)
class Refusal:
    """A record that was not taken: what it was, by which rule, why, and where (a chunk's row)."""

    stage: str
    item: str
    rule: str
    reason: str
    chunk: int | None = None
    raw: str | None = None
    value: float | None = None

    def row(self, chunk_ids: Sequence[str]) -> dict[str, Any]:
        """Give the row of `rejected`."""
        row = dict(vars(self))
        chunk = row.pop("chunk")
        return {**row, "chunk_id": None if chunk is None else chunk_ids[chunk]}


def raw_text(record: BaseModel) -> str:
    """Give a record as the model wrote it, as JSON, for `rejected.raw`."""
    return json.dumps(record.model_dump(), ensure_ascii=False)


@lru_cache(maxsize=200_000)
def folded(name: str) -> str:
    """Give the form under which a name is looked up: its `key`, without accents.

    >>> folded("José García") == folded("Jose Garcia"), folded("C#") == folded("C")
    (True, False)
    """
    text = key(name)
    if text.isascii() or max(text) >= _SIMPLE_SCRIPTS:
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


def only_function_words(name: str) -> bool:
    """Say whether a name has nothing but words like `the`, `get` and `eleven` in it."""
    return all(word.lower() in FUNCTION_WORDS for word in name.split())


class Grounds:
    """A text that is asked where a name or a quote stands in it.

    Case, blanks, line breaks, punctuation, quotation marks and accents do not count; word
    boundaries do: `C` is not in `C++`, nor `Ann` in `Annual`.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        # Of each word: its place in the folded text and in the text. Arrays: a corpus has millions.
        self._begin, self._end = array("l"), array("l")
        self._first, self._last = array("l"), array("l")
        self._folded = self._fold(text)
        self._places: dict[str, list[Span]] = {}

    def _fold(self, text: str) -> str:
        parts: list[str] = []
        at, digit = 0, False
        for word in _WORD.finditer(text):
            part = folded(word.group())
            if not part:
                continue
            if digit and part[0].isdigit():  # 3 11 is not 311
                parts.append(".")
                at += 1
            self._begin.append(at)
            self._first.append(word.start())
            at += len(part)
            self._end.append(at)
            self._last.append(word.end())
            digit = part[-1].isdigit()
            parts.append(part)
        return "".join(parts)

    def places(self, name: str) -> list[Span]:
        """Give where a name stands, in order; its plural or singular where it itself does not.

        Of `GET` and `The Eleven`, which are function words, places that are spelt so count alone;
        of `Metrics` those without the first sign of `/metrics`, if there are any, and vice versa.
        """
        if name not in self._places:
            self._places[name] = self._signed(name, self._spelt(name))
        return self._places[name]

    def _spelt(self, name: str) -> list[Span]:
        wanted = folded(name).lstrip("/-")
        if not wanted:
            return []
        if only_function_words(name):
            found = self._named(wanted, len(name))
            return [span for span in found if " ".join(self.text[slice(*span)].split()) in name]
        # As words, `@`, brackets and vowel signs inside a name are left out, as they are in a text.
        words = "".join(folded(word.group()) for word in _WORD.finditer(name))
        forms = (wanted, singular(wanted), f"{wanted}s", f"{wanted}es", words)
        found = (self._named(form, len(name)) for form in dict.fromkeys(forms) if form)
        return next((spans for spans in found if spans), [])

    def _named(self, form: str, length: int) -> list[Span]:
        """Give the places of a name that is not torn apart by other signs or a blank line."""
        return [
            (start, end)
            for start, end in self._find(form)
            if end - start <= 2 * length + 8 and not _BLANK_LINE.search(self.text, start, end)
        ]

    def _signed(self, name: str, spans: list[Span]) -> list[Span]:
        """Let `/metrics` and `--force` begin at their sign, `Inc.` and `(Copy)` end at theirs."""
        sign, text = _SIGN.match(name), self.text
        begins = [_SIGNED.search(text, max(start - 3, 0), start) for start, _ in spans]
        alike = [
            span for span, begin in zip(spans, begins, strict=True) if bool(begin) == bool(sign)
        ]
        if not alike:
            alike = [(b.start() if b else s[0], s[1]) for s, b in zip(spans, begins, strict=True)]
        elif sign:
            alike = [(start - len(sign.group()), end) for start, end in alike]
        last = name[-1:] if name.endswith((".", ")", "]")) else None
        return [(start, end + (text[end : end + 1] == last)) for start, end in alike]

    def capital_within(self, start: int, end: int) -> bool:
        """Say whether a place has a capital where none is needed: behind its first, or a sentence's
        first letter.
        """
        inner = any(sign.isupper() for sign in self.text[start + 1 : end])
        within = not _OPENS.search(self.text, max(start - 20, 0), start)
        return inner or (within and self.text[start].isupper())

    def _find(self, form: str) -> Iterator[Span]:
        at = self._folded.find(form)
        while at >= 0:
            end = at + len(form)
            one, other = bisect_left(self._begin, at), bisect_left(self._end, end)
            if one < len(self._begin) and self._begin[one] == at and self._end[other] == end:
                yield self._first[one], self._last[other]
            else:
                end = at + 1
            at = self._folded.find(form, end)

    def quote(self, quoted: str) -> Span | None:
        """Give where a quote stands: the exact words, else as `places` reads them, else None.

        Of a quote with an ellipsis the longest part that is found counts. One word is no quote.
        """
        quoted = quoted.strip().strip('"“”«»')
        whole = self._quoted(quoted)
        if whole is not None or not _ELLIPSIS.search(quoted):
            return whole
        for part in sorted(_ELLIPSIS.split(quoted), key=len, reverse=True):
            found = self._quoted(part)
            if found is not None:
                return found
        return None

    def _quoted(self, quoted: str) -> Span | None:
        words = [word.group() for word in _WORD.finditer(quoted)]
        if len(words) < _LEAST_WORDS:
            return None
        at = self.text.find(quoted)
        if at >= 0:
            return at, at + len(quoted)
        form = Grounds(quoted)._folded
        return next(self._find(form), None)

    def sentence(self, one: Iterable[Span], other: Iterable[Span]) -> Span | None:
        """Give the first sentence that holds a place of each, if there is one."""
        others = list(other)
        for start, _ in one:
            first, last = sentence_around(self.text, start)
            if any(first <= a < last for a, _ in others):
                return first, last
        return None


_SENTENCE_END = re.compile(r"[.!?。]+[\"”’)\]]*(?=\s)|\n\s*\n|\n(?=\s*(?:[-*#>|]|\d+\.))")


def sentence_around(text: str, at: int, reach: int = 600) -> Span:
    """Give the sentence that holds a character, as far as punctuation tells; at most 2 `reach`."""
    first, last = max(0, at - reach), min(len(text), at + reach)
    for end in _SENTENCE_END.finditer(text, first, last):
        if end.end() <= at:
            first = end.end()
        else:
            last = end.end()
            break
    while first < at and text[first].isspace():
        first += 1
    return first, max(last, at)
