"""The command that compares runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.cli_options import DEFAULT_STORE, JsonOption, PricesOption, StoreOption, listed
from workbench.cli_output import print_output, records_of

if TYPE_CHECKING:
    from workbench.run import Run


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(compare)


def compare(
    runs: Annotated[list[str], typer.Argument(help="Runs: NAME, or FILE:NAME.")],
    store: StoreOption = DEFAULT_STORE,
    gold: Annotated[str | None, typer.Option(help="A corpus with labels, as handbook.")] = None,
    questions: Annotated[Path | None, typer.Option(help="JSONL with question and gold.")] = None,
    methods: Annotated[str, typer.Option(help="Methods, joined by commas.")] = "basic",
    prices: PricesOption = None,
    html: Annotated[Path | None, typer.Option(help="Write one page of HTML there.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare runs: what each saw, how right it is, what it cost, and which is worth it."""
    from workbench.show.compare_page import comparison_page
    from workbench.study.compare import compare as build

    found = build(
        [_run(name, store) for name in runs],
        gold=gold,
        questions=questions,
        methods=listed(methods),
        prices=prices,
    )
    if html is not None:
        html.write_text(comparison_page(found), encoding="utf-8")
        typer.echo(f"{html} written.", err=True)
    tables = {name: frame for name, frame in found.tables().items() if not frame.empty}
    payload = {name: records_of(frame) for name, frame in tables.items()}
    shown = [(name, frame.head(20)) for name, frame in tables.items() if name != "matches"]
    print_output(payload, as_json, *shown)


def _run(name: str, store: Path) -> Run:
    """Open `NAME` of the store, or `FILE:NAME`."""
    from workbench.store import Store

    file, colon, run = name.rpartition(":")
    return Store(file if colon else store).run(run)
