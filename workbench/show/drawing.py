"""Entities and relationships in, a drawing out: what is drawn, where, in which colour, and why."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd

from workbench.show.text import count_of, visible
from workbench.show.theme import group_colours

MAX_NODES = 300
MAX_EDGES = 1000


@dataclass(frozen=True)
class Drawing:
    """What is drawn, with the colour of each group and the sentence that explains the choice.

    `nodes`: id, name, type, group, colour, degree, detail (shown when one is chosen), x, y;
    `edges`: source_id, target_id, weight, role.
    """

    nodes: pd.DataFrame
    edges: pd.DataFrame
    colours: dict[str, str]
    title: str
    choice: str


def drawing_of(
    entities: pd.DataFrame,
    relationships: pd.DataFrame,
    positions: pd.DataFrame | None,
    colour_by: str,
    max_nodes: int,
    title: str,
    seed: int,
    noun: str = "entity",
) -> Drawing:
    """Choose what is drawn, give it places and colours, and say how it was chosen.

    The entities of the highest degree come first, then by name; the lines by summed weight.
    """
    nodes = _choose(entities, colour_by, min(max_nodes, MAX_NODES))
    lines = _lines(relationships, set(nodes["id"]))
    if positions is None:
        from workbench.graph.layout import layout

        positions = layout(nodes, lines, seed)
    nodes = nodes.merge(_scaled(positions), on="id", how="left")
    nodes[["x", "y"]] = nodes[["x", "y"]].fillna(0.0)
    colours = group_colours(nodes["group"])
    nodes["colour"] = nodes["group"].map(colours).astype(str)
    edges = lines.head(MAX_EDGES)
    return Drawing(nodes, edges, colours, title, _choice(len(entities), nodes, lines, edges, noun))


def radius(degree: int) -> float:
    """Give the radius of a point in pixels: its area grows with the degree."""
    return 5 + 3.2 * math.sqrt(max(degree, 0))


def _choose(entities: pd.DataFrame, colour_by: str, n: int) -> pd.DataFrame:
    ordered = entities.sort_values(["degree", "name", "id"], ascending=[False, True, True]).head(n)
    group = ordered[colour_by].map(lambda value: "none" if pd.isna(value) else visible(value, 40))
    columns = {
        "id": ordered["id"].astype(str),
        "name": [visible(name, 60) for name in ordered["name"]],
        "type": ordered["type"].astype(str) if "type" in ordered else "",
        "group": group.astype(str),
        "degree": ordered["degree"].fillna(0).astype("int64"),
        "detail": ordered["description"].fillna("").astype(str) if "description" in ordered else "",
    }
    return pd.DataFrame(columns).reset_index(drop=True)


def _lines(relationships: pd.DataFrame, drawn: set[str]) -> pd.DataFrame:
    """Sum the weights of each undirected pair of drawn entities; its role is that of its first row.

    vis drops a parallel or reversed line without a word, so none may reach it.
    """
    inside = relationships["source_id"].isin(drawn) & relationships["target_id"].isin(drawn)
    kept = relationships[inside & (relationships["source_id"] != relationships["target_id"])]
    ends = kept[["source_id", "target_id"]].astype(str)
    pairs = pd.DataFrame(
        {
            "source_id": ends.min(axis=1),
            "target_id": ends.max(axis=1),
            "weight": kept["weight"].astype("float64"),
            "role": kept["role"].astype(str) if "role" in kept else "",
        }
    )
    grouped = pairs.groupby(["source_id", "target_id"], as_index=False)
    summed = grouped.agg(weight=("weight", "sum"), role=("role", "first"))
    order = ["weight", "source_id", "target_id"]
    return summed.sort_values(order, ascending=[False, True, True]).reset_index(drop=True)


def _scaled(positions: pd.DataFrame) -> pd.DataFrame:
    """Give whole-number positions in a box of 1500 by 1000, so that no last bit shows."""
    frame = positions.rename(columns={"entity_id": "id"})[["id", "x", "y"]].astype({"id": str})
    for axis, span in (("x", 1500.0), ("y", 1000.0)):
        values = frame[axis].astype("float64")
        width = values.max() - values.min() if len(values) else 0.0
        middle = (values.max() + values.min()) / 2 if len(values) else 0.0
        frame[axis] = ((values - middle) * (span / width if width else 0.0)).round()
    return frame


def _choice(
    whole: int, nodes: pd.DataFrame, lines: pd.DataFrame, edges: pd.DataFrame, noun: str
) -> str:
    if len(nodes) < whole:
        who = f"The {len(nodes):,} of {count_of(whole, noun)} with the highest degree"
    else:
        who = f"All {count_of(len(nodes), noun)}"
    if len(edges) < len(lines):
        return f"{who}, and the {len(edges):,} heaviest of {len(lines):,} lines between them."
    return (
        f"{who}, and {'all ' if len(lines) > 1 else ''}{count_of(len(lines), 'line')} between them."
    )
