"""The lines of a section in order and its share of the budget in, those that fit out."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from workbench.query.local_lines import Key, Lines, opening
from workbench.query.local_world import LocalWorld


@dataclass(frozen=True)
class Section:
    """One section: the keys of all its candidates in order, with why they are left out (or "").

    `opening` stands above the lines; `bare` instead of both where there are no lines (None: not
    even a gap). Tokens `allowed` are those of opening and lines together.
    """

    name: str
    lines: Lines
    entries: list[tuple[Key, str]]
    allowed: int
    opening: str
    opening_tokens: int
    bare: str | None

    @functools.cached_property
    def kept(self) -> list[Key]:
        """The keys of the lines in the context."""
        return [key for key, reason in self.entries if not reason]

    @property
    def text(self) -> str:
        """The section as it stands in the context."""
        if not self.kept:
            return self.bare or ""
        return self.opening + "".join(map(self.lines.text, self.kept))

    @property
    def tokens(self) -> int:
        """Tokens of opening and lines, each counted on its own."""
        lines = sum(map(self.lines.tokens, self.kept))
        return self.opening_tokens + lines if self.kept else 0


def section_of(
    world: LocalWorld,
    name: str,
    keys: Iterable[Key],
    allowed: int,
    *,
    bare: str | None = None,
    skip: bool = False,
    more: Sequence[str] = (),
) -> Section:
    """Take lines while they fit. Shipped, the first that does not ends it; `bare`: see Section.

    Documented, one too long for all of the budget is passed over, and with `skip` every one that
    does not fit, so that shorter ones get their turn.
    """
    head, lines = opening(name, more), world.lines[name]
    opening_tokens = used = world.count_opening(head)
    documented, full, some = world.variant == "documented", False, False
    entries = []
    for key in keys:
        tokens = 0 if full else lines.tokens(key)
        if full or used + tokens > allowed:
            full = full or not (documented and (skip or not some))
            entries.append((key, "budget"))
        else:
            some = True
            used += tokens
            entries.append((key, ""))
    bare = None if documented else bare
    return Section(name, lines, entries, allowed, head, opening_tokens, bare)
