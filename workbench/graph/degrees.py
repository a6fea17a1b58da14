"""Relationships in, one weighted undirected edge a pair out; degree and combined degree from them.

Variant `documented`: parallel types and reversed pairs are summed, self loops dropped, no pair is
lost, every component is kept, an end without an entity row does not count. Variant `as_shipped` is
what Microsoft's code does: the last row of a pair wins, and clustering sees the largest connected
component only, in which ends without an entity row (phantoms) take part.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from workbench.errors import InputError
from workbench.params import Variant

PHANTOM = "missing:"  # an end without an entity row has the id `missing:TITLE`
EDGE_COLUMNS = ["source_id", "target_id", "weight"]


def undirected_edges(relationships: pd.DataFrame, variant: Variant = "documented") -> pd.DataFrame:
    """Give the edges that clustering sees: source_id < target_id, weight; sorted by both ends.

    As shipped, only the largest connected component is left (of two as large: the one found first).
    Raises InputError when a weight is not a finite number.
    """
    edges = pairs(relationships, variant)
    if variant == "as_shipped" and len(edges):
        edges = edges[_in_largest_component(edges)]
    return edges.sort_values(EDGE_COLUMNS[:2], ignore_index=True)


def pairs(relationships: pd.DataFrame, variant: Variant = "documented") -> pd.DataFrame:
    """Give one row an undirected pair over all components, in the relationships' order."""
    weight = relationships["weight"].astype("float64")
    wrong = ~np.isfinite(weight)
    if wrong.any():
        row = relationships[wrong].iloc[0]
        raise InputError(
            f"Relationship {row['source_id']!r} to {row['target_id']!r} has weight "
            f"{float(row['weight'])}: give it a number."
        )
    source, target = (relationships[end].astype("str") for end in EDGE_COLUMNS[:2])
    swap = source > target
    edges = pd.DataFrame(
        {
            "source_id": source.where(~swap, target),
            "target_id": target.where(~swap, source),
            "weight": weight,
        }
    )
    if "short_id" in relationships:  # the order of extraction, whatever the order of the rows
        edges = edges.iloc[np.argsort(relationships["short_id"].to_numpy(), kind="stable")]
    if variant == "as_shipped":
        return edges.drop_duplicates(EDGE_COLUMNS[:2], keep="last", ignore_index=True)
    edges = edges[edges["source_id"] != edges["target_id"]]
    edges = edges.sort_values(EDGE_COLUMNS)  # a sum of floats depends on their order
    return edges.groupby(EDGE_COLUMNS[:2], as_index=False, sort=True)["weight"].sum()


def between_entities(relationships: pd.DataFrame, entities: pd.DataFrame) -> pd.DataFrame:
    """Give the relationships both ends of which have an entity row."""
    return relationships[
        relationships["source_id"].isin(entities["id"])
        & relationships["target_id"].isin(entities["id"])
    ]


def degrees(edges: pd.DataFrame) -> pd.Series:
    """Give the number of edges at each end, by id; a self loop counts twice."""
    return pd.concat([edges["source_id"], edges["target_id"]]).value_counts().sort_index()


def with_degrees(
    entities: pd.DataFrame, relationships: pd.DataFrame, variant: Variant = "documented"
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Give copies of both frames with `degree` and `combined_degree` filled in.

    degree = undirected edges at the entity, over all components (0 for an isolated one);
    combined_degree = degree of the source + degree of the target. As shipped, phantoms and self
    loops (twice) count, as in Microsoft's finalize_graph.
    """
    counted = relationships
    if variant == "documented":
        counted = between_entities(relationships, entities)
    degree = degrees(pairs(counted, variant))
    ends = [relationships[end].map(degree).fillna(0).astype("int64") for end in EDGE_COLUMNS[:2]]
    return (
        entities.assign(degree=entities["id"].map(degree).fillna(0).astype("int64")),
        relationships.assign(combined_degree=ends[0] + ends[1]),
    )


def component_labels(count: int, source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Give each of `count` nodes the number of its connected component, by its first node."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links = coo_array((np.ones(len(source)), (source, target)), shape=(count, count))
    labels = connected_components(links, directed=False)[1]
    return pd.factorize(labels)[0]


def _in_largest_component(edges: pd.DataFrame) -> np.ndarray:
    """Give a mask of the edges inside the component with most nodes."""
    ends = edges[EDGE_COLUMNS[:2]].to_numpy().ravel()
    codes, nodes = pd.factorize(ends)  # in order of first appearance, so that ties go to the first
    codes = codes.reshape(-1, 2)
    labels = component_labels(len(nodes), codes[:, 0], codes[:, 1])
    return labels[codes[:, 0]] == np.bincount(labels).argmax()
