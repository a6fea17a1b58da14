"""A prompt in, a Reply out, from any server that speaks OpenAI's chat protocol, over httpx."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable
from typing import Any, Unpack

import httpx

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
from workbench.models.watch import Refused, Watch, Ways, is_local, shown_host

Form = Callable[[Schema], dict[str, Any]] | None  # how the shape of the reply is asked for
_WINDOW_KEYS = ("max_model_len", "loaded_context_length", "context_length", "n_ctx")
_UNKNOWN_WINDOW = 8192
_LENGTH_KEYWORDS = ("maxLength", "maxItems", "minimum", "maximum")  # not every strict mode has them


class OpenAIModel:
    """A model behind `base_url` (else OPENAI_BASE_URL, else api.openai.com).

    The key is read from OPENAI_API_KEY for each call, and kept neither here nor in any message.
    `context_window` is asked of the server; give it when the server does not tell (then 8192).
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None = None,
        context_window: int | None = None,
        workers: int | None = None,
        timeout: float = 600.0,
    ) -> None:
        self.name, self._model, self._window = f"openai/{name}", name, context_window
        url = base_url or os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com/v1"
        if not url.startswith(("http://", "https://")):
            raise InputError(f"OPENAI_BASE_URL {url!r} is no address: give http://HOST:PORT/v1.")
        self._host = shown_host(url)
        self.workers = workers or (1 if is_local(url) else 4)
        self._watch = Watch()
        self._client = httpx.Client(
            base_url=url,
            timeout=httpx.Timeout(timeout, connect=min(10.0, timeout)),
            event_hooks=self._watch.hooks,
        )
        self._formats = Ways([_strict, _lean, _any_object, None])
        self._length_name, self._refused_options = "max_tokens", set[str]()

    @property
    def context_window(self) -> int:
        """Tokens of prompt and reply together, as given, else as the server tells, else 8192."""
        if self._window is not None:
            return self._window
        mine = next((one for one in self._listed if one.get("id") == self._model), None)
        told = mine or (self._listed[0] if len(self._listed) == 1 else {})
        found = {**(told.get("meta") or {}), **told}
        return next((int(found[key]) for key in _WINDOW_KEYS if found.get(key)), _UNKNOWN_WINDOW)

    def check(self) -> None:
        """Raise ModelUnavailable unless the server answers and has the model, if it lists any."""
        names = [str(one.get("id")) for one in self._listed]
        if len(names) > 1 and self._model not in names:  # one only: it answers to any name
            raise ModelUnavailable(
                f"The server at {self._host} has no model {self._model!r}: choose one of "
                f"{', '.join(sorted(names)[:8])}."
            )

    @functools.cached_property
    def _listed(self) -> list[dict[str, Any]]:
        """What the server lists under /models; nothing when it has no such list."""
        try:
            with self._watch.within(30.0, None):
                answer = self._client.get("models", headers=self._headers())
        except ReplyFailed as error:
            raise ModelUnavailable(
                f"No server answers at {self._host} ({error.reason}): start it, or set "
                "OPENAI_BASE_URL."
            ) from error
        if answer.status_code in (401, 403):
            raise self._no_entry(answer)
        try:
            listed = answer.json().get("data") if answer.is_success else []
        except (ValueError, AttributeError):
            return []
        return [one for one in listed or [] if isinstance(one, dict)]

    def generate(self, prompt: str, *, schema: Schema | None = None, **how: Unpack[How]) -> Reply:
        """Ask once; see `LanguageModel.generate`."""
        body = {
            "model": self._model,
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": how["max_tokens"],
            **sampling(how),
        }
        begin = time.monotonic()

        def send(form: Form) -> dict[str, Any]:
            asked = {"response_format": form(schema)} if form and schema else {}
            with self._watch.within(how.get("deadline"), how.get("stop")):
                return self._post(body | asked, bool(asked))

        answer = send(None) if schema is None else self._formats.use(send)
        choice, usage = (answer["choices"] or [{}])[0], answer.get("usage") or {}
        message, reason = choice.get("message") or {}, str(choice.get("finish_reason") or "stop")
        if reason == "content_filter" or message.get("refusal"):
            raise ReplyFailed("The server refused the content.", "content_filter", again=False)
        return reply_of(
            message.get("content") or "",
            schema,
            prompt_tokens=usage.get("prompt_tokens"),
            completion_tokens=usage.get("completion_tokens"),
            seconds=time.monotonic() - begin,
            finish_reason=reason,
        )

    def _post(self, body: dict[str, Any], with_format: bool) -> dict[str, Any]:
        sent = {key: value for key, value in body.items() if key not in self._refused_options}
        sent[self._length_name] = sent.pop("max_tokens")
        answer = self._client.post("chat/completions", json=sent, headers=self._headers())
        if answer.is_success:
            try:
                found = answer.json()
            except ValueError:
                found = None
            if isinstance(found, dict) and "choices" in found:
                return found
            raise ReplyFailed("The server's answer was garbled.", "garbled")
        if answer.status_code == 400 and self._learn(answer.text):
            return self._post(body, with_format)
        raise self._failure(answer, with_format)

    def _learn(self, complaint: str) -> bool:
        """Remember which option a server does not take; say whether there was a new one."""
        if "max_completion_tokens" in complaint and self._length_name == "max_tokens":
            self._length_name = "max_completion_tokens"
            return True
        for option in ("temperature", "seed"):
            if f"'{option}'" in complaint and option not in self._refused_options:
                self._refused_options.add(option)
                return True
        return False

    def _failure(self, answer: httpx.Response, with_format: bool) -> Exception:
        status = answer.status_code
        if status in (401, 403):
            return self._no_entry(answer)
        message = self._without_key(_message(answer))
        if status == 404:
            return ModelUnavailable(
                f"The server at {self._host} has no model {self._model!r} ({message}): check the "
                "name and OPENAI_BASE_URL."
            )
        failure = ReplyFailed(
            f"The server answered with an error ({status}): {message}",
            f"http {status}",
            again=status >= 500 or status in (408, 429),
            after=_seconds(answer.headers.get("retry-after")),
        )
        about_schema = any(word in message.lower() for word in ("grammar", "schema", "format"))
        refused = with_format and (status in (400, 422, 501) or about_schema)
        return Refused(failure) if refused else failure

    def _no_entry(self, answer: httpx.Response) -> ModelUnavailable:
        state = "is refused" if os.environ.get("OPENAI_API_KEY") else "is not set"
        return ModelUnavailable(
            f"The server at {self._host} does not let us in ({answer.status_code}): the key in "
            f"OPENAI_API_KEY {state}."
        )

    @staticmethod
    def _headers() -> dict[str, str]:
        key = os.environ.get("OPENAI_API_KEY", "").strip()
        return {"Authorization": f"Bearer {key}"} if key else {}

    @staticmethod
    def _without_key(message: str) -> str:
        key = os.environ.get("OPENAI_API_KEY", "").strip()
        return message.replace(key, "(key)") if key else message


def _strict(schema: Schema) -> dict[str, Any]:
    return {
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": True, "schema": schema},
    }


def _lean(schema: Schema) -> dict[str, Any]:
    return _strict(_without(schema, _LENGTH_KEYWORDS))


def _any_object(schema: Schema) -> dict[str, Any]:
    return {"type": "json_object"}


def _without(schema: Any, keywords: tuple[str, ...]) -> Any:
    if isinstance(schema, dict):
        return {k: _without(v, keywords) for k, v in schema.items() if k not in keywords}
    return [_without(part, keywords) for part in schema] if isinstance(schema, list) else schema


def _message(answer: httpx.Response) -> str:
    """Give what the server says of an error, at most 300 characters."""
    try:
        found = answer.json()
        error = found.get("error", found)
        text = error.get("message", error) if isinstance(error, dict) else error
    except (ValueError, AttributeError):
        text = answer.text
    return str(text).strip()[:300]


def _seconds(text: str | None) -> float:
    """Read a Retry-After header in seconds, at most a minute; a date counts as nothing."""
    try:
        return min(60.0, max(0.0, float(text or 0)))
    except ValueError:
        return 0.0
