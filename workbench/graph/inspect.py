"""Communities and relationships in, the tables that show them level by level out.

All functions take frames of the schema and give frames; `variant` says which edges count.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from workbench.errors import InputError
from workbench.graph.partition import labelled_edges, modularity, partition_at
from workbench.params import Variant

_QUARTILES = {"min_size": 0.0, "q1_size": 0.25, "median_size": 0.5, "q3_size": 0.75, "max_size": 1}


def levels(
    communities: pd.DataFrame,
    community_members: pd.DataFrame,
    relationships: pd.DataFrame,
    variant: Variant = "documented",
) -> pd.DataFrame:
    """Give one row a level: communities, members, quartiles of size, modularity.

    Modularity is that of the level's whole partition, in which an entity whose community was not
    split that deep stays where it was; `members` counts only those that reach the level.
    """
    rows = []
    for level, group in communities.groupby("level"):
        edges = labelled_edges(
            relationships, partition_at(communities, community_members, level), variant
        )
        rows.append(
            {"level": level, "communities": len(group), "members": group["size"].sum()}
            | {name: group["size"].quantile(share) for name, share in _QUARTILES.items()}
            | {"modularity": modularity(edges)}
        )
    columns = ["level", "communities", "members", *_QUARTILES, "modularity"]
    return pd.DataFrame(rows, columns=columns).astype(
        dict.fromkeys(columns[:3], "int64") | dict.fromkeys(columns[3:], "float64")
    )


def members(
    community: str | int,
    communities: pd.DataFrame,
    community_members: pd.DataFrame,
    entities: pd.DataFrame,
    relationships: pd.DataFrame,
    variant: Variant = "documented",
) -> pd.DataFrame:
    """Give a community's members (by its id or short_id) with their edges inside and outside.

    Columns: entity_id, name, type, degree_inside, degree_outside, weight_inside, weight_outside;
    the best connected inside first. Raises InputError when there is no such community.
    """
    known = communities["short_id" if isinstance(community, int | np.integer) else "id"]
    if not (known == community).any():
        numbers = communities["short_id"]
        span = f"0 to {numbers.max()}" if len(numbers) else "none: the graph has no edges"
        raise InputError(f"There is no community {community!r} (short_id: {span}).")
    row = communities[known == community].iloc[0]
    partition = partition_at(communities, community_members, row["level"])
    inside = partition[partition == row["id"]].index
    ends = _ends(labelled_edges(relationships, partition, variant))
    ends = ends[ends["entity_id"].isin(inside)]
    frame = entities.loc[entities["id"].isin(inside), ["id", "name", "type"]]
    frame = frame.rename(columns={"id": "entity_id"})
    for side, there in (("inside", True), ("outside", False)):
        sums = ends[(ends["community"] == ends["other_community"]) == there].groupby("entity_id")
        frame[f"degree_{side}"] = frame["entity_id"].map(sums.size()).fillna(0).astype("int64")
        frame[f"weight_{side}"] = frame["entity_id"].map(sums["weight"].sum()).fillna(0.0)
    order = ["degree_inside", "weight_inside", "name", "entity_id"]
    frame = frame.sort_values(order, ascending=[False, False, True, True], ignore_index=True)
    columns = ["degree_inside", "degree_outside", "weight_inside", "weight_outside"]
    return frame[["entity_id", "name", "type", *columns]]


def membership_wide(
    entities: pd.DataFrame, communities: pd.DataFrame, community_members: pd.DataFrame
) -> pd.DataFrame:
    """Give one row an entity: entity_id, name, and the short_id of its community on L0, L1, ….

    Empty (NA) where the entity drops out: its community was not split, or it has no edge at all.
    """
    rows = community_members.merge(
        communities[["id", "short_id", "level"]], left_on="community_id", right_on="id"
    )
    wide = rows.pivot(index="entity_id", columns="level", values="short_id")
    wide = wide.rename(columns=lambda level: f"L{level}").astype("Int64")
    frame = entities[["id", "name"]].rename(columns={"id": "entity_id"})
    frame = frame.join(wide, on="entity_id")
    return frame.sort_values(["name", "entity_id"], ignore_index=True)


def bridges(
    communities: pd.DataFrame,
    community_members: pd.DataFrame,
    relationships: pd.DataFrame,
    level: int = 0,
    variant: Variant = "documented",
) -> pd.DataFrame:
    """Give one row a pair of communities of a level that edges join, the heaviest first.

    Columns: community_a < community_b (short_id), title_a, title_b, edges, weight.
    """
    number = communities.set_index("id")["short_id"]
    edges = labelled_edges(
        relationships, partition_at(communities, community_members, level), variant
    )
    one, other = (edges[f"{side}_community"].map(number).astype("int64") for side in _SIDES)
    edges = edges.assign(community_a=np.minimum(one, other), community_b=np.maximum(one, other))
    edges = edges[edges["community_a"] < edges["community_b"]]
    pairs = edges.groupby(["community_a", "community_b"], as_index=False).agg(
        edges=("weight", "size"), weight=("weight", "sum")
    )
    names = communities.set_index("short_id")["title"]
    pairs.insert(2, "title_a", pairs["community_a"].map(names).astype("str"))
    pairs.insert(3, "title_b", pairs["community_b"].map(names).astype("str"))
    return pairs.sort_values(
        ["weight", "community_a", "community_b"], ascending=[False, True, True], ignore_index=True
    )


def bridge_entities(
    communities: pd.DataFrame,
    community_members: pd.DataFrame,
    entities: pd.DataFrame,
    relationships: pd.DataFrame,
    level: int = 0,
    variant: Variant = "documented",
) -> pd.DataFrame:
    """Give the entities with an edge into another community of a level, the widest reach first.

    Columns: entity_id, name, community (short_id), communities_reached, edges_outside,
    weight_outside.
    """
    ends = _ends(
        labelled_edges(relationships, partition_at(communities, community_members, level), variant)
    )
    ends = ends[ends["community"] != ends["other_community"]]
    frame = ends.groupby(["entity_id", "community"], as_index=False).agg(
        communities_reached=("other_community", "nunique"),
        edges_outside=("weight", "size"),
        weight_outside=("weight", "sum"),
    )
    numbers, names = communities.set_index("id")["short_id"], entities.set_index("id")["name"]
    frame["community"] = frame["community"].map(numbers).astype("int64")
    frame.insert(1, "name", frame["entity_id"].map(names).astype("str"))
    return frame.sort_values(
        ["communities_reached", "weight_outside", "name", "entity_id"],
        ascending=[False, False, True, True],
        ignore_index=True,
    )


_SIDES = ("source", "target")


def _ends(edges: pd.DataFrame) -> pd.DataFrame:
    """Give one row an end of an edge: entity_id, community, other_community, weight."""
    columns = ["entity_id", "community", "other_community", "weight"]
    halves = [
        edges[[f"{one}_id", f"{one}_community", f"{other}_community", "weight"]].set_axis(
            columns, axis=1
        )
        for one, other in (_SIDES, _SIDES[::-1])
    ]
    return pd.concat(halves, ignore_index=True)
