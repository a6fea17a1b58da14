"""The commands for GraphRAG indexes: what they print, and what they refuse."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.interop import indexes
from tests.interop.conftest import embedder
from workbench.cli import app, main

__all__ = ["embedder"]
pytestmark = pytest.mark.usefixtures("embedder")


def test_import_stats_and_export(tmp_path: Path) -> None:
    store = str(tmp_path / "s.duckdb")
    folder = indexes.write(tmp_path / "index", indexes.tables())
    runner = CliRunner()
    done = runner.invoke(app, ["import-graphrag", str(folder), "--store", store, "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["run"], told["graphrag"]["version"], told["chunks"]) == ("graphrag", "v3", 3)
    assert [one["rule"] for one in told["problems"]] == [
        "outside_largest_component",
        "in_no_community",
        "empty_claim",
    ]
    shown = runner.invoke(app, ["import-graphrag", str(folder), "--store", store])
    assert "wrong with the index" in shown.output and "DEE" in shown.output
    ours = runner.invoke(app, ["index", "--mode", "heuristic", "--store", store, "--json"])
    assert list(json.loads(ours.stdout)["runs"]) == ["graphrag", "heuristic"]
    assert runner.invoke(app, ["check", "--store", store]).exit_code == 0
    words = ["export-graphrag", str(tmp_path / "out"), "--run", "graphrag", "--store", store]
    done = runner.invoke(app, [*words, "--json"])
    assert json.loads(done.stdout)["files"]["entities.parquet"] == 4
    done = runner.invoke(app, [*words[:3], "heuristic", *words[4:], "--force"])
    assert done.exit_code == 0 and "The run has no reports" in done.output


def test_mistakes_exit_with_2_and_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    store = str(tmp_path / "s.duckdb")
    full = indexes.write(tmp_path / "index", indexes.tables())
    for words, message in (
        (["import-graphrag", str(tmp_path / "none")], "is not there: give the folder"),
        (["import-graphrag", str(full), "--run", "A"], "A run cannot be called 'A'"),
        (["export-graphrag", str(full), "--run", "x"], "There is no store"),
    ):
        monkeypatch.setattr(sys, "argv", ["workbench", *words, "--store", store])
        with pytest.raises(SystemExit) as stop:
            main()
        assert stop.value.code == 2
        assert message in capsys.readouterr().err.splitlines()[-1]
    assert not Path(store).exists()
