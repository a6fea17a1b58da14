"""A run's graph frames in, the same with names instead of ids out: what a notebook looks at."""

from __future__ import annotations

import pandas as pd


def relationship_table(entities: pd.DataFrame, relationships: pd.DataFrame) -> pd.DataFrame:
    """Give one row a relationship, the heaviest first, with the names of its ends.

    Columns: source, target, type, weight, npmi, combined_degree, evidence.
    """
    names = entities.set_index("id")["name"]
    frame = relationships.assign(
        source=relationships["source_id"].map(names), target=relationships["target_id"].map(names)
    )
    frame = frame.sort_values(
        ["weight", "source", "target", "type"],
        ascending=[False, True, True, True],
        ignore_index=True,
    )
    columns = ["source", "target", "type", "weight", "npmi", "combined_degree", "evidence"]
    return frame[columns]


def by_relationship_type(relationships: pd.DataFrame) -> pd.DataFrame:
    """Give one row a type: relationships, total_weight, median_weight, largest_weight."""
    weights = relationships.groupby("type")["weight"]
    frame = weights.agg(
        relationships="size", total_weight="sum", median_weight="median", largest_weight="max"
    ).reset_index()
    return frame.sort_values(["relationships", "type"], ascending=[False, True], ignore_index=True)


def children(communities: pd.DataFrame) -> pd.DataFrame:
    """Give one row a community that was split: level, community, title, size, parts, part_sizes.

    `part_sizes` are the members of its children, the largest first, joined by ` + `.
    """
    parts = communities.dropna(subset=["parent_id"]).sort_values(
        ["size", "short_id"], ascending=[False, True]
    )
    sizes = parts.groupby("parent_id")["size"].agg(
        parts="size", part_sizes=lambda values: " + ".join(str(value) for value in values)
    )
    frame = communities.merge(sizes, left_on="id", right_index=True)
    frame = frame.rename(columns={"short_id": "community"}).sort_values(["level", "community"])
    columns = ["level", "community", "title", "size", "parts", "part_sizes"]
    return frame[columns].reset_index(drop=True)


def with_community(
    entities: pd.DataFrame,
    communities: pd.DataFrame,
    community_members: pd.DataFrame,
    level: int = 0,
) -> pd.DataFrame:
    """Give the entities with a column `community`: its short_id and title, null for none."""
    here = communities[communities["level"] == level]
    labels = here["short_id"].astype(str) + " " + here["title"].astype(str)
    label = dict(zip(here["id"], labels, strict=True))
    inside = community_members[community_members["community_id"].isin(here["id"])]
    mine = dict(zip(inside["entity_id"], inside["community_id"].map(label), strict=True))
    return entities.assign(community=entities["id"].map(mine))
