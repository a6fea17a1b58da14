"""Frames in, terminal output out: rich tables whose cells are data, never markup."""

from __future__ import annotations

import unicodedata
from typing import Any

import pandas as pd
from rich.console import Console
from rich.table import Table
from rich.text import Text

_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}  # controls, bidi overrides, surrogates, separators


def visible(value: object, limit: int = 0) -> str:
    """Give text that cannot move the cursor or reverse the line: unseen characters as escapes.

    White space runs become one blank; with `limit`, longer text is cut and ends in an ellipsis.

    >>> visible("a\\nb \\u202e c")
    'a b \\\\u202e c'
    """
    text = " ".join(str(value).split())
    text = "".join(_escaped(c) if unicodedata.category(c) in _UNSEEN else c for c in text)
    return text if not limit or len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and pd.isna(value)) or value is pd.NA:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}"
    if hasattr(value, "item"):  # a numpy scalar
        return _cell(value.item())
    return f"{value:,}" if isinstance(value, int) else visible(value)


def console_table(frame: pd.DataFrame, title: str = "", limit: int = 60) -> Table:
    """Give a rich table of a frame; numbers stand to the right, text is cut at `limit`.

    A single column is a list, of files for one, and is not cut: half a path cannot be opened.
    """
    limit = limit if len(frame.columns) > 1 else 0
    table = Table(title=Text(visible(title, 120)) if title else None, title_justify="left")
    for name in frame.columns:
        numeric = pd.api.types.is_numeric_dtype(frame[name])
        table.add_column(Text(str(name)), justify="right" if numeric else "left", overflow="fold")
    for row in frame.itertuples(index=False, name=None):
        table.add_row(*(Text(visible(_cell(value), limit)) for value in row))
    return table


def _fits(frame: pd.DataFrame, width: int) -> bool:
    """Say whether a terminal of this width has room for the column names and the lines between."""
    return sum(len(str(name)) + 3 for name in frame.columns) < width


def record_table(frame: pd.DataFrame, title: str = "", limit: int = 200) -> Table:
    """Give a rich table of two columns, name and value, with the rows of a frame one by one.

    Empty cells are left out.
    """
    table = Table(title=Text(visible(title, 120)) if title else None, title_justify="left")
    table.add_column("column", style="dim", no_wrap=True)
    table.add_column("value", overflow="fold")
    for row in frame.itertuples(index=False, name=None):
        cells = [(str(n), _cell(v)) for n, v in zip(frame.columns, row, strict=True)]
        for name, cell in cells:
            if cell:
                table.add_row(Text(name), Text(visible(cell, limit)))
        table.add_section()
    return table


def print_tables(console: Console, *parts: tuple[str, pd.DataFrame]) -> None:
    """Print captioned frames one under the other; an empty one is a line that says so.

    A frame whose very column names are wider than the terminal is printed row by row.
    """
    for title, frame in parts:
        if frame.empty:
            console.print(Text(f"{visible(title, 120)}: none"))
        elif len(frame.columns) <= 2 or _fits(frame, console.width):
            console.print(console_table(frame, title))
        else:
            console.print(record_table(frame, title))


def counts_tables(counts: dict[str, Any]) -> list[tuple[str, pd.DataFrame]]:
    """Give the captioned frames of a store's counts: the corpus, then a row a run."""
    corpus = {key: value for key, value in counts.items() if key != "runs"}
    runs = [{"run": name, **values} for name, values in counts["runs"].items()]
    return [("corpus", pd.DataFrame([corpus])), ("runs", pd.DataFrame(runs))]


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Give the rows of a frame as JSON-able dictionaries; nulls become None."""
    clean = frame.astype(object).where(frame.notna(), None)
    return [
        {key: value.item() if hasattr(value, "item") else value for key, value in row.items()}
        for row in clean.to_dict("records")
    ]
