"""Models for tests: what a function answers, at once and without a server."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from workbench.models.language import Reply, reply_of


class FunctionModel:
    """Answers `function(prompt)`: a text, or an exception to raise; keeps prompts and lengths."""

    def __init__(
        self,
        function: Callable[[str], str | Exception],
        *,
        name: str = "fake/function",
        workers: int = 1,
        context_window: int = 8192,
    ) -> None:
        self.function, self.name, self.workers = function, name, workers
        self.context_window = context_window
        self.prompts: list[str] = []
        self.lengths: list[int] = []
        self._lock = threading.Lock()

    def check(self) -> None:
        pass

    def generate(
        self, prompt: str, *, schema: Any = None, max_tokens: int, **options: Any
    ) -> Reply:
        with self._lock:
            self.prompts.append(prompt)
            self.lengths.append(max_tokens)
        answer = self.function(prompt)
        if isinstance(answer, Exception):
            raise answer
        return reply_of(
            answer,
            schema,
            prompt_tokens=len(prompt.split()),
            completion_tokens=len(answer.split()),
            seconds=0.0,
            finish_reason="stop",
        )


class QueueModel(FunctionModel):
    """Gives the answers of a list, one a call."""

    def __init__(self, answers: list[str | Exception], **options: Any) -> None:
        left = list(answers)
        super().__init__(lambda prompt: left.pop(0), **options)
