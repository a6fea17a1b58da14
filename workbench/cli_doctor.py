"""The command that says what this machine has."""

from __future__ import annotations

import typer

from workbench.cli_options import JsonOption
from workbench.cli_output import print_output, records_of


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(doctor)


def doctor(as_json: JsonOption = False) -> None:
    """Show versions, models, extension, memory and model servers: all that a bug report needs."""
    from workbench.study.doctor import doctor as look

    found = look()
    print_output({"doctor": records_of(found)}, as_json, ("doctor", found))
    raise typer.Exit(0 if found["ok"].all() else 1)
