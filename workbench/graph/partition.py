"""Community tables in, the partition of one level and its modularity out."""

from __future__ import annotations

import pandas as pd

from workbench.graph.degrees import undirected_edges
from workbench.params import Variant


def partition_at(
    communities: pd.DataFrame, community_members: pd.DataFrame, level: int | None = None
) -> pd.Series:
    """Give each entity's community id on a level (default: the deepest), indexed by entity id.

    An entity whose community was not split that deep stays in its last one, so that the partition
    of each level covers the same entities: all that are in some community.
    """
    rows = community_members.merge(
        communities[["id", "level"]], left_on="community_id", right_on="id"
    )
    if level is not None:
        rows = rows[rows["level"] <= level]
    rows = rows.sort_values(["entity_id", "level"]).drop_duplicates("entity_id", keep="last")
    return rows.set_index("entity_id")["community_id"]


def labelled_edges(
    relationships: pd.DataFrame, partition: pd.Series, variant: Variant = "documented"
) -> pd.DataFrame:
    """Give undirected edges with both ends' communities; those with an end in none are left out.

    Columns: source_id, target_id, weight, source_community, target_community.
    """
    edges = undirected_edges(relationships, variant)
    return edges.assign(
        source_community=edges["source_id"].map(partition),
        target_community=edges["target_id"].map(partition),
    ).dropna(subset=["source_community", "target_community"], ignore_index=True)


def modularity(edges: pd.DataFrame, resolution: float = 1.0) -> float:
    """Give Newman's modularity of labelled edges: inside / m - resolution * sum of (d_c / 2m)².

    m is the sum of weights, d_c the weighted degree of community c. NaN without any weight.
    """
    total = edges["weight"].sum()
    if total <= 0:
        return float("nan")
    inside = edges.loc[edges["source_community"] == edges["target_community"], "weight"].sum()
    ends = pd.concat(
        [
            edges.groupby("source_community")["weight"].sum(),
            edges.groupby("target_community")["weight"].sum(),
        ]
    )
    share = ends.groupby(level=0).sum() / (2 * total)
    return float(inside / total - resolution * (share**2).sum())
