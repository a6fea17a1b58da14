"""Selected entities in, the relationships of each of their beginnings out, in Microsoft's order.

Microsoft GraphRAG's mixed context grows the list of entities one by one. For a beginning S of it:
in-network relationships (both ends in S) by rank; then out-network ones by links and rank, where
the links of an outside entity are the distinct other ends of the out-network relationships that
touch it; of these the first `top_k_relationships` x |S|.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.query.local_world import LocalWorld


@dataclass(frozen=True)
class Ranking:
    """The relationships of a beginning: rows in order; the first `inside` are in-network.

    `links` holds those of each row's outside end; 0 in-network, and where a single out-network
    relationship needs no order. `kept` rows are within top_k.
    """

    rows: np.ndarray
    links: np.ndarray
    inside: int
    kept: int


class Neighbourhood:
    """The relationships around a list of entities: `rows`, in table order.

    `entered` is the size of the beginning at which each comes in, `enclosed` that at which it is
    in-network (larger than the list: never).
    """

    def __init__(self, world: LocalWorld, entities: Sequence[int], by: str) -> None:
        found = [world.touching(entity) for entity in dict.fromkeys(entities)]
        self.rows = np.unique(np.concatenate([*found, np.zeros(0, np.int64)]))
        ends = [end[self.rows] for end in world.ends]
        place = np.full(world.ends_at, len(entities) + 1, np.int64)
        for at in range(len(entities), 0, -1):
            place[entities[at - 1]] = at
        self._source, self._target = place[ends[0]], place[ends[1]]
        self.entered = np.minimum(self._source, self._target)
        self.enclosed = np.maximum(self._source, self._target)
        self._scores = world.relationship_scores[by][self.rows]
        _, local = np.unique(np.concatenate(ends), return_inverse=True)
        self._ends = local[: len(self.rows)], local[len(self.rows) :]
        low, high = np.minimum(*self._ends), np.maximum(*self._ends)
        self._pair = np.zeros(len(self.rows), bool)  # one relationship stands for each pair
        self._pair[np.unique(low * (local.max(initial=0) + 1) + high, return_index=True)[1]] = True

    def ranking(self, size: int, top_k: int) -> Ranking:
        """Give the relationships of the first `size` entities, in order."""
        inside = np.flatnonzero(self.enclosed <= size)
        inside = inside[np.argsort(-self._scores[inside], kind="stable")]
        crossing = (self.entered <= size) & (self.enclosed > size)
        from_source = crossing & (self._source <= size)
        out = np.concatenate([np.flatnonzero(from_source), np.flatnonzero(crossing & ~from_source)])
        links = np.zeros(len(out), np.int64)
        if len(out) > 1:
            outside = np.where(from_source, self._ends[1], self._ends[0])
            links = np.bincount(outside[crossing & self._pair])[outside[out]]
            order = np.lexsort((-self._scores[out], -links))
            out, links = out[order], links[order]
        return Ranking(
            self.rows[np.concatenate([inside, out])],
            np.concatenate([np.zeros(len(inside), np.int64), links]),
            len(inside),
            len(inside) + min(len(out), top_k * size),
        )
