"""Reports with weights in, the batches a model reads one at a time out: Microsoft's packing; pure.

As shipped, a report's tokens are counted before it is quoted as CSV, so that a batch may be larger
than the limit, no heading stands above the columns, and a report that is too long goes alone, as it
is. Documented: a heading, the text that is sent is counted, and what is too long is cut.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pandas as pd

from workbench.graph.report_lines import Count, csv_row
from workbench.params import GlobalParams

HEADING = "-----Reports-----\n"


@dataclass(frozen=True)
class Item:
    """A report's row: its place in the frame, its line, the line's tokens, and those before a cut.

    `counted`: the tokens by which it was packed (as shipped: of the line without quoting).
    """

    row: int
    text: str
    tokens: int
    counted: int
    whole: int


@dataclass(frozen=True)
class Packed:
    """`shuffled`: rows of the frame in the order of packing; `batches`: items as they are sent.

    `opening` stands above each batch. `unfit`: rows of which not even the beginning fits.
    """

    shuffled: list[int]
    batches: list[list[Item]]
    opening: str
    opening_tokens: int
    unfit: list[int] = field(default_factory=list)

    def text(self, number: int) -> str:
        """Give a batch (0 is the first) as it is sent."""
        return self.opening + "".join(item.text for item in self.batches[number])


def shuffled(number: int, seed: int = 86) -> list[int]:
    """Give the numbers below `number` as Python's seeded shuffle orders them.

    >>> shuffled(4), shuffled(5)
    ([3, 1, 2, 0], [1, 4, 3, 2, 0])
    """
    order = list(range(number))
    random.Random(seed).shuffle(order)  # noqa: S311 (no secret)
    return order


def pack(reports: pd.DataFrame, params: GlobalParams, count: Count, limit: int) -> Packed:
    """Deal reports out to batches of at most `limit` tokens, in shuffled order.

    `reports`: short_id, title, weight, content, rank, in the table's order. A report that no longer
    fits opens the next batch; inside a batch the weightiest stand first, then those of high rank.
    """
    shipped = params.variant == "as_shipped"
    content = "summary" if params.use_summary else "content"
    columns = "|".join(("id", "title", "occurrence weight", content, "rank")) + "\n"
    opening = columns if shipped else HEADING + columns
    start = count(HEADING + columns)
    order = list(range(len(reports)))
    if params.shuffle:
        order = shuffled(len(reports), params.seed)
    rows = list(reports[["short_id", "title", "weight", "content", "rank"]].itertuples(index=False))
    packed = Packed(order, [], opening, count(opening))
    used = limit + 1  # no batch is open
    for row in order:
        item = _item(row, rows[row], count, None if shipped else limit - start)
        if item is None:
            packed.unfit.append(row)
            continue
        if used + item.counted > limit:
            packed.batches.append([])
            used = start
        packed.batches[-1].append(item)
        used += item.counted
    for batch in packed.batches:
        batch.sort(key=lambda item: (-rows[item.row].weight, -_number(rows[item.row].rank)))
    return packed


def _item(row: int, fields: tuple, count: Count, room: int | None) -> Item | None:
    """Write a report's line; without `room` as it is, else cut to it (None: it has no room)."""
    *before, content, rank = fields
    rank = None if pd.isna(rank) else rank

    def line(text: str) -> str:
        return csv_row([*before, text, rank], "|")

    text = line(content)
    whole = count(text)
    if room is None:
        plain = "|".join(map(str, [*before, content, "" if rank is None else rank])) + "\n"
        return Item(row, text, whole, count(plain), whole)
    if whole > room:
        text = line(beginning(content, lambda part: count(line(part)) <= room))
        if text == line(""):
            return None
    tokens = count(text)
    return Item(row, text, tokens, tokens, whole)


def beginning(text: str, fits: Callable[[str], bool]) -> str:
    """Give the longest beginning of a text that fits, to a word's end; empty when none does."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(text[:middle]) else (low, middle - 1)
    part = text[:low]
    if low < len(text) and " " in part:
        part = part[: part.rindex(" ")]
    return part if not part or fits(part) else ""


def _number(rank: object) -> float:
    return 0.0 if pd.isna(rank) else float(rank)
