"""Entities and relationships in, tables of the graph's shape out: components and degrees."""

from __future__ import annotations

import numpy as np
import pandas as pd

from workbench.graph.degrees import between_entities, component_labels, pairs

_COLUMNS = ["component", "entities", "edges", "weight", "leading_entity"]


def components(entities: pd.DataFrame, relationships: pd.DataFrame) -> pd.DataFrame:
    """Give one row a connected component, the largest first; an isolated entity is one of its own.

    Columns: component (from 0), entities, edges (undirected pairs), weight (their sum),
    leading_entity (the name of highest degree, ties by name).
    """
    if entities.empty:
        return pd.DataFrame({name: [] for name in _COLUMNS}).astype(
            dict.fromkeys(_COLUMNS[:3], "int64") | {"weight": "float64", "leading_entity": "str"}
        )
    nodes = entities[["id", "name"]].sort_values(["name", "id"], ignore_index=True)
    edges = pairs(between_entities(relationships, entities))
    place = pd.Series(nodes.index, index=nodes["id"])
    source, target = (edges[end].map(place).to_numpy(np.int64) for end in edges.columns[:2])
    nodes["degree"] = np.bincount(np.concatenate([source, target]), minlength=len(nodes))
    nodes["label"] = component_labels(len(nodes), source, target)
    inside = edges.groupby(nodes["label"].to_numpy()[source])["weight"].agg(["size", "sum"])
    best = nodes.sort_values("degree", ascending=False, kind="stable").drop_duplicates("label")
    frame = pd.DataFrame({"entities": nodes["label"].value_counts()}).sort_index()
    frame["edges"] = inside["size"].reindex(frame.index, fill_value=0)
    frame["weight"] = inside["sum"].reindex(frame.index, fill_value=0.0)
    frame["leading_entity"] = best.set_index("label")["name"]
    frame = frame.sort_values(["entities", "leading_entity"], ascending=[False, True])
    return frame.reset_index(drop=True).rename_axis("component").reset_index()


def degree_distribution(entities: pd.DataFrame) -> pd.DataFrame:
    """Give one row a degree that occurs: degree, entities, share, percentile.

    share is of all entities (0 to 1); percentile is the percentage with at most that degree.
    """
    counts = entities["degree"].astype("int64").value_counts().sort_index()
    frame = counts.rename_axis("degree").rename("entities").reset_index()
    frame["share"] = frame["entities"] / max(len(entities), 1)
    frame["percentile"] = 100 * frame["entities"].cumsum() / max(len(entities), 1)
    return frame
