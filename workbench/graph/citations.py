"""A report's text in, the records that it cites out: does each exist, did the writer see it?

A citation is `[Data: Entities (1, 2); Relationships (3, +more)]`; numbers are short ids. A record
was seen when it stood in the report's context, or when a report in that context cites it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import pandas as pd

CITATION_COLUMNS = ["community_id", "finding", "kind", "short_id", "exists", "in_context", "via"]
SUMMARY = 0  # the number of the summary; findings count from 1

_BLOCK = re.compile(r"\[Data:([^\[\]]{1,4000})\]", re.IGNORECASE)
_PART = re.compile(r"([A-Za-z]+)\s*\(([^()]*)\)")
_NUMBER = re.compile(r"\d{1,9}")
_KINDS = {
    "entity": "Entities",
    "entities": "Entities",
    "relationship": "Relationships",
    "relationships": "Relationships",
    "claim": "Claims",
    "claims": "Claims",
    "report": "Reports",
    "reports": "Reports",
    "source": "Sources",
    "sources": "Sources",
}


class Citation(NamedTuple):
    """A cited record: the section it should stand in, and its short id."""

    kind: str
    short_id: int


def citations(text: str) -> list[Citation]:
    """Give the distinct records that a text cites, in order; an unknown kind keeps its name.

    >>> citations("Docker runs. [Data: Entities (4, 2); Relationships (6, +more)]")
    [Citation(kind='Entities', short_id=4), Citation(kind='Entities', short_id=2), \
Citation(kind='Relationships', short_id=6)]
    """
    found = [
        Citation(_KINDS.get(kind.lower(), kind), int(number))
        for block in _BLOCK.findall(text)
        for kind, numbers in _PART.findall(block)
        for number in _NUMBER.findall(numbers)
    ]
    return list(dict.fromkeys(found))


def data(**short_ids: Iterable[int]) -> str:
    """Write a citation: `data(entities=[2, 4])` gives `[Data: Entities (2, 4)]`, none nothing.

    >>> data(entities=[2, 4], relationships=[])
    '[Data: Entities (2, 4)]'
    """
    numbers = {_KINDS[kind]: ", ".join(map(str, ids)) for kind, ids in short_ids.items()}
    parts = [f"{kind} ({listed})" for kind, listed in numbers.items() if listed]
    return f"[Data: {'; '.join(parts)}]" if parts else ""


def check(
    reports: pd.DataFrame, records: pd.DataFrame, tables: Mapping[str, pd.DataFrame]
) -> pd.DataFrame:
    """Give one row a cited record of each report that did not fail.

    `records` are those of `report_contexts`; `tables` holds entities, relationships, claims and
    communities (a missing one: nothing of that kind exists). Columns: community_id, finding
    (0 is the summary), kind, short_id, exists (in the tables), in_context, via (`record`, or
    `report N` when the record is cited in a report that stood in the context, else empty).
    """
    existing = {
        kind: set(tables[name]["short_id"].dropna().astype("int64")) if name in tables else set()
        for kind, name in (
            ("Entities", "entities"),
            ("Relationships", "relationships"),
            ("Claims", "claims"),
            ("Reports", "communities"),
            ("Sources", "chunks"),
        )
    }
    seen = {name: _seen(group) for name, group in records.groupby("community_id", sort=False)}
    rows = []
    for report in reports[reports["status"] == "ok"].itertuples(index=False):
        for finding, text in enumerate(_texts(report.summary, report.findings)):
            for cited in citations(text):
                via = seen.get(report.community_id, {}).get(cited, "")
                exists = cited.short_id in existing.get(cited.kind, ())
                rows.append((report.community_id, finding, *cited, exists, bool(via), via))
    frame = pd.DataFrame(rows, columns=CITATION_COLUMNS)
    return frame.astype({"exists": bool, "in_context": bool})


def audit(cited: pd.DataFrame) -> pd.DataFrame:
    """Give one row a community: citations, how many exist, how many were in the context."""
    groups = cited.groupby("community_id", sort=False)
    return groups.agg(
        citations=("short_id", "size"), exist=("exists", "sum"), in_context=("in_context", "sum")
    ).reset_index()


def _seen(records: pd.DataFrame) -> dict[Citation, str]:
    """Give what the writer of one report saw, and through what."""
    inside = records[records["in_context"]]
    found: dict[Citation, str] = {}
    for row in inside[inside["section"] == "Reports"].itertuples(index=False):
        for cited in citations(row.text):
            found.setdefault(cited, f"report {row.short_id}")
    for section, short_id in zip(inside["section"], inside["short_id"], strict=True):
        found[Citation(section, int(short_id))] = "record"
    return found


def _texts(summary: object, findings: object) -> list[str]:
    texts = [summary if isinstance(summary, str) else ""]
    for finding in json.loads(findings) if isinstance(findings, str) else []:
        texts.append(f"{finding.get('summary') or ''}\n{finding.get('explanation') or ''}")
    return texts
