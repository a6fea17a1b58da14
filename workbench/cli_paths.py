"""The command that shows how two entities are connected."""

from __future__ import annotations

from typing import Annotated

import typer

from workbench.cli_options import DEFAULT_STORE, JsonOption, RunOption, StoreOption
from workbench.cli_output import print_output, records_of


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(paths)


def paths(
    source: Annotated[str, typer.Argument(help="Name or alias of an entity.")],
    target: Annotated[str, typer.Argument(help="… and of another.")],
    store: StoreOption = DEFAULT_STORE,
    run: RunOption = None,
    max_hops: Annotated[int, typer.Option(help="Hops of a path, 1 to 3.")] = 3,
    k: Annotated[int, typer.Option(help="How many paths.")] = 5,
    as_json: JsonOption = False,
) -> None:
    """Show the shortest paths between two entities, each hop with its evidence."""
    from workbench.query.paths import connection_paths
    from workbench.store import Store

    found = connection_paths(Store(store).run(run), source, target, max_hops, k)
    note = found.attrs["note"]
    columns = ["path", "hop", "source", "target", "type", "reversed", "weight", "path_score"]
    shown = found[[*columns, "evidence", "chunk", "document"]]
    payload = {"paths": records_of(found), "note": note}
    print_output(payload, as_json, (f"{source} and {target}", shown))
    if note:
        typer.echo(note, err=True)
