"""A trace of drift, or paths between entities, in; a small graph of them out."""

from __future__ import annotations

import pandas as pd

from workbench.query.trace import Trace
from workbench.show.graph import GraphView, graph_view


def drift_tree(trace: Trace) -> GraphView:
    """Draw the follow-up queries of a trace of drift as a tree, coloured by what became of them.

    From left to right: the question, its follow-up queries, and theirs; KeyError where the trace
    has no step `actions` (no model was asked).
    """
    table = trace.step("actions").sort_values("short_id")
    edges = table[table["parent"].notna()]
    children = edges["parent"].value_counts()
    nodes = pd.DataFrame(
        {
            "id": table["short_id"].astype(str),
            "name": table["short_id"].astype(str) + " " + table["query"],
            "type": [
                "told" if inside else reason
                for inside, reason in zip(table["in_context"], table["cut_reason"], strict=True)
            ],
            "degree": table["short_id"].map(children).fillna(0).astype("int64")
            + table["parent"].notna(),
        }
    )
    places = nodes[["id"]].assign(x=table["depth"], y=-table.groupby("depth").cumcount())
    lines = pd.DataFrame(
        {
            "source_id": edges["parent"].astype(str),
            "target_id": edges["short_id"].astype(str),
            "weight": edges["score"].fillna(0) / 25 + 1,  # the better the answer, the wider
        }
    )
    return graph_view(nodes, lines, places, title=f"Follow-up queries: {trace.question}")


def paths_view(paths: pd.DataFrame, title: str = "Connection paths") -> GraphView:
    """Draw what `connection_paths` gave: the entities asked for, and those between them."""
    longest = paths.groupby("path")["hop"].transform("max")
    asked = {*paths["source_id"][paths["hop"] == 1], *paths["target_id"][paths["hop"] == longest]}
    ends = [
        paths[[f"{end}_id", end]].set_axis(["id", "name"], axis=1) for end in ("source", "target")
    ]
    nodes = pd.concat(ends)
    degrees = nodes["id"].value_counts()
    nodes = nodes.drop_duplicates("id", ignore_index=True)
    nodes["degree"] = nodes["id"].map(degrees).astype("int64")
    nodes["type"] = ["asked for" if id_ in asked else "between" for id_ in nodes["id"]]
    lines = paths.drop_duplicates("relationship_id")[["source_id", "target_id", "weight"]]
    return graph_view(nodes, lines, title=title)
