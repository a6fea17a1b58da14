from __future__ import annotations

import itertools

import igraph
import pandas as pd
import pytest
from hypothesis import given, settings

from tests.graph.graphs import TRIANGLES, cliques, graph_of, graphs
from workbench.errors import InputError
from workbench.graph import (
    bridge_entities,
    bridges,
    cluster,
    levels,
    members,
    membership_wide,
    undirected_edges,
)
from workbench.graph.partition import labelled_edges, modularity, partition_at
from workbench.params import ClusterParams

ENTITIES, RELATIONSHIPS = graph_of([*TRIANGLES, ("C", "C", 3.0)], isolated="Z")
FOUND = cluster(ENTITIES, RELATIONSHIPS)
TABLES = FOUND.communities, FOUND.community_members


def test_levels_of_two_triangles() -> None:
    table = levels(*TABLES, RELATIONSHIPS)
    assert table.drop(columns="modularity").values.tolist() == [[0, 2, 6, 3, 3, 3, 3, 3]]
    # 6 of 7 edges inside, half of all ends in each: 6/7 - 2 * (7/14)^2
    assert table["modularity"].tolist() == pytest.approx([6 / 7 - 1 / 2])


def test_members_by_id_and_number() -> None:
    table = members(0, *TABLES, ENTITIES, RELATIONSHIPS)
    columns = ["name", "degree_inside", "degree_outside", "weight_inside", "weight_outside"]
    assert table[columns].values.tolist() == [
        ["A", 2, 0, 2.0, 0.0],
        ["B", 2, 0, 2.0, 0.0],
        ["C", 2, 1, 2.0, 1.0],
    ]
    assert members(FOUND.communities["id"][0], *TABLES, ENTITIES, RELATIONSHIPS).equals(table)
    with pytest.raises(InputError, match="no community 7 .short_id: 0 to 1."):
        members(7, *TABLES, ENTITIES, RELATIONSHIPS)


def test_membership_wide_has_every_entity() -> None:
    table = membership_wide(ENTITIES, *TABLES)
    assert table["name"].tolist() == list("ABCDEFZ")
    assert table["L0"].tolist() == [0, 0, 0, 1, 1, 1, pd.NA]


def test_bridges() -> None:
    table = bridges(*TABLES, RELATIONSHIPS)
    assert table.values.tolist() == [[0, 1, "C, A, B", "D, E, F", 1, 1.0]]
    ends = bridge_entities(*TABLES, ENTITIES, RELATIONSHIPS)
    assert ends.drop(columns="entity_id").values.tolist() == [
        ["C", 0, 1, 1, 1.0],
        ["D", 1, 1, 1, 1.0],
    ]


def test_tables_of_a_graph_without_edges_are_empty_and_typed() -> None:
    entities, relationships = graph_of([], isolated="AB")
    found = cluster(entities, relationships)
    tables = found.communities, found.community_members
    assert levels(*tables, relationships).empty
    assert bridges(*tables, relationships)["community_a"].dtype == "int64"
    assert bridge_entities(*tables, entities, relationships)["community"].dtype == "int64"
    assert membership_wide(entities, *tables)["name"].tolist() == ["A", "B"]
    with pytest.raises(InputError, match="the graph has no edges"):
        members(0, *tables, entities, relationships)


def test_a_leaf_stays_in_the_partition_of_deeper_levels() -> None:
    rows = [
        *cliques(8, 4),
        *((a, b, 30.0) for a, b in itertools.combinations("pqr", 2)),
        ("p", "c00n03", 1.0),
    ]
    entities, relationships = graph_of(rows)
    found = cluster(entities, relationships, ClusterParams(max_cluster_size=4, resolution=0.7))
    assert found.communities["level"].max() >= 1
    deepest = partition_at(found.communities, found.community_members)
    assert set(deepest.index) == set(entities["id"])
    top = partition_at(found.communities, found.community_members, 0)
    assert top.loc["id-p"] == deepest.loc["id-p"]


@given(graphs())
@settings(derandomize=True, max_examples=30, deadline=None)
def test_modularity_is_igraphs(graph: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    found = cluster(*graph)
    edges = undirected_edges(graph[1])
    if edges.empty:
        return
    partition = partition_at(found.communities, found.community_members)
    other = igraph.Graph.TupleList(edges.itertuples(index=False), weights=True)
    labels = pd.factorize(partition.loc[other.vs["name"]])[0].tolist()
    expected = other.modularity(labels, weights="weight", resolution=1.0)
    assert modularity(labelled_edges(graph[1], partition)) == pytest.approx(expected)
