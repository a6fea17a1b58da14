"""What entered, left and moved between two queries, and why."""

from __future__ import annotations

import pandas as pd

from tests.query.small import Axes
from workbench.query.ask import ask
from workbench.query.diff import diff
from workbench.query.trace import Answer, Step, Trace
from workbench.store import Store

QUESTION = "Where does PostgreSQL keep data?"


def test_a_smaller_k_cuts_chunks(small: Store, axes: Axes) -> None:
    one, other = (
        ask(small, QUESTION, method="basic", k=k, embedder=axes, save=False) for k in (3, 1)
    )
    found = diff(one, other)
    assert found.settings["setting"].tolist()[0] == "k"
    chunks = found.table[found.table["section"] == "sources"]
    assert chunks["change"].tolist() == ["left", "left"]
    assert set(chunks["why"]) == {"k"}
    assert "what differs in context" in found._repr_html_()
    back = diff(other, one).table
    assert (back[back["section"] == "sources"]["why"] == "was cut: k").all()
    assert diff(one, one).table.empty
    assert diff(one, one).settings.empty


def trace(run: str, rows: list[tuple]) -> Trace:
    columns = ["kind", "id", "short_id", "label", "score", "order", "in_context", "cut_reason"]
    table = pd.DataFrame(rows, columns=columns).assign(tokens=1, text="x")
    step = Step("entities", "", table, "entities")
    return Trace(run, "local", "q", {}, (step,), (), Answer("a", "extractive"))


def test_entities_of_two_runs_meet_by_name_where_ids_differ() -> None:
    one = trace(
        "a",
        [
            ("entity", "e1", 1, "Docker", 0.9, 1, True, ""),
            ("entity", "e2", 2, "Podman", 0.8, 2, True, ""),
            ("entity", "e3", 3, "Qdrant", 0.1, 3, False, "budget"),
        ],
    )
    other = trace(
        "b",
        [
            ("entity", "e2", 9, "Podman", 0.8, 1, True, ""),
            ("entity", "x1", 7, "docker", 0.5, 2, True, ""),
            ("entity", "e3", 3, "Qdrant", 0.4, 3, True, ""),
        ],
    )
    rows = diff(one, other).table[["change", "label", "from", "to", "why"]].to_numpy().tolist()
    assert rows == [
        ["entered", "Qdrant", 3, 3, "was cut: budget; score 0.100 → 0.400"],
        ["moved", "Podman", 2, 1, "others moved"],
        ["moved", "docker", 1, 2, "score 0.900 → 0.500"],
    ]
