from __future__ import annotations

import random

import igraph
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from tests.graph.graphs import TRIANGLES, graph_of, graphs
from workbench.errors import InputError
from workbench.graph import cluster, engines
from workbench.graph.degrees import component_labels
from workbench.graph.network import network
from workbench.params import ClusterParams

ENGINES = ["leidenalg", "igraph", "graspologic"]


@pytest.mark.parametrize("engine", ["leidenalg", "igraph"])
def test_two_triangles_fall_apart_at_their_bridge(engine: str) -> None:
    net = network(*graph_of(TRIANGLES))
    assert engines.partition(net, engine, 1.0, 1).tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("engine", ["leidenalg", "igraph"])
def test_resolution_says_how_many_communities(engine: str) -> None:
    net = network(*graph_of(TRIANGLES))
    assert engines.partition(net, engine, 0.05, 1).max() == 0
    assert engines.partition(net, engine, 9.0, 1).tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("engine", ENGINES)
@given(graphs())
@settings(derandomize=True, max_examples=40, deadline=None)
def test_communities_are_connected(engine: str, graph: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    net = network(*graph)
    found = cluster(*graph, ClusterParams(engine=engine, max_cluster_size=4))
    place = {node: number for number, node in enumerate(net.ids)}
    for _, group in found.community_members.groupby("community_id")["entity_id"]:
        inside = np.zeros(len(net), bool)
        inside[[place[entity] for entity in group]] = True
        kept = inside[net.source] & inside[net.target]
        labels = component_labels(len(net), net.source[kept], net.target[kept])
        assert len(set(labels[inside])) == 1


def test_igraph_gets_its_generator_back() -> None:
    random.seed(5)
    expected = random.Random(5).random()
    net = network(*graph_of(TRIANGLES))
    engines.partition(net, "igraph", 1.0, 1)
    assert random.random() == expected  # the seeded engine drew nothing from Python's generator
    random.seed(5)
    igraph.Graph.Erdos_Renyi(n=20, m=40)
    assert random.random() != expected  # and igraph draws from it again


def test_a_missing_engine_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines.importlib.util, "find_spec", lambda name: None)
    assert engines.available_engines() == ["leidenalg", "igraph"]
    with pytest.raises(InputError, match=r"pip install .*\[graspologic\]"):
        cluster(*graph_of(TRIANGLES), ClusterParams(engine="graspologic"))


@pytest.mark.parametrize("engine", ENGINES)
def test_seeds_and_sizes_of_any_length_serve(engine: str) -> None:
    params = ClusterParams(engine=engine, seed=10**30, max_cluster_size=10**30)
    assert set(cluster(*graph_of(TRIANGLES), params).communities["level"]) == {0}


def test_gains_that_are_rounding_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    import leidenalg

    optimise, rounds = leidenalg.Optimiser.optimise_partition, []

    def never_nothing(self, partition, n_iterations):
        rounds.append(max(optimise(self, partition, n_iterations=n_iterations), 1e-14))
        return rounds[-1]

    monkeypatch.setattr(leidenalg.Optimiser, "optimise_partition", never_nothing)
    net = network(*graph_of(TRIANGLES))
    assert engines.partition(net, "leidenalg", 1.0, 1).tolist() == [0, 0, 0, 1, 1, 1]
    assert 1 < len(rounds) < 10
