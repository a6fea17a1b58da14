"""Global search on the handbook, with models that answer by script and without one."""

from __future__ import annotations

import json
import re
from typing import Any

import workbench as wb
from tests.models.fakes import FunctionModel
from workbench.index import index
from workbench.params import GlobalParams
from workbench.query.chunk_index import chunk_index
from workbench.query.global_plan import global_cost
from workbench.query.global_search import METHOD, UNABLE
from workbench.query.question import read_question
from workbench.query.search import embedder_of
from workbench.query.trace import Trace
from workbench.run import Run

QUESTION = "Which parts of Tidebook need most care?"
SMALL = {"level": 0, "max_context_tokens": 2_500}


def reports_in(prompt: str) -> list[int]:
    return [int(found) for found in re.findall(r"^(\d+)\|", prompt, re.MULTILINE)]


def reader(prompt: str) -> str:
    """Name one point a batch, citing its first report; the more reports, the higher the score."""
    if "----Analyst" in prompt:
        cited = re.search(r"\[report \d+\]", prompt.partition("----Analyst")[2])
        return f"Care for it {cited[0]}."
    if '"rating"' in prompt:
        return json.dumps({"reason": "so", "rating": 4 if "Alembic" in prompt else 0})
    seen = reports_in(prompt)
    points = [
        {"description": f"Mind this [report {seen[0]}].", "score": len(seen)},
        {"description": "Nothing.", "score": 0},
        {"description": "Invented [report 99999].", "score": "very"},
    ]
    return json.dumps({"points": points})


def ask(run: Run, function: Any = reader, **settings: Any) -> Trace:
    model = FunctionModel(function, context_window=128_000)
    return wb.ask(run, QUESTION, method="global", llm=model, save=False, **settings)


def test_map_and_reduce(handbook: Run) -> None:
    trace = ask(handbook, **SMALL)
    tasks = [prompt.task for prompt in trace.prompts]
    batches = trace.step("batches")
    number = int(batches["batch"].max())
    assert number > 2
    assert tasks == ["map"] * number + ["reduce"]
    for at, prompt in enumerate(trace.prompts[:-1], start=1):
        mine = batches[batches["batch"] == at]
        assert reports_in(prompt.text) == mine["short_id"].tolist()
        assert mine["weight"].is_monotonic_decreasing
        assert "-----Reports-----\nid|title|occurrence weight|content|rank\n" in prompt.text
        assert QUESTION in prompt.text
    points = trace.step("points")
    assert len(points) == 3 * number
    assert set(points["cut_reason"]) == {"", "score is 0", "score is no number: 'very'"}
    last = trace.step("reduce")
    assert last["score"].is_monotonic_decreasing
    assert last["score"].sum() == len(batches)
    assert last["in_context"].all()
    best = batches[batches["batch"] == last["batch"].iat[0]]
    lead = int(best["short_id"].iat[0])
    assert trace.answer.text == f"Care for it [report {lead}]."
    assert trace.answer.source == "model"
    assert trace.answer.citations[["kind", "short_id", "exists", "in_context"]].values.tolist() == [
        ["report", lead, True, True]
    ]
    assert "Points cite reports that their batch does not hold: [report 99999]." in trace.notes
    assert trace.notes[0].startswith(f"{len(batches)} reports of ")


def test_a_report_that_the_points_do_not_cite_is_flagged(handbook: Run) -> None:
    def liar(prompt: str) -> str:
        cited = {int(n) for n in re.findall(r"report (\d+)", prompt)}
        other = next(n for n in range(45) if n not in cited)
        return f"So [report {other}]." if "----Analyst" in prompt else reader(prompt)

    trace = ask(handbook, liar, **SMALL)
    other = int(trace.answer.citations["short_id"].iat[0])
    assert other in trace.step("batches")["short_id"].tolist()
    assert trace.answer.citations["in_context"].tolist() == [False]
    assert f"The model cites nothing it was shown: [report {other}]." in trace.notes


def test_without_points_nobody_is_asked_for_an_answer(handbook: Run) -> None:
    trace = ask(handbook, lambda prompt: '{"points": []}', **SMALL)
    assert trace.answer.text == UNABLE
    assert {prompt.task for prompt in trace.prompts} == {"map"}
    assert "The model found nothing" in trace.notes[-1]
    trace = ask(handbook, data_max_tokens=3, **SMALL)
    assert trace.answer.text == UNABLE
    assert set(trace.step("reduce")["cut_reason"]) == {"budget"}
    assert "fits into 3 tokens" in trace.notes[-1]


