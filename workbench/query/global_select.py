"""Reports and communities in, which of them global search reads and their weights out; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from workbench.params import GlobalParams


def chunk_counts(communities: int, members: pd.DataFrame, mentions: pd.DataFrame) -> np.ndarray:
    """Count the distinct chunks that mention an entity of each community (by row), int64.

    `members`: entity_row, community_row; `mentions`: entity_row, chunk_row.
    """
    pairs = members.merge(mentions, on="entity_row")[["community_row", "chunk_row"]]
    return np.bincount(pairs.drop_duplicates()["community_row"], minlength=communities)


def occurrence_weights(counts: Sequence[int], normalise: bool = True) -> list[float]:
    """Give each report's weight: its count, by default over the largest (0 where that is 0).

    >>> occurrence_weights([2, 1, 0]), occurrence_weights([0])
    ([1.0, 0.5, 0.0], [0.0])
    """
    largest = max(counts, default=0) if normalise else 1
    return [float(count / largest) if largest else 0.0 for count in counts]


def rolled_up(reports: pd.DataFrame, members: pd.DataFrame, level: int | None) -> np.ndarray:
    """Say of each report whether it is, up to a level, the deepest of some entity (bool).

    `reports`: community_row, level. Microsoft's documented roll-up: what is told deeper is not
    told again; where a community has no report, the one above it stands in.
    """
    within = reports if level is None else reports[reports["level"] <= level]
    joined = members.merge(within[["community_row", "level"]], on="community_row")
    deepest = joined.groupby("entity_row")["level"].transform("max")
    return reports["community_row"].isin(joined["community_row"][joined["level"] == deepest])


def left_out(reports: pd.DataFrame, members: pd.DataFrame, params: GlobalParams) -> list[str]:
    """Say of each report why it is not read: level, rolled_up, rank, or "" when it is."""
    level = params.level
    deep = np.zeros(len(reports), bool) if level is None else reports["level"] > level
    higher = np.zeros(len(reports), bool)
    if params.variant == "documented":
        higher = ~rolled_up(reports, members, level)
    reasons = np.select([deep, higher], ["level", "rolled_up"], "")
    return [reason or low for reason, low in zip(reasons, low_ranked(reports, params), strict=True)]


def low_ranked(reports: pd.DataFrame, params: GlobalParams) -> list[str]:
    """Say of each report whether its rank is too low ("rank") or not (""); documented: if known."""
    rank = pd.to_numeric(reports["rank"]).to_numpy(np.float64, na_value=np.nan)
    unknown = np.isnan(rank)
    low = np.where(unknown, params.variant == "as_shipped", rank < params.min_community_rank)
    return np.where(low.astype(bool), "rank", "").tolist()


@dataclass(frozen=True)
class Rated:
    """A report that was rated: in which round, and how; `selected` tells whether it is read."""

    community: int
    round: int
    rating: float
    selected: bool = False


def select_by_rating(
    levels: Mapping[int, int],
    parents: Mapping[int, int | None],
    rate: Callable[[Sequence[int]], Iterable[float]],
    *,
    threshold: float = 1,
    keep_parent: bool = False,
    max_level: int | None = None,
) -> list[Rated]:
    """Walk the tree of communities down where a model finds them relevant; give all it rated.

    `levels` and `parents`: of each community that has a report. Level 0 is rated first; the
    children of a relevant one come next, and it gives way to a relevant child unless
    `keep_parent`. With nothing relevant so far and nobody left, the next level is rated, down to
    `max_level`. In the order of the numbers, so that no hash decides (Microsoft's dynamic
    community selection).
    """
    children: dict[int | None, list[int]] = {}
    for community in sorted(levels):
        children.setdefault(parents.get(community), []).append(community)
    queue = sorted(community for community, level in levels.items() if level == 0)
    rated: list[Rated] = []
    relevant: set[int] = set()
    level = 0
    while queue:
        ratings = rate(queue)
        found: list[int] = []
        for community, rating in zip(queue, ratings, strict=True):
            rated.append(Rated(community, level, rating))
            if rating >= threshold:
                relevant.add(community)
                found += children.get(community, [])
                if not keep_parent:
                    relevant.discard(parents.get(community))
        queue, level = found, level + 1
        if not queue and not relevant and (max_level is None or level <= max_level):
            queue = sorted(one for one, depth in levels.items() if depth == level)
    return [Rated(r.community, r.round, r.rating, r.community in relevant) for r in rated]
