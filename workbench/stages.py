"""Names of steps in, the seconds that each took out."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator


class Stages:
    """Tells a listener of each stage as it first begins, and adds up the seconds of each."""

    def __init__(self, listener: Callable[[str], None] | None = None) -> None:
        self.seconds: dict[str, float] = {}
        self._listener = listener

    @contextlib.contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Time a stage: `with stages("chunk"):`."""
        if self._listener is not None and name not in self.seconds:
            self._listener(name)
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start
