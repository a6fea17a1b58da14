"""One request in, its outcome out: tried again as long as another try may help."""

from __future__ import annotations

import random
import threading
import time
from typing import Any

import tenacity
from pydantic import BaseModel

from workbench.errors import ModelError
from workbench.models.language import LanguageModel, Reply, ReplyCut, ReplyFailed
from workbench.models.prompts import fill
from workbench.models.requests import Outcome, Request
from workbench.models.schemas import validate_reply

_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 20.0  # seconds before another try


class Unusable(ModelError):
    """A whole reply that is not what was asked for."""


class Asking:
    """Asks for one request; `rows` grows by one ledger row an attempt.

    A failed call is tried again after a pause that doubles (with jitter, or as long as the server
    asks), a cut reply with twice the length, an unusable one once, with what was wrong with it.
    """

    def __init__(
        self,
        model: LanguageModel,
        key: str,
        request: Request,
        again: str,
        tried: int,
        stop: threading.Event,
    ) -> None:
        self._model, self._key, self._request, self._again = model, key, request, again
        self._stop, self._tried = stop, tried
        self._prompt, self._length, self._asked_again = request.prompt, request.max_tokens, False
        self._longer = False
        self._reply: Reply | None = None
        self._parsed: BaseModel | None = None
        self._end: float | None = None
        self.rows: list[dict[str, Any]] = []

    def until_good(self, retries: int, deadline: float | None) -> Outcome:
        """Ask up to `1 + retries` times, within `deadline` seconds."""
        self._end = None if deadline is None else time.monotonic() + deadline
        stops = tenacity.stop_after_attempt(1 + retries)
        if deadline is not None:
            stops = stops | tenacity.stop_before_delay(deadline)
        status, error = "ok", ""
        try:
            for attempt in tenacity.Retrying(
                stop=stops | tenacity.stop_when_event_set(self._stop),
                wait=_pause,
                retry=tenacity.retry_if_exception(self._may_help),
                sleep=tenacity.sleep_using_event(self._stop),
                reraise=True,
            ):
                with attempt:
                    self._ask_once()
        except (ReplyCut, Unusable) as fault:
            status, error = "invalid", str(fault)
        except ReplyFailed as fault:
            status, error = "failed", str(fault)
        return Outcome(
            self._request,
            self._key,
            self._reply,
            self._parsed,
            status,
            attempts=len(self.rows),
            error=error,
            repaired=bool(self._parsed and self._reply and self._reply.repaired),
        )

    def _ask_once(self) -> None:
        begin = time.monotonic()
        try:
            self._reply = self._model.generate(
                self._prompt,
                schema=self._request.json_schema(),
                max_tokens=self._length,
                deadline=None if self._end is None else max(0.1, self._end - begin),
                stop=self._stop.is_set,
                request=self._request,
                **dict(self._request.options),
            )
        except ReplyCut as cut:
            self._reply = cut.reply
            self._row("invalid", cut.reply)
            self._lengthen(cut.reply)
            raise
        except ReplyFailed as failure:
            if self._stop.is_set():  # broken off by us: no attempt that tells anything
                raise
            seconds = time.monotonic() - begin
            self._row("failed", Reply("", seconds=seconds, finish_reason=failure.reason))
            raise
        self._parsed, fault = validate_reply(self._reply, self._request.schema)
        self._row("invalid" if fault else "ok", self._reply)
        if fault:
            self._prompt = fill(self._again, prompt=self._request.prompt, error=fault)
            raise Unusable(f"The reply cannot be used: {fault}.")

    def _lengthen(self, cut: Reply) -> None:
        """Allow twice the length next time, as far as the context window has room."""
        room = self._model.context_window - (cut.prompt_tokens or 0)
        length = min(2 * self._length, room)
        self._longer, self._length = length > self._length, max(length, self._length)

    def _may_help(self, fault: BaseException) -> bool:
        if isinstance(fault, Unusable):
            first, self._asked_again = not self._asked_again, True
            return first
        if isinstance(fault, ReplyCut):
            return self._longer
        return isinstance(fault, ReplyFailed) and fault.again

    def _row(self, status: str, reply: Reply) -> None:
        self.rows.append(
            {
                "key": self._key,
                "attempt": self._tried + len(self.rows) + 1,
                "task": self._request.task,
                "prompt": self._prompt,
                "reply": reply.text,
                "prompt_tokens": reply.prompt_tokens,
                "completion_tokens": reply.completion_tokens,
                "seconds": reply.seconds,
                "finish_reason": reply.finish_reason,
                "status": status,
            }
        )


def _pause(state: tenacity.RetryCallState) -> float:
    """Give the seconds before the next try: none unless the server failed."""
    fault = state.outcome.exception() if state.outcome else None
    if not isinstance(fault, ReplyFailed):
        return 0.0
    longest = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** (state.attempt_number - 1))
    return max(fault.after, longest * random.uniform(0.5, 1.0))  # noqa: S311 (spreads, hides nothing)
