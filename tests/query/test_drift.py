"""DRIFT on the handbook, with models that answer by a script: the tree, its faults, its limits."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import workbench as wb
from tests.models.fakes import FunctionModel
from tests.query.test_truth import hold_to_truth
from workbench.models.language import ReplyFailed
from workbench.params import DriftParams
from workbench.query.chunk_index import chunk_index
from workbench.query.drift import METHOD, drift_cost
from workbench.query.drift_primer import folds_of
from workbench.query.question import read_question
from workbench.query.search import embedder_of
from workbench.query.trace import Trace
from workbench.run import Run

QUESTION = "How does Tidebook relate to PostgreSQL?"
Say = Callable[[str], object]


def scripted(
    primer: Say, follow_up: Say, last: str = "Through EF Core [chunk 1]."
) -> FunctionModel:
    """Answer by what the prompt asks for; `primer` and `follow_up` give objects for JSON."""

    def say(prompt: str) -> str | Exception:
        if "Whole question:" in prompt:
            query = prompt.split("\nQuery: ")[1].split("\n")[0]
            told = follow_up(query)
        elif '"intermediate_answer"' in prompt:
            told = primer(prompt)
        else:
            return last if "Paths are" in prompt else "A made-up passage about databases."
        return told if isinstance(told, str | Exception) else json.dumps(told)

    return FunctionModel(say, context_window=128_000)


def primed(*queries: str, score: object = 40) -> Say:
    return lambda prompt: {
        "intermediate_answer": "A first answer.", "score": score, "follow_up_queries": queries
    }  # fmt: skip


def followed(**replies: tuple[object, list[str]]) -> Say:
    """Answer the queries that begin with a word by a score and further queries."""

    def say(query: str) -> object:
        score, queries = replies.get(query.split()[0], (10, []))
        return {"response": f"To {query}.", "score": score, "follow_up_queries": queries}

    return say


def ask(
    run: Run, model: FunctionModel | None, question: str = QUESTION, **settings: object
) -> Trace:
    trace = wb.ask(run, QUESTION, method="drift", llm=model, save=False, **settings)
    if settings.get("variant") != "as_shipped":  # Microsoft counts reports before they are quoted
        hold_to_truth(trace, run)
    return trace


def told(trace: Trace) -> list[int]:
    table = trace.step("actions")
    return table["short_id"][table["in_context"]].tolist()


@pytest.mark.parametrize(
    ("reports", "sizes"),
    [(20, [4] * 5), (10, [2] * 5), (7, [2, 2, 1, 1, 1]), (3, [1, 1, 1]), (0, [])],
)
def test_reports_are_split_evenly_and_empty_folds_cost_nothing(
    reports: int, sizes: list[int]
) -> None:
    folds = folds_of(np.arange(reports), 5)
    assert [len(fold) for fold in folds] == sizes
    assert np.concatenate([*folds, np.zeros(0)]).tolist() == list(range(reports))


def test_the_tree_by_hand(handbook: Run) -> None:
    """DuckDB scores 90, Lantern 20: the former's child comes first; equal queries are one."""
    model = scripted(
        primed("Lantern is what?", "DuckDB is what?", "Lantern is what?"),
        followed(
            Lantern=(20, ["Alembic is what?"]),
            DuckDB=(90, ["SQLite is what?", "Alembic is what?"]),
            SQLite=(0, ["Zorblax is what?"]),
        ),
    )
    trace = ask(handbook, model, primer_folds=1, max_calls=30)
    table = trace.step("actions").set_index("short_id")
    assert table.index.tolist() == [2, 0, 1, 3, 4, 5]  # by score; an unasked one at the end
    assert table["parent"].sort_index().fillna(-1).tolist() == [-1, 0, 0, 1, 2, 4]
    assert table["depth"].sort_index().tolist() == [0, 1, 1, 2, 2, 3]
    assert table["round"].sort_index().tolist() == [0, 1, 1, 2, 2, 0]
    assert table["proposed"].sort_index().tolist() == [1, 2, 1, 2, 1, 1]
    assert table["score"].sort_index().fillna(-1).tolist() == [40, 20, 90, 10, 0, -1]
    reasons = table["cut_reason"].sort_index().tolist()
    assert reasons == ["", "", "", "", "score", "parent's score"]
    tasks = [prompt.task for prompt in trace.prompts]
    assert tasks == ["hyde", "primer", *["follow_up"] * 4, "drift"]
    names = [step.name for step in trace.steps]
    assert "round 2/action 4/sources" in names
    assert names.index("paths") < names.index("hyde") < names.index("primer")
    assert "-----Paths-----" in trace.prompts[-1].text
    assert "0|How does Tidebook relate to PostgreSQL?|40|A first answer." in trace.prompts[-1].text
    assert trace.answer.source == "model"
    assert ask(handbook, model, primer_folds=1, max_calls=30) == trace


