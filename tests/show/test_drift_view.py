"""The tree of drift and connection paths as graphs: what is drawn, and in which colour."""

from __future__ import annotations

import pandas as pd

from workbench.query.trace import Answer, Step, Trace
from workbench.show.drift_view import drift_tree, paths_view


def test_the_tree_has_one_line_a_query_and_the_question_on_the_left() -> None:
    actions = pd.DataFrame(
        {
            "short_id": [2, 0, 1],
            "parent": pd.array([0, None, 0], dtype="Int64"),
            "depth": [1, 0, 1],
            "query": ["B?", "Q?", "A?"],
            "score": [90.0, 40.0, None],
            "in_context": [True, True, False],
            "cut_reason": ["", "", "not asked"],
        }
    )
    trace = Trace("r", "drift", "Q?", {}, (Step("actions", "", actions),), (), Answer("", "model"))
    drawing = drift_tree(trace).drawing
    nodes = drawing.nodes.set_index("id")
    assert nodes.loc[["0", "1", "2"], "name"].tolist() == ["0 Q?", "1 A?", "2 B?"]
    assert nodes.loc[["0", "1", "2"], "group"].tolist() == ["told", "not asked", "told"]
    assert nodes.at["0", "x"] < nodes.at["1", "x"] == nodes.at["2", "x"]
    assert len(drawing.edges) == 2


def test_paths_share_their_ends() -> None:
    hops = [("a", "m", 1, 1), ("m", "z", 1, 2), ("a", "z", 2, 1)]
    paths = pd.DataFrame(hops, columns=["source_id", "target_id", "path", "hop"])
    paths = paths.assign(
        source=paths["source_id"].str.upper(),
        target=paths["target_id"].str.upper(),
        relationship_id=["r1", "r2", "r3"],
        weight=1.0,
    )
    drawing = paths_view(paths).drawing
    nodes = drawing.nodes.set_index("name")
    assert nodes["group"].to_dict() == {"A": "asked for", "Z": "asked for", "M": "between"}
    assert len(drawing.edges) == 3
