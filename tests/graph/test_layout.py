from __future__ import annotations

import numpy as np

from tests.graph.graphs import TRIANGLES, cliques, entities_of, graph_of, relationships_of
from workbench.graph.layout import SPACING, layout

GRAPH = graph_of([*cliques(5, 4), ("X", "Y", 2.0)], isolated="Z")


def test_every_entity_has_a_place_of_its_own() -> None:
    table = layout(*GRAPH)
    assert sorted(table["entity_id"]) == sorted(GRAPH[0]["id"])
    points = table[["x", "y"]].to_numpy()
    assert (points == points.round(1)).all()
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    assert apart.min() > SPACING / 10


def test_the_same_graph_has_the_same_places() -> None:
    shuffled = GRAPH[0][::-1], GRAPH[1].sample(frac=1, random_state=3)
    assert layout(*shuffled).equals(layout(*GRAPH))
    assert not layout(*GRAPH, seed=8).equals(layout(*GRAPH))


def test_components_do_not_overlap() -> None:
    second = [(a + "2", b + "2", weight) for a, b, weight in TRIANGLES]
    table = layout(*graph_of(TRIANGLES + second)).set_index("entity_id")
    first, other = (
        table[table.index.str.endswith("2") == is_second] for is_second in (False, True)
    )
    beside = first["x"].max() < other["x"].min()
    below = first["y"].max() < other["y"].min()
    assert beside or below


def test_no_edges_and_nothing_at_all() -> None:
    assert len(layout(entities_of("AB"), relationships_of([])).drop_duplicates(["x", "y"])) == 2
    assert layout(entities_of(""), relationships_of([])).columns.tolist() == ["entity_id", "x", "y"]
