"""A run's frames in, its graph as GraphML out, which Gephi, yEd and networkx open."""

from __future__ import annotations

import io
import re
from typing import Any

import pandas as pd

from workbench.graph.degrees import PHANTOM

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML 1.0
_NODE = {"type": str, "description": str, "degree": int, "mention_count": int, "chunk_count": int}
_EDGE = {"type": str, "description": str, "evidence": str, "weight": float, "combined_degree": int}


def graphml(frames: dict[str, pd.DataFrame]) -> str:
    """Give the graph: a node an entity, an edge a relationship, each with its id and typed values.

    A node has its name as `label`, and its community of each level as `community_0`, … (-1: none);
    an end without an entity is a node of its own. An edge has its predicate as `label`.
    """
    import networkx as nx

    graph = nx.MultiDiGraph()
    homes = _homes(frames)
    for row in frames["entities"].itertuples(index=False):
        graph.add_node(
            row.id, label=_clean(row.name), **_values(row, _NODE), **homes.get(row.id, {})
        )
    nowhere = {name: -1 for name in next(iter(homes.values()), {})}
    for row in frames["relationships"].itertuples(index=False):
        for end in (row.source_id, row.target_id):
            if end not in graph:
                name = _clean(end.removeprefix(PHANTOM))
                graph.add_node(_clean(end), label=name, **_nothing(_NODE), **nowhere)
        ends = _clean(row.source_id), _clean(row.target_id)
        graph.add_edge(*ends, key=row.id, id=row.id, label=_clean(row.type), **_values(row, _EDGE))
    file = io.BytesIO()
    nx.write_graphml_xml(graph, file, named_key_ids=True, edge_id_from_attribute="id")
    return file.getvalue().decode("utf-8")


def _homes(frames: dict[str, pd.DataFrame]) -> dict[str, dict[str, int]]:
    """Give the number of each entity's community on each level."""
    communities = frames["communities"]
    levels = sorted(communities["level"].unique())
    found = {
        id_: {f"community_{level}": -1 for level in levels} for id_ in frames["entities"]["id"]
    }
    place = communities.set_index("id")[["level", "short_id"]].to_dict("index")
    members = frames["community_members"]
    for community, entity in zip(members["community_id"], members["entity_id"], strict=True):
        if entity in found and community in place:
            home = place[community]
            found[entity][f"community_{home['level']}"] = int(home["short_id"])
    return found


def _values(row: Any, kinds: dict[str, type]) -> dict[str, Any]:
    values = {name: getattr(row, name) for name in kinds}
    empty = _nothing(kinds)
    return {
        name: empty[name]
        if pd.isna(value)
        else _clean(value)
        if kinds[name] is str
        else kinds[name](value)
        for name, value in values.items()
    }


def _nothing(kinds: dict[str, type]) -> dict[str, Any]:
    return {name: kind() for name, kind in kinds.items()}


def _clean(value: object) -> str:
    """Leave out the characters that XML cannot hold."""
    return "" if pd.isna(value) else _FORBIDDEN.sub("", str(value))
