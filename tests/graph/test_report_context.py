"""Contexts of reports: Microsoft's own, word for word; worked examples; what always holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graph.report_worlds import (
    REPORT_7,
    REPORT_8,
    World,
    claims,
    reports_63,
    spec_62,
    spec_63,
    words,
    worlds,
)
from workbench import schema
from workbench.frames import table_frame
from workbench.graph.report_context import ReportContexts, report_contexts
from workbench.graph.report_lines import render_plain
from workbench.interop.graphrag_read import read_graphrag
from workbench.params import ReportParams

AS_SHIPPED = ReportParams(variant="as_shipped")
GRAPH = ("entities", "relationships", "claims", "communities", "community_members")


def _dulce(shared: Callable[[str], Path]) -> list[pd.DataFrame]:
    tables = read_graphrag(shared("dulce"))
    return [tables[name] for name in GRAPH]


def _limited(limit: int, variant: str = "documented") -> ReportParams:
    return ReportParams(max_input_tokens=limit, variant=variant)


def _by_number(found: ReportContexts) -> pd.DataFrame:
    return found.contexts.set_index("short_id")


def _shown(found: ReportContexts, community: int, section: str) -> list[int]:
    """The short ids of a section's records in a context, in order."""
    records = found.records[found.records["in_context"]]
    mine = records["community_id"].eq(f"k{community}") & records["section"].eq(section)
    return records.loc[mine, "short_id"].tolist()


def test_dulce_as_shipped_equals_what_microsofts_code_writes(
    shared: Callable[[str], Path],
) -> None:
    golden = json.loads(shared("golden/report_context.dulce.noclaims.json").read_text("utf-8"))
    found = report_contexts(*_dulce(shared), AS_SHIPPED).contexts
    assert found["short_id"].tolist() == [row["community"] for row in golden]
    assert found["context"].tolist() == [row["context_string"] for row in golden]
    assert found["context_tokens"].tolist() == [row["context_size"] for row in golden]
    assert found["context_exceed_limit"].tolist() == [row["exceed"] for row in golden]
    assert found["size"].tolist() == [row["n_nodes"] for row in golden]
    assert set(found["context_action"]) == {"fits"}


def test_dulce_as_documented_shows_what_the_shipped_code_leaves_out(
    shared: Callable[[str], Path],
) -> None:
    graph = _dulce(shared)
    shipped = _by_number(report_contexts(*graph, AS_SHIPPED))
    documented = _by_number(report_contexts(*graph))
    assert documented.loc[[0, 3, 7], "untrimmed_tokens"].tolist() == [4291, 3869, 995]
    assert documented.loc[[0, 3, 7], "relationships"].tolist() == [53, 48, 13]
    assert shipped.loc[[0, 3, 7], "relationships"].tolist() == [10, 9, 4]  # one an entity
    assert (documented["claims"].sum(), shipped["claims"].sum()) == (46, 0)
    records = report_contexts(*graph).records
    last = records.groupby("community_id", sort=False)["cumulative"].max()
    assert last.tolist() == documented["context_tokens"].tolist()


def test_example_62_as_shipped_keeps_one_relationship_an_entity() -> None:
    found = report_contexts(*spec_62(), AS_SHIPPED, count=words)
    assert _shown(found, 0, "Entities") == [0, 1, 2]
    assert _shown(found, 0, "Relationships") == [0, 1, 2]
    assert (_shown(found, 1, "Entities"), _shown(found, 1, "Relationships")) == ([3, 4], [4])
    assert _by_number(found).loc[0, "context"] == (
        "-----Entities-----\nhuman_readable_id,title,description,degree\n"
        "0,A,A,3\n1,B,B,2\n2,C,C,2\n\n\n"
        "-----Relationships-----\nhuman_readable_id,source,target,description,combined_degree\n"
        "0,A,B,A-B,5\n1,A,C,A-C,5\n2,B,C,B-C,4\n"
    )


