"""Local search on stores: an imported index, a run without vectors, and one with reports."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from tests.query.small import Axes
from workbench.errors import InputError
from workbench.interop.graphrag_import import import_graphrag
from workbench.query.ask import ask
from workbench.query.local import METHOD
from workbench.query.local_study import ego_graph, sweep_budget
from workbench.query.question import read_question
from workbench.query.trace import Trace
from workbench.run import Run
from workbench.store import Store


@pytest.fixture(scope="session")
def dulce(shared, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return import_graphrag(shared("dulce"), tmp_path_factory.mktemp("local") / "dulce.duckdb")


def vector(shared, run: Run, name: str) -> tuple[float, ...]:
    with np.load(Path(shared("dulce")) / "vectors.entity_description.npz") as file:
        known = run.entities.set_index("name")["id"]
        return tuple(file["vector"][file["id"].tolist().index(known[name])].tolist())


def context_of(trace: Trace) -> str:
    parts = trace.prompts[-1].parts
    return "".join(part.text for part in parts if part.kind in ("heading", "row"))


def test_an_imported_index_gives_microsofts_contexts_as_shipped(shared, dulce) -> None:
    cases = json.loads(shared("golden/local_context.dulce.json").read_text(encoding="utf-8"))
    for case in cases[4::5]:  # all of them: test_local_context.py
        trace = ask(
            dulce,
            case["query_entity"],
            method="local",
            variant="as_shipped",
            vector=vector(shared, dulce, case["query_entity"]),
            level=case["level"],
            max_context_tokens=case["max_context_tokens"],
            save=False,
        )
        assert context_of(trace) == case["context"]
        shown = {
            step.section: step.table["short_id"][step.table["in_context"]].astype(str).tolist()
            for step in trace.steps
            if step.section and step.table["in_context"].any()
        }
        wanted = {name: [row["id"] for row in rows] for name, rows in case["records"].items()}
        assert shown == wanted


def test_a_foreign_vector_of_no_known_length_is_refused(dulce) -> None:
    with pytest.raises(InputError, match=r"has 3 numbers: .* 384, and imported ones 3072"):
        ask(dulce, "who", method="local", vector=(1.0, 0.0, 0.0), save=False)


def test_shares_of_more_than_one_are_refused(dulce) -> None:
    with pytest.raises(InputError, match=r"text_unit_prop 0.9 and community_prop 0.2 are more"):
        ask(dulce, "who", method="local", text_unit_prop=0.9, community_prop=0.2, save=False)


def test_the_steps_tell_what_the_budget_left_out(dulce) -> None:
    trace = ask(dulce, "What is Operation: Dulce?", method="local", save=False)
    entities = trace.step("entities")
    assert entities["label"].tolist()[0] == "OPERATION: DULCE"
    assert (entities["selected"].sum(), len(entities)) == (10, 30)
    assert set(entities["cut_reason"]) == {"", "oversampled", "similarity", "top_k"}
    reports = trace.step("reports")
    assert set(reports["cut_reason"]) == {"", "budget"}
    assert (reports["matches"].diff().dropna() <= 0).all()
    assert trace.budget.set_index("section").loc["reports", "allowed"] == 1800
    assert "network" in trace.step("relationships")
    assert trace.step("sources")["entity_order"].is_monotonic_increasing


def test_a_context_too_small_for_any_report_says_so(dulce) -> None:
    trace = ask(
        dulce, "What is Operation: Dulce?", method="local", max_context_tokens=3000, save=False
    )
    assert "[]" not in context_of(trace)
    assert any("reports fits into 450 tokens: the shortest has" in note for note in trace.notes)


def test_a_question_that_matches_nothing_is_answered_by_basic_search(handbook) -> None:
    trace = ask(handbook, "Zorblax fnordle vexilloid?", method="local", save=False)
    assert trace.notes[0].startswith("No entity matches: none is named in the question")
    assert [step.name for step in trace.steps][:1] == ["sources"]


class Listening(Axes):
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str], description: str = "") -> np.ndarray:
        self.texts += texts
        return super().encode(texts, description)


def test_history_is_embedded_latest_first_and_shown_oldest_first(small: Store) -> None:
    history = [(f"q{n}", f"a{n}") for n in range(1, 8)]
    heard = Listening()
    trace = ask(small, "Docker?", method="local", history=history, embedder=heard, save=False)
    assert "Docker?\nq7\nq6\nq5\nq4\nq3" in heard.texts
    turns = trace.step("history")
    assert turns["label"][turns["in_context"]].tolist() == ["q3", "q4", "q5", "q6", "q7"]
    assert turns["cut_reason"].tolist() == ["max_turns"] * 2 + [""] * 5


def test_a_run_without_vectors_or_reports_goes_by_names(small: Store, axes: Axes) -> None:
    trace = ask(small, "Docker or a container?", method="local", embedder=axes, save=False)
    entities = trace.step("entities")
    assert entities["label"].tolist() == ["Docker", "Container"]
    assert entities["matched_by"].tolist() == ["named", "named"]
    assert entities["cosine"].isna().all()
    assert trace.step("sources")["label"].tolist() == ["a.md"]
    assert any("no reports" in note for note in trace.notes)
    other = ask(small, "data in tables", method="local", embedder=axes, save=False)
    assert "basic search answered" in other.notes[0]


def test_documents_rank_by_their_chunks_then_as_in_basic_search(small: Store, axes: Axes) -> None:
    found = METHOD.rank(small, None, read_question("Docker Compose tables", axes), 3)
    assert found == ["d-a.md", "d-b.md", "d-c.md"]


def test_the_ego_graph_tells_roles(dulce) -> None:
    trace = ask(dulce, "What is Operation: Dulce?", method="local", save=False)
    nodes, edges = ego_graph(dulce, trace)
    assert (nodes["role"] == "selected").sum() == 10
    assert set(edges["role"]) <= {"in-network", "out-network", "cut"}
    table = trace.step("relationships")
    assert (edges["role"] == "cut").sum() == (~table["in_context"]).sum()
    ends = edges[edges["role"] == "in-network"]
    chosen = set(nodes["id"][nodes["role"] == "selected"])
    assert set(ends["source_id"]) | set(ends["target_id"]) <= chosen
    wb.graph_view(nodes, edges, colour_by="role")


def test_the_sweep_gives_each_section_its_share(dulce) -> None:
    swept = sweep_budget(
        dulce, "What is Operation: Dulce?", (0.2, 0.5), (0.15, 0.6), max_context_tokens=4000
    )
    pairs = swept[["text_unit_prop", "community_prop"]].drop_duplicates()
    assert pairs.to_numpy().tolist() == [[0.2, 0.15], [0.2, 0.6], [0.5, 0.15]]  # not 1.1
    assert (swept["tokens"] <= swept["allowed"]).all()
    shares = swept[swept["text_unit_prop"] == 0.2].pivot(
        index="community_prop", columns="section", values="allowed"
    )
    assert shares["reports"].tolist() == [600, 2400]
    assert shares["entities"].tolist() == [2599, 800]  # 0.65 less a last bit, as Microsoft
