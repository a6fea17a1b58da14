"""A prompt in, a Reply out: the one protocol behind which every language model stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Required, TypedDict, Unpack

from workbench.errors import InputError, ModelError
from workbench.models.json_text import read_object, without_thinking

if TYPE_CHECKING:
    from workbench.models.calls import Request

Schema = dict[str, Any]
KINDS = "ollama/NAME, openai/NAME, llamacpp/PATH-or-NAME, replay/FILE, none"


@dataclass(frozen=True)
class Reply:
    """What a model answered: its text without thinking, and the JSON object in it, if any.

    `seconds` is the time until it was whole; `finish_reason` is `stop`, `length` or what else the
    server says. `repaired` tells that the JSON was malformed and has been mended.
    """

    text: str
    parsed: dict[str, Any] | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float = 0.0
    finish_reason: str = "stop"
    repaired: bool = False


class ModelUnavailable(ModelError):
    """There is no such server or model, or it does not let us in: no further call can succeed."""

    reason = "unavailable"


class ReplayMiss(ModelError):
    """A file of recorded replies holds no reply to a prompt."""

    reason = "no recorded reply"


class ReplyFailed(ModelError):
    """A call gave no reply. `again`: another try may; `after`: seconds the server asks to wait."""

    def __init__(self, message: str, reason: str, *, again: bool = True, after: float = 0) -> None:
        super().__init__(message)
        self.reason, self.again, self.after = reason, again, after


class ReplyCut(ModelError):
    """A reply reached its length before its end; `reply` holds what came."""

    reason = "length"

    def __init__(self, message: str, reply: Reply) -> None:
        super().__init__(message)
        self.reply = reply


class How(TypedDict, total=False):
    """How a call is made, beside prompt and schema.

    `max_tokens` of the reply; `deadline` in seconds from now; `stop` ends the call once it gives
    True; `request` tells recorders and replays what the prompt is about.
    """

    max_tokens: Required[int]
    temperature: float
    seed: int
    deadline: float | None
    stop: Callable[[], bool] | None
    request: Request | None


def sampling(how: How) -> dict[str, Any]:
    """Give temperature and seed as servers want them: 0 and 7 unless told."""
    return {"temperature": how.get("temperature", 0.0), "seed": how.get("seed", 7)}


class LanguageModel(Protocol):
    """What the workbench asks of a language model.

    `name` is the model as chosen, without host or key; `context_window` is in tokens, prompt and
    reply together; `workers` is how many calls it takes at once by default.
    """

    name: str
    context_window: int
    workers: int

    def check(self) -> None:
        """Raise ModelUnavailable, with the remedy, when the model cannot be asked."""
        ...

    def generate(self, prompt: str, *, schema: Schema | None = None, **how: Unpack[How]) -> Reply:
        """Ask once; trying again is the Caller's business.

        Raises ModelUnavailable, ReplyCut or ReplyFailed.
        """
        ...


def load_model(choice: str, **options: Any) -> LanguageModel | None:
    """Give the model that a choice like `ollama/llama3.2:3b` names; None for `none`.

    `options` go to the backend (`host`, `base_url`, `context_window`, `workers`, `timeout`).
    Loading asks no server; `check()` does.
    """
    kind, _, name = choice.partition("/")
    if choice == "none":
        return None
    if not name or kind not in ("ollama", "openai", "llamacpp", "replay"):
        raise InputError(f"Language model {choice!r} is unknown: choose one of {KINDS}.")
    if kind == "ollama":
        from workbench.models.ollama import OllamaModel as Model
    elif kind == "openai":
        from workbench.models.openai import OpenAIModel as Model
    elif kind == "llamacpp":
        from workbench.models.llamacpp import LlamaCppModel as Model
    else:
        from workbench.models.replay import ReplayModel as Model
    return Model(name, **options)


def reply_of(
    raw: str,
    schema: Schema | None,
    *,
    prompt_tokens: int | None,
    completion_tokens: int | None,
    seconds: float,
    finish_reason: str,
) -> Reply:
    """Build a Reply from a model's raw text; raise ReplyCut when it reached its length.

    Thinking is taken out. With a schema the text's JSON object is read, mended where it must be.
    """
    text = without_thinking(raw)
    parts = (schema or {}).get("properties", {})
    only = next((name for name, part in parts.items() if len(parts) == 1 and "items" in part), "")
    parsed, repaired = read_object(text, only) if schema is not None else (None, False)
    reply = Reply(text, parsed, prompt_tokens, completion_tokens, seconds, finish_reason, repaired)
    if finish_reason == "length":
        raise ReplyCut(
            f"The reply was cut at its length of {completion_tokens or '?'} tokens.", reply
        )
    return reply
