"""Pictures of a global search say their numbers, counted by hand."""

from __future__ import annotations

import pandas as pd

from workbench.show.plots_global import (
    batch_bars,
    cost_bars,
    reduce_steps,
    score_dots,
    shuffle_lines,
    weight_bars,
)

BATCHES = pd.DataFrame(
    {
        "batch": pd.array([1, 1, 2, None], "Int64"),
        "place": pd.array([1, 2, 1, None], "Int64"),
        "dealt": [2, 1, 3, 4],
        "order": [1, 2, 3, 4],
        "tokens": [30, 40, 50, 0],
        "in_context": [True, True, True, False],
    }
)


def test_weights_count_what_is_left_out_and_why() -> None:
    weights = pd.DataFrame(
        {
            "short_id": [0, 1, 2],
            "chunks": [9, 4, 6],
            "in_context": [False, True, False],
            "cut_reason": ["rolled_up", "", "level"],
        }
    )
    assert weight_bars(weights).alt == (
        "1 of 3 reports are read; left out: 1 for level, 1 for rolled_up. The widest community is "
        "mentioned in 9 chunks."
    )


def test_batches_and_their_order() -> None:
    assert shuffle_lines(BATCHES).alt.startswith("3 reports in 2 batches; 1 stand where")
    assert batch_bars(BATCHES, 100).alt == (
        "2 batches of 1 to 2 reports; the fullest has 70 of 100 tokens."
    )


def test_points_and_the_last_call() -> None:
    points = pd.DataFrame(
        {
            "batch": [1, 1, 2],
            "score": pd.array([80, 0, None], "Int64"),
            "tokens": [10, 5, 5],
            "in_context": [True, False, False],
        }
    )
    assert score_dots(points).alt == (
        "3 points of 2 batches: 1 come into the last call, 1 with a score do not, 1 have no score."
    )
    assert reduce_steps(points.dropna(), 12).alt == (
        "1 of 2 points are in the last call, with 10 of 12 tokens; all would have 15."
    )


def test_cost_by_level() -> None:
    cost = pd.DataFrame(
        {"level": [0, 1], "reports": [4, 9], "batches": [1, 2], "map_tokens": [900, 2_000]}
        | {"reduce_tokens": [100, 100], "prompt_tokens": [1_000, 2_100], "calls": [2, 3]}
    )
    assert cost_bars(cost).alt == (
        "Cost of one question, level 0: 4 reports, 2 calls, 1,000 tokens; "
        "level 1: 9 reports, 3 calls, 2,100 tokens."
    )
    assert cost_bars(cost.head(0)).alt.endswith("there are no reports.")
    assert cost_bars(cost).png.startswith(b"\x89PNG")


def test_nothing_is_drawn_from_nothing() -> None:
    assert batch_bars(BATCHES.head(0), 100).alt.startswith("0 batches")
    assert shuffle_lines(BATCHES.head(0)).alt.startswith("0 reports")
