"""The commands that read and write Microsoft GraphRAG indexes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from workbench.cli_options import DEFAULT_STORE, JsonOption, RunOption, StoreOption
from workbench.cli_output import print_output, records_of


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command("import-graphrag")(import_graphrag)
    app.command("export-graphrag")(export_graphrag)


def import_graphrag(
    folder: Annotated[Path, typer.Argument(help="Output folder of GraphRAG, or its project.")],
    store: StoreOption = DEFAULT_STORE,
    run: Annotated[str, typer.Option("--run", help="Name of the run.")] = "graphrag",
    as_json: JsonOption = False,
) -> None:
    """Import a Microsoft GraphRAG index (v3, v2, v1, v0.3) as a run, and list what is wrong."""
    from workbench.interop.faults import fault_counts
    from workbench.interop.graphrag_import import import_graphrag as read
    from workbench.show.console import counts_tables

    made = read(folder, store, run=run, on_stage=lambda stage: typer.echo(f"{stage} …", err=True))
    told, counts = made.params["graphrag"], made.store.counts()
    typer.echo(f"GraphRAG {told['version']} index read into run {made.name}.", err=True)
    rejected = made.rejected
    payload = {"run": made.name, "graphrag": told, **counts, "problems": records_of(rejected)}
    found = fault_counts(rejected)
    print_output(payload, as_json, *counts_tables(counts), ("wrong with the index", found))


def export_graphrag(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    store: StoreOption = DEFAULT_STORE,
    run: RunOption = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the tables that the folder holds.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Write a run as GraphRAG v3 tables and as GraphML."""
    import pandas as pd

    from workbench.interop.graphrag_export import export_graphrag as write
    from workbench.store import Store

    rows = write(Store(store).run(run), folder, force=force)
    files = pd.DataFrame(rows.items(), columns=["file", "rows"])
    print_output({"folder": str(folder), "files": rows}, as_json, (str(folder), files))
    if not rows["community_reports.parquet"]:
        typer.echo("The run has no reports: write them first with `workbench reports`.", err=True)
