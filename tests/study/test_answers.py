"""Answers scored by hand; two methods compared; a judge that favours what it reads first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from workbench.errors import InputError
from workbench.models.calls import Caller
from workbench.models.language import Reply
from workbench.study.answers import answer_scores, judge, paired


@pytest.mark.parametrize(
    ("said", "gold", "exact", "f1", "contains"),
    [
        ("The Old Pier.", "old pier", 1, 1, 1),
        ("Edwin Cray [chunk 3]", "Edwin Cray", 1, 1, 1),
        ("It was built by Edwin Cray in 1911", "Edwin Cray", 0, 2 * 2 / (8 + 2), 1),
        ("Cray, Edwin", "Edwin Cray", 0, 1, 0),
        ("Judith", "Edwin Cray", 0, 0, 0),
        ("", "Edwin Cray", 0, 0, 0),
    ],
)
def test_scores_by_hand(said, gold, exact, f1, contains) -> None:
    scores = answer_scores(said, gold)
    assert scores == {"exact": exact, "f1": pytest.approx(f1), "contains": contains}


def table(**f1: list[float]) -> pd.DataFrame:
    """Scores of methods on questions 0, 1, …; the answers are the method's name."""
    return pd.DataFrame(
        [
            {"id": str(n), "question": f"q{n}", "gold": "g", "method": method, "said": method}
            | {"f1": value, "exact": float(value == 1)}
            for method, values in f1.items()
            for n, value in enumerate(values)
        ]
    )


def test_a_sign_test_over_the_same_questions() -> None:
    scores = table(walk=[1, 0.6, 0.5, 0.3, 0.9, 0.7], basic=[0.5, 0.5, 0.5, 0.2, 0.1, 0.8])
    found = paired(scores, "walk", "basic")
    assert (found["wins"], found["losses"], found["ties"]) == (4, 1, 1)
    assert found["p"] == pytest.approx(2 * (5 + 1) / 32)  # 4 or more of 5, both sides
    assert paired(scores, "walk", "walk") == {"wins": 0, "losses": 0, "ties": 6, "p": 1.0}
    with pytest.raises(InputError, match="No answers by 'drift'"):
        paired(scores, "walk", "drift")


class Judge:
    """A scripted model: gives the reply that a function makes of the prompt."""

    name, context_window, workers = "scripted", 8_000, 1

    def __init__(self, reply: Callable[[str], str]) -> None:
        self._reply = reply

    def check(self) -> None:
        """There is nothing to check."""

    def generate(self, prompt: str, **_: Any) -> Reply:
        text = self._reply(prompt)
        return Reply(text, {"better": text} if text else None)


@pytest.mark.parametrize(
    ("reply", "winners"),
    [
        (lambda prompt: "first", ["tie", "tie"]),  # the order decides, not the answer
        (
            lambda prompt: "first" if prompt.index("walk") < prompt.index("basic") else "second",
            ["walk", "walk"],
        ),
        (lambda prompt: "neither", ["tie", "tie"]),  # not one of the three words
    ],
)
def test_a_judge_must_say_the_same_in_both_orders(reply, winners) -> None:
    scores = table(walk=[1, 1], basic=[0, 0])
    found = judge(scores, "walk", "basic", Caller(Judge(reply), retries=0))
    assert found["winner"].tolist() == winners
