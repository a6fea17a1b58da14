"""The tables of two or more runs over the same chunks in, one extraction out, resolved together.

Entities whose names, or whose aliases for the whole corpus, have one key are one; then the rules
of `resolve` decide over all that are left. Mentions in a chunk are not counted twice, weights of
one relationship are summed (shared chunks: counted anew), and what only one run saw stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from workbench import schema
from workbench.extraction import output
from workbench.extraction.acronyms import Definition
from workbench.extraction.keys import key
from workbench.extraction.kinds import usual_type
from workbench.extraction.people import Partial, partial_names
from workbench.extraction.resolve import Named, Resolution, resolve
from workbench.extraction.result import Extraction
from workbench.extraction.survivors import Survivor, rules_of
from workbench.extraction.union_tables import (
    Tables,
    entity_frame,
    mention_frame,
    mentions_of_runs,
    ranked,
    relations_of_runs,
)
from workbench.frames import table_frame
from workbench.models.embedding import Embedder
from workbench.params import ExtractParams

_LINKED = ("document", "website")
_LOCAL = ("first_name", "last_name", "shorter_name", "title", "link")  # hold in some documents only
_CATCH_ALL = "concept"


@dataclass
class _Group:
    """One key's entities in all runs."""

    name: str
    type: str
    description: str = ""
    doubt: float = 1.0
    count: int = 0
    documents: set[int] = field(default_factory=set)
    aliases: dict[str, tuple[str, float]] = field(default_factory=dict)

    def add(self, row: Any) -> None:
        """Take up an entity of a run; the first run's name stays, and its type if it says much."""
        if row.name != self.name:
            self.aliases.setdefault(row.name, ("normalized", 1.0))
        if self.type == _CATCH_ALL:
            self.type = row.type
        self.description = self.description or row.description or ""
        self.doubt *= 1 - float(row.confidence)
        self.count += int(row.mention_count)

    def join(self, other: _Group, rule: str, score: float) -> None:
        """Take up a group whose name is another spelling of this one's."""
        if self.type == _CATCH_ALL:
            self.type = other.type
        self.description = self.description or other.description
        self.doubt *= other.doubt
        self.count += other.count
        for alias, why in ((other.name, (rule, score)), *other.aliases.items()):
            if alias != self.name:
                self.aliases.setdefault(alias, why)


def unite(
    runs: Sequence[Tables],
    chunks: pd.DataFrame,
    definitions: Mapping[str, Sequence[Definition]],
    embedder: Embedder | None,
    params: ExtractParams,
) -> Extraction:
    """Unite runs, the first of which names and types what several have.

    `definitions` lists the acronyms of each document by its id.
    """
    documents = {id_: n for n, id_ in enumerate(dict.fromkeys(chunks["document_id"]))}
    document = dict(zip(chunks["id"], chunks["document_id"].map(documents), strict=True))
    groups, group_of = _groups(runs)
    for mentions, place in ((tables["entity_mentions"], n) for n, tables in enumerate(runs)):
        for entity, chunk in zip(mentions["entity_id"], mentions["chunk_id"], strict=True):
            groups[group_of[place, entity]].documents.add(document[chunk])
    order = sorted(groups)
    number = {name: i for i, name in enumerate(order)}
    everyone = [groups[name] for name in order]
    resolution = _resolve(order, everyone, documents, definitions, embedder, params)
    survivors = _survivors(everyone, resolution)

    def survivor(run: int, entity: str, chunk: str) -> int:
        return resolution.survivor(document[chunk], number[group_of[run, entity]])

    mentions = mentions_of_runs(runs, survivor)
    used = {root for root, _ in mentions}
    chosen = ranked({root: s for root, s in survivors.items() if root in used}, mentions)
    ids = {root: one.id for root, one in chosen.items()}
    relations, shown = relations_of_runs(runs, survivor, ids)
    rows = list({one.id: one for one in chosen.values()}.values())
    entities = entity_frame(rows, chosen, mentions)
    return Extraction(
        entities=entities,
        entity_aliases=output.alias_frame(rows),
        entity_mentions=mention_frame(mentions, ids, chunks),
        relationships=relations,
        relationship_mentions=shown,
        rejected=table_frame(schema.REJECTED),
        vectors=output.entity_vectors(entities, embedder),
    )


