"""Windows, batches and means, without a model."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from workbench.models.windows import batches, mean_of_windows, readable, unit


@given(st.lists(st.integers(1, 300), max_size=60), st.integers(1, 2000))
def test_batches_hold_each_row_once_within_the_budget(lengths: list[int], budget: int) -> None:
    plan = list(batches(lengths, budget))
    assert sorted(row for rows in plan for row in rows) == list(range(len(lengths)))
    for rows in plan:
        longest = max(lengths[row] for row in rows)
        assert len(rows) == 1 or longest * len(rows) <= budget


def test_batches_are_the_same_plan_every_time_and_keep_order_among_equals() -> None:
    assert list(batches([5, 5, 7, 5], budget=10)) == [[2], [0, 1], [3]]


def test_mean_weighs_windows_by_their_pieces() -> None:
    vectors = np.array([[1, 0], [0, 1], [0, 1]], np.float32)
    mean = mean_of_windows(vectors, np.array([3, 4, 9]), np.array([0, 0, 1]))
    assert np.allclose(mean, [[0.6, 0.8], [0, 1]])
    assert mean.dtype == np.float32


def test_opposite_windows_give_zero_not_nan() -> None:
    vectors = np.array([[1, 0], [-1, 0]], np.float32)
    assert mean_of_windows(vectors, np.array([2, 2]), np.array([0, 0])).tolist() == [[0, 0]]
    assert unit(np.zeros((1, 3))).tolist() == [[0, 0, 0]]


def test_readable_breaks_monsters_and_replaces_lone_surrogates() -> None:
    assert readable("plain text, untouched") == "plain text, untouched"
    assert readable("a\ud800b") == "a?b"
    assert max(map(len, readable("x" * 1000).split())) == 90
    assert readable("x" * 1000).replace(" ", "") == "x" * 1000
