"""Entities and relationships in, the tables communities and community_members out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from workbench import schema
from workbench.frames import table_frame
from workbench.graph.hierarchy import hierarchy
from workbench.graph.network import Network, network
from workbench.ids import community_id
from workbench.params import ClusterParams

LEADING = 3  # entities named in a community's title


@dataclass(frozen=True)
class Communities:
    """The hierarchy of a graph as two frames of the schema."""

    communities: pd.DataFrame
    community_members: pd.DataFrame


def cluster(
    entities: pd.DataFrame, relationships: pd.DataFrame, params: ClusterParams | None = None
) -> Communities:
    """Cut the graph into hierarchical Leiden communities.

    An entity without an edge is in no community; every other one is in exactly one on level 0, and
    the members of a community that was split are those of its children. Numbers (short_id) go on
    over the levels. As shipped, phantoms take part but are no members, and a community without an
    entity row or an inner relationship is dropped, which leaves a gap in the numbers. Raises
    InputError when the engine is not installed or a weight is not a number.
    """
    params = params or ClusterParams()
    # Microsoft hands negative weights on to its engine; with the other engines they mean nothing.
    positive = params.variant == "documented" or params.engine != "graspologic"
    net = network(entities, relationships, params.variant, positive=positive)
    found = hierarchy(net, params)
    members = found.assign(entity_id=net.ids[found["node"]], degree=net.degree[found["node"]])
    if params.variant == "as_shipped":
        members = members[members["cluster"].isin(_with_inner_edge(net, found))]
    members = members.merge(
        entities[["id", "name", "mention_count"]].rename(columns={"id": "entity_id"}),
        on="entity_id",
        how="inner",
    ).sort_values(["level", "cluster"], kind="stable")
    return _tables(members)


def _tables(members: pd.DataFrame) -> Communities:
    """Number, name and link the clusters of a members frame (one row an entity and cluster)."""
    titles = _titles(members)
    ids: dict[int, str] = {-1: ""}
    rows = []
    for (level, number, parent), entity_ids in members.groupby(["level", "cluster", "parent"])[
        "entity_id"
    ]:
        ids[number] = community_id(level, entity_ids.tolist())
        rows.append(
            {
                "id": ids[number],
                "short_id": number,
                "level": level,
                "parent_id": ids[parent] or None,
                "title": titles[number],
                "size": len(entity_ids),
            }
        )
    belongs = pd.DataFrame(
        {
            "community_id": members["cluster"].map(ids),
            "entity_id": members["entity_id"],
        }
    )
    return Communities(
        table_frame(schema.COMMUNITIES, rows),
        table_frame(schema.COMMUNITY_MEMBERS, belongs),
    )


def _titles(members: pd.DataFrame) -> dict[int, str]:
    """Name each cluster after its leading entities: by degree, then mentions, then name."""
    leading = members.assign(mentions=members["mention_count"].fillna(0).astype("int64"))
    leading = leading.sort_values(
        ["cluster", "degree", "mentions", "name", "entity_id"],
        ascending=[True, False, False, True, True],
    )
    return (
        leading.groupby("cluster").head(LEADING).groupby("cluster")["name"].agg(", ".join).to_dict()
    )


def _with_inner_edge(net: Network, found: pd.DataFrame) -> np.ndarray:
    """Give the numbers of the clusters that hold both ends of some edge."""
    inner: list[np.ndarray] = []
    for _, level in found.groupby("level"):
        cluster_of = np.full(len(net), -1)
        cluster_of[level["node"]] = level["cluster"]
        ends = cluster_of[net.source]
        inner.append(np.unique(ends[(ends == cluster_of[net.target]) & (ends >= 0)]))
    return np.concatenate(inner) if inner else np.array([], dtype=np.int64)
