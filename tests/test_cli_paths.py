"""`workbench paths`: a table, JSON, and one sentence for a name that is not there."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from tests.query.handbook import handbook
from workbench.cli import app
from workbench.errors import InputError
from workbench.run import Run

__all__ = ["handbook"]


def test_paths_are_printed_and_given_as_json(handbook: Run) -> None:
    call = ["paths", "Tidebook", "PostgreSQL", "--store", str(handbook.store.path), "--k", "2"]
    shown = CliRunner().invoke(app, call)
    assert shown.exit_code == 0
    assert "co_occurs_with" in shown.stdout
    given = json.loads(CliRunner().invoke(app, [*call, "--json"]).stdout)
    assert {hop["path"] for hop in given["paths"]} == {1, 2}
    assert given["paths"][0]["evidence"]
    assert given["note"] == ""


def test_an_unknown_name_is_one_sentence(handbook: Run) -> None:
    call = ["paths", "Tidebok", "PostgreSQL", "--store", str(handbook.store.path)]
    result = CliRunner().invoke(app, call)
    assert isinstance(result.exception, InputError)
    with pytest.raises(InputError, match="nearest: Tidebook"):
        raise result.exception
