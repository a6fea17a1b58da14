"""Citations of reports: read from any spelling, checked against tables and contexts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from tests.graph.report_worlds import communities, reports_63, spec_62, spec_63, words
from workbench import schema
from workbench.frames import table_frame
from workbench.graph.citations import Citation, audit, check, citations, data
from workbench.graph.report_context import report_contexts
from workbench.interop.graphrag_read import read_graphrag
from workbench.params import ReportParams


def _report(summary: str, *explanations: str, community: str = "k0") -> pd.DataFrame:
    findings = [{"summary": "", "explanation": text} for text in explanations]
    row = {
        "community_id": community,
        "summary": summary,
        "findings": json.dumps(findings),
        "status": "ok",
    }
    return table_frame(schema.COMMUNITY_REPORTS, [row])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[Data: Entities (1, 2); Relationships (3)]", "E1 E2 R3"),
        ("[data: entity (1)] and [Data:Entities(1,2,+more)]", "E1 E2"),
        ("[Data: Reports (7), Claims (0)]", "R7 C0"),
        ("[Data: Entities ()] Entities (1) [Entities (2)] (3)", ""),
        ("[Data: Entities (99999999999999999999)]", "E999999999 E999999999 E99"),
        ("[Data: " + "Entities (" * 3000, ""),
    ],
)
def test_citations_are_read(text: str, found: str) -> None:
    shown = [f"{cited.kind[0]}{cited.short_id}" for cited in citations(text)]
    assert shown == list(dict.fromkeys(found.split()))


def test_a_citation_that_is_written_is_read_back() -> None:
    text = data(entities=[3, 1], reports=[7], relationships=[])
    assert text == "[Data: Entities (3, 1); Reports (7)]"
    assert citations(text) == [
        Citation("Entities", 3),
        Citation("Entities", 1),
        Citation("Reports", 7),
    ]
    assert data(entities=[]) == ""


def test_each_cited_record_is_looked_for_in_the_tables_and_in_the_context() -> None:
    table, links, told, found, members = spec_62()
    records = report_contexts(table, links, told, found, members, count=words).records
    tables = {"entities": table, "relationships": links, "claims": told, "communities": found}
    report = _report(
        "[Data: Entities (0)]", "[Data: Entities (3, 9)]", "[Data: Relationships (4); Gods (1)]"
    )
    rows = check(report, records, tables).drop(columns="community_id")
    assert rows.to_numpy().tolist() == [
        [0, "Entities", 0, True, True, "record"],
        [1, "Entities", 3, True, False, ""],  # D is no member of community 0
        [1, "Entities", 9, False, False, ""],
        [2, "Relationships", 4, True, False, ""],  # r4 joins D and E
        [2, "Gods", 1, False, False, ""],
    ]
    assert audit(check(report, records, tables)).to_numpy().tolist() == [["k0", 5, 3, 1]]


def test_what_a_report_in_the_context_cites_was_seen_through_it() -> None:
    table, links, told, *rest = spec_63()
    reports = reports_63()
    reports.loc[0, "full_content"] = "A acts. [Data: Entities (0)]"
    params = ReportParams(max_input_tokens=30)
    records = report_contexts(
        table, links, told, *rest, params, reports=reports, count=words
    ).records
    report = _report("[Data: Entities (0, 1, 2); Reports (7, 8)]")
    tables = {"entities": table, "communities": rest[0]}
    rows = check(report, records, tables)
    assert rows["via"].tolist() == ["report 7", "", "record", "record", ""]
    assert rows["exists"].all()


def test_failed_reports_and_none_give_no_rows() -> None:
    failed = _report("[Data: Entities (0)]").assign(status="failed")
    records = report_contexts(*spec_62(), count=words).records
    assert len(check(failed, records, {})) == 0
    assert len(audit(check(failed, records, {}))) == 0
    assert len(check(failed.head(0), records.head(0), {})) == 0
    assert len(communities({})[0]) == 0


def test_dulces_reports_cite_only_what_microsofts_contexts_held(
    shared: Callable[[str], Path],
) -> None:
    tables = read_graphrag(shared("dulce"))
    graph = [
        tables[name]
        for name in ("entities", "relationships", "claims", "communities", "community_members")
    ]
    records = report_contexts(*graph, ReportParams(variant="as_shipped")).records
    rows = check(tables["community_reports"], records, tables)
    assert rows["kind"].value_counts().to_dict() == {"Relationships": 123, "Entities": 94}
    assert rows["exists"].all() and rows["in_context"].all()
