"""Paths worked by hand, against networkx, and how wrong names are told."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import workbench as wb
from tests.query.small import Axes
from workbench.params import ChunkParams, EmbedParams
from workbench.query.paths import COLUMNS, connection_paths
from workbench.run import Run
from workbench.store import Store

Edges = list[tuple[str, str, float, float | None]]  # source, target, weight, npmi
Make = Callable[[Edges], Run]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Write a run of these relationships into one store, in place of the last one."""
    path: Path = tmp_path_factory.mktemp("paths") / "paths.duckdb"
    store = Store.create(path, chunk=ChunkParams(), embed=EmbedParams(), embedder=Axes())

    def write(edges: Edges) -> Run:
        names = sorted({name for source, target, *_ in edges for name in (source, target)})
        graph = nx.Graph([(a, b) for a, b, *_ in edges if a != b])
        entities = [
            {"id": f"id-{name}", "short_id": n, "name": name, "normalized_name": name.lower()}
            | {"type": "concept", "mention_count": 1, "chunk_count": 1}
            | {"degree": graph.degree(name) if name in graph else 0}
            for n, name in enumerate(names)
        ]
        relationships = [
            {"id": f"r{n}", "short_id": n, "source_id": f"id-{a}", "target_id": f"id-{b}"}
            | {"type": "knows", "description": "", "weight": weight, "npmi": npmi}
            | {"evidence": f"{a} knows {b}."}
            for n, (a, b, weight, npmi) in enumerate(edges)
        ]
        tables = {"entities": pd.DataFrame(entities), "relationships": pd.DataFrame(relationships)}
        tables["relationships"] = tables["relationships"].astype({"npmi": "float64"})
        return store.write_run("heuristic", mode="heuristic", params={}, tables=tables)

    return write


def routes(frame: pd.DataFrame) -> list[str]:
    """Give each path as its names, in order."""
    return [" ".join([hops["source"].iat[0], *hops["target"]]) for _, hops in frame.groupby("path")]


def test_fewest_hops_then_strength_then_names(make: Make) -> None:
    run = make(
        [
            ("A", "Z", 1, 0.0),  # direct, and weak
            ("A", "M", 3, 0.2),
            ("M", "Z", 3, 0.2),
            ("Z", "B", 9, 1.0),  # stronger; both run against the path
            ("B", "A", 9, 1.0),
            ("A", "L", 3, 0.2),  # as strong as M: by name
            ("L", "Z", 3, 0.2),
            ("A", "C", 9, 1.0),
            ("C", "D", 9, 1.0),
            ("D", "Z", 9, 1.0),
        ]
    )
    found = connection_paths(run, "A", "Z")
    assert routes(found) == ["A Z", "A B Z", "A L Z", "A M Z", "A C D Z"]
    assert found["reversed"].tolist() == [False, True, True] + [False] * 7
    assert found["strength"].iat[0] == pytest.approx((1 + 0) / 2 * 1 / 2)
    assert found["path_score"].iat[1] == pytest.approx(0.9 * 0.9 / math.log(3), abs=1e-8)
    assert routes(connection_paths(run, "A", "Z", k=2)) == ["A Z", "A B Z"]
    assert routes(connection_paths(run, "A", "Z", max_hops=1)) == ["A Z"]
    assert routes(connection_paths(run, "A", "Z", max_hops=2))[-1] == "A M Z"
    back = connection_paths(run, "Z", "A")
    assert routes(back) == ["Z A", "Z B A", "Z L A", "Z M A", "Z D C A"]
    assert back["evidence"].tolist()[:2] == ["A knows Z.", "Z knows B."]


def test_a_hub_counts_less_than_a_rare_entity_of_weaker_relationships(make: Make) -> None:
    around: Edges = [("Hub", f"N{n}", 1, 0.1) for n in range(30)]
    run = make(
        [
            ("A", "Hub", 9, 0.5),
            ("Hub", "Z", 9, 0.5),
            ("A", "Rare", 3, 0.4),
            ("Rare", "Z", 3, 0.4),
            *around,
        ]
    )
    found = connection_paths(run, "A", "Z")
    assert routes(found) == ["A Rare Z", "A Hub Z"]
    hub = found[found["path"] == 2]
    assert hub["path_score"].iat[0] == pytest.approx((0.75 * 0.9) ** 2 / math.log(33), abs=1e-8)


