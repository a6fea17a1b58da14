"""What to ask in, what became of it out: a request to a language model, its key, its outcome."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from workbench.ids import content_id
from workbench.models.language import LanguageModel, Reply
from workbench.models.schemas import Choices, json_schema


@dataclass(frozen=True)
class Request:
    """One thing to ask: the task, the whole prompt, the reply's shape, and how long it may be.

    `content_hash` tells which document or chunk it is about; `options` are pairs of `temperature`
    and `seed`; `choices` restricts text properties of the JSON schema, like
    `(("type", ("person", "place")),)`, and `items` bounds its lists, so that a weak model comes to
    an end (0: the schema's own bounds).
    """

    task: str
    prompt: str
    schema: type[BaseModel] | None = None
    content_hash: str = ""
    max_tokens: int = 1024
    options: tuple[tuple[str, Any], ...] = ()
    choices: Choices = ()
    items: int = 0

    def json_schema(self) -> dict[str, Any] | None:
        """Give the JSON schema that is sent to the model."""
        return None if self.schema is None else json_schema(self.schema, self.choices, self.items)


@dataclass(frozen=True)
class Outcome:
    """What became of a request. `attempts` is 0 when the reply was known; `error` says why not ok.

    `reply` is the last one that came, also of an invalid outcome; `parsed` is there when ok.
    """

    request: Request
    key: str
    reply: Reply | None
    parsed: BaseModel | None
    status: str
    cached: bool = False
    attempts: int = 0
    error: str = ""
    repaired: bool = False


def call_key(model: LanguageModel, request: Request) -> str:
    """Give the id of a call: hash of model, prompt, JSON schema and options, of no host or key.

    The reply's length is no part of it: a reply that was cut is asked for again, longer.
    """
    schema = json.dumps(request.json_schema(), sort_keys=True) if request.schema else ""
    fingerprint = getattr(model, "fingerprint", "")
    options = json.dumps(sorted(request.options))
    return content_id("call", model.name, fingerprint, request.prompt, schema, options)