def _groups(
    runs: Sequence[Tables],
) -> tuple[dict[str, _Group], dict[tuple[int, str], str]]:
    """Give the groups by key, and the key of each run's entity; linked entities by their id."""
    groups: dict[str, _Group] = {}
    group_of: dict[tuple[int, str], str] = {}
    for n, tables in enumerate(runs):
        for row in tables["entities"].itertuples(index=False):
            name = f"\x1f{row.id}" if row.type in _LINKED else key(row.name)
            group_of[n, row.id] = name
            groups.setdefault(name, _Group(row.name, row.type)).add(row)
        aliases = tables["entity_aliases"]
        for id_, alias, rule, score in aliases.itertuples(index=False, name=None):
            group = groups[group_of[n, id_]]
            if alias != group.name:
                group.aliases.setdefault(alias, (rule, float(score)))
    joined = _joined(groups)
    return (
        {name: group for name, group in groups.items() if joined[name] == name},
        {entity: joined[name] for entity, name in group_of.items()},
    )


def _joined(groups: dict[str, _Group]) -> dict[str, str]:
    """Join groups of which one run has merged the names already; give each key's head."""
    head = {name: name for name in groups}

    def find(name: str) -> str:
        while head[name] != name:
            name = head[name]
        return name

    for name in sorted(groups):
        for alias, (rule, score) in sorted(groups[name].aliases.items()):
            other = key(alias)
            if rule in _LOCAL or other not in groups or find(other) == find(name):
                continue
            pair = sorted((find(name), find(other)), key=lambda n: (-groups[n].count, n))
            groups[pair[0]].join(groups[pair[1]], rule, score)
            head[pair[1]] = pair[0]
    return {name: find(name) for name in groups}


def _resolve(
    order: Sequence[str],
    everyone: Sequence[_Group],
    documents: Mapping[str, int],
    definitions: Mapping[str, Sequence[Definition]],
    embedder: Embedder | None,
    params: ExtractParams,
) -> Resolution:
    """Resolve the groups by the rules of a run."""
    named = [
        Named(name, g.name, usual_type(g.type), g.count, frozenset(g.documents))
        for name, g in zip(order, everyone, strict=True)
    ]
    people = frozenset(i for i, one in enumerate(named) if one.type == "person")
    surfaces = {i: one.surface for i, one in enumerate(named)}
    present: dict[int, list[int]] = {}
    for i, one in enumerate(named):
        if one.type in ("person", _CATCH_ALL):
            for number in one.documents:
                present.setdefault(number, []).append(i)
    partials: list[Partial] = []
    for number, here in sorted(present.items()):
        partials += partial_names(number, here, surfaces, people, people)
    by_number: list[Sequence[Definition]] = [() for _ in documents]
    for id_, found in definitions.items():
        if id_ in documents:
            by_number[documents[id_]] = found
    return resolve(named, by_number, partials, embedder, params.merge_similarity)


def _survivors(everyone: Sequence[_Group], resolution: Resolution) -> dict[int, Survivor]:
    """Give the entities by their root group, with the aliases of all that were merged into it."""
    rules = rules_of(resolution)
    found: dict[int, Survivor] = {}
    members: dict[int, list[int]] = {}
    for i in range(len(everyone)):
        members.setdefault(resolution.root(i), []).append(i)
    for (_, part), merge in resolution.local.items():
        members[resolution.root(merge.winner)].append(part)
    for root, inside in members.items():
        doubt, head = 1.0, everyone[root]
        one = found[root] = Survivor(head.name, head.type, 0.0, description=head.description)
        for i in dict.fromkeys([root, *sorted(inside)]):
            group = everyone[i]
            doubt *= group.doubt
            one.description = one.description or group.description
            if i != root and group.name != one.name:
                one.aliases.setdefault(group.name, rules.get(i, ("normalized", 1.0)))
            for alias, why in group.aliases.items():
                if alias != one.name and (i == root or resolution.root(i) == root):
                    one.aliases.setdefault(alias, why)
        one.confidence = round(1 - doubt, 4)
    return found
