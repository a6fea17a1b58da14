"""A network in, one community number a node out: the Leiden engines behind one signature.

`leidenalg` and `igraph` partition a graph once (`FLAT`); `graspologic` gives its whole hierarchy.
Resolution scales the null model of modularity: higher gives more, smaller communities.
"""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from workbench.errors import InputError
from workbench.graph.degrees import component_labels
from workbench.graph.network import Network
from workbench.params import ClusterParams

HIERARCHY_COLUMNS = ["node", "level", "cluster", "parent"]
GRASPOLOGIC_COMMAND = 'pip install "graphrag-workbench[graspologic]"'
_NO_GAIN = 1e-9  # of the quality, which counts edge weights


@contextmanager
def seeded_igraph(seed: int) -> Iterator[None]:
    """Let igraph draw from a generator of its own, and from Python's again afterwards."""
    import igraph

    igraph.set_random_number_generator(random.Random(seed))
    try:
        yield
    finally:
        igraph.set_random_number_generator(random)


def partition(net: Network, engine: str, resolution: float, seed: int) -> np.ndarray:
    """Partition a network with a flat engine; community 0 is the largest (ties: first by name)."""
    if len(net.source) == 0:  # every engine raises or misbehaves on an empty edge list
        return np.arange(len(net))
    found = np.asarray(FLAT[engine](scaled(net), resolution, seed))
    # Leiden promises connected communities; rounding can break the promise, this keeps it.
    inside = found[net.source] == found[net.target]
    labels = component_labels(len(net), net.source[inside], net.target[inside])
    order = np.argsort(-np.bincount(labels), kind="stable")
    return np.argsort(order)[labels]


def scaled(net: Network) -> Network:
    """Divide the weights by their mean: the random steps of two engines depend on the unit."""
    return replace(net, weight=net.weight / net.weight.mean())


def native_hierarchy(net: Network, params: ClusterParams) -> pd.DataFrame:
    """Give graspologic's hierarchy in its own order and numbers: node, level, cluster, parent.

    parent is -1 on level 0. Raises InputError when the optional package is not installed.
    """
    if "graspologic" not in available_engines():
        raise InputError(
            f"Engine 'graspologic' needs the package graspologic-native: {GRASPOLOGIC_COMMAND}."
        )
    from graspologic_native import hierarchical_leiden

    if params.variant == "documented":
        net = scaled(net)
    rows = hierarchical_leiden(
        [
            (str(source), str(target), weight)
            for source, target, weight in zip(
                net.source.tolist(), net.target.tolist(), net.weight.tolist(), strict=True
            )
        ],
        resolution=params.resolution,
        randomness=0.001,
        iterations=1,
        use_modularity=True,
        max_cluster_size=min(params.max_cluster_size, len(net) + 1),  # Rust has numbers of 64 bits
        seed=params.seed % 2**64,
    )
    return pd.DataFrame(
        [
            (int(r.node), r.level, r.cluster, -1 if r.parent_cluster is None else r.parent_cluster)
            for r in rows
        ],
        columns=HIERARCHY_COLUMNS,
    ).astype("int64")


def available_engines() -> list[str]:
    """Name the engines that are installed, the default first."""
    optional = importlib.util.find_spec("graspologic_native")
    return [*FLAT, "graspologic"] if optional else list(FLAT)


def _graph(net: Network) -> Any:  # an igraph.Graph; igraph is imported late
    import igraph

    return igraph.Graph(n=len(net), edges=np.column_stack([net.source, net.target]).tolist())


def _leidenalg(net: Network, resolution: float, seed: int) -> list[int]:
    import leidenalg

    partition = leidenalg.RBConfigurationVertexPartition(
        _graph(net), weights=net.weight.tolist(), resolution_parameter=resolution
    )
    optimiser = leidenalg.Optimiser()
    optimiser.set_rng_seed(seed % 2**32)
    # Until an iteration gains nothing. Rounding makes gains of 1e-14 without end: with
    # n_iterations=-1 a graph of 13,751 entities took 888,288 iterations.
    while optimiser.optimise_partition(partition, n_iterations=1) > _NO_GAIN:
        pass
    return list(partition.membership)


def _igraph(net: Network, resolution: float, seed: int) -> list[int]:
    with seeded_igraph(seed):
        return (
            _graph(net)
            .community_leiden(
                objective_function="modularity",
                weights=net.weight.tolist(),
                resolution=resolution,
                n_iterations=-1,
            )
            .membership
        )


FLAT: dict[str, Callable[[Network, float, int], list[int]]] = {
    "leidenalg": _leidenalg,
    "igraph": _igraph,
}
