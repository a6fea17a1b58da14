"""A prompt in, a Reply out, by Ollama's official client: context and reply sized to the task."""

from __future__ import annotations

import functools
import json
import time
from typing import Any, Unpack

import httpx

from workbench.corpus.tokens import count_tokens
from workbench.errors import InputError
from workbench.models.language import (
    How,
    ModelUnavailable,
    Reply,
    ReplyCut,
    ReplyFailed,
    Schema,
    reply_of,
    sampling,
)
from workbench.models.watch import Refused, Watch, Ways, shown_host

_TEMPLATE_TOKENS = 64  # what a chat template adds to a prompt, at most
_TOKENIZER_SPREAD = 1.5  # other vocabularies cut a text into up to that many times our tokens
_LEAST_CONTEXT = 2048
_SCHEMA_WORDS = ("grammar", "schema", "format")


class OllamaModel:
    """A model of an Ollama server (`host`, else OLLAMA_HOST, else this machine's port 11434).

    `context_window` bounds the memory: the model's own window counts when it is smaller. The
    context asked for grows in powers of two with the prompts, since Ollama loads a model anew for
    each size. `timeout` is the silence in seconds after which a call fails.
    """

    def __init__(
        self,
        name: str,
        *,
        host: str | None = None,
        context_window: int = 16_384,
        workers: int = 1,
        timeout: float = 300.0,
    ) -> None:
        import ollama

        self.name, self._model, self.workers = f"ollama/{name}", name, workers
        self._largest_context, self._num_ctx = context_window, _LEAST_CONTEXT
        self._watch = Watch()
        self._formats = Ways(["schema", "json", None])
        try:
            self._client = ollama.Client(
                host=host,
                timeout=httpx.Timeout(timeout, connect=min(10.0, timeout)),
                event_hooks=self._watch.hooks,
            )
        except ValueError as error:
            raise InputError(
                f"OLLAMA_HOST {shown_host(str(host))!r} is no address: give http://HOST:PORT."
            ) from error
        self._host = shown_host(str(self._client._client.base_url))

    @property
    def context_window(self) -> int:
        """Tokens of prompt and reply together: the model's own window, or the bound if smaller."""
        lengths = [
            int(value)
            for key, value in (self._shown.get("model_info") or {}).items()
            if key.endswith(".context_length") and value
        ]
        return min([self._largest_context, *lengths])

    @property
    def quantisation(self) -> str:
        """How the weights are stored, as the server says, like Q4_K_M."""
        return str((self._shown.get("details") or {}).get("quantization_level") or "")

    def check(self) -> None:
        """Raise ModelUnavailable unless the server answers and has the model."""
        _ = self._shown

    @functools.cached_property
    def _shown(self) -> dict[str, Any]:
        """What the server tells of the model; asked once, within 30 s."""
        try:
            with self._watch.within(30.0, None):
                return self._client.show(self._model).model_dump(by_alias=True)
        except self._errors as error:
            raise self._unavailable(error) from error

    @property
    def _errors(self) -> tuple[type[Exception], ...]:
        import ollama

        return (ollama.ResponseError, ConnectionError, ReplyFailed, ValueError)

    def _unavailable(self, error: Exception) -> ModelUnavailable:
        if getattr(error, "status_code", None) == 404:
            return ModelUnavailable(
                f"Ollama at {self._host} has no model {self._model!r}: "
                f"fetch it with `ollama pull {self._model}`."
            )
        return ModelUnavailable(
            f"Ollama does not answer at {self._host} ({type(error).__name__}): start it with "
            "`ollama serve`, or set OLLAMA_HOST."
        )

    def generate(self, prompt: str, *, schema: Schema | None = None, **how: Unpack[How]) -> Reply:
        """Ask once; see `LanguageModel.generate`."""
        options = {
            "num_ctx": self._context_for(prompt, how["max_tokens"]),
            "num_predict": how["max_tokens"],
            **sampling(how),
        }
        begin = time.monotonic()

        def send(form: str | None) -> tuple[str, Any]:
            with self._watch.within(how.get("deadline"), how.get("stop")):
                return self._chat(prompt, options, schema if form == "schema" else form)

        text, last = send(None) if schema is None else self._formats.use(send)
        reply = reply_of(
            text,
            schema,
            prompt_tokens=last.prompt_eval_count,
            completion_tokens=last.eval_count,
            seconds=time.monotonic() - begin,
            finish_reason=last.done_reason or "stop",
        )
        used = (last.prompt_eval_count or 0) + (last.eval_count or 0)
        if used >= options["num_ctx"]:
            raise ReplyCut(f"Prompt and reply filled the context of {used} tokens.", reply)
        return reply

    def _context_for(self, prompt: str, max_tokens: int) -> int:
        """Give num_ctx, which holds prompt and reply: Ollama would cut a prompt silently."""
        tokens = count_tokens(prompt)
        largest = self.context_window
        if tokens + max_tokens > largest:
            raise ReplyFailed(
                f"A prompt of about {tokens} tokens and a reply of {max_tokens} exceed the context "
                f"window of {largest} tokens of {self.name}: give smaller chunks or a larger "
                "context_window.",
                "context",
                again=False,
            )
        needed = int(tokens * _TOKENIZER_SPREAD) + _TEMPLATE_TOKENS + max_tokens
        self._num_ctx = min(largest, max(self._num_ctx, 1 << (needed - 1).bit_length()))
        return self._num_ctx

    def _chat(self, prompt: str, options: dict[str, Any], form: Any) -> tuple[str, Any]:
        """Give the text and the last part, which holds the counts."""
        import ollama
        from pydantic import ValidationError

        asked: dict[str, Any] = {"format": form} if form else {}
        if "thinking" in (self._shown.get("capabilities") or []):
            asked["think"] = False
        texts, part = [], None
        try:
            for part in self._client.chat(
                model=self._model,
                messages=[{"role": "user", "content": prompt}],
                options=options,
                stream=True,
                **asked,
            ):
                texts.append(part.message.content or "")
        except ollama.ResponseError as error:
            raise self._failure(error, form) from error
        except ConnectionError as error:
            raise ReplyFailed(
                f"Ollama does not answer at {self._host}: is it still running?", "connection"
            ) from error
        except (json.JSONDecodeError, ValidationError, UnicodeDecodeError) as error:
            raise ReplyFailed("Ollama's answer was garbled.", "garbled") from error
        if part is None or not part.done:
            raise ReplyFailed("Ollama's answer broke off before its end.", "connection")
        return "".join(texts), part

    def _failure(self, error: Any, form: Any) -> Exception:
        status, message = error.status_code, str(error.error)[:300]
        if status == 404:
            return self._unavailable(error)
        failure = ReplyFailed(
            f"Ollama answered with an error ({status}): {message}",
            f"http {status}",
            again=status >= 500 or status in (-1, 408, 429),
        )
        about_schema = any(word in message.lower() for word in _SCHEMA_WORDS)
        if form and (status in (400, 422, 501) or about_schema):
            return Refused(failure)
        return failure
