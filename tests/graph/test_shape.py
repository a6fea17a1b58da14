from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings

from tests.graph.graphs import TRIANGLES, entities_of, graph_of, graphs, relationships_of
from workbench.graph import components, degree_distribution, with_degrees

GRAPH = graph_of([*TRIANGLES, ("X", "Y", 2.0), ("Y", "X", 3.0)], isolated="Z")


def test_components_by_hand() -> None:
    assert components(*GRAPH).values.tolist() == [
        [0, 6, 7, 7.0, "C"],
        [1, 2, 1, 5.0, "X"],
        [2, 1, 0, 0.0, "Z"],
    ]


def test_degree_distribution_by_hand() -> None:
    entities, _ = with_degrees(*GRAPH)
    table = degree_distribution(entities)
    assert table["degree"].tolist() == [0, 1, 2, 3]
    assert table["entities"].tolist() == [1, 2, 4, 2]
    assert table["share"].sum() == pytest.approx(1.0)
    assert table["percentile"].round(1).tolist() == [11.1, 33.3, 77.8, 100.0]


def test_empty() -> None:
    empty = entities_of("")
    assert components(empty, relationships_of([])).empty
    assert degree_distribution(with_degrees(empty, relationships_of([]))[0]).empty


@given(graphs())
@settings(derandomize=True, max_examples=30, deadline=None)
def test_components_hold_every_entity(graph: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    table = components(*graph)
    assert table["entities"].sum() == len(graph[0])
    assert (table["edges"] >= table["entities"] - 1).all()
