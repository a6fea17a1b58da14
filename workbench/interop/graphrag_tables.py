"""A run's frames in, Arrow tables with the columns of GraphRAG v3 out, in its order and types."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pandas as pd
import pyarrow as pa

from workbench.graph.degrees import PHANTOM
from workbench.interop.v3_columns import COLUMNS, arrow_schema

NONE = "NONE"  # how a claim says that it has no object or no date


def v3_tables(frames: dict[str, pd.DataFrame], period: str) -> dict[str, pa.Table]:
    """Give the seven tables by name; `period` is the day of the run, YYYY-MM-DD."""
    make = _Tables(frames, period)
    rows: dict[str, Callable[[], list[dict[str, Any]]]] = {
        "documents": make.documents,
        "text_units": make.text_units,
        "entities": make.entities,
        "relationships": make.relationships,
        "communities": make.communities,
        "community_reports": make.reports,
        "covariates": make.claims,
    }
    return {name: pa.Table.from_pylist(rows[name](), schema=arrow_schema(name)) for name in COLUMNS}


def unique_titles(entities: pd.DataFrame) -> dict[str, str]:
    """Give each entity's title by its id: its name, with type or number where that is taken."""
    taken: Counter[str] = Counter()
    titles = {}
    for row in entities.itertuples(index=False):
        wanted = (row.name, f"{row.name} ({row.type})", f"{row.name} ({row.short_id})", row.id)
        title = next(one for one in wanted if not taken[one])
        taken[title] += 1
        titles[row.id] = title
    return titles


