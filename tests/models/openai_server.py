"""A small HTTP server that speaks OpenAI's chat protocol as a test's function tells it to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

GOOD = json.dumps({"entities": [{"name": "Docker", "type": "technology", "description": "a tool"}]})


def completion(text: str | None = GOOD, reason: str = "stop") -> dict[str, Any]:
    return {
        "choices": [{"message": {"content": text}, "finish_reason": reason}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 10},
    }


class OpenAIServer(ThreadingHTTPServer):
    """`answer(body)` gives a status and a JSON value, or just a value; `requests` keeps bodies."""

    daemon_threads = True

    def __init__(
        self,
        answer: Callable[[dict[str, Any]], Any] = lambda body: completion(),
        *,
        models: Any = ({"id": "tiny", "max_model_len": 4096},),
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer, self.models = answer, models
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def __enter__(self) -> OpenAIServer:
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: OpenAIServer

    def log_message(self, *arguments: object) -> None:
        pass

    def do_GET(self) -> None:
        self.server.keys.append(self.headers.get("Authorization"))
        if self.server.models is None:
            self._send(404, {"error": "no such page"})
        else:
            self._send(200, {"data": list(self.server.models)})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(body)
        self.server.keys.append(self.headers.get("Authorization"))
        answer = self.server.answer(body)
        self._send(*(answer if isinstance(answer, tuple) else (200, answer)))

    def _send(self, status: int, value: Any) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