def test_example_62_as_shipped_depends_on_the_order_of_the_table() -> None:
    found = report_contexts(*spec_62(swap=True), AS_SHIPPED, count=words)
    assert _shown(found, 0, "Relationships") == [0, 1, 2]  # 0 is A-D now, and D is no member
    assert "0,A,D,A-D,5" in _by_number(found).loc[0, "context"]
    assert _shown(found, 0, "Entities") == [0, 2, 1]


def test_example_62_as_documented_shows_every_relationship_at_a_member() -> None:
    found = report_contexts(*spec_62(), count=words)
    assert _shown(found, 0, "Relationships") == [0, 1, 3, 2]
    assert _shown(found, 1, "Relationships") == [3, 4]
    assert _shown(found, 1, "Entities") == [3, 4]  # A, the other end, gets no row


def test_a_relationship_to_an_entity_outside_the_level_is_no_part_of_it() -> None:
    table, links, told, found, members = spec_62()
    lonely = members[members["community_id"].eq("k0")]
    shown = report_contexts(table, links, told, found.head(1), lonely, count=words)
    assert _shown(shown, 0, "Relationships") == [0, 1, 2]


def test_claims_come_with_their_entity() -> None:
    table, links, _, *rest = spec_62()
    told = claims(["C", "A", "E", "A", "nobody"])
    found = report_contexts(table, links, told, *rest, count=words)
    assert _shown(found, 0, "Claims") == [1, 3, 0]
    assert (
        "-----Claims-----\nhuman_readable_id,subject_id,type,status,description\n1,A,ACT"
        in (_by_number(found).loc[0, "context"])
    )
    shipped = report_contexts(table, links, told, *rest, AS_SHIPPED, count=words)
    assert _shown(shipped, 0, "Claims") == []


@pytest.mark.parametrize("limit", [20, 21, 60, 100])
def test_example_63_replaces_the_largest_sub_community_first(limit: int) -> None:
    found = report_contexts(*spec_63(), _limited(limit), reports=reports_63(), count=words)
    whole = _by_number(found).loc[0]
    assert whole["untrimmed_tokens"] == 121
    assert whole[["context_action", "replaced", "context_tokens"]].tolist() == [
        "substituted", "7", 20,
    ]  # fmt: skip
    assert whole["context"].startswith(f"----Reports-----\ncommunity,full_content\n7,{REPORT_7}\n")
    assert _shown(found, 0, "Entities") == [2, 3, 4, 5]
    assert _shown(found, 0, "Relationships") == [1, 2]


@pytest.mark.parametrize(
    ("limit", "replaced", "tokens"), [(16, "7, 8", 13), (13, "7, 8", 13), (10, "7", 5), (6, "7", 5)]
)
def test_example_63_keeps_reports_alone_when_no_records_fit(
    limit: int, replaced: str, tokens: int
) -> None:
    found = report_contexts(*spec_63(), _limited(limit), reports=reports_63(), count=words)
    whole = _by_number(found).loc[0]
    rows = [f"7,{REPORT_7}\n", f"8,{REPORT_8}\n", "9,\n"][: 3 if tokens == 13 else 1]
    assert whole["context"] == render_plain([]) + "".join(rows)
    assert whole[["context_action", "replaced", "context_tokens"]].tolist() == [
        "substituted", replaced, tokens,
    ]  # fmt: skip
    mine = found.records[found.records["community_id"].eq("k0")]
    assert mine.loc[mine["in_context"], "cumulative"].max() == tokens
    left = mine[mine["section"].eq("Entities")]
    assert set(left["cut_reason"]) == {f"replaced by the report of {replaced}"}


def test_a_context_without_a_report_that_fits_is_trimmed() -> None:
    found = report_contexts(*spec_63(), _limited(4), reports=reports_63(), count=words)
    assert _by_number(found).loc[0, "context_action"] == "trimmed"
    alone = report_contexts(*spec_63(), _limited(16), count=words)
    assert _by_number(alone).loc[0, ["context_action", "context_tokens"]].tolist() == [
        "trimmed", 15,
    ]  # fmt: skip