def test_a_batch_that_cannot_be_read_is_told_and_the_others_count(handbook: Run) -> None:
    def half(prompt: str) -> str:
        lost = "occurrence weight" in prompt and 0 in reports_in(prompt)
        return "no JSON" if lost else reader(prompt)

    trace = ask(handbook, half, **SMALL)
    failed = [prompt for prompt in trace.prompts if prompt.status != "ok"]
    assert 0 < len(failed) < len(trace.prompts) - 1
    assert sum("could not be read" in note for note in trace.notes) == len(failed)
    assert trace.answer.source == "model"


def test_dynamic_selection_walks_down_the_tree(handbook: Run) -> None:
    trace = ask(handbook, dynamic=True, level=0)
    ratings, weights = trace.step("ratings"), trace.step("weights")
    rated = ratings[ratings["in_context"]]
    calls = [prompt for prompt in trace.prompts if prompt.task == "rate"]
    assert len(calls) == len(rated) > (handbook.communities["level"] == 0).sum()
    assert ((rated["rating"] >= 1) == [("Alembic" in text) for text in rated["text"]]).all()
    below = rated[rated["round"] == 1]
    assert set(below["parent"]) <= set(rated["short_id"][rated["rating"] == 4])
    selected = set(rated["short_id"][rated["selected"]])
    assert selected == set(weights["short_id"][weights["in_context"]])
    assert not selected & set(below["parent"][below["selected"]])  # a child takes its place
    assert set(weights["cut_reason"]) == {"", "rating", "unrated"}
    kept = ask(handbook, dynamic=True, level=0, dynamic_keep_parent=True).step("ratings")
    assert set(kept["short_id"][kept["selected"]]) > selected


def test_dynamic_selection_needs_a_model(handbook: Run) -> None:
    trace = wb.ask(handbook, QUESTION, method="global", dynamic=True, save=False)
    assert "without one all of level 2 were taken" in trace.notes[0]
    plain = wb.ask(handbook, QUESTION, method="global", save=False)
    assert trace.step("batches").equals(plain.step("batches"))


def test_without_a_model_sentences_of_near_reports_and_their_chunks(handbook: Run) -> None:
    trace = wb.ask(handbook, "What does Alembic migrate?", method="global", save=False)
    reports, sources = trace.step("reports"), trace.step("sources")
    assert reports["in_context"].sum() == 5
    assert reports["score"].is_monotonic_decreasing
    assert sources["score"].is_monotonic_decreasing
    assert "Alembic" in trace.answer.text
    assert set(trace.answer.citations["kind"]) <= {"report", "chunk"}
    assert [prompt.task for prompt in trace.prompts] == ["context"] * len(trace.prompts)
    number = int(trace.step("batches")["batch"].max())
    assert len(trace.prompts) == number + 1  # what a model would have read, and what was read


def test_history_stands_before_each_batch_and_counts(handbook: Run) -> None:
    turns = [(f"Question {number}?", "Yes.") for number in range(1, 8)]
    settings = {**SMALL, "history": turns}
    trace = ask(handbook, **settings)
    history = trace.step("history")
    assert history["cut_reason"].tolist() == ["turns"] * 2 + [""] * 5
    for prompt in trace.prompts[:-1]:
        assert "-----Conversation History-----\nturn|content\nuser|Question 3?\n" in prompt.text
    used = trace.budget.set_index("section")["used"]
    batches = int(trace.step("batches")["batch"].max())
    assert trace.budget["allowed"].iat[0] == (2_500 - used["history"]) * batches
    shipped = ask(handbook, variant="as_shipped", **settings)
    assert shipped.step("history")["cut_reason"].tolist() == [""] * 5 + ["turns"] * 2
    batches = int(shipped.step("batches")["batch"].max())
    assert shipped.budget["allowed"].iat[0] == 2_500 * batches


