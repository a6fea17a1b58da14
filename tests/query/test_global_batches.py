"""Global search's weights, shuffle and batches against what graphrag 3.3 gave for the same."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pandas as pd
import pytest

from tests.query.local_golden import dulce_index
from workbench.corpus.tokens import count_tokens
from workbench.params import GlobalParams
from workbench.query.global_batches import HEADING, Packed, beginning, pack, shuffled
from workbench.query.global_select import chunk_counts, left_out, low_ranked, occurrence_weights
from workbench.query.run_index import RunIndex

COUNT = partial(count_tokens, encoding="cl100k_base")
NAMES = {
    "shuffle_data": "shuffle",
    "normalize_community_weight": "normalise_weight",
    "use_community_summary": "use_summary",
}
LIMITS, OVERRIDES = (12000, 16, 12, 9, 8, 5), (None, *NAMES, "min_community_rank")
CASES = [(limit, override) for limit in LIMITS for override in OVERRIDES]


def words(text: str) -> int:
    return len(text.split())


@pytest.fixture(scope="session")
def toy(shared) -> dict[str, Any]:
    return json.loads(shared("golden/toy_global.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def dulce(shared) -> RunIndex:
    return dulce_index(shared("dulce"))[0]


@pytest.fixture(scope="session")
def dulce_golden(shared) -> list[dict[str, Any]]:
    return json.loads(shared("golden/global_context.dulce.json").read_text(encoding="utf-8"))


def toy_reports(given: dict[str, Any], params: GlobalParams) -> pd.DataFrame:
    reports = given["reports"]
    row_of = {report["community_id"]: row for row, report in enumerate(reports)}
    units = {unit for entity in given["entities"] for unit in entity["text_unit_ids"]}
    number = {unit: place for place, unit in enumerate(sorted(units))}
    members, mentions = [], []
    for row, entity in enumerate(given["entities"]):
        members += [(row, row_of[id_]) for id_ in entity["community_ids"] if id_ in row_of]
        mentions += [(row, number[unit]) for unit in entity["text_unit_ids"]]
    counts = chunk_counts(
        len(reports),
        pd.DataFrame(members, columns=["entity_row", "community_row"]),
        pd.DataFrame(mentions, columns=["entity_row", "chunk_row"]),
    )
    assert counts.tolist() == [2, 2, 2, 1]
    frame = pd.DataFrame(reports)[["short_id", "title", "summary", "full_content", "rank"]]
    frame["weight"] = occurrence_weights(counts, params.normalise_weight)
    frame["content"] = frame["summary" if params.use_summary else "full_content"]
    low = low_ranked(frame, params)
    return frame[[not reason for reason in low]].reset_index(drop=True)


def toy_packed(toy: dict[str, Any], limit: int, **settings: Any) -> tuple[Packed, list[str]]:
    params = GlobalParams(**{"variant": "as_shipped", **settings})
    packed = pack(toy_reports(toy["input"], params), params, words, limit)
    return packed, [packed.text(number) for number in range(len(packed.batches))]


def ids(texts: list[str]) -> list[list[str]]:
    rows = [text.removeprefix(HEADING).splitlines()[1:] for text in texts]
    return [[line.split("|")[0] for line in lines] for lines in rows]


@pytest.mark.parametrize(("limit", "override"), CASES)
def test_toy_is_equal_character_by_character(
    toy: dict[str, Any], limit: int, override: str | None
) -> None:
    [case] = [
        case
        for case in toy["cases"]
        if case["max_context_tokens"] == limit and next(iter(case["overrides"]), None) == override
    ]
    settings = {NAMES.get(name, name): value for name, value in case["overrides"].items()}
    assert toy_packed(toy, limit, **settings)[1] == case["batches"]


def test_every_toy_case_is_tried(toy: dict[str, Any]) -> None:
    assert len(toy["cases"]) == len(CASES)


def test_shuffle_is_pythons_seeded_one() -> None:
    assert shuffled(6) == [1, 5, 3, 2, 4, 0]
    assert shuffled(10) == [4, 1, 3, 2, 6, 9, 7, 5, 8, 0]
    assert shuffled(0) == []


def test_documented_batches_have_a_heading_and_cut_what_is_too_long(toy: dict[str, Any]) -> None:
    packed, texts = toy_packed(toy, 9, variant="documented")
    assert texts[0].startswith("-----Reports-----\nid|title|occurrence weight|content|rank\n1|C1|")
    assert ids(texts) == [["1", "3"], ["2", "0"]]
    packed, texts = toy_packed(toy, 5, variant="documented")  # shipped, each goes alone, whole
    assert all(words(text) <= 5 for text in texts)
    assert texts[0].endswith("\n3|C3|0.5|report|8.0\n")  # it has 3 words, 2 fit, cut at a word
    assert [(item.tokens, item.whole) for batch in packed.batches for item in batch] == [(1, 3)] * 4
    packed, texts = toy_packed(toy, 3, variant="documented")
    assert texts == []
    assert packed.unfit == packed.shuffled == [3, 1, 2, 0]


def test_beginning_ends_at_a_word() -> None:
    assert beginning("one two three", lambda text: len(text) <= 9) == "one two"
    assert beginning("one two", lambda text: True) == "one two"
    assert beginning("one", lambda text: False) == ""


def test_no_chunks_give_weight_nothing() -> None:
    assert occurrence_weights([0, 0]) == [0.0, 0.0]
    assert occurrence_weights([]) == []
    assert occurrence_weights([4, 2], normalise=False) == [4.0, 2.0]


def dulce_packed(index: RunIndex, level: int, limit: int, variant: str) -> tuple[Any, Packed]:
    params = GlobalParams(level=level, variant=variant)
    counts = chunk_counts(len(index.communities), index.members, index.mentions)
    reports = index.reports.assign(content=index.reports["full_content"])
    if variant == "as_shipped":  # Microsoft's table holds the deepest level first
        reports = reports.sort_values("level", ascending=False, kind="stable")
        reports = reports.reset_index(drop=True)
    out = left_out(reports, index.members, params)
    reports = reports[[not reason for reason in out]].reset_index(drop=True)
    reports["weight"] = occurrence_weights(counts[reports["community_row"]])
    return reports, pack(reports, params, COUNT, limit)


@pytest.mark.parametrize("number", range(6))
def test_dulce_has_the_same_weights_batches_order_and_tokens(
    dulce: RunIndex, dulce_golden: list[dict[str, Any]], number: int
) -> None:
    case = dulce_golden[number]
    assert len(dulce_golden) == 6
    reports, packed = dulce_packed(dulce, case["level"], case["max_context_tokens"], "as_shipped")
    short = reports["short_id"].astype(str).tolist()
    assert [[short[item.row] for item in batch] for batch in packed.batches] == case["batch_ids"]
    assert dict(zip(short, reports["weight"], strict=True)) == case["weights"]
    assert [COUNT(packed.text(n)) for n in range(len(packed.batches))] == case["batch_tokens"]
    assert packed.text(0) == case["first_batch"]


def test_roll_up_leaves_out_the_community_that_is_told_deeper(dulce: RunIndex) -> None:
    """Community 0 of Dulce is split into 7, 8 and 9; shipped, all ten are read."""
    params = GlobalParams(level=1)
    assert left_out(dulce.reports, dulce.members, params) == ["rolled_up"] + [""] * 9
    assert left_out(dulce.reports, dulce.members, GlobalParams(level=0)) == [""] * 7 + ["level"] * 3
    shipped = GlobalParams(level=1, variant="as_shipped")
    assert left_out(dulce.reports, dulce.members, shipped) == [""] * 10


def test_where_a_deep_report_is_missing_the_one_above_stands_in(dulce: RunIndex) -> None:
    reports = dulce.reports[dulce.reports["short_id"] != 8].reset_index(drop=True)
    assert left_out(reports, dulce.members, GlobalParams()) == [""] * 9


def test_documented_dulce_stays_below_the_limit(dulce: RunIndex) -> None:
    for limit in (4_000, 1_200, 300):
        reports, packed = dulce_packed(dulce, 2, limit, "documented")
        assert sorted(item.row for batch in packed.batches for item in batch) == list(range(9))
        for number, batch in enumerate(packed.batches):
            assert packed.opening_tokens + sum(item.tokens for item in batch) <= limit
            assert COUNT(packed.text(number)) <= limit
        cut = [item for batch in packed.batches for item in batch if item.tokens < item.whole]
        assert bool(cut) == (limit < 1_300)
