"""Questions that say which method suits them in, how often `auto` chooses that one out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from workbench.query.auto import Decision, classify
from workbench.query.methods import method_of
from workbench.query.named import named_entities
from workbench.query.question import Question
from workbench.query.run_index import run_index
from workbench.study.questions import questions as read

if TYPE_CHECKING:
    from workbench.store import Store


def score_choices(
    questions: pd.DataFrame | str | Path, decide: Callable[[str], Decision]
) -> dict[str, Any]:
    """Compare the choices of `decide` (a question's text in) with the methods that suit.

    Gives `accuracy`, `near` (the share whose method was chosen or next best), `confusion` (a frame:
    suits down, chosen across, counts) and `table` (id, question, kind, method, chosen, runner_up,
    right). A question without `method` is left out; accuracy is NaN when none has one.
    """
    frame = questions if isinstance(questions, pd.DataFrame) else read(questions)
    frame = frame.reindex(columns=["id", "question", "kind", "method"])
    frame = frame[frame["method"].notna() & (frame["method"] != "")].reset_index(drop=True)
    decisions = [decide(text) for text in frame["question"]]
    chosen = pd.Series([one.method for one in decisions], dtype=object)
    second = pd.Series([one.runner_up for one in decisions], dtype=object)
    right = (frame["method"] == chosen).astype(bool)
    near = right | (frame["method"] == second)
    return {
        "accuracy": float(right.mean()),
        "near": float(near.mean()),
        "confusion": pd.crosstab(frame["method"].rename("suits"), chosen.rename("chosen")),
        "table": frame.assign(chosen=chosen, runner_up=second, right=right),
    }


def decider(store: Store, run: str | None = None) -> Callable[[str], Decision]:
    """Give `auto`'s decision over a run, as a function of the question's text."""
    index = run_index(store, run)
    has = {"entities": len(index.entities) > 0, "reports": len(index.reports) > 0}

    def decide(text: str) -> Decision:
        named = named_entities(index, text)["spelling"].drop_duplicates().tolist()
        return classify(text, named, **has)

    return decide


def rank_by_choice(store: Store, run: str | None, question: Question, k: int) -> list[str]:
    """Rank documents by the method that `auto` chooses for the question."""
    chosen = decider(store, run)(question.text).method
    return method_of(chosen)(store, run, question, k)