def test_the_claims_of_a_first_step_that_is_too_long_are_cut() -> None:
    """A and B (2 + 4 words), A-B (3), a heading (2) and 2 words a claim: 2 claims fit into 16."""
    found = report_contexts(*spec_63(), _limited(16), count=words)
    assert _shown(found, 0, "Claims") == [0, 1]
    mine = found.records[found.records["community_id"].eq("k0")]
    reasons = mine.groupby("section")["cut_reason"].agg(
        lambda column: column.value_counts().to_dict()
    )
    assert reasons["Claims"] == {"over the limit": 48, "": 2}
    assert reasons["Relationships"] == {"": 1, "after the cut": 2}


def test_the_cut_follows_combined_degree_and_names_its_reason() -> None:
    found = report_contexts(*spec_62(), _limited(10), count=words)
    mine = found.records[found.records["community_id"].eq("k0")]
    assert mine["record_id"].tolist() == ["A", "B", "r0", "C", "r1", "r3", "r2"]
    assert mine["cumulative"].tolist() == [3, 4, 7, 8, 9, 10, 11]
    assert mine["cut_reason"].tolist() == [""] * 6 + ["over the limit"]
    row = _by_number(found).loc[0]
    assert row[["untrimmed_tokens", "context_tokens"]].tolist() == [11, 10]
    assert bool(row["context_exceed_limit"])


def test_as_shipped_asks_after_the_cut_whether_the_context_is_too_long() -> None:
    """Budgets of 8 words give False, of 5 True: only the first step is asked about."""
    for limit, exceeds in ((8, False), (5, True)):
        row = _by_number(
            report_contexts(*spec_62(), _limited(limit, "as_shipped"), count=words)
        ).loc[0]
        assert (bool(row["context_exceed_limit"]), row["context_action"]) == (exceeds, "trimmed")
        assert row["context_tokens"] == 7


def test_a_missing_description_has_a_placeholder() -> None:
    table, links, told, *rest = spec_62()
    table.loc[0, "description"] = None
    text = _by_number(report_contexts(table, links, told, *rest, count=words)).loc[0, "context"]
    assert "0,A,No Description,3\n" in text


def test_no_communities_give_empty_tables() -> None:
    table, links, told, _, _ = spec_62()
    none = table_frame(schema.COMMUNITIES), table_frame(schema.COMMUNITY_MEMBERS)
    found = report_contexts(table, links, told, *none)
    assert (len(found.contexts), len(found.records)) == (0, 0)


@settings(max_examples=60, deadline=None)
@given(worlds(), st.integers(1, 120), st.sampled_from(["documented", "as_shipped"]), st.booleans())
def test_what_holds_for_every_context(
    world: World, limit: int, variant: str, written: bool
) -> None:
    known = world[3]
    reports = table_frame(
        schema.COMMUNITY_REPORTS,
        [{"community_id": name, "full_content": f"# {name}\n\n\"text\"", "status": "ok"}
         for name in known["id"][::2]],
    )  # fmt: skip
    params = _limited(limit, variant)
    found = report_contexts(*world, params, reports=reports if written else None, count=words)
    assert sorted(found.contexts["community_id"]) == sorted(known["id"])
    assert found.contexts["level"].is_monotonic_decreasing
    records = {name: group for name, group in found.records.groupby("community_id")}
    for row in found.contexts.itertuples(index=False):
        mine = records[row.community_id]
        inside = mine[mine["in_context"]]
        assert row.context_tokens == words(row.context)
        assert all(text in row.context for text in inside["text"])
        assert not inside.duplicated(["section", "record_id"]).any()
        assert inside["cumulative"].max() == row.context_tokens
        if row.context_tokens > limit:  # a single step that is too long alone
            assert row.context_action == "trimmed"
            assert inside["section"].eq("Relationships").sum() == 1
            assert variant == "as_shipped" or not inside["section"].eq("Claims").any()
        if row.context_action == "fits":
            assert mine["in_context"].all() and row.untrimmed_tokens <= limit
        if row.context_action == "substituted":
            assert written and variant == "documented" and row.context_exceed_limit
            assert row.untrimmed_tokens > limit >= row.context_tokens
        if variant == "documented":
            assert row.context_exceed_limit == (row.untrimmed_tokens > limit)
