"""The command that runs a grid of notebooks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from workbench.cli_options import DaskOption, JsonOption
from workbench.cli_output import print_output, records_of


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(sweep)


def sweep(
    file: Annotated[Path, typer.Argument(help="A YAML file: corpora, modes, parameters, …")],
    name: Annotated[str | None, typer.Option(help="Folder under reports; else the file's.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the runs, in its place.")] = None,
    jobs: Annotated[int, typer.Option(help="Runs at once on this machine.")] = 1,
    dask: DaskOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run corpora x modes x parameters x notebooks; what is finished is not run again."""
    import pandas as pd

    from workbench.study.sweep_run import sweep_notebooks

    results = sweep_notebooks(file, name=name, out=out, jobs=jobs, dask=dask)
    rows = [
        {"run": one["name"], **(one.get("figures") or {}), "error": one["error"]} for one in results
    ]
    frame = pd.DataFrame(rows)
    print_output({"runs": records_of(frame)}, as_json, ("sweep", frame))
    raise typer.Exit(1 if any(one["error"] for one in results) else 0)
