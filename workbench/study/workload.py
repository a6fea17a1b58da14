"""Requests in, what a task will take out: calls and tokens, at least, likely and at most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from workbench.corpus.tokens import count_tokens
from workbench.models.ledger import Ledger
from workbench.models.requests import Request, call_key

if TYPE_CHECKING:
    from workbench.models.language import LanguageModel
    from workbench.store import Store

LEAST_REPLY = 5  # tokens of `{"entities": []}`
# Of the length that a reply may have at first; the replies to the handbook took 0.13 to 0.25 of it.
USUAL_SHARE = 0.25


@dataclass(frozen=True)
class Load:
    """So many calls, with the tokens of all their prompts and of all their replies."""

    calls: int = 0
    prompt: float = 0
    completion: float = 0


@dataclass(frozen=True)
class Work:
    """What one task will take. `exact`: its requests are known; `cached`: served from the ledger.

    `likely` is a guess by the heuristic graph of the same text and, where replies were measured,
    by their length; `low` and `high` hold whatever a model replies, as long as no call is retried.
    """

    task: str
    low: Load
    likely: Load
    high: Load
    exact: bool = False
    cached: int = 0
    note: str = ""


class Ledgered:
    """Knows which requests a model would still have to be asked."""

    def __init__(self, model: LanguageModel | None, store: Store | None) -> None:
        self._model: Any = model or SimpleNamespace(name="none")
        self._ledger = Ledger(store if model else None, self._model.name, "")

    def unique(self, requests: Sequence[Request]) -> dict[str, Request]:
        """Give the requests by key: equal ones are asked once."""
        found: dict[str, Request] = {}
        for request in requests:
            found.setdefault(call_key(self._model, request), request)
        return found

    def left(self, requests: Sequence[Request]) -> list[Request]:
        """Give the requests that no reply in the ledger answers, each once."""
        unique = self.unique(requests)
        known, _ = self._ledger.known(list(unique))
        return [request for key, request in unique.items() if key not in known]


def known_work(
    task: str, requests: Sequence[Request], ledgered: Ledgered, replies: Mapping[str, float]
) -> Work:
    """Give the work of requests that are known before any reply is: exact in calls and prompts."""
    left = ledgered.left(requests)
    prompt = sum(count_tokens(request.prompt) for request in left)
    allowed = sum(request.max_tokens for request in left)
    calls = len(left)
    return Work(
        task,
        Load(calls, prompt, LEAST_REPLY * calls),
        Load(calls, prompt, usual(task, calls, allowed, replies)),
        Load(calls, prompt, allowed),
        exact=True,
        cached=len(requests) - calls,
    )


def usual(task: str, calls: int, allowed: float, replies: Mapping[str, float]) -> float:
    """Give the tokens of so many replies: as measured for the task, else a share of the allowed.

    >>> usual("entities", 10, 8000, {}), usual("entities", 10, 8000, {"entities": 150.0})
    (2000.0, 1500.0)
    """
    return min(calls * replies[task], allowed) if task in replies else USUAL_SHARE * allowed
