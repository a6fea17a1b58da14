"""Entities and relationships in, a network of numbered nodes out, ready for an engine."""

from __future__ import annotations

import html
from dataclasses import dataclass

import numpy as np
import pandas as pd

from workbench.graph.degrees import PHANTOM, between_entities, undirected_edges
from workbench.params import Variant


@dataclass(frozen=True)
class Network:
    """An undirected weighted graph: node i is `ids[i]`, edge j joins source[j] <= target[j].

    Nodes are in the order of their names and edges in the order of their ends, so that a seeded
    engine sees the same graph whatever the order of the rows. Nodes without an edge are left out.
    """

    ids: np.ndarray
    source: np.ndarray
    target: np.ndarray
    weight: np.ndarray

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.ids)

    @property
    def degree(self) -> np.ndarray:
        """Edges at each node."""
        return np.bincount(np.concatenate([self.source, self.target]), minlength=len(self))


def network(
    entities: pd.DataFrame,
    relationships: pd.DataFrame,
    variant: Variant = "documented",
    *,
    positive: bool = True,
) -> Network:
    """Build the network that clustering sees.

    `positive` leaves out edges of weight 0 or less: modularity has no meaning for them.
    """
    if variant == "documented":
        relationships = between_entities(relationships, entities)
    edges = undirected_edges(relationships, variant)
    if positive:
        edges = edges[edges["weight"] > 0]
    ids = _by_name(pd.unique(edges[["source_id", "target_id"]].to_numpy().ravel()), entities)
    place = pd.Series(np.arange(len(ids)), index=ids, dtype="int64")
    ends = np.sort(
        np.column_stack([edges[end].map(place).to_numpy(np.int64) for end in edges.columns[:2]]),
        axis=1,
    )
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    weight = edges["weight"].to_numpy(np.float64)
    return Network(ids, ends[order, 0], ends[order, 1], weight[order])


def sort_key(name: str) -> str:
    """Give the spelling by which nodes are ordered, as Microsoft normalises it."""
    return html.unescape(name).upper().strip()


def _by_name(ids: np.ndarray, entities: pd.DataFrame) -> np.ndarray:
    names = dict(zip(entities["id"], entities["name"], strict=True))
    keys = [(sort_key(names.get(i, i.removeprefix(PHANTOM))), i) for i in ids.tolist()]
    return np.array([i for _, i in sorted(keys)], dtype=object)
