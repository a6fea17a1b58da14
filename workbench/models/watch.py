"""A deadline in, HTTP answers that keep it out; and JSON asked for in the way a server takes."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx

from workbench.models.language import ReplyFailed

T = TypeVar("T")
_LEAST = 0.05  # seconds: httpx takes 0 for "at once"


class Watch:
    """Hooks for an httpx client: each piece of an answer is let through only while time is left.

    httpx times out on silence only; a server that drips a byte a second would hold a call for
    ever. `within` sets the deadline for the calls of the thread that is in it.
    """

    def __init__(self) -> None:
        self._local = threading.local()
        self.hooks = {"request": [self._shorten], "response": [self._wrap]}

    @contextlib.contextmanager
    def within(self, deadline: float | None, stop: Callable[[], bool] | None) -> Iterator[None]:
        """Raise ReplyFailed from httpx calls after `deadline` seconds, or once `stop()` is true."""
        end = None if deadline is None else time.monotonic() + deadline
        self._local.limits = (end, deadline, stop)
        try:
            yield
        except httpx.TimeoutException as error:
            self.check()  # a read shortened to the deadline is the deadline's fault
            raise ReplyFailed(
                f"The server was silent for too long ({type(error).__name__}): "
                "give a longer time-out, or a smaller model.",
                "time-out",
            ) from error
        except httpx.TransportError as error:
            raise ReplyFailed(
                f"The connection broke off ({type(error).__name__}): is the server still running?",
                "connection",
            ) from error
        finally:
            self._local.limits = (None, None, None)

    def check(self) -> None:
        """Raise ReplyFailed when the time is over or the call is no longer wanted."""
        end, deadline, stop = getattr(self._local, "limits", (None, None, None))
        if stop is not None and stop():
            raise ReplyFailed("The call was stopped.", "stopped", again=False)
        if end is not None and time.monotonic() >= end - _LEAST:
            raise ReplyFailed(
                f"The reply was not whole after {deadline:.1f} s: give a longer deadline, "
                "or a smaller model.",
                "deadline",
                again=False,
            )

    def _shorten(self, request: httpx.Request) -> None:
        self.check()
        end = getattr(self._local, "limits", (None, None, None))[0]
        timeouts = request.extensions.get("timeout")
        if end is not None and timeouts is not None:
            left = max(_LEAST, end - time.monotonic())
            request.extensions["timeout"] = {
                name: left if value is None else min(value, left)
                for name, value in timeouts.items()
            }

    def _wrap(self, response: httpx.Response) -> None:
        response.stream = _Checked(response.stream, self.check)


class _Checked(httpx.SyncByteStream):
    def __init__(self, stream: Any, check: Callable[[], None]) -> None:
        self._stream, self._check = stream, check

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._stream:
            self._check()
            yield piece

    def close(self) -> None:
        self._stream.close()


class Refused(Exception):
    """A server does not take what a request asks for."""

    def __init__(self, failure: ReplyFailed) -> None:
        super().__init__(str(failure))
        self.failure = failure


class Ways:
    """Ways to ask for the same thing, best first; the first that a server takes is remembered."""

    def __init__(self, ways: Sequence[Any]) -> None:
        self._ways, self._first = list(ways), 0

    def use(self, send: Callable[[Any], T]) -> T:
        """Give `send(way)` of the first way that is not Refused; else raise the first refusal."""
        refusal: Refused | None = None
        for at in range(self._first, len(self._ways)):
            try:
                answer = send(self._ways[at])
            except Refused as error:
                refusal = refusal or error
                continue
            self._first = max(self._first, at)
            return answer
        assert refusal is not None
        raise refusal.failure from None


def shown_host(url: str) -> str:
    """Give a URL for messages: without user, password and query.

    >>> shown_host("http://me:secret@example.org:8080/v1?key=1")
    'http://example.org:8080/v1'
    """
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{parts.path}"


def is_local(url: str) -> bool:
    """Say whether a URL names this machine."""
    host = urlsplit(url).hostname or ""
    return host in ("localhost", "::1", "0.0.0.0") or host.startswith("127.")  # noqa: S104
