"""Replies in, DRIFT's tree of follow-up queries out; pure.

As shipped: unanswered queries in a seeded shuffle, one without a reply is asked again in the next
round, answers go to the last prompt in order of insertion, however long they are. Documented: the
scores decide. Children of the best-scored answer come first, those of an answer with score 0 not
at all, and the last prompt takes the best answers that fit. A query that failed is not asked again
(the caller has tried).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import pandas as pd

from workbench.graph.report_lines import csv_row
from workbench.models.requests import Outcome
from workbench.params import DriftParams
from workbench.query.asking import Asking
from workbench.query.trace import FIRST, LAST, Part

OPENING = "-----Answers-----\nid|query|score|answer\n"
LEAST = float("-inf")  # where a reply has no score


@dataclass
class Action:
    """A query of the tree. `status`: open, ok, invalid, failed or no match; `proposed`: how often.

    `score` is None as long as there is no reply with one; `asked` the round it was asked in.
    """

    number: int
    query: str
    parent: Action | None = None
    depth: int = 0
    proposed: int = 1
    answer: str = ""
    score: float | None = None
    status: str = "open"
    error: str = ""
    asked: int = 0

    @property
    def name(self) -> str:
        """What the action is called in the trace."""
        return f"action {self.number}"

    @property
    def rank(self) -> float:
        """The score to sort by."""
        return LEAST if self.score is None else self.score

    @property
    def promise(self) -> float:
        """The score of the answer that proposed it."""
        return LEAST if self.parent is None else self.parent.rank

    def line(self) -> str:
        """Give its row in the last prompt."""
        score = "" if self.score is None else f"{self.score:g}"
        return csv_row([self.number, self.query, score, self.answer], "|")


@dataclass
class Tree:
    """All actions, the question's first, keyed by the text of their query."""

    question: str
    params: DriftParams
    actions: dict[str, Action] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.root = Action(0, self.question)
        self._draw = random.Random(self.params.seed)  # noqa: S311 (no secret)
        self._shipped = self.params.variant == "as_shipped"

    def propose(self, parent: Action, queries: Iterable[str]) -> None:
        """Add queries below an action; equal texts are one action."""
        for query in queries:
            if query in self.actions:
                self.actions[query].proposed += 1
            elif not (self._shipped and query == self.question):
                number = len(self.actions) + 1
                self.actions[query] = Action(number, query, parent, parent.depth + 1)

    def ask_itself(self) -> None:
        """Have the question itself asked, below no answer."""
        if self.question not in self.actions:
            number = len(self.actions) + 1
            self.actions[self.question] = Action(number, self.question, depth=1)

    def next(self, limit: int) -> list[Action]:
        """Give the actions to ask next, `limit` at most, in order."""
        again = {"open", "invalid", "failed"} if self._shipped else {"open"}
        waiting = [action for action in self.actions.values() if action.status in again]
        if self._shipped:
            self._draw.shuffle(waiting)
        else:
            waiting = [action for action in waiting if action.promise != 0]
            waiting.sort(key=lambda action: (-action.promise, action.number))
        return waiting[: min(limit, self.params.drift_k_followups)]

    def settle(self, action: Action, outcome: Outcome) -> None:
        """Take a reply in: its answer, score and follow-up queries."""
        action.status, action.error = outcome.status, outcome.error
        reply = outcome.parsed
        if reply is None:
            return
        if not reply.response:
            action.status, action.error = "invalid", "The reply has no response."
            return
        action.answer, action.score = reply.response, reply.score
        self.propose(action, reply.follow_up_queries)

    def answered(self) -> list[Action]:
        """Give the actions with an answer, in the order of the last prompt."""
        found = [one for one in (self.root, *self.actions.values()) if one.answer]
        if self._shipped:
            return found
        return sorted(found, key=lambda action: (-action.rank, action.number))


class Answers:
    """The answers of a tree as a section of the last prompt."""

    def __init__(self, asking: Asking, tree: Tree, allowed: int) -> None:
        self.tree, self.count = tree, asking.count
        self.shipped = tree.params.variant == "as_shipped"
        self.allowed = None if self.shipped else allowed
        self.opening = used = asking.count(OPENING)
        self.order, self.kept = tree.answered(), []
        for action in self.order:
            size = asking.count(action.line())
            if self.shipped or (used + size <= allowed and action.score != 0):
                used += size
                self.kept.append(action)

    def parts(self) -> list[Part]:
        """Give the section as it stands in the prompt."""
        rows = [Part("row", "answers", action.line(), action.name) for action in self.kept]
        return [Part("heading", "answers", OPENING), *rows] if rows else []

    def table(self) -> pd.DataFrame:
        """Give the tree as a table: those in the prompt in order, then the others by number."""
        others = [one for one in (self.tree.root, *self.tree.actions.values()) if not one.answer]
        rows = [self._row(at, one) for at, one in enumerate([*self.order, *others], start=1)]
        scores = ["parent", "depth", "round", "query", "proposed", "score", "status", "error"]
        frame = pd.DataFrame(rows, columns=[*FIRST, *scores, "answer", *LAST])
        return frame.astype({"score": "float64", "short_id": "int64", "parent": "Int64"})

    def _row(self, order: int, one: Action) -> tuple[object, ...]:
        line = one.line() if one.answer else ""
        kept = one in self.kept
        parent = None if one.parent is None else one.parent.number
        row = ("action", one.name, one.number, one.query[:80], parent, one.depth, one.asked)
        row += (one.query, one.proposed, one.score, one.status, one.error, one.answer)
        return (*row, order, self.count(line), kept, "" if kept else self._reason(one), line)

    def _reason(self, one: Action) -> str:
        if one.answer:
            return "score" if one.score == 0 else "budget"
        if one.status != "open" or one is self.tree.root:
            return "no answer"
        return "parent's score" if not self.shipped and one.promise == 0 else "not asked"


def mean_score(scores: Sequence[float | None]) -> float | None:
    """Give the mean of the scores there are; None when there are none."""
    known = [score for score in scores if score is not None]
    return sum(known) / len(known) if known else None
