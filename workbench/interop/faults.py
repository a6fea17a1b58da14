"""Tables of an imported index in, what is wrong with them out, as rows of the table rejected."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from workbench import schema
from workbench.frames import table_frame
from workbench.graph.degrees import PHANTOM, undirected_edges, with_degrees

STAGE = "import"
EMPTY = ("", "NONE")  # how a claim says that it has no object or no date


class Faults:
    """Collects faults; each is one row: rule, what it is about, and why, in words."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []

    def add(
        self,
        rule: str,
        item: object,
        reason: str,
        *,
        table: str,
        id_: object = None,
        chunk_id: str | None = None,
        value: float | None = None,
    ) -> None:
        """Note one fault of the row `id_` of `table`."""
        raw = json.dumps({"table": table, "id": id_}, ensure_ascii=False, default=str)
        row = {"stage": STAGE, "item": str(item), "rule": rule, "value": value}
        self._rows.append({**row, "reason": reason, "chunk_id": chunk_id, "raw": raw})

    def frame(self) -> pd.DataFrame:
        """Give the faults as the table rejected, in the order in which they were found."""
        return table_frame(schema.REJECTED, self._rows)


def fault_counts(rejected: pd.DataFrame) -> pd.DataFrame:
    """Count the faults of an import: problem, count, example (the first), meaning."""
    found = rejected[rejected["stage"] == STAGE]
    grouped = found.groupby("rule", sort=False)
    counts = grouped.agg(
        count=("item", "size"), example=("item", "first"), meaning=("reason", "first")
    )
    return counts.rename_axis("problem").reset_index()


def find_faults(frames: dict[str, pd.DataFrame], faults: Faults) -> None:
    """Add what the tables of a graph say of themselves: ends, pairs, degrees, reach, reports."""
    entities, relationships = frames["entities"], frames["relationships"]
    names = dict(zip(entities["id"], entities["name"], strict=True))
    _ends(relationships, names, faults)
    _titles(entities, faults)
    _degrees(entities, relationships, faults)
    _reach(frames, faults)
    _reports(frames, faults)
    _claims(frames["claims"], faults)


def _ends(relationships: pd.DataFrame, names: dict[str, str], faults: Faults) -> None:
    rows = relationships[["id", "source_id", "target_id"]].itertuples(index=False, name=None)
    first: dict[tuple[str, str], str] = {}
    for id_, *ends in rows:
        source, target = ends
        told = " → ".join(names.get(end, end.removeprefix(PHANTOM)) for end in ends)
        where = {"table": "relationships", "id_": id_}
        lost = [end.removeprefix(PHANTOM) for end in ends if end not in names]
        if lost:
            reason = f"no entity is called {' or '.join(map(repr, lost))}"
            faults.add("dangling_relationship", told, reason, **where)
        if (source, target) in first:
            reason = f"the pair is a row already ({first[source, target]})"
            faults.add("repeated_pair", told, reason, **where)
        elif (target, source) in first and source != target:
            reason = f"its reverse is a row, too ({first[target, source]}); degree counts one edge"
            faults.add("reversed_pair", told, reason, **where)
        first.setdefault((source, target), id_)


def _titles(entities: pd.DataFrame, faults: Faults) -> None:
    for row in entities[entities["name"].duplicated()].itertuples(index=False):
        reason = "an entity before it has this title, and has all relationships of that title"
        faults.add("duplicate_title", row.name, reason, table="entities", id_=row.id)


def _degrees(entities: pd.DataFrame, relationships: pd.DataFrame, faults: Faults) -> None:
    """Hold degrees to Microsoft's count, with phantoms and self loops, unless all are as ours."""
    shipped = with_degrees(entities, relationships, "as_shipped")
    documented = with_degrees(entities, relationships)
    for table, told, one, other, column in (
        ("entities", entities, shipped[0], documented[0], "degree"),
        ("relationships", relationships, shipped[1], documented[1], "combined_degree"),
    ):
        wrong = told[column] != one[column]
        if (told[column] == other[column]).all():
            continue
        for at in wrong.fillna(value=False).to_numpy().nonzero()[0]:
            row, count = told.iloc[at], int(one[column].iloc[at])
            reason = f"{column} is {row[column]}, its relationships give {count}"
            where = {"table": table, "id_": row["id"], "value": float(count)}
            faults.add("wrong_degree", row.get("name", row["id"]), reason, **where)


def _reach(frames: dict[str, pd.DataFrame], faults: Faults) -> None:
    entities, edges = frames["entities"], undirected_edges(frames["relationships"], "as_shipped")
    largest = {*edges["source_id"], *edges["target_id"]}
    members = set(frames["community_members"]["entity_id"])
    for id_, name in zip(entities["id"], entities["name"], strict=True):
        if id_ not in largest:
            reason = "not connected to the largest component, the only one that GraphRAG clusters"
            faults.add("outside_largest_component", name, reason, table="entities", id_=id_)
        if members and id_ not in members:
            reason = "in no community, so no query of GraphRAG with a level can reach it"
            faults.add("in_no_community", name, reason, table="entities", id_=id_)


def _reports(frames: dict[str, pd.DataFrame], faults: Faults) -> None:
    reports = frames["community_reports"]
    written = set(reports["community_id"][reports["status"] == "ok"])
    for row in frames["communities"].itertuples(index=False):
        if row.id not in written:
            reason = f"community {row.short_id} of level {row.level} has no report"
            faults.add("missing_report", row.title, reason, table="communities", id_=row.id)


def _claims(claims: pd.DataFrame, faults: Faults) -> None:
    for row in claims.itertuples(index=False):
        said = {"table": "covariates", "id_": row.id}
        said["chunk_id"] = row.chunk_id if isinstance(row.chunk_id, str) else None
        if not isinstance(row.subject_id, str) or not isinstance(row.description, str):
            reason = "a claim without a subject or a description, as an empty reply leaves"
            faults.add("empty_claim", f"claim {row.short_id}", reason, **said)
        elif row.subject_id.startswith(PHANTOM):
            subject = row.subject_id.removeprefix(PHANTOM)
            reason = "its subject is no entity's title, so no query finds it"
            faults.add("claim_without_entity", subject, reason, **said)
