"""A community's context, its tables and its sentences in, a report made only of them out.

No language model has a part in it, and the report says so: leading entities, heaviest
relationships, most central sentences, word for word. Its rank is coverage, not judgement.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from workbench.graph.citations import Citation, citations, data
from workbench.graph.report_budget import Context
from workbench.graph.report_local import Local
from workbench.graph.sentences import Sentences, sentences_of

LEADING = 3  # entities named in a title
QUOTED = 400  # characters of a description that a finding repeats
NOTE = "Extractive report: put together from the tables and the text, no language model wrote it."


@dataclass(frozen=True)
class Draft:
    """What a report says, whoever wrote it; `findings` are dicts of summary and explanation."""

    title: str
    summary: str
    rank: float | None
    rating_explanation: str
    findings: list[dict[str, str]]


class ExtractiveWriter:
    """Writes extractive reports; without chunks and mentions they quote no sentence.

    The rank is 10 for the community whose members are named in most chunks, and less in proportion
    (in mentions, where chunks are not given).
    """

    def __init__(
        self,
        entities: pd.DataFrame,
        relationships: pd.DataFrame,
        community_members: pd.DataFrame,
        chunks: pd.DataFrame | None = None,
        entity_mentions: pd.DataFrame | None = None,
    ) -> None:
        self.entities: dict[str, Any] = {row.id: row for row in entities.itertuples(index=False)}
        self.relationships = {row.id: row for row in relationships.itertuples(index=False)}
        self.sentences = Sentences([], [], {}, None)
        self._unit = "mentions"
        counted = community_members.merge(
            entities[["id", "mention_count"]], left_on="entity_id", right_on="id"
        )
        self._covered = counted.groupby("community_id")["mention_count"].sum()
        self._whole = int(entities["mention_count"].sum())
        if chunks is not None and entity_mentions is not None and len(entity_mentions):
            self.sentences = sentences_of(entities, chunks, entity_mentions)
            self._unit = "chunks"
            named = community_members.merge(entity_mentions, on="entity_id")
            self._covered = named.groupby("community_id")["chunk_id"].nunique()
            self._whole = len(chunks)

    def write(self, local: Local, context: Context, titles: dict[int, str], most: int) -> Draft:
        """Write one report from what its context holds; `titles` are those of the sub-reports.

        `most` is the greatest number of findings; a small community gives fewer than five when
        nothing more can be said of it.
        """
        seen = _seen(context)
        members = self._ranked(local.members)
        entities = [row for row in members if Citation("Entities", row.short_id) in seen]
        links = [
            self.relationships[line.id]
            for line in local.lines
            if Citation(line.section, line.short_id) in seen and line.section == "Relationships"
        ]
        shares = [math.ceil(most * share) for share in (0.4, 0.3, 0.3)]
        central = self.sentences.central(local.members, shares[2])
        findings = [_sub_report(number, titles) for number in context.replaced]
        findings += [self._entity(row) for row in entities[: shares[0]]]
        findings += [
            self._relationship(row) for row in _heaviest(links, set(local.members))[: shares[1]]
        ]
        findings += [self._sentence(number, entities) for number in central]
        rank, why = self._rank(local.community_id)
        title = ", ".join(row.name for row in members[:LEADING])
        return Draft(title, self._summary(local, members, entities, central), rank, why,
                     findings[:most])  # fmt: skip

    def _ranked(self, ids: Sequence[str]) -> list[Any]:
        rows = [self.entities[name] for name in ids if name in self.entities]
        return sorted(rows, key=lambda row: (-_int(row.degree), -_int(row.mention_count), row.name))

    def _summary(
        self, local: Local, members: Sequence[Any], entities: Sequence[Any], central: Sequence[int]
    ) -> str:
        names = ", ".join(row.name for row in members[:LEADING])
        parts = [NOTE, f"{_many(len(members), 'entity', 'entities')}, led by {names}."]
        if central:
            parts.append(f"The most central sentence: “{self.sentences.texts[central[0]]}”")
        cited = data(entities=[row.short_id for row in entities[:LEADING]])
        return " ".join([*parts, cited]).strip()

    def _entity(self, row: Any) -> dict[str, str]:
        kind = f" ({row.type})" if _str(row.type) else ""
        links = _many(_int(row.degree), "relationship", "relationships")
        named = _many(_int(row.mention_count), "mention", "mentions")
        text = f"{_lead(_str(row.description))} {data(entities=[row.short_id])}"
        return _finding(f"{row.name}{kind}: {links}, {named}", text)

    def _relationship(self, row: Any) -> dict[str, str]:
        ends = [self.entities[end] for end in (row.source_id, row.target_id)]
        said = _lead(_str(row.description) or _str(row.evidence))
        text = f"{said} {data(relationships=[row.short_id])}"
        kind = f" ({row.type})" if _str(row.type) else ""
        return _finding(f"{ends[0].name} and {ends[1].name}{kind}, weight {row.weight:g}", text)

    def _sentence(self, number: int, entities: Sequence[Any]) -> dict[str, str]:
        naming = self.sentences.naming
        named = [row for row in entities if number in naming.get(row.id, ())]
        about = ", ".join(row.name for row in named) or "a member"
        quote = f"“{self.sentences.texts[number]}” (chunk {self.sentences.chunks[number]})"
        cited = data(entities=[row.short_id for row in named])
        return _finding(f"A central sentence names {about}", f"{quote} {cited}")

    def _rank(self, community_id: str) -> tuple[float, str]:
        covered = int(self._covered.get(community_id, 0))
        widest = int(self._covered.max()) if len(self._covered) else 0
        rank = round(10 * covered / widest, 1) if widest else 0.0
        return rank, (
            f"Coverage, not judgement: its members are named in {covered} of {self._whole} "
            f"{self._unit}; the widest community, with {widest}, has rank 10."
        )


def _seen(context: Context) -> set[Citation]:
    """Give the records of a context, and those that the reports in it cite."""
    seen = {Citation(line.section, line.short_id) for line in context.lines}
    for line in context.lines:
        if line.section == "Reports":
            seen.update(citations(line.text))
    return seen


def _heaviest(rows: Sequence[Any], members: set[str]) -> list[Any]:
    """Sort relationships: inside the community first, then by weight, then by short id."""

    def order(row: Any) -> tuple[bool, float, int]:
        inside = row.source_id in members and row.target_id in members
        return not inside, -row.weight if pd.notna(row.weight) else 0.0, row.short_id

    return sorted(rows, key=order)


def _sub_report(number: int, titles: dict[int, str]) -> dict[str, str]:
    return _finding(
        f"Sub-community {number}: {titles.get(number, '')}",
        f"Its report stands for its records. {data(reports=[number])}",
    )


def _finding(summary: str, explanation: str) -> dict[str, str]:
    return {"summary": summary, "explanation": explanation.strip()}


def _many(number: int, one: str, more: str) -> str:
    return f"{number:,} {one if number == 1 else more}"


def _int(value: Any) -> int:
    return 0 if pd.isna(value) else int(value)


def _lead(text: str) -> str:
    """Give the first sentences of a text, so many as stay short, or its first words."""
    if len(text) <= QUOTED:
        return text
    end = max(text.rfind(stop, 0, QUOTED) for stop in (". ", "! ", "? ", "。", ".\n"))
    return text[: end + 1] if end > 0 else text[: text.rfind(" ", 1, QUOTED)].rstrip() + " …"


def _str(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""
