"""A block's lines and content in, the place of each content character in the document out.

A content line is always the end of a source line (markers and indentation stand before it), so the
mapping is exact, and each step checks it against the source.
"""

from __future__ import annotations

import re

LINE_LIMIT = 8_000  # characters of a line that the parser sees; the rest is plain text
INDENT_LIMIT = 200  # blanks before a line that it sees
_LINE_BREAKS = re.compile(r"\r\n?")
_LONG_LINE = re.compile(rf"[^\n]{{{LINE_LIMIT}}}")


class Lines:
    """The lines of a text: where each begins and ends, and the part of it the parser sees."""

    def __init__(self, text: str) -> None:
        # Same length as the text, so that positions hold.
        self.source = _LINE_BREAKS.sub(lambda match: " \n"[-len(match[0]) :], text)
        self.source = self.source.replace("\0", "\ufffd")
        self.starts = [0, *(match.end() for match in re.finditer("\n", self.source))]
        self.cuts: dict[int, int] = {}  # line -> where the part the parser sees ends
        self.seen = self.source
        if _LONG_LINE.search(self.source):
            self.seen = "\n".join(map(self._shortened, range(len(self.starts))))

    def _shortened(self, line: int) -> str:
        start, end = self.span(line)
        if end - start <= LINE_LIMIT:
            return self.source[start:end]
        indent = end - start - len(self.source[start:end].lstrip(" \t"))
        start += max(0, indent - INDENT_LIMIT)
        if end - start > LINE_LIMIT:
            end = start + LINE_LIMIT
            self.cuts[line] = end
        return self.source[start:end]

    def span(self, line: int) -> tuple[int, int]:
        """Give the first character of a line and the one after its last, line feed left out."""
        following = line + 1 < len(self.starts)
        return self.starts[line], self.starts[line + 1] - 1 if following else len(self.source)

    def trimmed(self, first: int, last: int) -> tuple[int, int]:
        """Give the span of lines [first, last) without blank lines at its end."""
        while last > first + 1 and not self.source[slice(*self.span(last - 1))].strip():
            last -= 1
        return self.starts[first], self.span(last - 1)[1]

    def seen_end(self, line: int) -> int:
        """Give where the part of a line that the parser sees ends."""
        return self.cuts.get(line, self.span(line)[1])


Pieces = list[tuple[int, int, int]]  # (place in the content, place in the source, length)


def aligned(lines: Lines, content: str, first: int, last: int) -> Pieces:
    """Match each line of a content with the end of a source line; empty when one does not fit."""
    pieces: Pieces = []
    place, line = 0, first
    for part in content.split("\n"):
        stripped = part.strip(" \t\v\f")
        while stripped and line < last:
            end = lines.seen_end(line)
            kept = lines.source[lines.starts[line] : end].rstrip(" \t\v\f")
            line += 1
            if kept.endswith(stripped):
                at = lines.starts[line - 1] + len(kept) - len(stripped)
                pieces.append((place + part.find(stripped), at, len(stripped)))
                break
        else:
            if stripped:
                return []
        place += len(part) + 1
    return pieces


def heading_piece(lines: Lines, content: str, line: int) -> Pieces:
    """Find the content of an ATX heading behind its number signs."""
    start = lines.starts[line]
    sign = lines.source.find("#", start)
    at = lines.source.find(content, sign, lines.seen_end(line)) if content else -1
    while content and at >= 0 and lines.source[at - 1] not in " \t":
        at = lines.source.find(content, at + 1, lines.seen_end(line))
    return [(0, at, len(content))] if at >= 0 else []


def cell_pieces(lines: Lines, content: str, cursor: int, end: int) -> Pieces:
    r"""Find a table cell from `cursor` on; its `|` stand as `\|` in the source."""
    at = lines.source.find(content.replace("|", "\\|"), cursor, end)
    if at < 0:
        return []
    pieces: Pieces = []
    place = 0
    for part in content.split("|"):
        # The backslash before a bar is in the source only.
        if pieces:
            pieces.append((place - 1, at - 1, 1))
        if part:
            pieces.append((place, at, len(part)))
        place += len(part) + 1
        at += len(part) + 2
    return pieces
