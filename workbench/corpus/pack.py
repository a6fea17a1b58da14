"""Pieces of a document in, groups of neighbours that make a chunk out: where `markdown` breaks.

A group ends where the next piece no longer fits. A section begins a group of its own when it does
not fit into the room that is left, or when it stands higher than the group's first heading; small
sections under one parent share a group, and tiny ones stay with their neighbour. A heading goes
with what follows it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from workbench.corpus.cut import Piece

TINY = 10  # a group or section below a 10th of the size is not parted from its neighbour


@dataclass(slots=True)
class Group:
    """Neighbouring pieces; `repeats` when it goes on in the section of the group before."""

    pieces: list[Piece] = field(default_factory=list)
    tokens: int = 0
    repeats: bool = False

    def add(self, piece: Piece) -> None:
        """Take one more piece."""
        self.pieces.append(piece)
        self.tokens += piece.tokens

    @property
    def level(self) -> int:
        """The level of its first heading, or 7 when it has none (no heading stands lower)."""
        return next((piece.level for piece in self.pieces if piece.level), 7)


def section_tokens(pieces: list[Piece]) -> list[int]:
    """Give for each heading the tokens of its section with all sections below it; else 0.

    >>> section_tokens([Piece(0, 1, 5, 1), Piece(1, 2, 3), Piece(2, 3, 4, 2), Piece(3, 4, 2, 1)])
    [12, 0, 4, 2]
    """
    before = [0]
    for piece in pieces:
        before.append(before[-1] + piece.tokens)
    totals = [0] * len(pieces)
    stack: list[int] = []
    for i, piece in enumerate(pieces):
        while piece.level and stack and pieces[stack[-1]].level >= piece.level:
            heading = stack.pop()
            totals[heading] = before[i] - before[heading]
        if piece.level:
            stack.append(i)
    for heading in stack:
        totals[heading] = before[-1] - before[heading]
    return totals


def pack(pieces: list[Piece], size: int, overlap: int) -> list[Group]:
    """Pack pieces greedily into groups of at most `size` tokens, the repeated ones included."""
    groups = [Group()]
    for piece, section in zip(pieces, section_tokens(pieces), strict=True):
        group = groups[-1]
        room = size - group.tokens - (overlap if group.repeats else 0)
        if piece.level and group.tokens > size // TINY:
            leaves = piece.level < group.level and section > size // TINY
            if section > room or leaves:
                group = _next(groups, piece)
        elif group.pieces and piece.tokens > room:
            group = _next(groups, piece)
            if group.pieces and group.tokens + piece.tokens > size:
                groups.append(Group(repeats=True))
                group = groups[-1]
        group.add(piece)
    return [group for group in groups if group.pieces]


def _next(groups: list[Group], piece: Piece) -> Group:
    """Begin a group for `piece`; the headings just above it move on with it."""
    last = groups[-1]
    new = Group(repeats=not piece.level)
    at, below = len(last.pieces), piece.level or 7
    while at > 1 and 0 < last.pieces[at - 1].level < below:
        at -= 1
        below = last.pieces[at].level
    for moved in last.pieces[at:]:
        last.tokens -= moved.tokens
        new.add(moved)
        new.repeats = False
    del last.pieces[at:]
    groups.append(new)
    return new
