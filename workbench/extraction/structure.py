"""A syntax tree in, marked terms out: headings, inline code, links, emphasis, quoted titles.

Code blocks have no say here: only blocks of running text and the marks inside them are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from workbench.corpus.tree import PROSE_KINDS, Inline, Span, Tree
from workbench.extraction.lexica import FUNCTION_WORDS, PAGE_WORDS, TITLE_SMALL
from workbench.extraction.shape import NUMBER, shape
from workbench.extraction.tokens import CJK

MAX_TERM_WORDS = 5

_CODE_NAME = re.compile(
    r"(?:--|[@.~/]{0,2})[^\W\d_][\w.\-+#/@:]*(?:<\w+(?:, ?\w+)*>)?(?:\(\))?$|_+\w+$"
    r"|[A-Z]{2,}(?: [A-Z]{2,}){1,2}$|[a-z][a-z-]+(?: [a-z-]+){1,2}$"  # ORDER BY, docker inspect
)
_PLACEHOLDER = re.compile(
    r"(?:x|foo|bar|baz|abc|jkl|mno|xyz)[\d.]*$|.*x{3,}|.*(?:abc|jkl|mno|xyz)\d{3}|[0-9a-f]{6,}$"
    r"|[yMdHhmsSfzt:/.\-]+$|[a-z]\..*|.*(?:your|example|my-|some)[-_.]",
    re.I,
)
_URL = re.compile(r"[a-z]+://|www\.|@.*\.", re.I)
_EDGE = " \t\r\n.,;:!?*_`\"'“”‘’«»„()[]{}<>|#-–—"
_NUMBERING = re.compile(r"(?:(?:step|part|chapter|section|option|phase) )?\d+[.):]*\s+(?=\D)", re.I)
_BLANK = re.compile(r"\s+")
_QUOTED = re.compile(r"\"\s*([^\"\n]{1,400}?)\s*\"|[“„«]\s*([^“”„«»\n]{1,400}?)\s*[”“»]")
_CJK_TERM = re.compile(rf"[{CJK}A-Za-z0-9 .+#-]{{2,16}}$")


class Mark(NamedTuple):
    """A term that the author set apart: its characters in the document and the signal."""

    start: int
    end: int
    signal: str


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Give the span without marks and punctuation at its edges."""
    while start < end and text[start] in _EDGE and not _dot_name(text, start):
        start += 1
    while end > start and text[end - 1] in _EDGE and text[end - 2 : end] != "()":
        end -= 1
    return start, end


def _dot_name(text: str, start: int) -> bool:
    return text[start] == "." and text[start + 1 : start + 3].isalpha()


def is_term(phrase: str) -> bool:
    """Say whether a marked phrase reads as a term: few words, none of them a function word.

    A question, a sentence, a shell line or a page word (`Introduction`) is none.
    """
    if _CJK_TERM.match(phrase) and re.search(f"[{CJK}]", phrase):
        return phrase.lower() not in FUNCTION_WORDS
    if re.search(r"[!?=<>{}|\\`*\n\"“”(),;:]|\.\s|://", phrase):
        return False
    words = phrase.split()
    if not 1 <= len(words) <= MAX_TERM_WORDS or not any(len(word) > 1 for word in words):
        return False
    lowers = [word.lower() for word in words]
    if len(words) == 1 and (lowers[0] in PAGE_WORDS or shape(words[0]) == NUMBER):
        return False
    inner = {"of", "for", "and", "de", "la", "und", "von", "in", "im"}
    if any(
        word in FUNCTION_WORDS and not (0 < i < len(words) - 1 and word in inner)
        for i, word in enumerate(lowers)
    ):
        return False
    # `Creating images`, `Run the tests`, `finally failed`: the head of a term is not a verb form
    return not (
        len(words) > 1
        and lowers[0].endswith(("ing", "ly"))
        and shape(words[0]) <= 1
        and lowers[0] not in _GERUNDS
    )


_GERUNDS = frozenset(("caching", "logging", "networking", "testing", "streaming", "learning"))


def is_code_name(code: str) -> bool:
    """Say whether inline code is a name: an identifier, a file, a command; no shell line.

    >>> [is_code_name(c) for c in ("docker-compose.yml", "ORDER BY", "rm -rf /", "yyyy-MM-dd")]
    [True, True, False, False]
    """
    if not 2 <= len(code) <= 60 or not _CODE_NAME.match(code) or _URL.search(code):
        return False
    if _PLACEHOLDER.match(code):
        return False
    if code.isupper() and " " in code:  # ORDER BY, VACUUM INTO
        return True
    return not any(word in FUNCTION_WORDS for word in code.lower().rstrip("()").split())


def _term_marks(text: str, start: int, end: int, signal: str) -> Iterator[Mark]:
    start, end = trimmed(text, start, end)
    phrase = text[start:end]
    if len(phrase) >= 2 and is_term(_BLANK.sub(" ", phrase)):
        yield Mark(start, end, signal)


def _inline_marks(text: str, inline: Inline) -> Iterator[Mark]:
    at, end = inline.text_start, inline.text_end
    if inline.kind == "code":
        code = text[at:end].strip()
        if is_code_name(code):
            at = text.index(code, at)
            yield Mark(at, at + len(code), "code")
    elif inline.kind == "link":
        yield from _term_marks(text, at, end, "link")
    elif inline.kind in ("strong", "emphasis"):
        yield from _term_marks(text, at, end, "emphasis")


def marks(text: str, tree: Tree) -> list[Mark]:
    """Give the marked terms of a document in text order, each once for each signal."""
    found: set[Mark] = set()
    for inline in tree.inlines:
        if tree.blocks[inline.block].kind in PROSE_KINDS:
            found.update(_inline_marks(text, inline))
    for block in tree.blocks:
        if block.kind == "heading" and block.info:
            at = text.find(block.info, block.start, block.end)  # -1 where mark-up is inside
            if at >= 0:
                end = at + len(block.info)
                numbering = _NUMBERING.match(block.info)  # `3. Volumes`, `Step 2: Networks`
                at += numbering.end() if numbering else 0
                found.update(_term_marks(text, at, end, "heading"))
    return sorted(found)


def quoted(text: str, spans: Iterable[Span]) -> list[Mark]:
    """Give quoted titles: `" Take a Letter Miss Smith "`, not speech and not a scare quote."""
    found = []
    for start, end in ((span.start, span.end) for span in spans):
        part = text[start:end]
        for match in _QUOTED.finditer(part):
            group = 1 if match.group(1) is not None else 2
            if _is_title(match.group(group)):
                a, b = trimmed(text, start + match.start(group), start + match.end(group))
                if a < b:
                    found.append(Mark(a, b, "quoted"))
    return found


def _is_title(inside: str) -> bool:
    words = inside.split()
    content = [w for w in words if w[0].isalpha() and w.lower() not in FUNCTION_WORDS]
    if not content or not words[0][0].isupper() or len(words) > 8:
        return False
    if any(word[0].islower() and word not in TITLE_SMALL for word in words):
        return False
    if "," in inside and len(words) < 4:
        return False
    return len(words) > 1 or inside[-1] not in ".,!?;…"
