"""The command line, run as people run it: each command once, each mistake once."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.storage.corpora import write_corpus
from workbench.cli import app, main

runner = CliRunner()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store made by the command itself from ten small documents."""
    folder = tmp_path_factory.mktemp("cli")
    path = folder / "ten.duckdb"
    result = runner.invoke(
        app, ["index", str(write_corpus(folder / "ten")), "--store", str(path), "--json"]
    )
    assert result.exit_code == 0, result.output
    return path


def ask(*arguments: str | Path) -> dict:
    result = runner.invoke(app, [*map(str, arguments), "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, *words: str) -> str:
    """Run main() on a mistake: exit code 2 and one sentence, which is returned."""
    monkeypatch.setattr(sys, "argv", ["workbench", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    message = capsys.readouterr().err.strip().splitlines()[-1]
    assert message.startswith("workbench: ")
    return message


def test_counts_have_the_shape_scripts_read(store: Path) -> None:
    counts = ask("stats", "--store", store)
    assert counts["documents"] == 10
    assert list(counts["runs"]) == ["heuristic"]
    assert set(counts["runs"]["heuristic"]) == {
        "mode",
        "entities",
        "relationships",
        "communities",
        "isolated_entities",
        "levels",
    }
    assert counts["runs"]["heuristic"]["entities"] >= 8  # the eight names, and the documents


def test_indexing_again_says_that_nothing_was_to_do(store: Path) -> None:
    result = runner.invoke(
        app, ["index", str(store.parent / "ten"), "--store", str(store), "--json"]
    )
    assert result.exit_code == 0
    assert "10 documents (10 unchanged, 0 gone), 1 files skipped, 0 chunks embedded" in (
        result.stderr
    )
    assert "was there already" in result.stderr
    assert "skipped: 1 unsupported" in result.stderr  # the picture


def test_search_shows_each_part_of_a_score(store: Path) -> None:
    best = ask("search", "Terraform restarts", "--store", store, "--k", "3")["results"]
    assert [row["rank"] for row in best] == [1, 2, 3]
    assert {"bm25_score", "cosine", "fused_score"} <= set(best[0])
    assert "Terraform" in best[0]["text"]


def test_entity_card_finds_a_name_in_any_case(store: Path) -> None:
    card = ask("entity", "KUBERNETES", "--store", store)
    assert card["entity"]["name"] == "Kubernetes"
    assert len(card["mentions"]) == card["entity"]["chunk_count"]
    assert len(card["neighbours"]) >= 1


def test_runs_are_listed_and_deleted(store: Path) -> None:
    runner.invoke(app, ["index", "--store", str(store), "--run", "second"])
    listed = ask("runs", "--store", store)["runs"]
    assert [row["name"] for row in listed] == ["heuristic", "second"]
    left = ask("runs", "delete", "second", "--store", store)
    assert list(left["runs"]) == ["heuristic"]


def test_check_is_clean_and_says_so(store: Path) -> None:
    assert ask("check", "--store", store) == {"problems": []}


def test_evaluate_reads_questions_by_path(store: Path, tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text('{"id": 1, "question": "number 3 of the next", "gold": ["d03.md"]}\n')
    result = ask("evaluate", questions, "--store", store, "--methods", "bm25,basic", "--k", "10")
    assert result["methods"]["bm25"]["recall@10"] == 1.0
    assert set(result["methods"]) == {"bm25", "basic"}


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("stats", "--store", "nowhere.duckdb"), "nowhere.duckdb"),
        (("index", "no_such_folder", "--store", "x.duckdb"), "no_such_folder"),
        (("index", ".", "--store", "x.duckdb", "--size", "20"), "overlap 50"),
        (("index", ".", "--store", "x.duckdb", "--mode", "magic"), "magic"),
        (("index", ".", "--store", "x.duckdb", "--jobs", "0"), "jobs is 0"),
        (("index", ".", "--store", "x.duckdb", "--run", ""), "run"),
        (("notebooks", "00_start_heer"), "00_start_here"),
        (("notebooks", "00_start_here", "-p", "store_pth=x"), "store_path"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(
    words: tuple[str, ...],
    part: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert part in refused(monkeypatch, capsys, *words)
    assert not (tmp_path / "x.duckdb").exists()


def test_an_unknown_entity_names_the_nearest(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    message = refused(monkeypatch, capsys, "entity", "Kubernets", "--store", str(store))
    assert "Kubernetes" in message


def test_names_that_are_markup_or_control_characters_are_shown_as_data() -> None:
    import pandas as pd
    from rich.console import Console

    from workbench.show.console import print_tables

    console = Console(width=100, record=True, file=io.StringIO())
    print_tables(
        console, ("[red]t", pd.DataFrame({"name": ["[bold]x[/]", "a\x1b[31mb", "c\u202ed"]}))
    )
    text = console.export_text()
    assert "[bold]x[/]" in text and "a\\x1b[31mb" in text and "c\\u202ed" in text


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = (
        "import sys, workbench, workbench.cli; "
        "heavy = {'torch', 'pandas', 'duckdb', 'sentence_transformers', 'matplotlib', 'igraph'}; "
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
