"""Runs of two files, cut in different ways, compared on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.storage.corpora import write_corpus
from workbench.cli import app, main

runner = CliRunner()


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The same ten documents, cut at 512 and at 24 tokens."""
    folder = tmp_path_factory.mktemp("compare")
    corpus = write_corpus(folder / "ten")
    for name, size in (("whole", "512"), ("cut", "24")):
        words = ["index", str(corpus), "--store", str(folder / f"{name}.duckdb"), "--size", size]
        result = runner.invoke(app, [*words, "--overlap", "0"])
        assert result.exit_code == 0, result.output
    return folder / "whole.duckdb", folder / "cut.duckdb"


def test_sizes_of_chunks_compare(stores: tuple[Path, Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    runs = [f"{store}:heuristic" for store in stores]
    result = runner.invoke(app, ["compare", *runs, "--json", "--html", str(page)])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    whole, cut = found["statistics"]
    assert (whole["run"], cut["run"]) == ("whole:heuristic", "cut:heuristic")
    assert whole["documents"] == cut["documents"] == 10
    assert cut["chunks"] > whole["chunks"]
    assert {row["rule"] for row in found["matches"]} >= {"name"}
    assert found["verdict"][0]["question"] == "Do they see the same entities?"
    assert "Runs compared" in page.read_text("utf-8")


def test_one_run_cannot_be_compared(
    stores: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(sys, "argv", ["workbench", "compare", f"{stores[0]}:heuristic"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert "nothing to compare with 1 run: name two or more" in capsys.readouterr().err
