"""Questions with short answers in, how right each method's answers are out, and which is better.

Exact match and F1 as SQuAD scores them (Rajpurkar et al. 2016): case, punctuation, English articles
and citations do not count. An extractive answer is made of whole sentences, so its F1 is low by
nature: `contains` (the gold answer stands in it) is the figure to read for those.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from workbench.corpus.words import words
from workbench.errors import InputError
from workbench.ids import content_id
from workbench.models.prompts import fill, load_templates
from workbench.models.requests import Request
from workbench.models.schemas import Shape
from workbench.progress import progress
from workbench.query.ask import ask
from workbench.study.questions import json_of, jsonl_lines, question_file

if TYPE_CHECKING:
    from workbench.models.calls import Caller
    from workbench.run import Run

_CITATION = re.compile(r"\[(?:chunk|report|entity|relationship|claim)s? [\d, ]+\]")
_ARTICLES = frozenset({"a", "an", "the"})
_FORM = '{"question": "…", "answer": "…"}'
SCORES = ("exact", "f1", "contains")


class JudgeReply(Shape):
    """Which of two answers is better: reply to task `judge`."""

    better: Literal["first", "second", "tie"]
    reason: str = ""


def tokens(text: str) -> list[str]:
    """Give the words of an answer that count.

    >>> tokens("The Old Pier, at noon [chunk 3].")
    ['old', 'pier', 'at', 'noon']
    """
    found = [word.text.casefold() for word in words(_CITATION.sub(" ", text))]
    return [word for word in found if word not in _ARTICLES]


def answer_scores(said: str, gold: str) -> dict[str, float]:
    """Give exact, f1 and contains, each 0 to 1, of an answer against the gold one.

    >>> answer_scores("It was Edwin Cray.", "Edwin Cray")
    {'exact': 0.0, 'f1': 0.6666666666666666, 'contains': 1.0}
    """
    ours, theirs = tokens(said), tokens(gold)
    shared = sum((Counter(ours) & Counter(theirs)).values())
    total = len(ours) + len(theirs)
    inside = f" {' '.join(theirs)} " in f" {' '.join(ours)} "
    return {
        "exact": float(ours == theirs),
        "f1": 2 * shared / total if total else 1.0,
        "contains": float(inside),
    }


def score_answers(
    run: Run,
    questions: str | Path,
    *,
    methods: Sequence[str] = ("basic", "local"),
    llm: str | Caller | None = None,
    **settings: Any,
) -> pd.DataFrame:
    """Ask each question of a JSONL file that has an `answer`; give one row a question and method.

    Columns: id, question, gold, method (as asked), said, source, exact, f1, contains. Nothing is
    saved but the calls of a model that is a Caller.
    """
    rows = []
    wanted = [(item, method) for item in _answered(questions) for method in methods]
    for item, method in progress(wanted, "answers", unit="answer"):
        trace = ask(run, item["question"], method=method, llm=llm, save=False, **settings)
        rows.append(
            {
                "id": str(item["id"]),
                "question": item["question"],
                "gold": item["answer"],
                "method": method,
                "said": trace.answer.text,
                "source": trace.answer.source,
                **answer_scores(trace.answer.text, item["answer"]),
            }
        )
    return pd.DataFrame(rows)


def paired(scores: pd.DataFrame, one: str, other: str, by: str = "f1") -> dict[str, float]:
    """Give wins, losses, ties of one method over another on the same questions, and p.

    p is that of the two-sided sign test over wins and losses; for `exact` and `contains`, which are
    0 or 1, that is McNemar's exact test. It says how likely such a split is by chance alone.
    """
    from scipy.stats import binomtest

    wide = scores.pivot(index="id", columns="method", values=by)
    missing = {one, other} - set(wide.columns)
    if missing:
        raise InputError(
            f"No answers by {min(missing)!r}: there are those by {', '.join(wide.columns)}."
        )
    gap = (wide[one] - wide[other]).round(9)
    wins, losses = int((gap > 0).sum()), int((gap < 0).sum())
    p = float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0
    return {"wins": wins, "losses": losses, "ties": int((gap == 0).sum()), "p": p}


def judge(scores: pd.DataFrame, one: str, other: str, caller: Caller) -> pd.DataFrame:
    """Let a model say which of two methods' answers is better, in both orders.

    A method wins a question only when both orders say so; all else, and a reply that cannot be
    used, is a tie. Columns: id, first, second (what each order said: the method's name, or tie),
    winner. A judge is never the only figure: set it beside `paired`.
    """
    template = load_templates()["judge"]
    wide = scores.pivot(index="id", columns="method", values="said")
    asked = scores.drop_duplicates("id").set_index("id")[["question", "gold"]]
    rows, requests = [], []
    for id_, row in wide.iterrows():
        for left, right in ((one, other), (other, one)):
            prompt = fill(
                template,
                question=asked.loc[id_, "question"],
                gold=asked.loc[id_, "gold"],
                first=row[left],
                second=row[right],
            )
            hash_ = content_id("judge", id_, left, right)
            requests.append(Request("judge", prompt, JudgeReply, hash_, max_tokens=200))
    outcomes = caller.ask_all(requests, "judging")
    for number, id_ in enumerate(wide.index):
        pair = outcomes[2 * number : 2 * number + 2]
        first = _winner(pair[0], one, other)
        second = _winner(pair[1], other, one)
        rows.append((id_, first, second, first if first == second else "tie"))
    return pd.DataFrame(rows, columns=["id", "first", "second", "winner"])


def _winner(outcome: Any, first: str, second: str) -> str:
    said = outcome.parsed.better if outcome.status == "ok" else ""
    return {"first": first, "second": second}.get(said, "tie")


def _answered(path: str | Path) -> list[dict[str, Any]]:
    """Read the questions that have an answer; `evaluate` reads the same file for its gold."""
    lines = jsonl_lines(question_file(path), "Questions")
    items = [json_of(line, f"{path}, line {number}", _FORM) for number, line in lines]
    found = [
        {"id": number, **item}
        for number, item in enumerate(items, start=1)
        if isinstance(item, dict) and item.get("question") and item.get("answer")
    ]
    if not found:
        raise InputError(f"No question of {str(path)[:200]!r} has an answer: give some.")
    return found
