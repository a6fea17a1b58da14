"""A parsed document: its blocks, inlines and spans, each with its place in the text."""

from __future__ import annotations

from dataclasses import dataclass

# Kinds whose text people read as sentences or names; the other kinds are code or machinery.
PROSE_KINDS = frozenset({"heading", "paragraph", "list_item", "quote", "table_row"})
# Blocks that belong to no chunk.
SILENT_KINDS = frozenset({"front_matter", "comment"})


@dataclass(frozen=True, slots=True)
class Block:
    """One leaf block: whole lines of the document, markers included; blocks never overlap.

    `kind`: front_matter, heading, paragraph, list_item, quote, table_row, fence, code, html or
    comment. Text inside a list or a quote has that kind; a heading in there is no section.
    `level`: 1 to 6 for a heading, else how many lists and quotes it stands in.
    `heading_path`: the headings above it, not itself. `info`: a heading's visible text, a fence's
    language. `pieces`: spans of its content without the markers at the start of its lines.
    """

    kind: str
    start: int
    end: int
    level: int
    heading_path: tuple[str, ...]
    info: str
    pieces: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Inline:
    """One mark-up inside a block: `text[start:end]` is its source, markers included.

    `kind`: code, link, image, strong, emphasis, html or comment. `text`: what a reader sees.
    `target`: where a link or image points. `block`: index into the tree's blocks.
    `text_start`, `text_end`: span of the visible part, without the markers.
    """

    kind: str
    start: int
    end: int
    text: str
    target: str
    block: int
    text_start: int
    text_end: int


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of running text: `text[start:end]`, with the kind and headings of its block.

    `block` is an index into the tree's blocks: spans of one block belong to one passage.
    """

    start: int
    end: int
    kind: str
    heading_path: tuple[str, ...]
    block: int


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed document: blocks and inlines, both in the order of the text."""

    blocks: list[Block]
    inlines: list[Inline]

    def section(self, block: int) -> tuple[str, ...]:
        """Give the headings a block stands under; a heading stands under itself."""
        found = self.blocks[block]
        own = (found.info,) if found.kind == "heading" and found.info else ()
        return found.heading_path + own
