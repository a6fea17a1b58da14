from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from rich.console import Console
from typer.testing import CliRunner

from tests.models.fakes import FunctionModel
from tests.storage.builders import StandIn
from tests.study.costs import talkative_model, write_ships
from workbench import index as indexing
from workbench import recorded
from workbench.cli import app
from workbench.errors import InputError, StoreError
from workbench.models.calls import Caller
from workbench.models.language import ReplyFailed
from workbench.models.record import RecordingModel
from workbench.params import ChunkParams, LanguageParams
from workbench.show.console import print_tables
from workbench.show.costs import estimate_table
from workbench.store import Store
from workbench.study.estimate import estimate
from workbench.study.ledger import beside, estimate_of_run, ledger, with_costs
from workbench.study.replies import unused_replies

CHUNK = ChunkParams(size=32, overlap=4)
runner = CliRunner()


@pytest.fixture
def ships(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(indexing, "load_embedder", lambda params: StandIn())
    return write_ships(tmp_path / "ships")


@pytest.fixture
def make(ships: Path, tmp_path: Path) -> Callable[..., Store]:
    """Index the corpus by a model into one store."""

    def index(mode: str, model: FunctionModel, run: str | None = None, **language) -> Store:
        store = Store(tmp_path / "ships.duckdb")
        params = LanguageParams(retries=1, **language)
        indexing.index(ships, store, mode=mode, run=run, llm=model, language=params, chunk=CHUNK)
        return store

    return index


def by_task(frame: pd.DataFrame, run: str) -> pd.DataFrame:
    return frame[frame["run"] == run].set_index("task")


def test_calls_are_counted_by_run_and_task(make: Callable[..., Store]) -> None:
    store = make("hybrid", talkative_model())
    make("hybrid", talkative_model(), run="again")
    frame = ledger(store)
    first, again = by_task(frame, "hybrid"), by_task(frame, "again")
    assert first.loc["hybrid", ["calls", "cached", "retried", "failed"]].tolist() == [2, 0, 0, 0]
    assert again.loc["hybrid", ["calls", "cached", "retried", "failed"]].tolist() == [0, 2, 0, 0]
    prompts = store.sql("SELECT prompt FROM llm_calls")["prompt"]
    assert first.loc["hybrid", "prompt_tokens"] == sum(len(one.split()) for one in prompts)
    assert again.loc["hybrid", "prompt_tokens"] == 0
    assert frame["model"].unique().tolist() == ["fake/function"]
    assert ledger(store, "again")["run"].tolist() == ["again"]
    with pytest.raises(StoreError, match="no run 'other'"):
        ledger(store, "other")


def test_further_tries_and_failures_are_counted(make: Callable[..., Store]) -> None:
    answers = iter(["no JSON", "{}", ReplyFailed("down", "http 500", again=False)])
    model = FunctionModel(lambda prompt: next(answers))
    store = make("hybrid", model)
    row = by_task(ledger(store), "hybrid").loc["hybrid"]
    # The first document is asked about twice, in vain; the second call fails at once.
    assert row[["calls", "retried", "failed"]].tolist() == [2, 1, 2]


def test_an_empty_ledger_is_an_empty_table(make: Callable[..., Store], ships: Path) -> None:
    store = Store(ships.parent / "plain.duckdb")
    indexing.index(ships, store, chunk=CHUNK)
    assert ledger(store).empty and "calls" in ledger(store)
    with pytest.raises(InputError, match="asked no language model"):
        estimate_of_run(store.run())


def test_estimate_stands_beside_what_was_asked(make: Callable[..., Store]) -> None:
    model = talkative_model()
    store = make("llm", model, gleanings=1)
    made = estimate_of_run(store.run("llm"), model)
    table = beside(made, ledger(store, "llm"))
    assert table["task"].tolist() == ["entities", "gleaning", "relationships", "description"]
    assert table["within"].all()
    first = table.iloc[0]
    assert first["calls"] == first["calls_low"] == first["calls_high"] == made.chunks
    assert table["calls"].sum() == len(model.prompts)
    nothing = beside(made, ledger(store, "llm").iloc[:0])
    assert not nothing["within"].iloc[0] and nothing["calls"].sum() == 0


def test_replies_in_the_ledger_are_not_estimated_again(make: Callable[..., Store]) -> None:
    store = make("hybrid", talkative_model())
    model = talkative_model()
    fresh = estimate(store, "hybrid", model, report=None).tasks.iloc[0]
    assert fresh[["calls_low", "calls_high", "cached", "prompt_tokens_high"]].tolist() == [
        0, 0, 2, 0,
    ]  # fmt: skip
    other = estimate(store, "hybrid", talkative_model(name="fake/other"), report=None)
    assert other.total["calls_high"] == 2
    assert model.prompts == []


def test_a_sample_is_kept_in_the_store_and_not_asked_again(make: Callable[..., Store]) -> None:
    store = make("hybrid", talkative_model())
    model = talkative_model(name="fake/other")
    made = estimate(store, "llm", model, report=None, sample=1)
    assert len(model.prompts) == 1
    assert made.tasks.iloc[0][["calls_low", "cached"]].tolist() == [made.chunks - 1, 1]
    assert by_task(ledger(store), "estimate").loc["entities", "calls"] == 1


def test_money_is_that_of_the_model_s_own_tokens(
    make: Callable[..., Store], tmp_path: Path
) -> None:
    frame = ledger(make("hybrid", talkative_model()))
    assert with_costs(frame)["cost"].isna().all()  # fake/function has no price
    table = tmp_path / "prices.yaml"
    table.write_text("models: {'fake/*': {prompt: 2, completion: 30}}")
    cost = with_costs(frame, table)["cost"].iloc[0]
    row = frame.iloc[0]
    expected = (2 * row["prompt_tokens"] + 30 * row["completion_tokens"]) / 1e6
    assert cost == pytest.approx(expected) and cost > 0


def test_the_table_of_an_estimate_shows_ranges(ships: Path) -> None:
    made = estimate(ships, "llm", chunk=CHUNK, report=None)
    shown = estimate_table(made).set_index("task")
    assert shown.loc["entities", "calls"] == str(made.chunks)
    assert shown.loc["relationships", "calls"] == f"0 … {made.chunks}"
    assert "cost" not in shown and "seconds" not in shown
    console = Console(file=io.StringIO(), width=160)
    print_tables(console, ("estimate", estimate_table(made)))
    assert "relationships" in console.file.getvalue()


def ask(*arguments: str | Path) -> dict:
    result = runner.invoke(app, [*map(str, arguments), "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_estimate_by_the_command_line_needs_no_store(ships: Path) -> None:
    made = ask("estimate", ships, "--mode", "llm", "--llm", "openai/gpt-4o-mini", "--size", 32,
               "--overlap", 4, "--context-window", 8192, "--speed", 50)  # fmt: skip
    tasks = {row["task"]: row for row in made["tasks"]}
    assert tasks["entities"]["calls_low"] == tasks["entities"]["calls_high"] == made["chunks"]
    assert made["total"]["cost_high"] > made["total"]["cost_low"] > 0
    assert made["speed"]["completion_tokens_a_second"] == 50
    assert (made["context_window"], made["currency"]) == (8192, "USD")
    free = ask("estimate", ships, "--mode", "hybrid", "--no-reports")
    assert (free["total"]["calls_high"], free["total"]["seconds_low"]) == (2, None)
    systems = ask("estimate", ships, "--article")["systems"]
    assert [row["article"] for row in systems] == [24, 120, 1020, 1020]
    assert systems[3]["calls_low"] is None


def test_calls_by_the_command_line(make: Callable[..., Store]) -> None:
    store = make("hybrid", talkative_model(context_window=8192))
    rows = ask("calls", "--store", store.path)["calls"]
    assert [(row["run"], row["task"], row["calls"]) for row in rows] == [("hybrid", "hybrid", 2)]
    text = runner.invoke(app, ["calls", "--store", str(store.path)]).stdout
    assert "fake/function" in text


def test_replies_that_no_run_asks_for_are_listed(ships: Path, tmp_path: Path) -> None:
    file, chunk = tmp_path / "replies.jsonl", ChunkParams()
    caller = Caller(RecordingModel(talkative_model(), file))
    indexing.index(ships, tmp_path / "r.duckdb", mode="hybrid", llm=caller, chunk=chunk)
    found = unused_replies(file, [(ships, "hybrid")], reports=False)
    assert found.stale.empty and found.missed == []
    (ships / "crew.md").write_text("# Crew\n\nOdalys Brandt keeps the light of Cape Lorn.\n")
    listed = ask("replies", file, f"hybrid:{ships}", "--no-reports")
    assert [row["task"] for row in listed["stale"]] == ["hybrid"]
    assert len(listed["missing"]) == 1 and "has no reply to task 'hybrid'" in listed["missing"][0]


def test_recorded_extractions_are_imported(
    make: Callable[..., Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = make("hybrid", talkative_model())
    documents = store.read("documents")
    crew = documents.loc[documents["path"] == "crew.md", "id"].iloc[0]
    file = tmp_path / "openie.jsonl"
    row = {
        "doc_id": crew,
        "entities": ["Tomas Reyl", "Halden Shipping"],
        "triples": [["Tomas Reyl", "works for", "Halden Shipping"]],
    }
    file.write_text(json.dumps(row))
    monkeypatch.setattr(recorded, "load_embedder", lambda params: StandIn())
    counts = ask("import-openie", file, "--store", store.path, "--run", "gpt35")
    assert counts["runs"]["gpt35"]["entities"] == 2
    assert counts["runs"]["gpt35"]["relationships"] == 1
