"""A document's text in, its tree and the spans of its running text out: the parsing front door."""

from __future__ import annotations

import re

from workbench.corpus.blocks import parse
from workbench.corpus.prose import prose
from workbench.corpus.tree import Block, Inline, Span, Tree

__all__ = ["Block", "Inline", "Span", "Tree", "parse", "parse_plain", "prose", "tree_of"]

_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")


def parse_plain(text: str) -> Tree:
    """Cut plain text into paragraphs at blank lines; there are no inlines.

    >>> [(b.start, b.end) for b in parse_plain("One\\nline.\\n\\nTwo.").blocks]
    [(0, 9), (11, 15)]
    """
    blocks = []
    breaks = [match.span() for match in _BLANK_LINES.finditer(text)]
    for start, end in zip(
        [0, *(b for _, b in breaks)], [*(a for a, _ in breaks), len(text)], strict=True
    ):
        part = text[start:end]
        first = start + len(part) - len(part.lstrip())
        last = start + len(part.rstrip())
        if first < last:
            blocks.append(Block("paragraph", first, last, 0, (), "", ((first, last),)))
    return Tree(blocks, [])


def tree_of(text: str, format: str) -> Tree:
    """Parse a text by its document's format, `markdown` or `plain`."""
    return parse(text) if format == "markdown" else parse_plain(text)
