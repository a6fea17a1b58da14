"""Graph tables in, the whole, untrimmed context of each community out: its records step by step.

Variant `documented`: every relationship of the level that touches a member, and the members'
claims. Variant `as_shipped`: one relationship an entity (the first row where it is the source, else
the first where it is the target) and no claims, as Microsoft's code does since 1.0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from workbench.graph.report_lines import (
    Count,
    Line,
    claim_lines,
    entity_lines,
    relationship_lines,
    render,
)
from workbench.params import Variant

Step = tuple[Line, ...]  # what one relationship brings in: new members, their claims, itself


@dataclass(frozen=True)
class Edge:
    """A relationship with its ends (entity ids) and its line."""

    source: str
    target: str
    line: Line


@dataclass(frozen=True)
class Records:
    """Everything that contexts are made of. Edges are sorted: the most connected ones first."""

    entities: dict[str, Line]
    claims: dict[str, list[Line]]
    edges: list[Edge]
    touching: dict[str, list[int]]  # numbers of the edges at an entity, ascending


@dataclass(frozen=True)
class Local:
    """A community's own context before any cut; `edges` are numbers into `Records.edges`."""

    community_id: str
    short_id: int
    members: tuple[str, ...]
    edges: tuple[int, ...]
    steps: tuple[Step, ...]
    tokens: int

    @property
    def lines(self) -> list[Line]:
        """The records in the order in which they come in."""
        return [line for step in self.steps for line in step]


def records_of(
    entities: pd.DataFrame,
    relationships: pd.DataFrame,
    claims: pd.DataFrame | None,
    variant: Variant,
) -> Records:
    """Number the edges by combined_degree (descending), then short_id, and index what they touch.

    Claims are left out as shipped.
    """
    names = dict(zip(entities["id"], entities["name"], strict=True))
    ranked = relationships.assign(
        combined_degree=relationships["combined_degree"].fillna(0).astype("int64")
    ).sort_values(
        ["combined_degree", "short_id", "id"], ascending=[False, True, True], kind="stable"
    )
    lines = relationship_lines(ranked, names)
    ends = zip(ranked["source_id"], ranked["target_id"], lines, strict=True)
    edges = [Edge(source, target, line) for source, target, line in ends]
    touching: dict[str, list[int]] = {}
    for number, edge in enumerate(edges):
        for end in dict.fromkeys((edge.source, edge.target)):
            touching.setdefault(end, []).append(number)
    told = claims is not None and variant == "documented"
    found = claim_lines(claims, names) if told else {}
    degrees = entities["degree"].fillna(0).astype("int64")
    return Records(entity_lines(entities.assign(degree=degrees)), found, edges, touching)


def local_contexts(
    records: Records,
    communities: pd.DataFrame,
    community_members: pd.DataFrame,
    variant: Variant,
    count: Count,
) -> dict[str, Local]:
    """Give each community's untrimmed context, by its id.

    Only relationships both ends of which are members of some community of the same level count.
    """
    known = community_members[community_members["entity_id"].isin(records.entities)]
    members = {name: tuple(group) for name, group in known.groupby("community_id")["entity_id"]}
    found = {}
    for _, level in communities.groupby("level"):
        inside = {m for community in level["id"] for m in members.get(community, ())}
        seen = _first_edges(records, inside) if variant == "as_shipped" else records.touching
        for community, short_id in zip(level["id"], level["short_id"], strict=True):
            own = members.get(community, ())
            numbers = {number for member in own for number in seen.get(member, ())}
            edges = tuple(sorted(n for n in numbers if _within(records.edges[n], inside)))
            steps = steps_of(records, own, edges)
            tokens = count(render([line for step in steps for line in step]))
            found[community] = Local(community, int(short_id), own, edges, steps, tokens)
    return found


def steps_of(records: Records, members: Iterable[str], edges: Iterable[int]) -> tuple[Step, ...]:
    """Walk the edges in order: each brings its ends that are members and new, then itself."""
    waiting = set(members)
    steps = []
    for number in edges:
        edge = records.edges[number]
        step: list[Line] = []
        for end in (edge.source, edge.target):
            if end in waiting:
                waiting.discard(end)
                step += [records.entities[end], *records.claims.get(end, ())]
        steps.append((*step, edge.line))
    return tuple(steps)


def _within(edge: Edge, inside: set[str]) -> bool:
    return edge.source in inside and edge.target in inside


def _first_edges(records: Records, inside: set[str]) -> dict[str, list[int]]:
    """Give the one edge that each entity has as shipped, in the order of extraction."""
    as_source: dict[str, list[int]] = {}
    as_target: dict[str, list[int]] = {}
    order = sorted(range(len(records.edges)), key=lambda n: records.edges[n].line.short_id)
    for number in order:
        edge = records.edges[number]
        if _within(edge, inside):
            as_source.setdefault(edge.source, [number])
            as_target.setdefault(edge.target, [number])
    return as_target | as_source
