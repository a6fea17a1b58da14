"""A network in, its communities level by level out: large ones are split on their own subgraph."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from workbench.graph.engines import HIERARCHY_COLUMNS, native_hierarchy, partition
from workbench.graph.network import Network
from workbench.params import ClusterParams


def hierarchy(net: Network, params: ClusterParams) -> pd.DataFrame:
    """Give one row a node and level: node (its number), level, cluster, parent (-1 on level 0).

    Level 0 is Leiden on the whole network. On each further level every community of at least
    `max_cluster_size` nodes is split on its own subgraph; one that comes out whole stays a leaf,
    and nodes of leaves do not reappear deeper. Cluster numbers go on over the levels.
    """
    if net.weight.sum() <= 0:  # no edge, or nothing that holds together (as shipped: negative)
        return pd.DataFrame(columns=HIERARCHY_COLUMNS, dtype="int64")
    if params.engine == "graspologic":
        found = native_hierarchy(net, params)
        return found[found["level"] < params.max_levels]
    current = partition(net, params.engine, params.resolution, params.seed)
    frames = [_frame(np.arange(len(net)), 0, current, -1)]
    used = int(current.max()) + 1
    for level in range(1, params.max_levels):
        deeper = np.full(len(net), -1)
        for parent, nodes, part in _subgraphs(net, current, params.max_cluster_size):
            split = partition(part, params.engine, params.resolution, params.seed)
            if split.max() == 0:
                continue
            deeper[nodes] = split + used
            frames.append(_frame(nodes, level, split + used, parent))
            used += int(split.max()) + 1
        if (deeper < 0).all():
            break
        current = deeper
    return pd.concat(frames, ignore_index=True)


def _subgraphs(
    net: Network, current: np.ndarray, size: int
) -> Iterator[tuple[int, np.ndarray, Network]]:
    """Yield community, node numbers and subgraph of each community of at least `size` nodes.

    -1 in `current` stands for a node that is in no community of this level.
    """
    members = np.argsort(current, kind="stable")
    members = members[np.searchsorted(current[members], 0) :]
    numbers, starts = np.unique(current[members], return_index=True)
    inside = np.flatnonzero(
        (current[net.source] == current[net.target]) & (current[net.source] >= 0)
    )
    inside = inside[np.argsort(current[net.source[inside]], kind="stable")]
    owner = current[net.source[inside]]
    for number, nodes in zip(numbers, np.split(members, starts[1:]), strict=True):
        if len(nodes) < size:
            continue
        edges = inside[np.searchsorted(owner, number) : np.searchsorted(owner, number, "right")]
        yield (
            int(number),
            nodes,
            Network(
                net.ids[nodes],
                np.searchsorted(nodes, net.source[edges]),
                np.searchsorted(nodes, net.target[edges]),
                net.weight[edges],
            ),
        )


def _frame(nodes: np.ndarray, level: int, cluster: np.ndarray, parent: int) -> pd.DataFrame:
    return pd.DataFrame({"node": nodes, "level": level, "cluster": cluster, "parent": parent})
