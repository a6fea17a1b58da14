from __future__ import annotations

import numpy as np
import pytest

from tests.graph.graphs import TRIANGLES, cliques, graph_of
from workbench.graph import compare_engines, engine_agreement, stability
from workbench.params import ClusterParams


def test_clear_communities_are_the_same_for_every_seed() -> None:
    table = stability(*graph_of(cliques(6, 5)), seeds=[3, 1, 2])
    assert table.index.tolist() == table.columns.tolist() == [3, 1, 2]
    assert (table == 1.0).all(axis=None)


def test_a_graph_without_structure_depends_on_the_seed() -> None:
    generator = np.random.default_rng(0)
    ends = generator.integers(0, 60, (150, 2))
    table = stability(*graph_of([(f"n{a}", f"n{b}", 1.0) for a, b in ends]), seeds=range(4))
    assert np.allclose(table, table.T)
    assert (np.diag(table) == 1.0).all()
    assert table.min(axis=None) < 0.9


def test_engines_side_by_side() -> None:
    table = compare_engines(*graph_of(TRIANGLES), engines=["leidenalg", "igraph"])
    assert table["engine"].tolist() == ["leidenalg", "igraph"]
    assert table["modularity"].tolist() == pytest.approx([5 / 14, 5 / 14])
    assert "seconds" not in table
    agreement = engine_agreement(*graph_of(TRIANGLES), engines=["leidenalg", "igraph"])
    assert agreement.values.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_no_edges_agree() -> None:
    graph = graph_of([], isolated="AB")
    assert stability(*graph, ClusterParams(), seeds=[1, 2]).values.tolist() == [[1, 1], [1, 1]]
    assert compare_engines(*graph).empty
