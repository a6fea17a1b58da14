"""Entities and relationships in, one place on the plane an entity out: the same for every view."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd

from workbench.graph.degrees import between_entities, component_labels, pairs
from workbench.graph.engines import seeded_igraph

SPACING = 90.0  # pixels between neighbours, about
_GAP = 1.5 * SPACING
_SPRINGS = 500  # nodes; Kamada and Kawai take time and memory with their square


def layout(entities: pd.DataFrame, relationships: pd.DataFrame, seed: int = 7) -> pd.DataFrame:
    """Place every entity: a frame entity_id, x, y in pixels (rounded to 0.1), in name order.

    Each connected component is laid out on its own: Fruchterman and Reingold's forces, seeded,
    then, up to 500 entities, Kamada and Kawai's springs, which spread a crowded middle. The
    components stand side by side in shelves, the largest first.
    """
    nodes = entities[["id", "name"]].sort_values(["name", "id"], ignore_index=True)
    if nodes.empty:
        return pd.DataFrame({"entity_id": nodes["id"], "x": [], "y": []})
    edges = pairs(between_entities(relationships, entities))
    place = pd.Series(nodes.index, index=nodes["id"])
    ends = np.column_stack([edges[end].map(place).to_numpy(np.int64) for end in edges.columns[:2]])
    labels = component_labels(len(nodes), ends[:, 0], ends[:, 1])
    weight = edges["weight"].to_numpy()
    order = np.argsort(-np.bincount(labels), kind="stable")
    groups = []
    for label in order:
        group = np.flatnonzero(labels == label)
        inside = labels[ends[:, 0]] == label
        groups.append(
            (group, _place(len(group), np.searchsorted(group, ends[inside]), weight[inside], seed))
        )
    return _frame(nodes["id"], _shelves(groups, len(nodes)))


def _place(count: int, ends: np.ndarray, weight: np.ndarray, seed: int) -> np.ndarray:
    """Lay out one component; its corner is at (0, 0), its area grows with its nodes."""
    import igraph

    if count == 1:
        return np.zeros((1, 2))
    draw = random.Random(seed)
    start = [(draw.uniform(-1, 1), draw.uniform(-1, 1)) for _ in range(count)]
    graph = igraph.Graph(n=count, edges=ends.tolist())
    with seeded_igraph(seed):
        found = graph.layout_fruchterman_reingold(
            weights=np.log1p(np.maximum(weight, 0.01)).tolist(),  # heavy edges pull, not collapse
            seed=start,
            niter=500 if count <= 1_000 else 50,
        )
        if count <= _SPRINGS:
            found = graph.layout_kamada_kawai(seed=found.coords)
    points = np.array(found.coords)
    points -= points.min(axis=0)
    extent = max(float(points.max()), 1e-9)
    return points * (SPACING * np.sqrt(count) / extent)


def _shelves(groups: list[tuple[np.ndarray, np.ndarray]], count: int) -> np.ndarray:
    """Put the components in rows of about equal width; give the places of all nodes."""
    placed = np.zeros((count, 2))
    areas = [np.prod(points.max(axis=0) + _GAP) for _, points in groups]
    width = max(float(np.sqrt(sum(areas))) * 1.25, float(groups[0][1][:, 0].max()) + _GAP)
    x = y = height = 0.0
    for group, points in groups:
        wide, high = points.max(axis=0) + _GAP
        if x > 0 and x + wide > width:
            x, y, height = 0.0, y + height, 0.0
        placed[group] = points + (x, y)
        x, height = x + wide, max(height, high)
    return placed


def _frame(ids: pd.Series, points: np.ndarray) -> pd.DataFrame:
    points = np.round(points - (points.max(axis=0) + points.min(axis=0)) / 2, 1) + 0.0
    return pd.DataFrame({"entity_id": ids, "x": points[:, 0], "y": points[:, 1]})
