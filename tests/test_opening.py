from __future__ import annotations

from pathlib import Path

import pytest

from workbench import opening
from workbench.errors import InputError, WorkbenchWarning


def test_a_relative_store_lies_under_the_root_and_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.md").write_text("# Docker\n\nDocker runs on Linux, and Linux runs Docker.\n")
    monkeypatch.setattr(opening, "root", lambda: tmp_path / "here")
    monkeypatch.chdir(tmp_path)
    run = opening.open_run("reports/a.duckdb", corpus, "heuristic")
    assert run.store.path == tmp_path / "here" / "reports" / "a.duckdb"
    assert (run.name, run.mode, run.index_report.extracted) == ("heuristic", "heuristic", True)
    again = opening.open_run("reports/a.duckdb", corpus, "heuristic")
    assert not again.index_report.extracted and not again.index_report.changed


def test_a_relative_store_that_is_there_is_opened_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`workbench index . --store my.duckdb`, then `workbench notebooks -p store_path=my.duckdb`."""
    (tmp_path / "a.md").write_text("# Docker\n\nDocker runs on Linux, and Linux runs Docker.\n")
    monkeypatch.setattr(opening, "root", lambda: tmp_path / "checkout")
    monkeypatch.chdir(tmp_path)
    made = opening.open_run(tmp_path / "my.duckdb", "a.md")
    again = opening.open_run("my.duckdb", "a.md")
    assert again.store.path == made.store.path
    assert not again.index_report.changed
    assert not (tmp_path / "checkout").exists()


def test_what_a_model_is_asked_for_can_be_told_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Docker\n\nDocker runs on Linux, and Linux runs Docker.\n")
    replies = tmp_path / "hand.jsonl"
    replies.write_text('{"written_by": "hand"}\n', encoding="utf-8")
    given = (tmp_path / "my.duckdb", tmp_path / "a.md", "llm", f"replay/{replies}", "gleaned")
    with pytest.warns(WorkbenchWarning, match="1 of 1 replies of llm could not be used"):
        run = opening.open_run(*given, gleanings=2)
    assert (run.name, run.params["language"]["gleanings"]) == ("gleaned", 2)
    assert "Docker" in set(run.entities["name"])  # the heuristic result, as no reply was there
    with pytest.raises(InputError, match="gleanings"):
        opening.open_run(*given, gleanings=-1)