class _Tables:
    """The rows of each table; ids in lists are in the order of the tables they are of."""

    def __init__(self, frames: dict[str, pd.DataFrame], period: str) -> None:
        self.frames, self.period = frames, period
        self.titles = unique_titles(frames["entities"])
        chunks = list(frames["chunks"]["id"])
        entities, relationships = frames["entity_mentions"], frames["relationship_mentions"]
        self.units_of_entity = _lists(entities, "entity_id", "chunk_id", chunks)
        self.units_of_relationship = _lists(relationships, "relationship_id", "chunk_id", chunks)
        order = list(frames["entities"]["id"])
        self.entities_of_unit = _lists(entities, "chunk_id", "entity_id", order)
        members = frames["community_members"]
        self.members = _lists(members, "community_id", "entity_id", order)
        order = list(frames["relationships"]["id"])
        self.relationships_of_unit = _lists(relationships, "chunk_id", "relationship_id", order)
        self.claims_of_unit = _lists(
            frames["claims"], "chunk_id", "id", list(frames["claims"]["id"])
        )
        communities = frames["communities"]
        self.number = dict(zip(communities["id"], communities["short_id"], strict=True))
        self.place = communities.set_index("id").to_dict("index")
        self.children: dict[str, list[int]] = {}
        for parent, number in zip(communities["parent_id"], communities["short_id"], strict=True):
            self.children.setdefault(parent, []).append(int(number))

    def title(self, entity: object) -> str:
        """Give the title of an end; a phantom's stands in its id."""
        return self.titles.get(str(entity), str(entity).removeprefix(PHANTOM))

    def documents(self) -> list[dict[str, Any]]:
        frame, chunks = self.frames["documents"], self.frames["chunks"]
        units = _lists(chunks, "document_id", "id", list(chunks["id"]))
        rows = []
        for number, row in enumerate(frame.itertuples(index=False)):
            told = json.loads(row.metadata) if isinstance(row.metadata, str) else {}
            date = told.pop("creation_date", "") if isinstance(told, dict) else ""
            rows.append(
                {
                    "id": row.id,
                    "human_readable_id": number,
                    "title": row.path,
                    "text": _str(row.text),
                    "text_unit_ids": units.get(row.id, []),
                    "creation_date": str(date),
                    "raw_data": json.dumps(told),
                }
            )
        return rows

    def text_units(self) -> list[dict[str, Any]]:
        return [
            {
                "id": row.id,
                "human_readable_id": row.short_id,
                "text": _str(row.text),
                "n_tokens": _int(row.token_count),
                "document_id": row.document_id,
                "entity_ids": self.entities_of_unit.get(row.id, []),
                "relationship_ids": self.relationships_of_unit.get(row.id, []),
                "covariate_ids": self.claims_of_unit.get(row.id, []),
            }
            for row in self.frames["chunks"].itertuples(index=False)
        ]

    def entities(self) -> list[dict[str, Any]]:
        return [
            {
                "id": row.id,
                "human_readable_id": row.short_id,
                "title": self.titles[row.id],
                "type": _str(row.type),
                "description": _str(row.description),
                "text_unit_ids": self.units_of_entity.get(row.id, []),
                "frequency": _int(row.chunk_count),
                "degree": _int(row.degree),
            }
            for row in self.frames["entities"].itertuples(index=False)
        ]

    def relationships(self) -> list[dict[str, Any]]:
        """What nothing describes is described by its evidence: GraphRAG shows no other column."""
        return [
            {
                "id": row.id,
                "human_readable_id": row.short_id,
                "source": self.title(row.source_id),
                "target": self.title(row.target_id),
                "description": _str(row.description) or _str(row.evidence),
                "weight": _none(row.weight),
                "combined_degree": _int(row.combined_degree),
                "text_unit_ids": self.units_of_relationship.get(row.id, []),
            }
            for row in self.frames["relationships"].itertuples(index=False)
        ]

    def communities(self) -> list[dict[str, Any]]:
        """GraphRAG groups by title, so that titles must be unique: theirs are, ours are not."""
        inner = self._inner()
        rows = []
        for row in self.frames["communities"].itertuples(index=False):
            links = inner.get(row.id, [])
            units = {unit for link in links for unit in self.units_of_relationship.get(link, [])}
            rows.append(
                {
                    **self._community(row.id),
                    "id": row.id,
                    "title": f"Community {row.short_id}",
                    "entity_ids": self.members.get(row.id, []),
                    "relationship_ids": sorted(links),
                    "text_unit_ids": sorted(units),
                }
            )
        return rows

    def _inner(self) -> dict[str, list[str]]:
        """Give the relationships that have both ends in a community, by community."""
        homes = _lists(self.frames["community_members"], "entity_id", "community_id", None)
        found: dict[str, list[str]] = {}
        for row in self.frames["relationships"].itertuples(index=False):
            ends = (set(homes.get(end, ())) for end in (row.source_id, row.target_id))
            for community in set.intersection(*ends):
                found.setdefault(community, []).append(row.id)
        return found

    def _community(self, id_: str) -> dict[str, Any]:
        """Give the columns that communities and reports share."""
        row = self.place[id_]
        parent = self.number.get(row["parent_id"], -1)
        number = int(row["short_id"])
        return {
            "human_readable_id": number,
            "community": number,
            "level": int(row["level"]),
            "parent": parent,
            "children": sorted(self.children.get(id_, [])),
            "period": self.period,
            "size": int(row["size"]),
        }

    def reports(self) -> list[dict[str, Any]]:
        """Only those that were written; the id is the community's, which the vectors name, too."""
        rows = []
        for row in self.frames["community_reports"].itertuples(index=False):
            if row.status != "ok":
                continue
            findings = json.loads(row.findings) if isinstance(row.findings, str) else []
            told = {
                "title": _str(row.title),
                "summary": _str(row.summary),
                "findings": findings,
                "rating": _none(row.rank),
                "rating_explanation": _str(row.rating_explanation),
            }
            rows.append(
                {
                    **self._community(row.community_id),
                    "id": row.community_id,
                    "title": _str(row.title),
                    "summary": told["summary"],
                    "full_content": row.full_content,
                    "rank": _none(row.rank),
                    "rating_explanation": told["rating_explanation"],
                    "findings": findings,
                    "full_content_json": json.dumps(told, ensure_ascii=False, indent=4),
                }
            )
        return sorted(rows, key=lambda row: (-row["level"], row["community"]))

    def claims(self) -> list[dict[str, Any]]:
        return [
            {
                "id": row.id,
                "human_readable_id": row.short_id,
                "covariate_type": "claim",
                "type": _none(row.type),
                "description": _none(row.description),
                "subject_id": "" if pd.isna(row.subject_id) else self.title(row.subject_id),
                "object_id": NONE if pd.isna(row.object_id) else self.title(row.object_id),
                "status": _none(row.status),
                "start_date": _str(row.start_date) or NONE,
                "end_date": _str(row.end_date) or NONE,
                "source_text": _none(row.source_text),
                "text_unit_id": _none(row.chunk_id),
            }
            for row in self.frames["claims"].itertuples(index=False)
        ]


def _lists(
    pairs: pd.DataFrame, key: str, value: str, order: list[str] | None
) -> dict[str, list[str]]:
    """Give the values of each key, in `order` where one is given, each once."""
    rank = None if order is None else {id_: place for place, id_ in enumerate(order)}
    found: dict[str, list[str]] = {}
    for one, other in zip(pairs[key], pairs[value], strict=True):
        found.setdefault(one, []).append(other)
    return {
        one: sorted(set(others), key=None if rank is None else lambda id_: rank.get(id_, -1))
        for one, others in found.items()
    }


def _int(value: Any) -> int:
    return 0 if pd.isna(value) else int(value)


def _none(value: Any) -> Any:
    return None if pd.isna(value) else value


def _str(value: Any) -> str:
    return value if isinstance(value, str) else ""
