from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings

from tests.graph.graphs import (
    K12,
    TRIANGLES,
    cliques,
    entities_of,
    graph_of,
    graphs,
    relationships_of,
)
from workbench import schema
from workbench.graph import Communities, cluster
from workbench.ids import community_id
from workbench.params import ClusterParams

ENGINES = ["leidenalg", "igraph", "graspologic"]
Graph = tuple[pd.DataFrame, pd.DataFrame]


def member_sets(found: Communities) -> dict[str, set[str]]:
    groups = found.community_members.groupby("community_id")["entity_id"]
    return {community: set(members) for community, members in groups}


def same(one: Communities, other: Communities) -> bool:
    return one.communities.equals(other.communities) and one.community_members.equals(
        other.community_members
    )


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("size", [10, 3, 2])
def test_two_triangles(engine: str, size: int) -> None:
    found = cluster(*graph_of(TRIANGLES), ClusterParams(engine=engine, max_cluster_size=size))
    table = found.communities
    assert table["short_id"].tolist() == [0, 1]
    assert table["level"].tolist() == [0, 0]
    assert table["size"].tolist() == [3, 3]
    # C and D have degree 3 and lead; the others follow by name.
    assert table["title"].tolist() == ["C, A, B", "D, E, F"]
    assert table["id"].tolist() == [
        community_id(0, ["id-A", "id-B", "id-C"]),
        community_id(0, ["id-D", "id-E", "id-F"]),
    ]
    assert table["parent_id"].isna().all()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_complete_graph_cannot_be_split(engine: str) -> None:
    found = cluster(*graph_of(K12), ClusterParams(engine=engine))
    assert found.communities[["level", "size"]].values.tolist() == [[0, 12]]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_community_of_exactly_the_limit_is_split(engine: str) -> None:
    rows = cliques(12, 5)
    whole = cluster(*graph_of(rows), ClusterParams(engine=engine, resolution=0.3)).communities
    largest = int(whole.loc[whole["level"] == 0, "size"].max())
    for limit, deeper in ((largest, True), (largest + 1, False)):
        params = ClusterParams(engine=engine, resolution=0.3, max_cluster_size=limit)
        found = cluster(*graph_of(rows), params).communities
        assert (found["level"] == 1).any() == deeper


def test_an_isolated_entity_is_in_no_community_and_an_end_without_a_row_is_no_member() -> None:
    entities, _ = graph_of(TRIANGLES, isolated="Z")
    found = cluster(entities, relationships_of([*TRIANGLES, ("Z", "GHOST", 1.0)]))
    assert set(found.community_members["entity_id"]) == {f"id-{name}" for name in "ABCDEF"}


def test_as_shipped_phantoms_take_part_but_are_no_members() -> None:
    entities = entities_of("ABDEF")  # C, an end of the bridge, has no entity row
    params = ClusterParams(engine="graspologic", variant="as_shipped")
    found = cluster(entities, relationships_of(TRIANGLES), params)
    assert found.communities["size"].tolist() == [2, 3]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("variant", ["documented", "as_shipped"])
@pytest.mark.parametrize("names", ["", "ABC"])
def test_graphs_without_edges_give_empty_typed_tables(
    engine: str, variant: str, names: str
) -> None:
    params = ClusterParams(engine=engine, variant=variant)
    found = cluster(entities_of(names), relationships_of([]), params)
    assert found.communities.columns.tolist() == schema.COMMUNITIES.names
    assert found.community_members.columns.tolist() == schema.COMMUNITY_MEMBERS.names
    assert len(found.communities) == len(found.community_members) == 0
    assert found.communities["level"].dtype == "int64"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("variant", ["documented", "as_shipped"])
def test_edges_without_weight_hold_nothing_together(engine: str, variant: str) -> None:
    graph = graph_of([("A", "B", 0.0), ("B", "C", -1.0)])
    found = cluster(*graph, ClusterParams(engine=engine, variant=variant))
    assert found.communities.empty


@pytest.mark.parametrize("engine", ENGINES)
@given(graphs())
@settings(derandomize=True, max_examples=40, deadline=None)
def test_the_hierarchy_is_whole(engine: str, graph: Graph) -> None:
    entities, relationships = graph
    found = cluster(entities, relationships, ClusterParams(engine=engine, max_cluster_size=3))
    table, members = found.communities, member_sets(found)
    assert table["short_id"].tolist() == list(range(len(table)))
    assert [len(members[i]) for i in table["id"]] == table["size"].tolist()
    unlooped = relationships[relationships["source_id"] != relationships["target_id"]]
    connected = set(unlooped["source_id"]) | set(unlooped["target_id"])
    tops = table.loc[table["level"] == 0, "id"]
    assert sorted(entity for top in tops for entity in members[top]) == sorted(connected)
    level = table.set_index("id")["level"]
    for parent, children in table.dropna(subset="parent_id").groupby("parent_id")["id"]:
        assert sorted(e for child in children for e in members[child]) == sorted(members[parent])
        assert (level[children] == level[parent] + 1).all()
        assert len(children) > 1


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("variant", ["documented", "as_shipped"])
@given(graphs())
@settings(derandomize=True, max_examples=20, deadline=None)
def test_order_of_rows_and_scale_of_weights_change_nothing(
    engine: str, variant: str, graph: Graph
) -> None:
    entities, relationships = graph
    params = ClusterParams(engine=engine, variant=variant, max_cluster_size=4)
    found = cluster(entities, relationships, params)
    shuffled = entities.sample(frac=1, random_state=1), relationships.sample(frac=1, random_state=2)
    assert same(found, cluster(*shuffled, params))
    if (engine, variant) == ("graspologic", "as_shipped"):
        return  # there the weights go in as they are, and the engine's random steps see the unit
    scaled = relationships.assign(weight=relationships["weight"] * 4)
    assert same(found, cluster(entities, scaled, params))


@pytest.mark.parametrize("engine", ENGINES)
@given(graphs())
@settings(derandomize=True, max_examples=20, deadline=None)
def test_new_names_in_the_same_order_change_no_partition(engine: str, graph: Graph) -> None:
    entities, relationships = graph
    params = ClusterParams(engine=engine, max_cluster_size=4)
    found = cluster(entities, relationships, params)
    renamed = cluster(entities.assign(name="the " + entities["name"]), relationships, params)
    assert renamed.community_members.equals(found.community_members)


@pytest.mark.parametrize("engine", ENGINES)
def test_clear_communities_survive_any_renaming(engine: str) -> None:
    entities, relationships = graph_of(cliques(6, 5))
    names = pd.Series([f"{hash_:03}" for hash_ in (pd.RangeIndex(30) * 17) % 31])
    expected = {frozenset(f"id-c{c:02}n{n:02}" for n in range(5)) for c in range(6)}
    for frame in (entities, entities.assign(name=names)):
        found = cluster(frame, relationships, ClusterParams(engine=engine))
        assert {frozenset(members) for members in member_sets(found).values()} == expected


def test_the_hash_seed_changes_nothing() -> None:
    code = (
        "from tests.graph.graphs import cliques, graph_of; from workbench.graph import cluster;"
        "import sys; found = cluster(*graph_of(cliques(9, 7) + [('x', 'c00n00', 1.0)]));"
        "sys.stdout.write(found.communities.to_json() + found.community_members.to_json())"
    )
    replies = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(replies) == 1
    assert "c00n00" in replies.pop()
