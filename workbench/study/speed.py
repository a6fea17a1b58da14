"""Calls that were made in, how fast a model is and how long its replies are out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.corpus.tokens import count_tokens

if TYPE_CHECKING:
    from workbench.models.calls import Outcome
    from workbench.store import Store

PROMPT_ADVANTAGE = 10  # a prompt is read so many times faster than a reply is written, if unknown
_FEW = 5  # calls from which two speeds can be told apart


@dataclass(frozen=True)
class Speed:
    """Tokens a second, read in a prompt and written in a reply, for one call at a time.

    `replies` holds the mean tokens of a reply by task, `ratio` how many tokens the model makes of
    a prompt for one of o200k_base, `calls` from how many calls all that is known (0: given).
    """

    prompt: float
    completion: float
    replies: Mapping[str, float] = field(default_factory=dict)
    ratio: float = 1.0
    calls: int = 0

    def seconds(self, prompt_tokens: float, completion_tokens: float) -> float:
        """Give the time of calls one after the other; prompt tokens as o200k_base counts them.

        >>> Speed(prompt=500, completion=50).seconds(1000, 100)
        4.0
        """
        return prompt_tokens * self.ratio / self.prompt + completion_tokens / self.completion


def given_speed(tokens: float, prompt_tokens: float | None = None) -> Speed:
    """Give the speed that somebody tells: tokens a second of replies, and of prompts if known."""
    return Speed(prompt_tokens or PROMPT_ADVANTAGE * tokens, tokens)


def ledger_speed(store: Store, model: str) -> Speed | None:
    """Give the speed of a model's past calls in a store's ledger; None when there are none."""
    calls = store.sql(
        "SELECT task, prompt, prompt_tokens, completion_tokens, seconds, status FROM llm_calls "
        "WHERE model = ? AND status <> 'failed' ORDER BY key, attempt",
        [model],
    )
    return measured_speed(calls)


def outcome_speed(outcomes: Sequence[Outcome]) -> Speed | None:
    """Give the speed of calls that were just made; None when no reply came."""
    rows = [
        {
            "task": one.request.task,
            "prompt": one.request.prompt,
            "prompt_tokens": one.reply.prompt_tokens,
            "completion_tokens": one.reply.completion_tokens,
            "seconds": one.reply.seconds,
            "status": one.status,
        }
        for one in outcomes
        if one.reply is not None
    ]
    return measured_speed(pd.DataFrame(rows)) if rows else None


def measured_speed(calls: pd.DataFrame) -> Speed | None:
    """Fit both speeds to calls: task, prompt, prompt_tokens, completion_tokens, seconds, status.

    Non-negative least squares of seconds over the two numbers of tokens; of fewer than 5 calls, or
    when they do not tell the two apart, one speed, prompts being read 10 times faster. Calls
    without counts or time (replies written by hand) tell nothing.
    """
    calls = calls.dropna(subset=["prompt_tokens", "completion_tokens"])
    calls = calls[(calls["seconds"] > 0) & (calls["completion_tokens"] > 0)]
    if calls.empty:
        return None
    tokens = calls[["prompt_tokens", "completion_tokens"]].to_numpy(dtype=float)
    seconds = calls["seconds"].to_numpy(dtype=float)
    rates = _two_rates(tokens, seconds)
    if rates is None:
        weighted = tokens[:, 0].sum() / PROMPT_ADVANTAGE + tokens[:, 1].sum()
        each = seconds.sum() / weighted
        rates = (each / PROMPT_ADVANTAGE, each)
    ours = sum(count_tokens(prompt) for prompt in calls["prompt"])
    good = calls[calls["status"] == "ok"].groupby("task")["completion_tokens"].mean()
    return Speed(
        1 / rates[0],
        1 / rates[1],
        {str(task): float(mean) for task, mean in good.items()},
        float(tokens[:, 0].sum() / ours) if ours else 1.0,
        len(calls),
    )


def _two_rates(tokens: np.ndarray, seconds: np.ndarray) -> tuple[float, float] | None:
    """Give the seconds a token of prompts and of replies; None when both cannot be told."""
    if len(tokens) < _FEW:
        return None
    from scipy.optimize import nnls

    rates, _ = nnls(tokens, seconds)
    return (float(rates[0]), float(rates[1])) if (rates > 0).all() else None
