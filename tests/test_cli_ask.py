"""`workbench ask`, `query` and `trace`: what they print, and how they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.query.small import Axes, axes, small
from workbench.cli import app
from workbench.errors import InputError, WorkbenchError
from workbench.query import ask as asking
from workbench.store import Store

__all__ = ["axes", "small"]
QUESTION = "Where does PostgreSQL keep data?"


@pytest.fixture(autouse=True)
def _axes(monkeypatch: pytest.MonkeyPatch, axes: Axes) -> None:
    monkeypatch.setattr(asking, "embedder_of", lambda *_: axes)


def run(small: Store, *words: str) -> Result:
    return CliRunner().invoke(app, [*words, "--store", str(small.path)])


def refusal(small: Store, *words: str) -> str:
    error = run(small, *words).exception
    assert isinstance(error, WorkbenchError)
    return str(error)


def test_ask_prints_answer_method_budget_and_citations(small: Store) -> None:
    out = run(small, "ask", QUESTION, "--method", "basic", "--no-save").output
    assert out.startswith("PostgreSQL keeps data in tables; docker-compose starts it. [chunk 2]")
    assert "extractive: sentences of the documents" in out
    assert "budget in tokens" in out
    assert "b.md" in out
    assert "sources:" not in out
    assert out == run(small, "query", QUESTION, "--method", "basic", "--no-save").output


def test_a_question_may_hold_markup(small: Store) -> None:
    result = run(small, "ask", '["CMD"] [/red] [1] data', "--method", "basic", "--trace")
    assert result.exit_code == 0
    assert "sources" in result.output
    assert "sentences" in result.output


def test_json_holds_the_answer_and_with_trace_the_steps(small: Store) -> None:
    words = ["ask", QUESTION, "--method", "basic", "--k", "2", "--set", "entities=0", "--json"]
    found = json.loads(run(small, *words).stdout)
    assert found["answer"].startswith("PostgreSQL keeps data")
    assert found["source"] == "extractive"
    assert found["params"]["k"] == 2
    assert found["params"]["entities"] == 0
    assert found["citations"][0]["id"] == "c2"
    assert "steps" not in found
    assert "steps" in json.loads(run(small, *words, "--trace").stdout)


def test_traces_are_listed_shown_and_compared(small: Store, tmp_path: Path) -> None:
    ids = [
        json.loads(run(small, "ask", QUESTION, "--method", "basic", "--k", k, "--json").stdout)[
            "id"
        ]
        for k in ("1", "3")
    ]
    listed = json.loads(run(small, "trace", "--json").stdout)["traces"]
    assert set(ids) <= {row["id"] for row in listed}
    page = tmp_path / "pages" / "trace.html"
    assert QUESTION in page_of(small, ids[0], page)
    changes = json.loads(run(small, "trace", "diff", *ids, "--json").stdout)["changes"]
    assert {"entered"} == {row["change"] for row in changes if row["section"] == "sources"}


def page_of(small: Store, id_: str, page: Path) -> str:
    assert run(small, "trace", id_, "--html", str(page)).exit_code == 0
    return page.read_text(encoding="utf-8")


def test_history_is_handed_on(small: Store, tmp_path: Path) -> None:
    file = tmp_path / "turns.jsonl"
    file.write_text('{"question": "What is Docker?", "answer": "A tool."}\n\n', "utf-8")
    out = run(small, "ask", QUESTION, "--method", "basic", "--history", str(file), "--json").stdout
    assert json.loads(out)["params"]["history"] == [["What is Docker?", "A tool."]]
    file.write_text('{"question": "q", "answer": "a"}\n[]', "utf-8")
    message = refusal(small, "ask", QUESTION, "--history", str(file))
    assert message.startswith("Turn 2 of")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ask", "q", "--method", "bazic"], "Method 'bazic' is unknown"),
        (["ask", "q", "--method", "basic", "--set", "k"], "not of the form key=value"),
        (["ask", "q", "--method", "basic", "--set", "k=many"], "'k' of BasicParams is 'many'"),
        (["ask", "q", "--run", "none"], "has no run 'none'"),
        (["ask", "q", "--llm", "gpt"], "Language model 'gpt' is unknown"),
        (["ask", "q", "--history", "/nowhere.jsonl"], "cannot be read"),
        (["trace", "zz"], "fits none of the traces"),
        (["trace", "list", "it"], "is unknown: list, ID, or diff ID ID"),
        (["trace", ""], "trace '' is unknown: list, ID, or diff ID ID"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(small: Store, words: list[str], message: str) -> None:
    assert message in refusal(small, *words)


def test_a_page_that_cannot_be_written(small: Store) -> None:
    error = run(small, "ask", "data", "--method", "basic", "--html", "/proc/x/y.html").exception
    assert isinstance(error, InputError)
