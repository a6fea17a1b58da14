"""What a query did in, a Trace out: every candidate, every cut, every word that was sent.

A method tells a `Recorder` what it does; the `Trace` is what comes out. Tables are built when
somebody looks at them, so that recording costs a query next to nothing.
"""

from __future__ import annotations

import contextlib
import functools
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from workbench.ids import content_id

Table = pd.DataFrame | Callable[[], pd.DataFrame]
FIRST = ("kind", "id", "short_id", "label")  # the columns of a step that come before its scores
LAST = ("order", "tokens", "in_context", "cut_reason", "text")  # … and behind them
BUDGET_COLUMNS = ("section", "allowed", "used", "cut", "rows", "rows_cut")
CITATION_COLUMNS = ("marker", "kind", "short_id", "id", "label", "exists", "in_context")


class Step:
    """One decision of a query, as a table of all its candidates.

    `table` has kind (chunk, entity, relationship, report, claim, turn, sentence, action or path),
    id, short_id, label, the step's scores, order (1 is first), tokens, in_context, cut_reason
    (empty when in context) and text: what stands in the prompt for it, or would have stood there.
    A step with a `section` has a share of the budget: `allowed` tokens (None: no limit), of which
    `heading_tokens` are its heading and column names.
    """

    def __init__(
        self,
        name: str,
        meaning: str,
        table: Table,
        section: str = "",
        allowed: int | None = None,
        heading_tokens: int = 0,
    ) -> None:
        self.name, self.meaning, self._table = name, meaning, table
        self.section, self.allowed, self.heading_tokens = section, allowed, heading_tokens

    @functools.cached_property
    def table(self) -> pd.DataFrame:
        """The candidates; built when first looked at."""
        return (self._table() if callable(self._table) else self._table).reset_index(drop=True)

    def __repr__(self) -> str:
        return f"Step({self.name!r}: {self.meaning})"


@dataclass(frozen=True)
class Part:
    """A piece of a prompt. `kind`: template, heading, row, question or history.

    A row's `id` and `text` are those of a candidate that is in context.
    """

    kind: str
    section: str
    text: str
    id: str = ""


@dataclass(frozen=True)
class Prompt:
    """A prompt as it was sent, piece by piece; with the key of its call in `llm_calls`, if any.

    Task `context` without a key: what would have been sent, had there been a model.
    """

    task: str
    parts: tuple[Part, ...]
    key: str = ""
    status: str = ""
    tokens: int = 0  # of the whole, counted at once

    @property
    def text(self) -> str:
        """The whole prompt."""
        return "".join(part.text for part in self.parts)


@dataclass(frozen=True)
class Answer:
    """An answer: its text, who wrote it (model, replay or extractive), and what it cites.

    `citations`: marker (as in the text), kind, short_id, id, label, exists (in the run),
    in_context (the model saw it).
    """

    text: str
    source: str
    citations: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=CITATION_COLUMNS))


class Recorder:
    """Takes down what a query does. One that is off takes down nothing but the notes."""

    def __init__(self, on: bool = True) -> None:
        self.on = on
        self.steps: list[Step] = []
        self.prompts: list[Prompt] = []
        self.notes: list[str] = []
        self.seconds: dict[str, float] = {}
        self._prefix = ""

    def step(
        self,
        name: str,
        meaning: str,
        table: Table,
        *,
        section: str = "",
        allowed: int | None = None,
        heading_tokens: int = 0,
    ) -> None:
        """Take down a step; `table` may be a function that builds it when somebody looks."""
        if self.on:
            name = self._prefix + name
            self.steps.append(Step(name, meaning, table, section, allowed, heading_tokens))

    def prompt(self, prompt: Prompt) -> None:
        """Take down a prompt that was sent, or the context that would have been."""
        if self.on:
            self.prompts.append(prompt)

    def note(self, sentence: str) -> None:
        """Take down what the reader of the answer must know, in one sentence."""
        self.notes.append(sentence)

    @contextlib.contextmanager
    def within(self, name: str) -> Iterator[None]:
        """Put `name/` before the names of the steps taken down meanwhile."""
        before, self._prefix = self._prefix, f"{self._prefix}{name}/"
        try:
            yield
        finally:
            self._prefix = before

    @contextlib.contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Add the time of the block to that of `name`."""
        start = time.perf_counter()
        try:
            yield
        finally:
            passed = time.perf_counter() - start
            self.seconds[name] = self.seconds.get(name, 0.0) + passed


@dataclass(frozen=True, eq=False)
class Trace:
    """One query: what was asked, each step, the prompts, the answer.

    `params` holds the method's parameters and the model's name; `notes` what went otherwise than
    asked for. `seconds` by step is kept apart: two traces are equal when all else is.
    """

    run: str
    method: str
    question: str
    params: dict[str, Any]
    steps: tuple[Step, ...]
    prompts: tuple[Prompt, ...]
    answer: Answer
    notes: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    content: str = ""  # a hash of what the run held

    @functools.cached_property
    def id(self) -> str:
        """The id of the query: of run, method, question and parameters, and what the run held."""
        params = json.dumps(self.params, sort_keys=True)
        return content_id("trace", self.run, self.method, self.question, params, self.content)

    def __eq__(self, other: object) -> bool:
        """Say whether two traces are the same in all but their timings."""
        return isinstance(other, Trace) and self.to_json(False) == other.to_json(False)

    __hash__ = None

    def to_json(self, seconds: bool = True) -> str:
        """Give the whole trace as JSON, with or without its timings."""
        from workbench.query.trace_json import dumps

        return dumps(self, seconds)

    @classmethod
    def from_json(cls, text: str) -> Trace:
        """Give the trace that `to_json` wrote."""
        from workbench.query.trace_json import from_payload

        return from_payload(json.loads(text))

    def __repr__(self) -> str:
        """Show question, answer, notes and budget."""
        from workbench.show.trace_view import trace_text

        return trace_text(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        from workbench.show.trace_view import trace_html

        return {"text/html": trace_html(self), "text/plain": repr(self)}

    def _repr_html_(self) -> str:
        return self._repr_mimebundle_()["text/html"]

    def step(self, name: str) -> pd.DataFrame:
        """Give the table of a step; KeyError lists the steps when there is none of that name."""
        for step in self.steps:
            if step.name == name:
                return step.table
        names = ", ".join(step.name for step in self.steps)
        raise KeyError(f"the trace has no step {name!r}: its steps are {names}")

    @property
    def budget(self) -> pd.DataFrame:
        """One row a section: tokens allowed, used (with its heading) and cut, rows and rows cut."""
        rows = []
        for step in self.steps:
            if step.section:
                inside = step.table["in_context"].astype(bool)
                tokens = step.table["tokens"].fillna(0).astype("int64")
                used = int(tokens[inside].sum()) + (step.heading_tokens if inside.any() else 0)
                cut = int(tokens[~inside].sum())
                rows.append(
                    (step.section, step.allowed, used, cut, int(inside.sum()), int((~inside).sum()))
                )
        return pd.DataFrame(rows, columns=BUDGET_COLUMNS).astype({"allowed": "Int64"})
