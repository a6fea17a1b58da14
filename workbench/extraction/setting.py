"""Parameters and a model in, what a mode needs to ask it out: requests, lists, limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from workbench.corpus.clean import comments
from workbench.corpus.tokens import count_tokens
from workbench.extraction.kinds import Kinds, Predicates
from workbench.extraction.units import Unit
from workbench.extraction.windows import windows
from workbench.ids import content_hash, content_id
from workbench.models.calls import Request
from workbench.models.language import LanguageModel
from workbench.models.prompts import fill, load_templates, reply_tokens
from workbench.params import LanguageParams

# Tokens are counted as o200k_base has them; other tokenizers make up to a third more of a text.
_SHARE = 0.75
_TOKENS_AN_ITEM, _FEWEST = 20, 6  # a list in a reply: a record for so many tokens, and no fewer


@dataclass(frozen=True)
class Setting:
    """The parameters of a run, its templates, and the tokens that its model can hold."""

    params: LanguageParams
    templates: dict[str, str]
    context_window: int

    @classmethod
    def of(cls, params: LanguageParams, model: LanguageModel) -> Setting:
        """Load the templates and ask the model how much it holds."""
        return cls(params, load_templates(params.templates), model.context_window)

    @cached_property
    def types(self) -> Kinds:
        """The run's entity types."""
        return Kinds(self.params.entity_types)

    @cached_property
    def predicates(self) -> Predicates:
        """The run's predicates."""
        return Predicates(self.params.predicates)

    def reply_tokens(self, task: str, items: int = 0) -> int:
        """Give how long a reply may be at first: at most half of what the model holds."""
        return min(reply_tokens(task, items), self.context_window // 2)

    def items(self, text: str, candidates: int = 0) -> int:
        """Give how long a reply's lists may be: longer for a longer text and for candidates."""
        return min(
            candidates + max(count_tokens(text) // _TOKENS_AN_ITEM, _FEWEST), self.params.max_items
        )

    def request(
        self, task: str, schema: type[BaseModel], content: str, items: int = 0, **values: object
    ) -> Request:
        """Fill a task's template; `content` is the hash of what the request is about."""
        typed = {"types": ", ".join(self.params.entity_types)}
        typed["predicates"] = ", ".join(self.params.predicates)
        return Request(
            task,
            fill(self.templates[task], **{**typed, **values}),
            schema,
            content,
            self.reply_tokens(task, items),
            (("seed", self.params.seed), ("temperature", self.params.temperature)),
            _CHOICES[task](self.params) if task in _CHOICES else (),
            items,
        )

    def windows(
        self, task: str, text: str, items: int = 0, **values: object
    ) -> list[tuple[int, int]]:
        """Cut a text so that each part fits into one prompt of a task, with a reply of `items`."""
        empty = self.request(task, BaseModel, "", text="", **values)
        room = self.context_window - self.reply_tokens(task, items) - count_tokens(empty.prompt)
        return windows(text, max(int(room * _SHARE), 64))


_CHOICES: dict[str, Any] = {
    "classify": lambda params: (("type", params.entity_types),),
    "entities": lambda params: (("type", params.entity_types),),
    "gleaning": lambda params: (("type", params.entity_types),),
    "relationships": lambda params: (("predicate", params.predicates),),
    "hybrid": lambda params: (("type", params.entity_types), ("predicate", params.predicates)),
}


def listed(names: Sequence[str]) -> str:
    """Give names one a line, as prompts list them."""
    return "\n".join(f"- {' '.join(name.split())}" for name in names) or "(none)"


def hash_of(text: str) -> str:
    """Give the SHA-256 of a text: of a whole document it is its `content_hash`."""
    return content_hash(text.encode("utf-8", "surrogatepass"))


def part_hash(whole: str, span: tuple[int, int], length: int) -> str:
    """Give the hash of a text for its only window, and one of its own for one of several."""
    return whole if span == (0, length) else content_id("window", whole, *span)


def readable(unit: Unit) -> str:
    """Give a unit's text with blanks where no chunk is (front matter, say) and for comments."""
    kept, at = [], 0
    for start, end, _ in unit.chunks:
        if end > at:
            kept += [" " * (start - at), unit.text[max(start, at) : end]]
            at = end
    return blanked("".join([*kept, " " * (len(unit.text) - at)]))


def blanked(text: str) -> str:
    """Put blanks in place of HTML comments: what a model is shown, with all places unchanged."""
    if "<!--" not in text:
        return text
    kept, at = [], 0
    for start, end in comments(text):
        kept += [text[at:start], " " * (end - start)]
        at = end
    return "".join([*kept, text[at:]])
