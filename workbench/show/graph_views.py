"""A run, two runs or a trace in, the graph views that answer a question each out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from workbench.errors import InputError
from workbench.graph.layout import layout
from workbench.graph.partition import labelled_edges, partition_at
from workbench.query.entity import find_entity
from workbench.show.graph import GraphView, graph_view
from workbench.study.overlap import things

if TYPE_CHECKING:
    from workbench.query.trace import Trace
    from workbench.run import Run

_BOTH, _FIRST, _SECOND = "in both", "only in the first", "only in the second"


def ego_view(run: Run, name: str, *, hops: int = 1, max_nodes: int = 80) -> GraphView:
    """Draw an entity (by name or alias) with what is within so many hops of it."""
    entities, relationships = run.entities, run.relationships
    centre = find_entity(entities, run.entity_aliases, name)
    inside = {centre}
    for _ in range(hops):
        touching = relationships["source_id"].isin(inside) | relationships["target_id"].isin(inside)
        near = relationships[touching]
        inside |= {*near["source_id"], *near["target_id"]}
    nodes = entities[entities["id"].isin(inside)]
    first = nodes["id"] == centre  # it is drawn whatever its degree
    nodes = pd.concat([nodes[first], nodes[~first].nlargest(max_nodes - 1, "degree")])
    shown = entities.loc[entities["id"] == centre, "name"].iloc[0]
    title = f"Around {shown}: {hops} hop{'s' if hops > 1 else ''}."
    return graph_view(nodes, relationships, max_nodes=max_nodes, title=title)


def community_map(run: Run, level: int = 0, *, max_nodes: int = 150) -> GraphView:
    """Draw the communities of a level as points (area by members), lines by weight between them."""
    communities, members = run.communities, run.community_members
    partition = partition_at(communities, members, level)
    sizes = partition.value_counts()
    nodes = communities[communities["id"].isin(sizes.index)].rename(columns={"title": "name"})
    if nodes.empty:
        raise InputError(f"Run {run.name!r} has no communities on level {level}: choose another.")
    nodes = nodes.assign(
        degree=nodes["id"].map(sizes),
        type="community",
        group=["level " + str(n) for n in nodes["level"]],
        description=[f"{n} members" for n in nodes["id"].map(sizes)],
    )
    edges = labelled_edges(run.relationships, partition)
    between = edges[edges["source_community"] != edges["target_community"]]
    lines = between[["source_community", "target_community", "weight"]]
    lines = lines.set_axis(["source_id", "target_id", "weight"], axis=1)
    title = f"The communities of level {level}, and the weight between them."
    return graph_view(
        nodes, lines, colour_by="group", max_nodes=max_nodes, title=title, noun="community"
    )


def compare_view(first: Run, second: Run, *, max_nodes: int = 150, seed: int = 7) -> GraphView:
    """Draw two runs on one layout: what both have, and what only one of them has."""
    runs = {"first": first, "second": second}
    rows, places = things(runs)
    seen = [set(places[label].values()) for label in runs]
    role = [_role(row in seen[0], row in seen[1]) for row in range(len(rows))]
    lines = _joined({label: _pairs(run, places[label]) for label, run in runs.items()})
    degree = pd.concat([lines["source_id"], lines["target_id"]]).value_counts()
    ids = [str(row) for row in range(len(rows))]
    nodes = rows.assign(id=ids, role=role, degree=[int(degree.get(id_, 0)) for id_ in ids])
    top = nodes.sort_values(["degree", "name"], ascending=[False, True]).head(max_nodes)
    within = lines["source_id"].isin(top["id"]) & lines["target_id"].isin(top["id"])
    positions = layout(top, lines[within], seed)
    title = f"{first.name} (first) and {second.name} (second) on one layout."
    return graph_view(
        top, lines[within], positions, colour_by="role", max_nodes=max_nodes, title=title
    )


def trace_graph(run: Run, trace: Trace, *, max_nodes: int = 120) -> GraphView:
    """Draw what a trace of local search looked at: chosen, in and out of the network, cut."""
    from workbench.query.local_study import ego_graph

    nodes, edges = ego_graph(run, trace)
    title = f"What was looked at for: {trace.question}"
    return graph_view(nodes, edges, colour_by="role", max_nodes=max_nodes, title=title)


def _role(in_first: bool, in_second: bool) -> str:
    return _BOTH if in_first and in_second else _FIRST if in_first else _SECOND


def _pairs(run: Run, place: dict[str, int]) -> pd.Series:
    """Give the summed weight of each undirected pair, by the places of its ends, as text."""
    edges = run.relationships
    ends = pd.DataFrame({side: edges[f"{side}_id"].map(place) for side in ("source", "target")})
    pairs = pd.DataFrame(
        {
            "source_id": ends.min(axis=1).astype(int).astype(str),
            "target_id": ends.max(axis=1).astype(int).astype(str),
            "weight": edges["weight"].astype(float),
        }
    )
    return pairs.groupby(["source_id", "target_id"])["weight"].sum()


def _joined(weights: dict[str, pd.Series]) -> pd.DataFrame:
    """Give the pairs of both runs with their role; where both have one, the larger weight."""
    table = pd.DataFrame(weights)
    role = [_role(a, b) for a, b in table.notna().itertuples(index=False, name=None)]
    return table.max(axis=1).rename("weight").reset_index().assign(role=role)