def test_as_shipped_shuffles_by_seed_and_tells_all(handbook: Run) -> None:
    queries = [
        f"{name} is what?" for name in ("Lantern", "DuckDB", "Alembic", "SQLite", "PostgREST")
    ]
    model = scripted(primed(*queries), followed(SQLite=(0, [])))
    settings = {"variant": "as_shipped", "primer_folds": 1, "n_depth": 1, "drift_k_followups": 3}
    trace = ask(handbook, model, **settings)
    assert trace.params["text_unit_prop"] == 0.9
    asked = [prompt.text.split("\nQuery: ")[1].split("\n")[0] for prompt in trace.prompts[2:-1]]
    assert len(asked) == 3
    assert asked != queries[:3]
    assert told(trace) == sorted(told(trace))  # in order of insertion, score 0 and all
    assert ask(handbook, model, **settings) == trace
    other = ask(handbook, model, **settings, seed=8)
    again = [prompt.text.split("\nQuery: ")[1].split("\n")[0] for prompt in other.prompts[2:-1]]
    assert again != asked
    relationships = [
        step.table["in_context"].sum()
        for step in trace.steps
        if step.name.endswith("/relationships")
    ]
    assert relationships == [0, 0, 0]  # shares of 0.9 and 0.1 leave nothing
    documented = ask(handbook, model, **{**settings, "variant": "documented"})
    assert documented.step("round 1/action 1/relationships")["in_context"].any()


def test_without_follow_ups_the_question_itself_is_searched_for(handbook: Run) -> None:
    trace = ask(handbook, scripted(primed(), followed(How=(60, []))), primer_folds=1)
    table = trace.step("actions").set_index("short_id")
    assert table["query"].tolist() == [QUESTION, QUESTION]
    assert told(trace) == [1, 0]
    assert "the question itself" in " ".join(trace.notes)


def test_unusable_and_failed_replies_are_rows(handbook: Run) -> None:
    def follow_up(query: str) -> object:
        if query.startswith("Lantern"):
            return "no JSON at all"
        if query.startswith("Alembic"):
            return {"score": 70, "follow_up_queries": []}
        if query.startswith("SQLite"):
            return ReplyFailed("The server is on fire.", "fire", again=False)
        return {"response": "Fine.", "follow_up_queries": []}

    queries = [f"{name} is what?" for name in ("Lantern", "Alembic", "SQLite", "DuckDB")]
    model = scripted(primed(*queries), follow_up)
    trace = ask(handbook, model, primer_folds=1)
    table = trace.step("actions").set_index("short_id")
    assert table.loc[[1, 2, 3, 4], "status"].tolist() == ["invalid", "invalid", "failed", "ok"]
    assert "on fire" in table.at[3, "error"]
    assert pd.isna(table.at[4, "score"])
    assert told(trace) == [0, 4]  # one without a score comes last
    assert trace.answer.source == "model"


def test_a_primer_that_fails_leaves_tree_and_paths(handbook: Run) -> None:
    trace = ask(handbook, scripted(lambda prompt: "nonsense", followed(How=(60, []))))
    assert told(trace) == [1]
    assert "5 of 5 folds gave no answer" in " ".join(trace.notes)
    assert trace.answer.source == "model"


def test_calls_are_limited_and_counted_before(handbook: Run) -> None:
    queries = [f"{name} is what?" for name in ("Lantern", "DuckDB", "Alembic")]
    model = scripted(primed(*queries), followed())
    for most in (3, 5, 8):
        trace = ask(handbook, model, max_calls=most)
        assert len(trace.prompts) <= most
        assert len(trace.prompts) <= drift_cost(handbook, max_calls=most)["calls"].sum() <= most
    assert "max_calls 8 ends the tree" in " ".join(trace.notes)
    cost = drift_cost(handbook)
    assert cost["unlimited"].tolist() == [1, 5, 60, 1]  # Microsoft's 67
    assert cost["calls"].tolist() == [1, 5, 5, 1]


def test_without_a_model_the_paths_come_first(handbook: Run) -> None:
    trace = ask(handbook, None)
    hops = trace.step("paths")
    first = trace.answer.text.splitlines()[0]
    assert first.endswith(f"[chunk {hops['chunk'].iat[0]}]")
    assert " ".join(hops["evidence"].iat[0].split()) in first
    assert "-----Paths-----" in trace.prompts[0].text
    assert trace.budget.set_index("section").at["paths", "used"] > 0
    assert trace.answer.source == "extractive"
    shown = trace.step("primer")
    assert shown["cosine"].is_monotonic_decreasing


def test_a_run_without_reports_says_so_and_goes_on(handbook: Run, tmp_path: Path) -> None:
    store = wb.Store(shutil.copy(handbook.store.path, tmp_path / "bare.duckdb"))
    with store.writing() as connection:
        connection.execute(f'DELETE FROM "{handbook.name}".community_reports')
    run = store.run(handbook.name)
    trace = ask(run, None)
    assert "No report has a vector" in " ".join(trace.notes)
    assert "[chunk" in trace.answer.text
    trace = ask(run, scripted(primed(), followed(How=(60, []))))
    assert [prompt.task for prompt in trace.prompts] == ["follow_up", "drift"]
    assert drift_cost(run)["calls"].tolist() == [0, 0, 11, 1]


def test_documents_of_the_paths_rank_first(handbook: Run) -> None:
    store = handbook.store
    hops = wb.connection_paths(handbook, "Tidebook", "PostgreSQL")
    documents = store.read("documents").set_index("path")["id"]
    embedder = embedder_of(store, chunk_index(store), "drift")
    ranked = METHOD.rank(store, handbook.name, read_question(QUESTION, embedder), 10)
    assert ranked[0] == documents[hops["document"].iat[0]]
    assert len(ranked) == 9  # all of the folder
    assert len(set(ranked)) == len(ranked)


def test_shares_are_checked() -> None:
    with pytest.raises(wb.InputError, match="more than 1 together"):
        wb.validated(DriftParams, text_unit_prop=0.9, community_prop=0.2)
    assert DriftParams(variant="as_shipped").community_prop == 0.1
