"""A tree in, spans of running text out: what names and sentences are read from.

Left out: code, comments, tags, images, the targets of links, addresses, front matter, and every
marker. What a link or an emphasis shows stays, as a span of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.corpus.tree import PROSE_KINDS, Block, Inline, Span, Tree

_LEFT_OUT = re.compile(
    r"(?:https?|ftp|file)://[^\s<>\"'`|]+|www\.[^\s<>\"'`|]+|mailto:\S+"
    r"|data:[\w/+.-]{1,80};base64,[A-Za-z0-9+/=]+"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"
    r"|&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
)
_TAG = re.compile(
    r"<(?:!--|(script|style|pre|svg|textarea|code)\b|/?[A-Za-z][^<>]*>)", re.IGNORECASE
)
_WORD = re.compile(r"\w")


def prose(text: str, tree: Tree) -> list[Span]:
    """Give the spans of running text, in order; offsets are into `text`.

    A passage that mark-up interrupts gives several spans with the same `block`.
    """
    inlines: dict[int, list[Inline]] = {}
    for inline in tree.inlines:
        inlines.setdefault(inline.block, []).append(inline)
    spans: list[Span] = []
    for index, block in enumerate(tree.blocks):
        if block.kind not in PROSE_KINDS and block.kind != "html":
            continue
        gaps = _gaps(inlines.get(index, ()))
        for start, end in block.pieces:
            left_out = [found.span() for found in _LEFT_OUT.finditer(text, start, end)]
            if block.kind == "html":
                left_out += _machinery(text, start, end)
            for first, last in _remaining(start, end, gaps + left_out):
                spans += _span(text, first, last, block, index)
    return spans


def _gaps(inlines: list[Inline] | tuple) -> list[tuple[int, int]]:
    """Give what is not running text of a block's inlines."""
    gaps: list[tuple[int, int]] = []
    for inline in inlines:
        if inline.kind in ("link", "strong", "emphasis") and inline.target != inline.text:
            gaps.append((inline.start, inline.text_start))
            gaps.append((inline.text_end, inline.end))
        else:
            gaps.append((inline.start, inline.end))
    return gaps


def _machinery(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Give comments, tags, and scripts, styles and code with their content, of a block of HTML."""
    gaps: list[tuple[int, int]] = []
    missing: set[str] = set()  # what is never closed is looked for once, so time stays linear
    while match := _TAG.search(text, start, end):
        start = match.end()
        closing = f"</{match[1]}" if match[1] else "-->" if match[0] == "<!--" else ""
        if closing and closing not in missing:
            found = re.compile(re.escape(closing) + ">?", re.IGNORECASE).search(text, start, end)
            start = found.end() if found else start
            if not found:
                missing.add(closing)
        gaps.append((match.start(), start))
    return gaps


def _remaining(start: int, end: int, gaps: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for first, last in sorted(gaps):
        if last <= start or first >= end:
            continue
        if first > start:
            yield start, first
        start = max(start, last)
    if start < end:
        yield start, end


def _span(text: str, start: int, end: int, block: Block, index: int) -> list[Span]:
    """Trim white space; a span without a letter or digit is none."""
    part = text[start:end]
    if not _WORD.search(part):
        return []
    start += len(part) - len(part.lstrip())
    end -= len(part) - len(part.rstrip())
    return [Span(start, end, block.kind, block.heading_path, index)]
