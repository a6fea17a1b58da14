"""A graph and seeds or engines in, tables that say how far its communities can be trusted out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from workbench.graph.communities import cluster
from workbench.graph.engines import available_engines
from workbench.graph.inspect import levels
from workbench.graph.partition import partition_at
from workbench.params import ClusterParams


def stability(
    entities: pd.DataFrame,
    relationships: pd.DataFrame,
    params: ClusterParams | None = None,
    seeds: Sequence[int] = range(10),
    level: int | None = 0,
) -> pd.DataFrame:
    """Give the adjusted Rand index of each two seeds' partitions: a square frame, seeds by seeds.

    1 is the same partition, 0 what chance would give. `level=None` compares the deepest partition.
    """
    params = params or ClusterParams()
    partitions = {
        seed: _partition(entities, relationships, params.model_copy(update={"seed": seed}), level)
        for seed in seeds
    }
    return _agreement(partitions, "seed")


def compare_engines(
    entities: pd.DataFrame,
    relationships: pd.DataFrame,
    params: ClusterParams | None = None,
    engines: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Give one row an engine and level: engine, level, communities, members, sizes, modularity.

    Engines default to those that are installed; a named one that is not raises InputError.
    """
    params = params or ClusterParams()
    frames = []
    for engine in engines or available_engines():
        found = cluster(entities, relationships, params.model_copy(update={"engine": engine}))
        table = levels(found.communities, found.community_members, relationships, params.variant)
        table.insert(0, "engine", engine)
        frames.append(table)
    return pd.concat(frames, ignore_index=True)


def engine_agreement(
    entities: pd.DataFrame,
    relationships: pd.DataFrame,
    params: ClusterParams | None = None,
    engines: Sequence[str] | None = None,
    level: int | None = 0,
) -> pd.DataFrame:
    """Give the adjusted Rand index of each two engines' partitions: engines by engines."""
    params = params or ClusterParams()
    partitions = {
        name: _partition(entities, relationships, params.model_copy(update={"engine": name}), level)
        for name in engines or available_engines()
    }
    return _agreement(partitions, "engine")


def _partition(
    entities: pd.DataFrame, relationships: pd.DataFrame, params: ClusterParams, level: int | None
) -> list[str]:
    """Give the community of each entity that is in one, in the order of entity ids."""
    found = cluster(entities, relationships, params)
    return partition_at(found.communities, found.community_members, level).tolist()


def _agreement(partitions: dict[Any, list[str]], axis: str) -> pd.DataFrame:
    """Compare partitions of the same entities pair by pair."""
    from sklearn.metrics import adjusted_rand_score

    index = pd.Index(list(partitions), name=axis)
    scores = [
        [adjusted_rand_score(one, other) for other in partitions.values()]
        for one in partitions.values()
    ]
    return pd.DataFrame(scores, index=index, columns=index, dtype="float64")
