"""Markdown in, the tree of its blocks and inlines out, each with its place in the text.

markdown-it gives blocks their lines and inlines no place at all; `places` and `inlines` find both.
"""

from __future__ import annotations

import bisect
import functools

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from workbench.corpus import inlines
from workbench.corpus.clean import embed_text
from workbench.corpus.front_matter import front_matter
from workbench.corpus.places import Lines, Pieces, aligned, cell_pieces, heading_piece
from workbench.corpus.tree import Block, Inline, Tree

DEPTH_LIMIT = 40  # lists and quotes inside each other; deeper ones are plain text
TITLE_LIMIT = 300  # characters of a heading that go into paths and titles
_CONTAINERS = {"list_item": "list_item", "blockquote": "quote"}
_DEEP = "deep"


def _too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule before all others: below DEPTH_LIMIT take the lines as they are."""
    if silent or state.level < DEPTH_LIMIT:
        return False
    line = start + 1
    while line < end and not state.isEmpty(line) and state.sCount[line] >= state.blkIndent:
        line += 1
    state.line = line
    token = state.push(_DEEP, "", 0)
    token.map = [start, line]
    return True


@functools.cache
def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": DEPTH_LIMIT + 10}).enable("table")
    md.block.ruler.before("table", _DEEP, _too_deep)
    return md


class _Builder:
    """Walks the block tokens once and collects blocks and inlines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = Lines(text)
        self.blocks: list[Block] = []
        self.inlines: list[Inline] = []
        self.env: dict = {}
        self.containers: list[str] = []
        self.headings: list[tuple[int, str]] = []

    def build(self) -> Tree:
        """Parse, walk, and give the tree."""
        skip, _ = front_matter(self.text)
        tokens: list[Token] = []
        seen = self.lines.seen
        if skip:
            self._add("front_matter", 0, skip, "")
            blanked = "\n" * self.lines.source.count("\n", 0, skip)
            seen = blanked + seen[skip:]
        md = _parser()
        md.block.parse(seen, md, self.env, tokens)
        at = 0
        while at < len(tokens):
            at = self._token(tokens, at)
        return Tree(self.blocks, self.inlines)

    def _token(self, tokens: list[Token], at: int) -> int:
        """Take one token, or a leaf with what belongs to it; give the place of the next one."""
        token = tokens[at]
        name, _, side = token.type.rpartition("_")
        if name in _CONTAINERS:
            if side == "open":
                self.containers.append(_CONTAINERS[name])
            else:
                self.containers.pop()
        elif token.type in ("fence", "code_block", "html_block", _DEEP) or self._cut_rule(token):
            self._opaque(token)
        elif token.type in ("paragraph_open", "heading_open"):
            self._passage(token, tokens[at + 1])
            return at + 3
        elif token.type == "tr_open":
            return self._row(tokens, at)
        return at + 1

    def _cut_rule(self, token: Token) -> bool:
        """Say whether this is a rule only as far as the parser sees: 8,000 dashes, then text."""
        return token.type == "hr" and token.map[0] in self.lines.cuts

    def _path(self) -> tuple[str, ...]:
        return tuple(text for _, text in self.headings if text)

    def _add(
        self, kind: str, start: int, end: int, info: str, pieces: Pieces = (), level=None
    ) -> None:
        spans = self._joined(pieces)
        depth = len(self.containers) if level is None else level
        self.blocks.append(Block(kind, start, end, depth, self._path(), info, spans))

    def _joined(self, pieces: Pieces) -> tuple[tuple[int, int], ...]:
        """Merge pieces with nothing but white space between them."""
        spans: list[tuple[int, int]] = []
        for _, at, length in pieces:
            if spans and not self.text[spans[-1][1] : at].strip():
                spans[-1] = (spans[-1][0], at + length)
            else:
                spans.append((at, at + length))
        return tuple(spans)

    def _opaque(self, token: Token) -> None:
        """Add a block whose content is not parsed further: code, HTML, or too deep a list."""
        first, last = token.map
        start, end = self.lines.trimmed(first, last)
        if token.type == "fence":
            self._add("fence", start, end, (token.info.split() or [""])[0])
        elif token.type == "code_block":
            self._add("code", start, end, "")
        elif token.type in (_DEEP, "hr"):
            kind = self.containers[-1] if self.containers else "paragraph"
            self._add(kind, start, end, "", [(0, start, end - start)])
        elif not self.containers and not embed_text(self.text[start:end]).strip():
            self._add("comment", start, end, "")
        else:
            self._add("html", start, end, "", [(0, start, end - start)])

    def _passage(self, token: Token, inline: Token) -> None:
        """Add a paragraph or heading with its inlines."""
        first, last = token.map
        start, end = self.lines.trimmed(first, last)
        heading = token.type == "heading_open"
        if heading and token.markup.startswith("#"):
            pieces = heading_piece(self.lines, inline.content, first)
        else:
            pieces = aligned(self.lines, inline.content, first, last)
        visible = self._inlines(inline.content, pieces)[:TITLE_LIMIT]
        pieces = self._with_tails(pieces, first, last)
        kind = self.containers[-1] if self.containers else "heading" if heading else "paragraph"
        if kind != "heading":
            self._add(kind, start, end, "", pieces)
            return
        level = int(token.tag[1])
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        self._add("heading", start, end, visible, pieces, level)
        self.headings.append((level, visible))

    def _with_tails(self, pieces: Pieces, first: int, last: int) -> Pieces:
        """Add what the parser did not see of over-long lines: it is running text too."""
        tails = (
            [
                (0, self.lines.cuts[i], self.lines.span(i)[1] - self.lines.cuts[i])
                for i in range(first, last)
                if i in self.lines.cuts
            ]
            if self.lines.cuts
            else []
        )
        return sorted(pieces + tails, key=lambda piece: piece[1]) if tails else pieces

    def _row(self, tokens: list[Token], at: int) -> int:
        """Add a table row, its cells as pieces; give the place after its closing token."""
        first = tokens[at].map[0]
        start, end = self.lines.span(first)
        cursor, limit = start, self.lines.seen_end(first)
        pieces: Pieces = []
        while tokens[at].type != "tr_close":
            if tokens[at].type == "inline" and tokens[at].content:
                cell = cell_pieces(self.lines, tokens[at].content, cursor, limit)
                self._inlines(tokens[at].content, cell)
                if cell:
                    cursor = cell[-1][1] + cell[-1][2]
                    # One piece a cell: cells with only a bar between them must not be joined.
                    pieces.append((0, cell[0][1], cursor - cell[0][1]))
            at += 1
        self._add("table_row", start, end, "", self._with_tails(pieces, first, first + 1))
        return at + 1

    def _inlines(self, content: str, pieces: Pieces) -> str:
        """Collect the inlines of the block that is added next; give its visible text."""
        found, visible = inlines.find(content, self.env.get("references", {}))
        places = [place for place, _, _ in pieces]
        index = len(self.blocks)

        def to_source(position: int) -> int | None:
            i = bisect.bisect_right(places, position) - 1
            if i < 0 or position >= pieces[i][0] + pieces[i][2]:
                return None
            return pieces[i][1] + position - pieces[i][0]

        for item in found:
            ends = (item.start, item.end - 1, item.text_start, item.text_end - 1)
            start, end, inner, last = (to_source(position) for position in ends)
            if start is None or end is None:
                continue  # pragma: no cover - an inline begins and ends with its own markers
            inner = start if inner is None else inner
            last = max(inner, end if last is None else last + 1)
            self.inlines.append(
                Inline(item.kind, start, end + 1, item.text, item.target, index, inner, last)
            )
        return visible


def parse(text: str) -> Tree:
    """Parse Markdown: CommonMark, tables and YAML front matter.

    Time grows linearly with the text, whatever it holds: the parser sees the first LINE_LIMIT
    characters of a line, DEPTH_LIMIT nested lists and quotes, and inlines.LIMIT characters of a
    passage at once.
    """
    return _Builder(text).build()
