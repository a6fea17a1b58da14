"""Entities, relationships, claims and reports in, the rows of a report's context out, and its text.

Headings, columns and quoting are those of Microsoft's prompts (facts of the format), so that a
context can be compared with theirs character by character.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

Count = Callable[[str], int]
HEADINGS = {  # in the order in which they stand in a context
    "Reports": "----Reports-----",  # four dashes on the left, as in Microsoft's prompts
    "Entities": "-----Entities-----",
    "Claims": "-----Claims-----",
    "Relationships": "-----Relationships-----",
}
COLUMNS = {
    "Reports": ("community", "full_content"),
    "Entities": ("human_readable_id", "title", "description", "degree"),
    "Claims": ("human_readable_id", "subject_id", "type", "status", "description"),
    "Relationships": ("human_readable_id", "source", "target", "description", "combined_degree"),
}
NO_DESCRIPTION = "No Description"


@dataclass(frozen=True, slots=True)
class Line:
    """One record of a context: its section, its ids and its CSV row, with the line feed."""

    section: str
    id: str
    short_id: int
    text: str

    @property
    def key(self) -> tuple[str, str]:
        """What tells records apart: section and id."""
        return self.section, self.id


def csv_row(values: Iterable[object], delimiter: str = ",") -> str:
    """Write one CSV row as pandas does: fields quoted only where they must be, one line feed.

    >>> csv_row([4, 'The "squad", elite', None])
    '4,"The ""squad"", elite",\\n'
    """
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=delimiter, lineterminator="\n").writerow(values)
    return buffer.getvalue()


def opening(section: str) -> str:
    """Give what stands above a section's rows: its heading and its column names."""
    return f"{HEADINGS[section]}\n{csv_row(COLUMNS[section])}"


def render(lines: Sequence[Line]) -> str:
    """Put records under their headings, in their order; a section without records is left out."""
    parts = []
    for section in HEADINGS:
        rows = [line.text for line in lines if line.section == section]
        if rows:
            parts.append(opening(section) + "".join(rows))
    return "\n\n".join(parts)


def render_plain(reports: Sequence[Line]) -> str:
    """Write reports as CSV without a heading, as in a context that is made of nothing else."""
    return csv_row(COLUMNS["Reports"]) + "".join(line.text for line in reports)


def opening_tokens(count: Count) -> dict[str, int]:
    """Give the tokens that a section's beginning costs behind a row that ends in a number."""
    return {name: count(f"0\n\n\n{opening(name)}") - count("0\n") for name in HEADINGS}


def entity_lines(entities: pd.DataFrame) -> dict[str, Line]:
    """Give the line of each entity, by id."""
    columns = ["id", "short_id", "name", "description", "degree"]
    return {
        row[0]: _line("Entities", row[0], [row[1], row[2], _described(row[3]), row[4]])
        for row in _plain(entities[columns])
    }


def relationship_lines(relationships: pd.DataFrame, names: dict[str, str]) -> list[Line]:
    """Give the line of each relationship, in the frame's order; ends without a row are empty."""
    columns = ["id", "short_id", "source_id", "target_id", "description", "combined_degree"]
    return [
        _line(
            "Relationships",
            row[0],
            [row[1], names.get(row[2]), names.get(row[3]), _described(row[4]), row[5]],
        )
        for row in _plain(relationships[columns])
    ]


def claim_lines(claims: pd.DataFrame, names: dict[str, str]) -> dict[str, list[Line]]:
    """Give the lines of the claims about each entity, by its id, sorted by short_id."""
    columns = ["id", "short_id", "subject_id", "type", "status", "description"]
    lines: dict[str, list[Line]] = {}
    for row in _plain(claims.sort_values("short_id", kind="stable")[columns]):
        if row[2] in names:
            values = [row[1], names[row[2]], row[3], row[4], _described(row[5])]
            lines.setdefault(row[2], []).append(_line("Claims", row[0], values))
    return lines


def report_line(community_id: str, short_id: int, full_content: str | None) -> Line:
    """Give the line of a sub-community's report; None leaves its cell empty."""
    return _line("Reports", community_id, [short_id, full_content])


def _line(section: str, record_id: str, values: list[object]) -> Line:
    return Line(section, record_id, int(str(values[0])), csv_row(values))


def _plain(frame: pd.DataFrame) -> Iterable[tuple]:
    """Give rows as tuples with None for every null."""
    return frame.astype(object).where(frame.notna(), None).itertuples(index=False, name=None)


def _described(text: object) -> object:
    return NO_DESCRIPTION if text is None or text == "" else text
