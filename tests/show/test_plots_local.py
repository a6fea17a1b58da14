"""The picture of a sweep of shares says what its table says."""

from __future__ import annotations

import pandas as pd

from workbench.show.plots_local import share_bars

COLUMNS = ["text_unit_prop", "community_prop", "section", "tokens", "rows"]


def test_the_words_hold_the_least_the_most_and_what_is_bare() -> None:
    rows = [
        (0.5, 0.1, "entities", 20, 2),
        (0.5, 0.1, "sources", 70, 1),
        (0.5, 0.5, "entities", 0, 0),
        (0.5, 0.5, "sources", 70, 1),
    ]
    picture = share_bars(pd.DataFrame(rows, columns=COLUMNS))
    assert picture.alt == (
        "2 pairs of shares: the contexts have 70 to 90 tokens, and 1 of them hold no entity."
    )
    assert picture.png.startswith(b"\x89PNG")


def test_a_question_that_matches_nothing_gives_an_empty_picture() -> None:
    assert share_bars(pd.DataFrame(columns=COLUMNS)).alt.startswith("0 pairs of shares")
