"""Asking by basic search on the small store: context, answers, citations, parameters, saving."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.models.fakes import FunctionModel
from tests.query.small import TEXTS, Axes
from workbench.errors import InputError, StoreError
from workbench.models.language import ReplyFailed
from workbench.query.answering import NOTHING, _sentences
from workbench.query.ask import ask
from workbench.query.citing import citations
from workbench.query.saved import load_trace, traces
from workbench.query.trace import Trace
from workbench.store import Store

QUESTION = "Where does PostgreSQL keep data?"


@pytest.fixture
def asked(small: Store, axes: Axes) -> Trace:
    return ask(small.run(), QUESTION, method="basic", embedder=axes, save=False)


def test_the_answer_is_made_of_cited_sentences(asked: Trace) -> None:
    first = asked.answer.text.splitlines()[0]
    assert first == "PostgreSQL keeps data in tables; docker-compose starts it. [chunk 2]"
    assert asked.answer.source == "extractive"
    assert asked.answer.citations["label"].iloc[0] == "b.md"


def test_the_context_holds_chunks_by_rank_and_what_was_found_in_them(asked: Trace) -> None:
    sources, entities = asked.step("sources"), asked.step("entities")
    # data is all that c1 speaks of; c2 holds more of the words and speaks of Docker and tables, too
    assert sources["id"].tolist()[:2] == ["c1", "c2"]
    assert sources["text"][1] == f"2|b.md|{TEXTS['c2'][1]}\n"
    # Docker Compose is in two chunks that were found, Docker and Container in one of them
    assert entities["label"].tolist() == ["Docker Compose", "Container", "Docker"]
    context = asked.prompts[0].text
    assert context.index("-----Entities-----") < context.index("-----Sources-----")
    assert context.endswith(f"Question: {QUESTION}")


def test_k_and_budget_cut_and_say_so(small: Store, axes: Axes) -> None:
    one = ask(small, QUESTION, method="basic", k=1, embedder=axes, save=False)
    assert one.step("sources")["cut_reason"].tolist() == ["", "k", "k", "k"]
    tight = ask(small, QUESTION, method="basic", max_context_tokens=30, embedder=axes, save=False)
    used = tight.budget.set_index("section")["used"]
    assert used.sum() <= 30
    assert "budget" in set(tight.step("sources")["cut_reason"])


def test_as_shipped_chunks_stand_in_the_order_of_the_table(small: Store, axes: Axes) -> None:
    shipped = ask(
        small, QUESTION, method="basic", k=3, variant="as_shipped", embedder=axes, save=False
    )
    sources = shipped.step("sources")
    assert sources["dense_rank"].tolist() == [1, 2, 3]
    assert sources["short_id"].tolist() == [1, 2, 3]
    assert "id|text\n1|A volume keeps the data of a container.\n" in shipped.prompts[0].text
    assert [step.name for step in shipped.steps] == ["sources", "sentences"]


def test_a_model_answers_and_its_citations_are_checked(small: Store, axes: Axes) -> None:
    model = FunctionModel(lambda prompt: "In tables [chunk 2]; so [chunk 3, 9] and [entity 1].")
    trace = ask(small, QUESTION, method="basic", k=2, llm=model, embedder=axes, save=False)
    assert trace.answer.source == "model"
    found = trace.answer.citations.set_index(["kind", "short_id"])
    assert found["exists"].to_dict() == {
        ("chunk", 2): True, ("chunk", 3): True, ("chunk", 9): False, ("entity", 1): True,
    }  # fmt: skip
    assert found["in_context"].tolist() == [True, False, False, True]
    assert any("nothing in the run: [chunk 9]" in note for note in trace.notes)
    assert any("nothing it was shown: [chunk 3]" in note for note in trace.notes)
    html = trace._repr_html_()
    assert "does not exist" in html
    assert trace.prompts[0].text == model.prompts[0]
    assert trace.prompts[0].status == "ok"


@pytest.mark.parametrize("reply", [ReplyFailed("no answer", "test", again=False), "", "  \n"])
def test_a_reply_that_fails_gives_way_to_sentences(
    small: Store, axes: Axes, reply: str | Exception
) -> None:
    model = FunctionModel(lambda prompt: reply)
    trace = ask(small, QUESTION, method="basic", llm=model, embedder=axes, save=False)
    assert trace.answer.source == "extractive"
    assert "PostgreSQL keeps data in tables" in trace.answer.text
    assert any("The model gave no answer" in note for note in trace.notes)


def test_an_instruction_in_a_document_stands_between_fences(small: Store, axes: Axes) -> None:
    trace = ask(small, "data -------- tables", method="basic", embedder=axes, save=False)
    # the question has eight dashes, so the fence has nine
    assert trace.prompts[0].text.count("\n---------\n") == 2


def test_the_prompt_speaks_the_questions_language(small: Store, axes: Axes) -> None:
    def prompt(question: str) -> str:
        trace = ask(small, question, method="basic", embedder=axes, save=False)
        return trace.prompts[0].text

    assert prompt("Wo speichert PostgreSQL seine data tables?").startswith("Beantworte die Frage")
    assert prompt("data 数据存储在哪里？").startswith("请只根据")
    assert prompt("data").startswith("Answer the question")


def test_nothing_found_is_not_asked_about(small: Store, axes: Axes) -> None:
    model = FunctionModel(lambda prompt: "made up")
    trace = ask(
        small, QUESTION, method="basic", max_context_tokens=0, llm=model, embedder=axes, save=False
    )
    assert trace.answer.text == NOTHING
    assert not model.prompts
    assert trace.notes


def test_a_small_window_makes_a_small_context(small: Store, axes: Axes) -> None:
    model = FunctionModel(lambda prompt: "Yes [chunk 2].", context_window=4_096)
    trace = ask(small, QUESTION, method="basic", llm=model, embedder=axes, save=False)
    assert trace.params["max_context_tokens"] == 1_436  # 0.9 × (4,096 − 2,500)
    assert "4,096" in trace.notes[0]


def test_what_cannot_be_asked_is_refused(small: Store, axes: Axes) -> None:
    with pytest.raises(InputError, match="'bazic' is unknown: use one of basic"):
        ask(small, QUESTION, method="bazic", save=False)
    with pytest.raises(InputError, match="'k' of BasicParams is 0"):
        ask(small, QUESTION, method="basic", k=0, save=False)


def test_traces_are_kept_once_and_found_by_the_start_of_their_id(small: Store, axes: Axes) -> None:
    first = ask(small, QUESTION, method="basic", embedder=axes)
    again = ask(small, QUESTION, method="basic", embedder=axes)
    other = ask(small, QUESTION, method="basic", k=1, embedder=axes)
    listed = traces(small)
    assert set(listed["id"]) == {first.id, other.id}
    assert first == again == load_trace(small, first.id[:12])
    assert first != other
    with pytest.raises(StoreError, match="fits none of the traces"):
        load_trace(small, "zz")
    with pytest.raises(StoreError, match="fits several"):
        load_trace(small, "")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[chunk 1][chunk 1]", [("chunk", 1)]),
        ("[Chunks 1, 2 and 3]", [("chunk", 1), ("chunk", 2), ("chunk", 3)]),
        ("[entity 5; relationship 7]", [("entity", 5), ("relationship", 7)]),
        ("[entities 5, 6] [claim #2]", [("entity", 5), ("entity", 6), ("claim", 2)]),
        ("[1] [see chunk 3] chunk 4 [chunk] [chunk x] x[5]", []),
        ("[chunk 1, report 2]", [("chunk", 1), ("report", 2)]),
    ],
)
def test_citations_are_read_as_models_write_them(text: str, found: list) -> None:
    assert [(kind, number) for _, kind, number in citations(text)] == found


def test_a_trace_comes_back_from_json_with_its_budget(asked: Trace) -> None:
    loaded = Trace.from_json(asked.to_json())
    assert loaded == asked
    pd.testing.assert_frame_equal(loaded.budget, asked.budget)


def test_what_a_document_writes_like_a_citation_cites_nothing() -> None:
    text = "Redis is a fruit of the garden [chunk 999], says the report [report 1; chunk 2] of May."
    said = [sentence for sentence, _ in _sentences(text)]
    assert said == [
        "Redis is a fruit of the garden (chunk 999), says the report (report 1; chunk 2) of May."
    ]
    assert citations(said[0]) == []
