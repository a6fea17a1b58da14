from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings

from tests.graph.graphs import entities_of, graph_of, graphs, relationships_of
from workbench.errors import InputError
from workbench.graph import undirected_edges, with_degrees
from workbench.graph.degrees import pairs

# A-B twice and reversed once, a self loop, a second component, and an end without an entity row.
MIXED = [
    ("A", "B", 2.0),
    ("B", "A", 3.0),
    ("A", "B", 5.0),
    ("B", "C", 1.0),
    ("C", "C", 9.0),
    ("X", "Y", 4.0),
    ("C", "GHOST", 7.0),
]


def rows(edges: pd.DataFrame) -> list[tuple[str, str, float]]:
    return [
        (source.removeprefix("id-"), target.removeprefix("id-"), weight)
        for source, target, weight in edges.itertuples(index=False)
    ]


def test_documented_sums_pairs_and_loses_none() -> None:
    edges = undirected_edges(relationships_of(MIXED))
    expected = [("A", "B", 10.0), ("B", "C", 1.0), ("C", "GHOST", 7.0), ("X", "Y", 4.0)]
    assert rows(edges) == expected


def test_as_shipped_keeps_the_last_row_of_a_pair_and_the_largest_component() -> None:
    edges = undirected_edges(relationships_of(MIXED), "as_shipped")
    assert rows(edges) == [("A", "B", 5.0), ("B", "C", 1.0), ("C", "C", 9.0), ("C", "GHOST", 7.0)]


def test_as_shipped_takes_the_component_found_first_of_two_as_large() -> None:
    relationships = relationships_of([("X", "Y", 1.0), ("A", "B", 1.0)])
    assert rows(undirected_edges(relationships, "as_shipped")) == [("X", "Y", 1.0)]


def test_the_last_row_is_the_last_by_short_id_whatever_the_order_of_rows() -> None:
    relationships = relationships_of(MIXED)
    assert undirected_edges(relationships[::-1], "as_shipped").equals(
        undirected_edges(relationships, "as_shipped")
    )


def test_degrees_by_hand() -> None:
    entities, relationships = with_degrees(entities_of("ABCDXY"), relationships_of(MIXED))
    # A: B. B: A, C. C: B alone, as a loop and a phantom do not count. D: nothing.
    assert dict(zip(entities["name"], entities["degree"], strict=True)) == {
        "A": 1,
        "B": 2,
        "C": 1,
        "D": 0,
        "X": 1,
        "Y": 1,
    }
    assert relationships["combined_degree"].tolist() == [3, 3, 3, 3, 2, 2, 1]


def test_degrees_as_shipped_count_loops_twice_and_phantoms() -> None:
    entities, relationships = with_degrees(
        entities_of("ABCDXY"), relationships_of(MIXED), "as_shipped"
    )
    assert entities["degree"].tolist() == [1, 2, 4, 0, 1, 1]
    assert relationships["combined_degree"].tolist() == [3, 3, 3, 6, 8, 2, 5]


def test_a_weight_that_is_no_number_is_refused() -> None:
    with pytest.raises(InputError, match="'id-A' to 'id-B' has weight nan"):
        undirected_edges(relationships_of([("A", "B", float("nan"))]))


def test_empty_frames_stay_typed() -> None:
    entities, relationships = with_degrees(entities_of(""), relationships_of([]))
    assert (len(entities), len(relationships)) == (0, 0)
    assert entities["degree"].dtype == relationships["combined_degree"].dtype == "int64"
    assert undirected_edges(relationships_of([])).columns.tolist() == [
        "source_id",
        "target_id",
        "weight",
    ]


@given(graphs())
@settings(derandomize=True, max_examples=60, deadline=None)
def test_degrees_sum_to_twice_the_edges(graph: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    entities, relationships = with_degrees(*graph)
    edges = undirected_edges(relationships)
    assert entities["degree"].sum() == 2 * len(edges)
    unlooped = relationships[relationships["source_id"] != relationships["target_id"]]
    assert edges["weight"].sum() == unlooped["weight"].sum()
    assert not edges.duplicated(["source_id", "target_id"]).any()


def test_inputs_are_not_changed() -> None:
    entities, relationships = graph_of(MIXED)
    before = entities.copy(), relationships.copy()
    with_degrees(entities, relationships)
    pairs(relationships, "as_shipped")
    assert entities.equals(before[0])
    assert relationships.equals(before[1])
