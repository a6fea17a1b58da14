"""The score of a classifier's choices by hand, and of `auto` on the shipped traps."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from tests.query.small import axes, small
from tests.study.test_evaluate import write
from workbench.query.auto import Decision
from workbench.store import Store
from workbench.study.choices import decider, score_choices
from workbench.study.evaluate import evaluate

__all__ = ["axes", "small"]


def decision(method: str, runner_up: str) -> Decision:
    return Decision(method, runner_up, pd.DataFrame(), {})


def test_accuracy_and_confusion_by_hand() -> None:
    questions = pd.DataFrame(
        {
            "id": ["a", "b", "c", "d", "e"],
            "question": ["one", "two", "three", "four", "five"],
            "method": ["walk", "walk", "basic", "global", None],
        }
    )
    said = {
        "one": decision("walk", "basic"),
        "two": decision("basic", "walk"),
        "three": decision("basic", "local"),
        "four": decision("basic", "local"),
    }
    scored = score_choices(questions, said.__getitem__)  # a question that says nothing is left out
    assert scored["accuracy"] == 0.5
    assert scored["near"] == 0.75
    assert scored["confusion"].to_dict("index") == {
        "basic": {"basic": 1, "walk": 0},
        "global": {"basic": 1, "walk": 0},
        "walk": {"basic": 1, "walk": 1},
    }
    assert scored["table"]["right"].tolist() == [True, False, True, False]


def test_auto_ranks_by_the_method_it_chooses(small: Store, axes, tmp_path: Path) -> None:
    text = "How do I connect to the data?"
    assert decider(small)(text).method == "basic"
    row = {"id": 1, "question": text, "gold": ["a.md"], "method": "basic"}
    path = write(tmp_path / "q.jsonl", [row])
    result = evaluate(small, path, methods=["basic", "auto"], k=[1, 3], embedder=axes)
    timeless = {
        name: {key: value for key, value in figures.items() if key != "p50_ms"}
        for name, figures in result["methods"].items()
    }
    assert timeless["auto"] == timeless["basic"]
    assert result["choices"] == {
        "accuracy": 1.0,
        "near": 1.0,
        "confusion": {"basic": {"basic": 1}},
    }
