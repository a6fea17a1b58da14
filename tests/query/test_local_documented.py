"""What local search does where graphrag 3.3 departs from its documentation; worked by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.query.local_golden import toy_index
from tests.query.test_local_context import NOBODY, run_case, text_of, toy, world
from workbench.params import LocalParams
from workbench.query.local_context import LocalContext, local_context
from workbench.query.local_select import nearest, select
from workbench.query.local_trace import record_local
from workbench.query.local_world import LocalWorld
from workbench.query.trace import Recorder

__all__ = ["toy"]
PARAMS = LocalParams(top_k_relationships=1)


def ids(context: LocalContext, section: str) -> list[str]:
    return [line.split("|")[0] for line in lines(context, section)]


def lines(context: LocalContext, section: str) -> list[str]:
    found = context.sections[section]
    return [found.lines.text(key) for key in found.kept]


def with_reports(toy: dict[str, Any], **contents: str) -> LocalWorld:
    index = toy_index(toy["input"])
    reports = index.reports.copy()
    for title, content in contents.items():
        reports.loc[reports["title"] == title, "full_content"] = content
    return words(replace(index, reports=reports))


def words(index: Any) -> LocalWorld:
    texts = ["unit one", "unit two", "unit three"]
    return LocalWorld(index, lambda text: len(text.split()), "documented", lambda: texts)


def test_top_k_cuts_the_oversampled_entities_and_the_table_says_so(toy) -> None:
    there = world(toy, "documented")
    found = np.array([0, 1, 2, 3]), np.array([0.9, 0.8, 0.7, 0.2])
    selection = select(there, found, NOBODY, LocalParams(top_k_entities=1))
    assert selection.entities == [0]
    table = selection.candidates
    assert table["reason"].tolist() == ["", "oversampled", "top_k", "similarity"]
    assert table["distance"].round(6).tolist() == [0.1, 0.2, 0.3, 0.8]


def test_named_entities_are_chosen_first_and_lead_if_they_are_near(toy) -> None:
    there = world(toy, "documented")  # ANN and CAT are in 2 of 3 chunks, BOB, DAN and EVE in 1
    named = pd.DataFrame({"entity_row": [2, 3, 4], "spelling": ["Cat", "dan", "Eve"]})
    found = np.array([0, 1]), np.array([0.9, 0.8])
    params = LocalParams(top_k_entities=4)
    selection = select(there, found, named.assign(cosine=[0.5, 0.1, 0.4]), params)
    # EVE 0.4 ln 4 = 0.55, CAT 0.5 ln 2.5 = 0.46; ANN 0.9 ln 2.5 = 0.82, DAN 0.1 ln 4 = 0.14
    assert selection.entities == [4, 2, 0, 3]
    table = selection.candidates.set_index("entity_row")
    how = {0: "vector", 1: "vector", 2: "named", 3: "named", 4: "named"}
    assert table["matched_by"].to_dict() == how
    assert table["score"].round(2).to_dict() == {4: 0.55, 2: 0.46, 0: 0.82, 3: 0.14, 1: 1.11}
    assert table["spelling"][3] == "dan"
    assert table["reason"][1] == "oversampled"


def test_without_vectors_named_entities_stand_as_in_the_question(toy) -> None:
    named = pd.DataFrame({"entity_row": [2, 3], "spelling": ["", ""], "cosine": [np.nan] * 2})
    nothing = np.zeros(0, np.int64), np.zeros(0, np.float32)
    assert select(world(toy, "documented"), nothing, named, LocalParams()).entities == [2, 3]


def test_an_entity_that_is_included_and_near_stands_once(toy) -> None:
    context = run_case(toy, "L8_include_exclude", "documented", top_k_entities=3)
    assert ids(context, "entities") == ["4", "0"]  # as shipped: 4, 0, 0
    assert context.matches == {0: 1, 1: 1, 2: 1}  # as shipped C0 and C2 count ANN twice


def test_no_links_of_an_earlier_beginning_stand_in_network(toy) -> None:
    context = run_case(toy, "L1_two_entities_topkrel1", "documented", top_k_entities=2)
    assert lines(context, "relationships") == [
        "0|ANN|BOB|ANN-BOB|5.0|\n",  # as shipped: links 1, from when ANN stood alone
        "1|ANN|CAT|ANN-CAT|9.0|2\n",
        "2|ANN|DAN|ANN-DAN|1.0|2\n",
    ]


def test_links_have_their_column_even_if_the_first_line_has_none(toy) -> None:
    context = run_case(toy, "L8_include_exclude", "documented", top_k_entities=3)
    assert context.sections["relationships"].opening.endswith("|weight|links\n")
    assert lines(context, "relationships")[0] == "4|EVE|ANN|EVE-ANN|3.0|\n"


def test_no_brackets_stand_for_reports_that_do_not_fit(toy) -> None:
    context = local_context(world(toy, "documented"), [0, 1], LocalParams(max_context_tokens=20))
    assert text_of(context) == (
        "-----Entities-----\nid|entity|description|number of relationships\n0|ANN|ANN text|4\n"
        "\n\n-----Sources-----\nid|text\n0|unit one\n1|unit two\n"
    )


def test_smaller_reports_get_their_turn(toy) -> None:
    # 9 tokens: 2 of the opening; C0 (5 + 8) does not fit, C2 and C3 (3 each) do
    there = with_reports(toy, C0="a report that is far too long for it")
    context = local_context(there, [0, 1], LocalParams(max_context_tokens=60))
    assert context.sections["reports"].allowed == 9
    assert ids(context, "reports") == ["2", "3"]
    assert context.sections["reports"].entries[0] == ((0,), "budget")


def test_the_last_turns_stay(toy) -> None:
    context = run_case(toy, "L11_history_7_turns", "documented")
    assert lines(context, "history") == [f"user|q{n}\n" for n in range(3, 8)]
    left = [key for key, reason in context.sections["history"].entries if reason == "max_turns"]
    assert left == [(1, "q1"), (2, "q2")]


def test_history_that_does_not_fit_loses_its_oldest_turns(toy) -> None:
    there = world(toy, "documented")
    params = LocalParams(max_context_tokens=8)  # 3 of the opening, 3 a turn
    context = local_context(there, [0], params, ["one two three", "four five six"])
    assert lines(context, "history") == ["user|four five six\n"]
    assert context.sections["sources"].allowed == 1  # half of what 6 tokens leave of 8


def test_sections_without_rows_are_left_out(toy) -> None:
    context = run_case(toy, "L10_drift_props", "documented", top_k_entities=2)
    assert "Entities" not in text_of(context)  # as shipped: its column names
    assert "\n\n\n\n" not in text_of(context)


def test_a_long_first_chunk_does_not_keep_the_others_out(toy) -> None:
    texts = ["far too long " * 9, "unit two", "unit three"]
    there = LocalWorld(
        toy_index(toy["input"]), lambda text: len(text.split()), "documented", lambda: texts
    )
    context = local_context(there, [0], LocalParams(max_context_tokens=20))
    assert ids(context, "sources") == ["1"]


def test_a_text_with_bars_and_line_feeds_stays_one_row(toy) -> None:
    texts = ['9|"fake"\n10|rows', "unit two", "unit three"]
    there = LocalWorld(
        toy_index(toy["input"]), lambda text: len(text.split()), "documented", lambda: texts
    )
    context = local_context(there, [0], LocalParams())
    assert lines(context, "sources")[0] == '0|"9|""fake""\n10|rows"\n'


def test_with_a_level_entities_in_no_community_stay(toy) -> None:
    index = toy_index(toy["input"])
    there = words(replace(index, members=index.members[index.members["entity_row"] != 4]))
    found = np.array([4]), np.array([0.9])
    assert select(there, found, NOBODY, LocalParams(level=0)).entities == [4]
    shipped = LocalWorld(there.index, there.count, "as_shipped")
    params = LocalParams(level=0, variant="as_shipped")
    assert select(shipped, found, NOBODY, params).entities == []


def test_with_a_level_reports_are_rolled_up_to_each_entitys_deepest(toy) -> None:
    index = toy_index(toy["input"])  # ANN is in C0 and C2, BOB in C0 and C3; C2 and C3 lie deeper
    levels = index.communities.assign(level=[0, 0, 1, 1])
    reports = index.reports.assign(level=[0, 0, 1, 1])
    there = words(replace(index, communities=levels, reports=reports))
    assert ids(local_context(there, [0, 1], PARAMS), "reports") == ["0", "2", "3"]
    deep = local_context(there, [0, 1], PARAMS.model_copy(update={"level": 1}))
    assert ids(deep, "reports") == ["2", "3"]
    assert ((0,), "rolled_up") in deep.sections["reports"].entries
    top = local_context(there, [0, 1], PARAMS.model_copy(update={"level": 0}))
    assert ids(top, "reports") == ["0"]
    assert ((2,), "level") in top.sections["reports"].entries


def test_a_relationship_says_where_it_came_in_and_why_it_is_out(toy) -> None:
    there = world(toy, "documented")
    # 20 tokens for the graph: 4 + 2 + 2 for the entities; links' opening is 2, each line 1
    context = local_context(there, [0, 1], PARAMS)
    recorder = Recorder()
    found = np.array([0, 1]), np.array([0.9, 0.8])
    record_local(recorder, there, select(there, found, NOBODY, PARAMS), context)
    table = next(step for step in recorder.steps if step.name == "relationships").table
    assert table["label"].tolist()[:3] == ["ANN → BOB", "ANN → CAT", "ANN → DAN"]
    assert table["network"].tolist() == ["in", "out", "out", "out", "out", "out"]
    assert table["cut_reason"].tolist() == ["", "", "", "top_k", "top_k", "top_k"]
    assert table["prefix"].tolist() == [1, 1, 1, 2, 2, 1]


def test_entities_behind_the_last_beginning_that_fits_show_what_they_would_have_brought(
    toy,
) -> None:
    there = world(toy, "documented")
    # the graph has 12: 8 for two entities, 2 for the opening, 2 lines; ANN and BOB need 3
    params = LocalParams(max_context_tokens=35, top_k_relationships=1)
    context = local_context(there, [0, 1], params)
    assert (context.sections["relationships"].allowed, context.grown) == (12, 1)
    recorder = Recorder()
    found = np.array([0, 1]), np.array([0.9, 0.8])
    record_local(recorder, there, select(there, found, NOBODY, params), context)
    table = next(step for step in recorder.steps if step.name == "relationships").table
    reasons = dict(zip(table["short_id"], table["cut_reason"], strict=True))
    # ANN alone: all 4 lead out, one may; r3 and r5 would have come with BOB, beyond top_k
    assert reasons == {0: "", 1: "top_k", 2: "top_k", 4: "top_k", 3: "top_k", 5: "top_k"}


def test_equal_cosines_stand_by_row_and_rows_without_a_vector_are_none() -> None:
    matrix = np.array([[0, 1], [1, 0], [0, 0], [1, 0]], np.float32)
    rows, cosines = nearest(matrix, np.array([1, 0], np.float32), 3)
    assert (rows.tolist(), cosines.tolist()) == ([1, 3, 0], [1.0, 1.0, 0.0])


@given(
    budget=st.integers(0, 90),
    shares=st.sampled_from([(0.5, 0.15), (0.0, 0.0), (1.0, 0.0), (0.3, 0.7), (0.2, 0.3)]),
    chosen=st.lists(st.integers(0, 4), unique=True),
    top=st.integers(0, 4),
    variant=st.sampled_from(["documented", "as_shipped"]),
)
def test_no_section_takes_more_than_its_share(
    toy_input, budget, shares, chosen, top, variant
) -> None:
    there = toy_input[variant]
    params = LocalParams(
        max_context_tokens=budget, text_unit_prop=shares[0], community_prop=shares[1],
        top_k_relationships=top, variant=variant,
    )  # fmt: skip
    context = local_context(there, chosen, params, ["before"])
    used = {name: section.tokens for name, section in context.sections.items()}
    for name, section in context.sections.items():
        assert used[name] <= section.allowed
        assert all(not reason or reason in ("budget", "top_k") for _, reason in section.entries)
    graph = ("entities", "relationships", "claims")
    assert sum(used[name] for name in graph) <= context.sections["entities"].allowed
    rows = [part for part in context.parts if part.kind == "row"]
    assert len(rows) == sum(len(section.kept) for section in context.sections.values())
    if variant == "documented":
        assert there.count(text_of(context)) == sum(used.values()) <= budget


@pytest.fixture(scope="session")
def toy_input(toy) -> dict[str, LocalWorld]:
    return {variant: world(toy, variant) for variant in ("documented", "as_shipped")}
