"""Replies to batches, good and bad, as points; and the packing of the last call."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.models.language import reply_of
from workbench.models.schemas import MapReply, json_schema, validate_reply
from workbench.query.global_points import Point, points_of, reduced

GOOD = '{"description": "It floats.", "score": 70}'


def also(records: str) -> str:
    """Give a reply with these records, and a good one behind them."""
    return f'{{"points": [{records}, {GOOD}]}}'


def read(text: str, variant: str = "documented") -> tuple[list[Point], str]:
    """Read a reply as the caller does: mended, checked against its shape, then point by point."""
    told = {"prompt_tokens": 1, "completion_tokens": 1, "seconds": 0.0, "finish_reason": "stop"}
    reply = reply_of(text, json_schema(MapReply), **told)
    parsed, fault = validate_reply(reply, MapReply)
    return points_of(1, reply.parsed if parsed else None, variant, text.startswith("[")), fault


def kept(points: list[Point]) -> list[tuple[str, int | None]]:
    return [(point.text, point.score) for point in points if not point.reason]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'{{"points": [{GOOD}]}}', [("It floats.", 70)]),
        ('{"points": [{"description": "a", "score": "20"}]}', [("a", 20)]),
        ('{"points": [{"description": "a", "score": 10.9}]}', [("a", 10)]),
        (also('{"description": "a"}, {"score": 5}'), [("It floats.", 70)]),
        ("{}", []),
        ('{"points": []}', []),
        ("I do not know.", []),
        (f'```json\n{{"points": [{GOOD}]}}\n```', [("It floats.", 70)]),
        (f'Here it is: {{"points": [{GOOD}]}} I hope it helps.', [("It floats.", 70)]),
        (f'{{"points": [{GOOD}}}', [("It floats.", 70)]),
        (f'{{"points": [{GOOD}, {{"description": "half a', [("It floats.", 70)]),
        (f"[{GOOD}]", [("It floats.", 70)]),  # shipped, the batch is lost
        (f"```json\n[{GOOD}]\n```", [("It floats.", 70)]),
        (also('{"description": "a", "score": "high"}'), [("It floats.", 70)]),
        (also('{"description": "a", "score": 0}'), [("It floats.", 70)]),
        (also('{"description": "a", "score": 500}'), [("It floats.", 70)]),
    ],
)
def test_table_of_replies(text: str, expected: list[tuple[str, int]]) -> None:
    assert kept(read(text)[0]) == expected


def test_each_point_that_does_not_count_says_why() -> None:
    records: list[Any] = [
        {"description": "a"}, {"score": 5}, {"description": "b", "score": "high"},
        {"description": "c", "score": -1}, {"description": "d", "score": 101}, "e",
        {"description": "f", "score": float("nan")},
    ]  # fmt: skip
    points = points_of(3, {"points": records}, "documented")
    assert [point.reason for point in points] == [
        "no score", "no description", "score is no number: 'high'", "score is 0",
        "score is above 100", "no record", "score is no number: 'nan'",
    ]  # fmt: skip
    assert [point.id for point in points][:2] == ["3.1", "3.2"]


def test_as_shipped_one_bad_score_or_a_bare_list_loses_the_batch() -> None:
    both = also('{"description": "a", "score": "high"}')
    assert kept(read(both, "as_shipped")[0]) == []
    assert {point.reason for point in read(both, "as_shipped")[0]} == {
        "a score of the batch is no number"
    }
    assert kept(read(f"[{GOOD}]", "as_shipped")[0]) == []


def test_prose_is_a_fault_that_is_asked_about_again() -> None:
    assert read("I do not know.")[1] == "the reply holds no JSON object"
    assert read("{}")[1] == ""


def worked_example() -> list[Point]:
    first = {
        "points": [
            {"description": "low alpha", "score": 20},
            {"description": "zero", "score": 0},
        ]
    }
    second = {
        "points": [
            {"description": "high beta gamma", "score": 90},
            {"description": "tie delta", "score": 20},
        ]
    }
    return points_of(1, first, "documented") + points_of(2, second, "documented")


@pytest.mark.parametrize("variant", ["documented", "as_shipped"])
@pytest.mark.parametrize(("limit", "number"), [(22, 3), (20, 2), (14, 1), (7, 0)])
def test_reduce_takes_the_highest_scores_that_fit(variant: str, limit: int, number: int) -> None:
    """The spec's example: with words as tokens the points cost 8, 7 and 7."""
    found = reduced(worked_example(), lambda text: len(text.split()), limit, variant)
    assert [(point.batch, point.score) for point in found.points] == [(2, 90), (1, 20), (2, 20)]
    assert found.tokens == [8, 7, 7]
    if limit == 7 and variant == "documented":  # the first does not fit: others are tried
        assert [point.id for point in found.kept] == ["1.1"]
    else:
        assert found.kept == found.points[:number]
    assert found.points[0].line == ("----Analyst 2----\nImportance Score: 90\nhigh beta gamma")


def test_documented_the_gaps_count() -> None:
    def count(text: str) -> int:
        return 1 if not text.strip() else len(text.split())

    assert len(reduced(worked_example(), count, 23, "documented").kept) == 2
    assert len(reduced(worked_example(), count, 24, "documented").kept) == 3
    assert len(reduced(worked_example(), count, 23, "as_shipped").kept) == 3


def test_citations_of_a_point() -> None:
    text = "It floats [report 3, 12] and sinks [Report 5]; not [chunk 4] [reports 1; 2]."
    assert Point(1, 1, text, 9).cites == {1, 2, 3, 5, 12}