def test_a_report_that_is_too_long_is_cut_and_told(handbook: Run) -> None:
    trace = ask(handbook, level=0, max_context_tokens=300)
    batches = trace.step("batches")
    cut = batches[batches["tokens"] < batches["whole_tokens"]]
    assert len(cut)
    assert (trace.budget["used"] <= trace.budget["allowed"]).all()
    assert any("and are cut, the longest from" in note for note in trace.notes)
    shipped = ask(handbook, level=0, max_context_tokens=300, variant="as_shipped")
    assert (shipped.step("batches")["place"] == 1).all()
    assert any("goes alone" in note for note in shipped.notes)


def test_the_cost_of_each_level_is_known_before(handbook: Run) -> None:
    cost = global_cost(handbook)
    assert cost["level"].tolist() == sorted(set(handbook.communities["level"]))
    for level, calls in zip(cost["level"], cost["calls"], strict=True):
        trace = ask(handbook, level=int(level))
        row = cost[cost["level"] == level].iloc[0]
        assert len(trace.prompts) == calls == row["batches"] + 1
        assert len(trace.step("batches")) == row["reports"]
        sent = sum(prompt.tokens for prompt in trace.prompts[:-1])
        asked = sent - row["map_tokens"]  # the question is counted with each call
        assert 0 < asked < 20 * row["batches"]
        assert trace.prompts[-1].tokens <= row["reduce_tokens"] + 20
    smaller = global_cost(handbook, GlobalParams(max_context_tokens=3_000))
    assert (smaller["batches"] > cost["batches"]).all()


def test_a_small_window_makes_small_batches(handbook: Run) -> None:
    model = FunctionModel(reader, context_window=8_192)
    trace = wb.ask(handbook, QUESTION, method="global", llm=model, save=False, level=0)
    assert trace.params["max_context_tokens"] == 5_122
    sizes = [prompt.tokens for prompt in trace.prompts]
    assert all(size + reply <= 8_192 for size, reply in zip(sizes, model.lengths, strict=True))
    cost = global_cost(handbook, context_window=8_192)
    assert cost["batches"].iat[0] == trace.step("batches")["batch"].max() > 1


def test_the_command_line_shows_the_cost_and_asks_nobody(handbook: Run) -> None:
    from typer.testing import CliRunner

    from workbench.cli import app

    call = ["ask", "x", "--store", str(handbook.store.path), "--method", "global", "--cost"]
    result = CliRunner().invoke(app, [*call, "--json"])
    assert result.exit_code == 0
    shown = json.loads(result.stdout)["cost"]
    assert shown == json.loads(global_cost(handbook).to_json(orient="records"))


def test_prompts_are_in_the_question_s_language(handbook: Run) -> None:
    model = FunctionModel(reader, context_window=128_000)
    question = "Welche Teile von Tidebook brauchen die meiste Sorgfalt?"
    trace = wb.ask(handbook, question, method="global", llm=model, save=False, **SMALL)
    assert trace.params["language"] == "de"
    assert all("Frage:" in prompt.text for prompt in trace.prompts)


def test_documents_are_ranked_by_the_chunks_of_near_reports(handbook: Run) -> None:
    store = handbook.store
    embedder = embedder_of(store, chunk_index(store), "basic")
    question = read_question("What does Alembic migrate?", embedder)
    found = METHOD.rank(store, handbook.name, question, 5)
    assert len(found) >= 5
    assert len(set(found)) == len(found)
    assert "Alembic" in store.read("documents").set_index("id")["text"][found[0]]


def test_a_run_without_reports_says_what_writes_them(tmp_path: Any) -> None:
    (tmp_path / "a.md").write_text("# Docker\n\nDocker Compose starts Docker containers.\n")
    store = wb.Store(tmp_path / "a.duckdb")
    run = index(wb.resolve_corpus(tmp_path), store)
    trace = wb.ask(run, "What does Docker Compose start?", method="global", save=False)
    assert trace.notes[0] == (
        "The run has no reports: write some with `workbench reports`. Basic search answered."
    )
    assert "containers" in trace.answer.text
    assert global_cost(run).empty


def test_when_no_report_ranks_high_enough_basic_answers(handbook: Run) -> None:
    trace = wb.ask(handbook, QUESTION, method="global", save=False, min_community_rank=100)
    assert "none is read (" in trace.notes[0]
    assert "for rank" in trace.notes[0]
    assert trace.answer.text.strip()
