"""What a query method is given, and how it asks its model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pydantic import BaseModel

from workbench.corpus.tokens import count_tokens
from workbench.ids import content_id
from workbench.models.prompts import MARKER
from workbench.models.requests import Outcome, Request
from workbench.params import Params
from workbench.query.question import Question
from workbench.query.run_index import RunIndex
from workbench.query.trace import Part, Prompt, Recorder

if TYPE_CHECKING:
    from workbench.models.calls import Caller
    from workbench.models.embedding import Embedder


SPARE = 1_000  # tokens of a model's window that the prompt's own words and the question may take
REPLY = 1_500  # … and its reply


def context_room(window: int) -> int:
    """Give the tokens a context may have in a model's window; models count up to a tenth more."""
    return max(0, int(0.9 * (window - REPLY - SPARE)))


@dataclass(frozen=True)
class Turn:
    """One exchange before this question."""

    question: str
    answer: str


@dataclass(frozen=True)
class Asking:
    """A question put to a run: what a method needs to answer it.

    `caller` is None without a model: the answer is then extractive. `language` is the question's
    (ISO 639-1). `history` holds earlier turns, oldest first. `embedder` made the store's vectors.
    """

    index: RunIndex
    question: Question
    params: Params
    record: Recorder
    templates: dict[str, str]
    caller: Caller | None = None
    history: tuple[Turn, ...] = ()
    language: str = "en"
    options: tuple[tuple[str, object], ...] = field(default=(("temperature", 0.0), ("seed", 7)))
    embedder: Embedder | None = None

    def encoding(self) -> str:
        """Give the encoding in which budgets are counted."""
        return getattr(self.params, "encoding", "cl100k_base")

    def count(self, text: str) -> int:
        """Count tokens as the budgets do."""
        return count_tokens(text, self.encoding())

    def laid_out(self, task: str, **values: str | Iterable[Part]) -> tuple[Part, ...]:
        """Fill a task's template, in the question's language if there is one, piece by piece.

        Each `<<name>>` is replaced by the value of that name: a text (which counts as `question`
        where it is that, else as our own words), or parts.
        """
        template = self.templates.get(f"{task}.{self.language}", self.templates[task])
        parts: list[Part] = []
        for place, piece in enumerate(MARKER.split(template)):  # every second piece is a name
            value = values[piece] if place % 2 else piece
            if isinstance(value, str):
                kind = "question" if place % 2 and piece == "question" else "template"
                parts.append(Part(kind, "", value))
            else:
                parts += value
        return tuple(part for part in parts if part.text)


def about(task: str, question: str, parts: Iterable[Part]) -> str:
    """Give what a prompt is about, whatever its words: task, question, and the rows it holds."""
    return content_id("query", task, question, *(part.id for part in parts if part.id))


def send(
    asking: Asking,
    prompts: Sequence[tuple[str, Sequence[Part]]],
    schema: type[BaseModel] | None = None,
    max_tokens: int = 1_500,
    description: str = "answering",
) -> list[Outcome]:
    """Ask the model each (task, parts), at once where it can, and take the prompts down.

    Without a model nothing is sent: the prompts are taken down as contexts, and the list is empty.
    """
    whole = [
        Prompt(task, tuple(parts), tokens=asking.count("".join(part.text for part in parts)))
        for task, parts in prompts
    ]
    if asking.caller is None:
        for prompt in whole:
            asking.record.prompt(replace(prompt, task="context"))
        return []
    requests = [
        Request(
            prompt.task,
            prompt.text,
            schema,
            max_tokens=max_tokens,
            options=asking.options,
            content_hash=about(prompt.task, asking.question.text, prompt.parts),
        )  # fmt: skip
        for prompt in whole
    ]
    with asking.record.timed("model"):
        outcomes = asking.caller.ask_all(requests, description)
    for prompt, outcome in zip(whole, outcomes, strict=True):
        asking.record.prompt(replace(prompt, key=outcome.key, status=outcome.status))
    return outcomes
