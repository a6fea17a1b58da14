"""A run and reports written by hand in, a report on each of the run's communities out.

A report is found by the names of its leading members, and cites by names; ids play no part. Small
groups that nobody wrote about have one put together from the sentences of the run's own records.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.run import Run

_LEADING = 14  # members by which a community is recognised
_ALIKE = 0.4  # Jaccard index of leading members from which on a report is a community's
_CITED = 5  # records a table in one citation
_FINDINGS, _OWN = 10, 7  # findings at most, and before sentences of records follow those by hand


class ReportsByHand:
    """Reports on the communities of one run."""

    def __init__(self, run: Run, sources: Sequence[dict[str, Any]]) -> None:
        self._sources = sources
        self._entities = {row.id: row for row in run.entities.itertuples(index=False)}
        by_degree = sorted(self._entities.values(), key=lambda row: row.degree)
        self._named = {row.name.lower(): row for row in by_degree}
        self._communities = {row.id: row for row in run.communities.itertuples(index=False)}
        self._members: dict[str, list[Any]] = defaultdict(list)
        for row in run.community_members.itertuples(index=False):
            self._members[row.community_id].append(self._entities[row.entity_id])
        for members in self._members.values():
            members.sort(key=lambda entity: (-entity.degree, entity.name))
        self._ties = list(run.relationships.itertuples(index=False))
        self._fit = self._fitting()

    def _fitting(self) -> dict[str, dict[str, Any]]:
        """Give each report to the community it is most like, each once, the coarsest first."""
        pairs = []
        for number, source in enumerate(self._sources):
            wanted = {name.lower() for name in source["members"]}
            for community in self._communities.values():
                here = {one.name.lower() for one in self._members[community.id][:_LEADING]}
                alike = len(wanted & here) / max(len(wanted | here), 1)
                if alike >= _ALIKE:
                    pairs.append((-alike, community.level, community.id, number))
        found: dict[str, dict[str, Any]] = {}
        taken: set[int] = set()
        for _, _, community, number in sorted(pairs):
            if community not in found and number not in taken:
                found[community] = self._sources[number]
                taken.add(number)
        return found

    def title(self, community: str) -> str:
        """Name a community by its leading members."""
        return ", ".join(entity.name for entity in self._members[community][:3])

    def write(self, community: str) -> tuple[dict[str, Any], str]:
        """Give the report on a community, and `hand` or `assembled`."""
        source = self._fit.get(community)
        members = self._members[community]
        inside = {entity.id for entity in members}
        ties = sorted(
            (tie for tie in self._ties if {tie.source_id, tie.target_id} <= inside),
            key=lambda tie: (-tie.weight, tie.short_id),
        )
        findings = self._findings(source, members, ties)
        rests = _data(members[:_CITED], ties[:_CITED])
        if source is None:
            return self._assembled(members, ties, findings, rests), "assembled"
        report = {key: source[key] for key in ("title", "rank", "rating_explanation")}
        return {**report, "summary": f"{source['summary']} {rests}", "findings": findings}, "hand"

    def _findings(
        self, source: dict[str, Any] | None, members: Sequence[Any], ties: Sequence[Any]
    ) -> list[dict[str, str]]:
        inside = {entity.id for entity in members}
        others = [one for one in self._sources if one is not source]
        found, cited = [], set()
        for own, one in [(True, source)] * (source is not None) + [(False, one) for one in others]:
            for finding in one["findings"] if one else ():
                entities = self._known(finding["entities"], inside)
                between = self._between(finding["relationships"], ties)
                whole = len(finding["entities"]) + len(finding["relationships"])
                share = (len(entities) + len(between)) / max(whole, 1)
                bare = bool(finding["relationships"]) and not between
                if len(found) < _FINDINGS and share >= (0.6 if own else 0.7) and not bare:
                    cited |= {tie.short_id for tie in between}
                    text = f"{finding['explanation']} {_data(entities, between)}"
                    found.append({"summary": finding["summary"], "explanation": text})
        most = _OWN if found else _FINDINGS
        for tie in ties:
            if len(found) < most and tie.short_id not in cited:
                found.append(self._said(tie))
        if not found:
            first = _sentence(members[0].description) or f"{members[0].name} stands alone."
            found = [{"summary": first, "explanation": f"{first} {_data(members[:1], ())}"}]
        return found

    def _known(self, names: Iterable[str], inside: set[str]) -> list[Any]:
        rows = (self._named.get(name.lower()) for name in names)
        return [row for row in rows if row is not None and row.id in inside]

    def _between(self, pairs: Iterable[Sequence[str]], ties: Sequence[Any]) -> list[Any]:
        found = []
        for pair in pairs:
            ends = {row.id for name in pair if (row := self._named.get(name.lower()))}
            found += [tie for tie in ties if {tie.source_id, tie.target_id} == ends][:1]
        return found

    def _said(self, tie: Any) -> dict[str, str]:
        """Make a finding of a relationship and of what is said of its ends."""
        ends = [self._entities[tie.source_id], self._entities[tie.target_id]]
        plain = f"{ends[0].name} {tie.type.replace('_', ' ')} {ends[1].name}."
        told = [f"{end.name}: {_sentence(end.description) or 'named only.'}" for end in ends]
        return {
            "summary": (_sentence(tie.description) or plain)[:390],
            "explanation": f"{' '.join(told)} {_data(ends, [tie])}",
        }

    def _assembled(
        self, members: Sequence[Any], ties: Sequence[Any], findings: list[Any], rests: str
    ) -> dict[str, Any]:
        names = [entity.name for entity in members[:3]]
        while len(names) > 1 and len(" ".join(names).split()) > 9:
            names.pop()
        more = len(members) - len(names)
        described = [entity for entity in members[:_CITED] if entity.description]
        told = [f"{entity.name}: {_sentence(entity.description)}" for entity in described]
        return {
            "title": " and ".join(names) if not more else f"{', '.join(names)} and {more} more",
            "summary": f"{' '.join(told) or 'Links hold these names together.'} {rests}",
            "rank": min(5.0, 2.0 + len(members) // 4),
            "rating_explanation": f"{len(members)} members, held together by {len(ties)} of the "
            f"{len(self._ties)} relationships.",
            "findings": findings,
        }


def _data(entities: Sequence[Any], ties: Sequence[Any]) -> str:
    """Cite records, at most five a table."""
    parts = [
        f"{name} ({', '.join(map(str, sorted(row.short_id for row in rows)[:_CITED]))})"
        for name, rows in (("Entities", entities), ("Relationships", ties))
        if rows
    ]
    return f"[Data: {'; '.join(parts)}]" if parts else ""


def _sentence(text: str | None) -> str:
    """Give the first sentence."""
    found = re.match(r".*?[.?!](?=\s|$)", text or "", re.S)
    return (found[0] if found else text or "").strip()
