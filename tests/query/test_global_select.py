"""The walk down the tree of communities (dynamic selection), on the spec's worked example."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from workbench.query.global_select import Rated, select_by_rating

LEVELS = {0: 0, 1: 0, 2: 1, 3: 1, 4: 1}
PARENTS = {0: None, 1: None, 2: 0, 3: 0, 4: 1}
RATINGS = {0: 3, 1: 0, 2: 4, 3: 0, 4: 2}


def selected(rated: list[Rated]) -> list[int]:
    return [one.community for one in rated if one.selected]


@pytest.mark.parametrize(
    ("settings", "chosen", "calls"),
    [
        ({}, [2], 4),
        ({"keep_parent": True}, [0, 2], 4),
        ({"threshold": 5}, [], 5),
        ({"threshold": 4}, [2], 5),
        ({"threshold": 4, "max_level": 0}, [], 2),
    ],
)
def test_worked_example(settings: dict, chosen: list[int], calls: int) -> None:
    asked: list[int] = []

    def rate(queue: Sequence[int]) -> list[int]:
        asked.extend(queue)
        return [RATINGS[community] for community in queue]

    rated = select_by_rating(LEVELS, PARENTS, rate, **settings)
    assert selected(rated) == chosen
    assert len(asked) == len(rated) == calls
    assert asked == [one.community for one in rated] == sorted(asked)


def test_rounds_go_down_the_tree() -> None:
    rated = select_by_rating(LEVELS, PARENTS, lambda queue: [RATINGS[one] for one in queue])
    assert [(one.community, one.round, one.rating) for one in rated] == [
        (0, 0, 3), (1, 0, 0), (2, 1, 4), (3, 1, 0),
    ]  # fmt: skip


def test_without_communities_nobody_is_asked() -> None:
    assert select_by_rating({}, {}, lambda queue: pytest.fail("asked")) == []
