"""What a trace says is so: of every method, with and without a model, for any question."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable

import pytest

import workbench as wb
from tests.query.handbook import Remembering, Scripted
from workbench.corpus.tokens import count_tokens
from workbench.query import methods
from workbench.query.ask import UNASKED
from workbench.query.trace import Trace
from workbench.run import Run

THERE = [name for name, home in methods._HOMES.items() if importlib.util.find_spec(home)]
Ask = Callable[..., Trace]
PARTS = {"template", "heading", "row", "question", "history"}
TABLES = {"entity": "entities", "relationship": "relationships", "claim": "claims"}
SQL = "Robert'); DROP TABLE chunks;-- \" OR 1=1 $1 ? %s {x}"
QUESTIONS = {
    "two things": "How does DuckDB relate to PostgreSQL?",
    "themes": "What are the main themes of the handbook?",
    "stop words": "the and of to a in that it is",
    "unknown": "Zorblax Quuxington fnordle vexilloid?",
    "punctuation": "?!… — ;:,. «»()[]{}",
    "SQL": SQL,
    "JSON": '{"question": [1, 2, {"a": null}]} \\u0000 <<context>> <<question>>',
    "HTML": "<script>alert('x')</script><img src=x onerror=alert(1)> [chunk 1] PostgreSQL",
    "10,000 words": "PostgreSQL index lighthouse " * 3_333 + "end",
}


@pytest.fixture(scope="module")
def ask(handbook: Run) -> Ask:
    """Ask the handbook and write nothing; what was embedded before is not embedded again."""
    embedder = Remembering(handbook)
    return lambda question, **options: wb.ask(
        handbook, question, save=False, embedder=embedder, **options
    )


@functools.cache
def existing(store: wb.Store) -> dict[str, set[str]]:
    run = store.run()
    found = {kind: set(run.read(table)["id"]) for kind, table in TABLES.items()}
    found["chunk"] = set(store.read("chunks")["id"])
    found["report"] = set(run.communities["id"])
    return found


def hold_to_truth(trace: Trace, run: Run) -> None:
    """Assert all that a trace promises."""
    prompts, known, rows = [prompt.text for prompt in trace.prompts], existing(run.store), set()
    encoding = trace.params.get("encoding", "cl100k_base")
    for step in trace.steps:
        table = step.table
        assert {"kind", "id", "short_id", "label"} <= set(table.columns), step
        assert {"order", "tokens", "in_context", "cut_reason", "text"} <= set(table.columns), step
        for row in table.to_dict("records"):
            place = step.name, row["kind"], row["id"], row["label"]
            assert row["kind"] not in known or row["id"] in known[row["kind"]], place
            assert bool(row["cut_reason"]) != bool(row["in_context"]), place
            if row["in_context"] and row["kind"] == "sentence":
                assert row["text"] in trace.answer.text, place
            elif row["in_context"]:
                assert any(row["text"] in prompt for prompt in prompts) or not row["text"], place
                rows.add((row["id"], row["text"]))
            if step.section and row["text"] and row["in_context"]:
                assert row["tokens"] == count_tokens(row["text"], encoding), place
    sections = [step for step in trace.steps if step.section]
    assert trace.budget["section"].tolist() == [step.section for step in sections]
    for used, step in zip(trace.budget["used"], sections, strict=True):
        inside = step.table[step.table["in_context"].astype(bool)]
        assert used == inside["tokens"].sum() + (step.heading_tokens if len(inside) else 0)
        assert step.allowed is None or used <= step.allowed, step
    for prompt in trace.prompts:
        assert prompt.tokens == count_tokens(prompt.text, encoding)
        for part in prompt.parts:
            assert part.kind in PARTS
            assert part.kind != "row" or (part.id, part.text) in rows, part
    assert set(trace.answer.citations["id"][trace.answer.citations["exists"]]) <= set().union(
        *known.values()
    )
    assert Trace.from_json(trace.to_json()) == trace


@pytest.mark.parametrize("method", THERE)
@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_without_a_model(ask: Ask, handbook: Run, method: str, question: str) -> None:
    trace = ask(question, method=method)
    hold_to_truth(trace, handbook)
    assert trace.answer.source == "extractive"
    assert trace.answer.text.strip()
    assert trace.answer.citations["in_context"].all()
    html = trace._repr_html_()
    assert len(html.encode()) <= 300_000
    assert "<script>alert" not in html
    assert "<img" not in html


@pytest.mark.parametrize("method", THERE)
@pytest.mark.parametrize("name", ["two things", "themes", "SQL", "JSON"])
def test_with_a_model(ask: Ask, handbook: Run, method: str, name: str) -> None:
    model = Scripted()
    trace = ask(QUESTIONS[name], method=method, llm=model)
    hold_to_truth(trace, handbook)
    assert {prompt.text for prompt in trace.prompts} == set(model.prompts)
    assert all(prompt.key and prompt.status == "ok" for prompt in trace.prompts)
    assert trace.params["llm"] == "fake/scripted"
    wrong = trace.answer.citations[~trace.answer.citations["exists"]]
    if trace.answer.source == "model":
        assert "99999" in " ".join(trace.notes) or wrong.empty


@pytest.mark.parametrize("method", THERE)
def test_a_model_that_fails_leaves_sentences_and_a_note(
    ask: Ask, handbook: Run, method: str
) -> None:
    class Failing(Scripted):
        def generate(self, prompt: str, **options: object) -> object:
            from workbench.models.language import ReplyFailed

            raise ReplyFailed("The server is on fire.", "fire", again=False)

    trace = ask(QUESTIONS["two things"], method=method, llm=Failing())
    hold_to_truth(trace, handbook)
    assert trace.answer.source == "extractive"
    assert "fire" not in trace.answer.text
    assert "fire" in " ".join(trace.notes)


@pytest.mark.parametrize("method", [*THERE, "auto"])
@pytest.mark.parametrize("question", ["", " \n\t "])
def test_an_empty_question_has_an_answer(
    ask: Ask, handbook: Run, method: str, question: str
) -> None:
    trace = ask(question, method=method)
    assert trace.answer.text == UNASKED
    assert "empty" in trace.notes[-1]
    assert not trace.prompts
    assert Trace.from_json(trace.to_json()) == trace
    assert UNASKED in trace._repr_html_()


@pytest.mark.parametrize("method", THERE)
def test_equal_queries_give_equal_traces_and_write_nothing(
    ask: Ask, handbook: Run, method: str
) -> None:
    before = handbook.store.path.read_bytes()
    question = QUESTIONS["two things"]
    first, second = (ask(question, method=method) for _ in range(2))
    assert first == second
    assert first.id == second.id
    assert first.seconds is not second.seconds
    ask(question, method=method, llm=Scripted())
    assert handbook.store.path.read_bytes() == before
    silent = ask(question, method=method, record=False)
    assert silent.answer.text == first.answer.text
    assert not silent.steps


@pytest.mark.parametrize("method", THERE)
def test_small_budgets_are_kept(ask: Ask, handbook: Run, method: str) -> None:
    if "max_context_tokens" not in methods.method(method).params.model_fields:
        pytest.skip("has no such budget")
    for size in (0, 40, 900):
        trace = ask(QUESTIONS["two things"], method=method, max_context_tokens=size)
        hold_to_truth(trace, handbook)
