"""A run's tables in, the lines of a local context out, written and counted when needed.

Headings, columns and the order of fields are those of Microsoft's prompts (facts of the format).
Shipped, only reports and history are quoted as CSV; documented, every row is, so that a text with
a line feed or a `|` in it stays one row.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from workbench.graph.degrees import PHANTOM
from workbench.graph.report_lines import Count, csv_row
from workbench.params import Variant
from workbench.query.run_index import RunIndex

DELIMITER = "|"
COLUMNS = {  # section: heading, column names
    "history": ("Conversation History", ("turn", "content")),
    "reports": ("Reports", ("id", "title", "content")),
    "entities": ("Entities", ("id", "entity", "description", "number of relationships")),
    "relationships": ("Relationships", ("id", "source", "target", "description", "weight")),
    "claims": (
        "claims",
        ("id", "entity", "object_id", "status", "start_date", "end_date", "description"),
    ),
    "sources": ("Sources", ("id", "text")),
}
NOTHING = "NONE"  # how a claim says that it has no object or no date
Key = tuple[Any, ...]  # what one line is made of: a row number, and what else changes its text
Write = Callable[[Sequence[object]], str]


def plain_row(values: Sequence[object]) -> str:
    """Join fields with nothing quoted, as Microsoft's tables are; null is empty."""
    return DELIMITER.join("" if value is None else str(value) for value in values) + "\n"


def quoted_row(values: Sequence[object]) -> str:
    """Write one CSV row between bars."""
    return csv_row(values, DELIMITER)


def opening(section: str, more: Sequence[str] = ()) -> str:
    """Give what stands above a section's rows: its heading and its column names."""
    heading, columns = COLUMNS[section]
    return f"-----{heading}-----\n{DELIMITER.join([*columns, *more])}\n"


class Lines:
    """The lines of one section: written when needed, counted once.

    `cells` gives the fields of a key; `counted` writes what is counted, where it is not the line.
    """

    def __init__(
        self, cells: Callable[..., Sequence[object]], write: Write, count: Count,
        counted: Write | None = None,
    ) -> None:  # fmt: skip
        self._cells, self._write = cells, write
        measured = counted or write
        self._tokens = functools.cache(lambda *key: count(measured(cells(*key))))

    def text(self, key: Key) -> str:
        """Give the line of a key, with its line feed."""
        return self._write(self._cells(*key))

    def tokens(self, key: Key) -> int:
        """Give the tokens of a key's line."""
        return self._tokens(*key)


def local_lines(
    index: RunIndex, count: Count, variant: Variant, texts: Callable[[], Sequence[str]]
) -> dict[str, Lines]:
    """Give the lines of each section, by keys that begin with a row number (a turn's: its place).

    A relationship's key may hold its links too, a turn's holds its words.
    """
    shipped = plain_row if variant == "as_shipped" else None
    row = shipped or quoted_row
    reports = as_objects(index.reports, "short_id", "title", "full_content")
    entities = as_objects(index.entities, "short_id", "name", "description", "degree")
    names = ("short_id", "source", "target", "description", "weight")
    relationships = as_objects(index.relationships, *names)
    numbers = as_objects(index.chunks.chunks, "short_id")
    return {
        "history": Lines(lambda _, words: ("user", words), quoted_row, count, shipped),
        "reports": Lines(lambda at: [c[at] for c in reports], quoted_row, count, shipped),
        "entities": Lines(lambda at: [c[at] for c in entities], row, count),
        "relationships": Lines(
            lambda at, *links: [*(c[at] for c in relationships), *links], row, count
        ),
        "claims": Lines(_claim_cells(index), row, count),
        "sources": Lines(lambda at: [numbers[0][at], texts()[at]], row, count),
    }


def _claim_cells(index: RunIndex) -> Callable[[int], list[object]]:
    if index.claims is None:
        return lambda at: []
    names = ("short_id", "subject_id", "object_id", "status", "start_date", "end_date")
    columns = as_objects(index.claims, *names, "description")
    called = index.entities["name"].to_numpy(dtype=object)

    def name(entity: str | None) -> str:
        if entity is None:
            return NOTHING
        row = index.entity_row_of.get(entity)
        return entity.removeprefix(PHANTOM) if row is None else str(called[row])

    def cells(at: int) -> list[object]:
        short, subject, about, status, start, end, text = (column[at] for column in columns)
        return [short, name(subject), name(about), status, start or NOTHING, end or NOTHING, text]

    return cells


def as_objects(frame: pd.DataFrame, *names: str) -> list[np.ndarray]:
    """Give columns as arrays of objects, with None for every null."""
    return [
        frame[name].astype(object).where(frame[name].notna(), None).to_numpy(dtype=object)
        for name in names
    ]
