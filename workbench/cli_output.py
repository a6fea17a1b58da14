"""Payloads and frames in, what a command prints out: JSON for scripts, or tables."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    import pandas as pd


def print_output(payload: Any, as_json: bool, *tables: tuple[str, pd.DataFrame]) -> None:
    """Print the payload as JSON, or else the captioned frames."""
    if as_json:
        typer.echo(json.dumps(payload, ensure_ascii=False, indent=2, default=str))
        return
    from rich.console import Console

    from workbench.show.console import print_tables

    # Piped output has no width of its own; 80 columns would fold every table.
    print_tables(Console(width=None if sys.stdout.isatty() else 160), *tables)


def records_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Give a frame's rows as JSON-able dictionaries."""
    from workbench.show.console import records

    return records(frame)
