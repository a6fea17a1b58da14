"""Requests in, checked replies out: each call once, concurrently, kept in the ledger as it ends."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from workbench.models.asking import Asking
from workbench.models.language import LanguageModel, ModelUnavailable, reply_of
from workbench.models.ledger import Ledger, Tally
from workbench.models.prompts import load_templates
from workbench.models.requests import Outcome, Request, call_key
from workbench.models.schemas import validate_reply
from workbench.models.workers import work_through
from workbench.progress import progress

if TYPE_CHECKING:
    from workbench.store import Store

__all__ = ["Caller", "Outcome", "Request", "call_key"]

Done = tuple[Outcome, list[dict[str, Any]]]  # an outcome, and the ledger's rows of its attempts
_GIVE_UP_AFTER = 8  # failed calls in a row: the server is gone, and 1,000 calls would wait for it


class Caller:
    """Asks a model, and keeps every attempt as a row of `llm_calls` in `store` (None: nowhere).

    `workers` calls run at once (default: as the model says). A call is tried again up to `retries`
    times: after a failure with a growing pause, after a cut reply with twice the length, after a
    reply that cannot be used once, with what was wrong. `deadline` is in seconds for one request
    with all its tries. The templates' `again` is the prompt of a second try.
    """

    def __init__(
        self,
        model: LanguageModel,
        store: Store | None = None,
        run: str = "",
        workers: int | None = None,
        retries: int = 2,
        deadline: float | None = 900.0,
        templates: dict[str, str] | None = None,
    ) -> None:
        self.model, self.workers = model, workers or model.workers
        self.retries, self.deadline = retries, deadline
        self._ledger = Ledger(store, model.name, run)
        self._again = (templates or load_templates())["again"]
        self._tally = Tally()
        self._checked = False

    def ask_all(self, requests: Sequence[Request], description: str = "asking") -> list[Outcome]:
        """Give one outcome a request, in order: known replies served, equal requests asked once.

        Every finished call is in the ledger when this returns, also by Ctrl-C, which it lets
        through within 2 s. Raises ModelUnavailable when no call can succeed and ReplayMiss when a
        recording of a model lacks a reply; what was finished before is kept then, too.
        """
        keys = [call_key(self.model, request) for request in requests]
        jobs: dict[str, Request] = {}
        for key, request in zip(keys, requests, strict=True):
            jobs.setdefault(key, request)
        outcomes: dict[str, Outcome] = {}
        known, tried = self._ledger.known(list(jobs))
        for key, row in known.items():
            outcome = self._served(key, jobs[key], row)
            if outcome is not None:
                outcomes[key] = outcome
        left = {key: request for key, request in jobs.items() if key not in outcomes}
        if left:
            self._check()
            self._ask(left, tried, outcomes, description)
        return self._in_order(keys, requests, outcomes)

    def usage(self) -> pd.DataFrame:
        """Give what was asked so far by task; see `Tally.frame` for the columns."""
        return self._tally.frame()

    def _in_order(
        self, keys: list[str], requests: Sequence[Request], outcomes: dict[str, Outcome]
    ) -> list[Outcome]:
        """Give an outcome a request; the second of two equal ones is a known one."""
        result, seen = [], set()
        for key, request in zip(keys, requests, strict=True):
            outcome = outcomes[key]
            if key in seen or outcome.cached:
                self._tally.cached(request.task)
            if key in seen or request != outcome.request:
                outcome = replace(outcome, request=request, cached=True, attempts=0)
            seen.add(key)
            result.append(outcome)
        return result

    def _served(self, key: str, request: Request, row: dict[str, Any]) -> Outcome | None:
        """Give the outcome of a reply in the ledger; None when it cannot be read any more."""
        text = str(row.pop("reply"))
        reply = reply_of(text, request.json_schema(), **row)
        parsed, fault = validate_reply(reply, request.schema)
        if fault:
            return None
        note = getattr(self.model, "note", None)
        if note is not None:  # a recording holds what the ledger has served, too
            note(request, request.prompt, reply)
        return Outcome(request, key, reply, parsed, "ok", cached=True, repaired=reply.repaired)

    def _ask(
        self,
        jobs: dict[str, Request],
        tried: dict[str, int],
        outcomes: dict[str, Outcome],
        description: str,
    ) -> None:
        failed: list[str] = []  # errors of the last calls, all of which failed
        served = getattr(self.model, "by_hand", False)  # a file with gaps is no server that is gone

        def ask(job: tuple[str, Request], stop: threading.Event) -> Done:
            if len(failed) >= _GIVE_UP_AFTER and not served:
                raise ModelUnavailable(
                    f"{len(failed)} calls in a row failed ({failed[-1]}): what was finished is "
                    "kept; start again when the model answers."
                )
            done = self._ask_one(*job, tried.get(job[0], 0), stop)
            if done[0].status == "failed":
                failed.append(done[0].error)
            else:
                failed.clear()
            return done

        def keep(done: list[Done]) -> None:
            self._ledger.write([row for _, rows in done for row in rows])
            for outcome, rows in done:
                outcomes[outcome.key] = outcome
                self._tally.asked(outcome.request.task, outcome.status, outcome.repaired, rows)

        shown = 0
        with progress([], description, total=len(jobs), unit="call") as bar:

            def show() -> None:
                nonlocal shown
                done = sum(1 for key in jobs if key in outcomes) if not bar.disable else 0
                bar.set_postfix_str(f"{self._tally.tokens:,} tokens", refresh=False)
                bar.update(done - shown)
                shown = done

            work_through(list(jobs.items()), ask, keep, show, workers=self.workers)

    def _check(self) -> None:
        if not self._checked:
            self.model.check()
            self._checked = True

    def _ask_one(self, key: str, request: Request, tried: int, stop: threading.Event) -> Done:
        asking = Asking(self.model, key, request, self._again, tried, stop)
        return asking.until_good(self.retries, self.deadline), asking.rows
