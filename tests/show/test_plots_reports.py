"""Pictures of contexts say their numbers, counted by hand."""

from __future__ import annotations

import pandas as pd

from workbench.show.plots_reports import cut_line, token_bars


def test_token_bars_count_what_was_done() -> None:
    contexts = pd.DataFrame(
        {
            "short_id": [0, 1, 2],
            "untrimmed_tokens": [50, 200, 300],
            "context_tokens": [50, 90, 100],
            "context_action": ["fits", "substituted", "trimmed"],
            "limit": 100,
        }
    )
    assert token_bars(contexts).alt == (
        "Tokens of 3 contexts against a limit of 100: 1 fits, 1 substituted, 1 trimmed; the "
        "largest has 300 tokens before any cut."
    )


def test_cut_line_leaves_out_what_a_report_replaced() -> None:
    records = pd.DataFrame(
        {
            "section": ["Entities", "Relationships", "Relationships", "Entities"],
            "tokens": [40, 50, 20, 9],
            "cumulative": pd.array([40, 90, 110, None], dtype="Int64"),
            "in_context": [True, True, False, False],
        }
    )
    assert cut_line(records, 100).alt == (
        "Of 3 records 2 are in the context, with 90 tokens; all would have 110; the limit is 100."
    )
