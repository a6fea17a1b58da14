"""A question in, the method that suits it out, with what spoke for each method.

A few features of the question, each with a weight for the methods it speaks for; the highest sum
is taken. A word alone decides nothing: "connect to Postgres" asks how to do one thing, "how does X
relate to Y" needs two things that the run knows, and an overview *of a thing* is about that thing.

The weights were set on the odd-numbered questions of `data/questions` (heuristic runs): there 36 of
43 get the method they are filed under, and 24 of 43 of the even ones, which decided nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from workbench.corpus.words import words
from workbench.query import cues
from workbench.query.asking import Asking
from workbench.query.named import named_entities

METHODS = ("local", "basic", "walk", "drift", "global")  # on equal sums the first is taken


@dataclass(frozen=True)
class Decision:
    """The method chosen, the next best, and why.

    `table`: one row a feature that was found: feature, found (the words), and a weight a method.
    `scores`: the sum of each method.
    """

    method: str
    runner_up: str
    table: pd.DataFrame
    scores: Mapping[str, float]


def classify(
    question: str, named: list[str], *, entities: bool = True, reports: bool = True
) -> Decision:
    """Choose a method for a question in which `named` (spellings) are things that the run knows.

    `entities`, `reports`: whether the run has any.

    >>> classify("How does Docker relate to Podman?", ["Docker", "Podman"]).method
    'drift'
    >>> classify("How do I connect to Postgres?", ["Postgres"]).method
    'basic'
    >>> classify("overview of the Dockerfile", []).method
    'basic'
    """
    rows = [(name, found, weights) for name, found, weights in _features(question, named) if found]
    if not entities:
        rows.append(("no entities in the run", "–", {"basic": 9.0}))
    if not reports:
        rows.append(("no reports in the run", "–", {"global": -9.0}))
    scores = {m: round(sum(weights.get(m, 0.0) for *_, weights in rows), 6) for m in METHODS}
    order = sorted(METHODS, key=lambda method: -scores[method])
    table = pd.DataFrame(
        [
            (name, found, *(float(weights.get(m, 0)) for m in METHODS))
            for name, found, weights in rows
        ],
        columns=["feature", "found", *METHODS],
    )
    return Decision(order[0], order[1], table, scores)


def _features(question: str, named: list[str]) -> list[tuple[str, str, dict[str, float]]]:
    """Give each feature's name, the words that show it (none: it is absent), and its weights."""
    text = " ".join(question.casefold().split())
    themes, whole, corpus, relates = (
        _found(regex, text) for regex in (cues.THEMES, cues.WHOLE, cues.CORPUS, cues.RELATES)
    )
    about, length = cues.OVERVIEW_OF.search(text), len(words(text))
    one_thing = about[1] if about else ""
    if cues.WHOLE.search(one_thing) or cues.CORPUS.search(one_thing):
        one_thing = ""
    several = ", ".join(named) if len(named) > 1 else ""
    return [
        ("any question", "–", {"basic": 0.4, "local": 0.2}),
        ("one thing is named", named[0] if len(named) == 1 else "", {"local": 0.45, "walk": 0.2}),
        ("several things are named", several, {"walk": 0.8, "local": 0.5, "drift": 0.4}),
        ("asks how things relate", relates if several else "", {"drift": 1.5}),
        ("relates what the run does not know", relates if not several else "", {"basic": 0.2}),
        ("asks for themes", themes if not (named or one_thing) else "", {"global": 1.5}),
        ("asks for themes of a thing", themes if named or one_thing else "", {"global": 0.3}),
        ("overview of one thing", one_thing, {"local": 0.4, "basic": 0.5}),
        ("about the whole", whole, {"global": 1.0}),
        ("names the corpus", corpus, {"global": 0.4}),
        ("asks how to do something", _found(cues.HOW_TO, text), {"basic": 1.0}),
        ("asks for a fact", _found(cues.FACT, text), {"basic": 0.3, "walk": 0.1}),
        ("asks what something is", _found(cues.ABOUT, text) if named else "", {"local": 0.4}),
        ("one step hangs on another", _found(cues.CHAIN, text), {"walk": 0.7}),
        ("a few words", text if length <= 3 and not named else "", {"basic": 0.4}),
        ("many words", f"{length} words" if length >= 12 else "", {"walk": 0.3}),
    ]


def choose(asking: Asking) -> str:
    """Choose the method for a question, take down why, and give its name."""
    index = asking.index
    named = named_entities(index, asking.question.text)["spelling"].drop_duplicates().tolist()
    decision = classify(
        asking.question.text,
        named,
        entities=len(index.entities) > 0,
        reports=len(index.reports) > 0,
    )
    asking.record.step(
        "choice",
        f"auto takes {decision.method}, before {decision.runner_up}: the sums of the features.",
        lambda: _choice(decision),
    )
    asking.record.step(
        "features",
        "What in the question speaks for which method, and how much.",
        lambda: _evidence(decision),
    )
    return decision.method


def _choice(decision: Decision) -> pd.DataFrame:
    methods = sorted(METHODS, key=lambda method: -decision.scores[method])
    chosen = [method == decision.method for method in methods]
    return _step(methods, chosen, score=[decision.scores[method] for method in methods])


def _evidence(decision: Decision) -> pd.DataFrame:
    table = decision.table
    weights = {method: table[method].tolist() for method in METHODS}
    found = table["found"].tolist()
    return _step(table["feature"].tolist(), [True] * len(table), found=found, **weights)


def _step(names: list[str], inside: list[bool], **columns: list) -> pd.DataFrame:
    """Give rows of a step that put nothing into a prompt."""
    return pd.DataFrame(
        {
            "kind": "action",
            "id": names,
            "short_id": range(1, len(names) + 1),
            "label": names,
            **columns,
            "order": range(1, len(names) + 1),
            "tokens": 0,
            "in_context": inside,
            "cut_reason": ["" if one else "lower sum" for one in inside],
            "text": "",
        }
    )


def _found(regex: re.Pattern[str], text: str) -> str:
    match = regex.search(text)
    return match[0].strip() if match else ""