def test_the_strongest_relationship_of_a_pair_stands_for_it(make: Make) -> None:
    run = make([("A", "Z", 1, 0.0), ("Z", "A", 8, 0.0), ("A", "Z", 8, 0.0)])
    found = connection_paths(run, "A", "Z")
    assert found["relationship_id"].tolist() == ["r1"]
    assert found["reversed"].tolist() == [True]
    assert found.columns.tolist() == COLUMNS


def test_a_missing_npmi_counts_one_half(make: Make) -> None:
    found = connection_paths(make([("A", "Z", 1, None)]), "A", "Z")
    assert found["strength"].tolist() == [0.375]
    assert found["chunk"].isna().all()


def test_no_path_and_the_same_entity_give_no_rows_and_a_note(make: Make) -> None:
    run = make([("A", "B", 1, 0.1), ("Y", "Z", 1, 0.1), ("B", "B", 1, 0.1)])
    found = connection_paths(run, "A", "Z")
    assert found.empty
    assert found.columns.tolist() == COLUMNS
    assert found.attrs["note"] == "No path of at most 3 hops connects A and Z."
    assert connection_paths(run, "B", "B").attrs["note"] == "There are no two entities to connect."


def test_several_names_are_connected_each_with_each(make: Make) -> None:
    run = make([("A", "B", 1, 0.1), ("B", "C", 2, 0.1)])
    found = connection_paths(run, ["A", "C"], ["B"])
    assert found["pair"].tolist() == ["C and B", "A and B"]


def test_unknown_names_and_impossible_limits_are_one_sentence(make: Make) -> None:
    run = make([("Tidebook", "Postgres", 1, 0.1)])
    with pytest.raises(wb.InputError, match="'Tidebok'.*nearest: Tidebook"):
        connection_paths(run, "Tidebok", "Postgres")
    with pytest.raises(wb.InputError, match="1 to 3 hops"):
        connection_paths(run, "Tidebook", "Postgres", max_hops=4)


def test_the_handbook_shows_sentence_and_chunk_of_each_hop(handbook: Run) -> None:
    found = connection_paths(handbook, "Tidebook", "PostgreSQL")
    assert found["hop"].iat[0] == 1
    chunks = handbook.store.read("chunks").set_index("id")
    for hop in found.itertuples():
        assert hop.chunk == chunks.at[hop.chunk_id, "short_id"]
        assert {hop.source, hop.target} == set(
            handbook.entities.set_index("id").loc[[hop.source_id, hop.target_id], "name"]
        )
        assert hop.evidence


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("ABCDEFGH"),
            st.sampled_from("ABCDEFGH"),
            st.floats(0.5, 9),
            st.one_of(st.none(), st.floats(-1, 1)),
        ),
        min_size=1,
        max_size=16,
    )
)
def test_paths_are_simple_shortest_and_undirected(make: Make, edges: Edges) -> None:
    run = make(edges)
    graph = nx.Graph([(a, b) for a, b, *_ in edges])
    names = sorted(graph)
    source, target = names[0], names[-1]
    found = connection_paths(run, source, target, k=1000)
    expected = sorted(
        " ".join(path)
        for path in (nx.all_simple_paths(graph, source, target, 3) if source != target else ())
    )
    assert sorted(routes(found)) == expected
    backwards = connection_paths(run, target, source, k=1000)
    assert sorted(" ".join(path.split()[::-1]) for path in routes(backwards)) == expected
    if not found.empty:
        first = found[found["path"] == 1]
        assert len(first) == nx.shortest_path_length(graph, source, target)
        lengths = found.groupby("path")["hop"].max()
        assert lengths.is_monotonic_increasing
        assert lengths.max() <= 3
