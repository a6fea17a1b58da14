"""A data frame in, a captioned table out, as HTML and as plain text; the same bytes each time.

Names come from documents, so every cell, heading and caption is escaped and hidden signs are shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from workbench.show.text import count_of, escaped, formatted, visible

_CAPTION = "caption-side:top;text-align:left;font-weight:bold;padding:4px 0;white-space:nowrap"
_LEFT = ' style="text-align:left"'
_BAR = "background:linear-gradient(90deg,rgba(86,180,233,.45) {0}%,transparent {0}%)"


@dataclass(frozen=True)
class Table:
    """A table as shown: cells as text, what to say above, and how many rows there were."""

    caption: str
    cells: pd.DataFrame
    rows: int
    numeric: frozenset[str]
    shares: Mapping[str, Sequence[float]]

    @property
    def full_caption(self) -> str:
        """The caption with the rows shown and the rows there are."""
        shown = len(self.cells)
        rows = (
            count_of(self.rows, "row") if shown == self.rows else f"{shown} of {self.rows:,} rows"
        )
        return f"{visible(self.caption)} ({rows})"

    def _cell(self, column: str, row: int) -> str:
        styles = [] if column in self.numeric else ["text-align:left"]
        if column in self.shares:
            styles.append(_BAR.format(round(100 * self.shares[column][row])))
        style = f' style="{";".join(styles)}"' if styles else ""
        return f'<td dir="auto"{style}>{escaped(self.cells[column].iloc[row])}</td>'

    def _repr_html_(self) -> str:
        head = "".join(
            f"<th{'' if name in self.numeric else _LEFT}>{escaped(name)}</th>"
            for name in self.cells.columns
        )
        body = "\n".join(
            "<tr>" + "".join(self._cell(column, row) for column in self.cells.columns) + "</tr>"
            for row in range(len(self.cells))
        )
        return (
            f'<table class="dataframe"><caption style="{_CAPTION}">{escaped(self.full_caption)}'
            f"</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
        )

    def __repr__(self) -> str:
        text = self.cells.to_string(index=False) if len(self.cells) else "(no rows)"
        return f"{self.full_caption}\n{text}"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": repr(self)}


@dataclass(frozen=True)
class Row:
    """Tables beside each other."""

    tables: tuple[Table, ...]

    def _repr_html_(self) -> str:
        cells = "".join(f"<div>{table._repr_html_()}</div>" for table in self.tables)
        return (
            '<div style="display:flex;flex-wrap:wrap;gap:24px;align-items:flex-start">'
            f"{cells}</div>"
        )

    def __repr__(self) -> str:
        return "\n\n".join(repr(table) for table in self.tables)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": repr(self)}


def table(
    df: pd.DataFrame,
    caption: str,
    n: int = 20,
    *,
    columns: Sequence[str] | None = None,
    formats: Mapping[str, str] | None = None,
    bars: Sequence[str] = (),
    width: int = 80,
) -> Table:
    """Show the first `n` rows under a caption that says how many there are.

    `formats` maps a column to a format specification, `bars` draws a column's values (0 or more) as
    bars behind the numbers, and text is cut at `width` characters. An index that has a name is
    shown as the first column. Raises KeyError for a column that is not there.
    """
    frame = df.reset_index() if df.index.name is not None or df.index.nlevels > 1 else df
    frame = frame[list(columns)] if columns is not None else frame
    top = frame.head(n)
    formats = formats or {}
    cells = {
        str(name): [formatted(value, formats.get(name), width) for value in top[name]]
        for name in top.columns
    }
    numeric = [str(name) for name in top.columns if pd.api.types.is_numeric_dtype(top[name])]
    return Table(
        caption=caption,
        cells=pd.DataFrame(cells, columns=[str(name) for name in top.columns], dtype=object),
        rows=len(frame),
        numeric=frozenset(numeric),
        shares={name: _shares(frame[name], len(top)) for name in bars},
    )


def side_by_side(*tables: Table) -> Row:
    """Show tables beside each other; below each other where there is no room."""
    return Row(tables)


def _shares(values: pd.Series, n: int) -> list[float]:
    numbers = pd.to_numeric(values).astype("float64").fillna(0.0).clip(lower=0)
    largest = numbers.max() if len(numbers) else 0.0
    return [float(value / largest) if largest > 0 else 0.0 for value in numbers.head(n)]
