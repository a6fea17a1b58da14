"""A real HTTP server on loopback that speaks Ollama's protocol, and misbehaves when told to.

`FaultServer(answer)` serves /api/chat (streaming and not), /api/tags, /api/show and /api/version.
`answer(body) -> Answer` gives what the model would say; behind it may stand a real model (see
`pass_through`). `faults` is a list of names of FAULTS, one for each chat call, used up in order;
`requests` keeps the bodies of all chat calls.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

GOOD = json.dumps({"entities": [{"name": "Docker", "type": "technology", "description": "a tool"}]})
MODEL = "tiny:latest"


@dataclass(frozen=True)
class Answer:
    """What a model says, and the counts and the reason that go with it."""

    text: str
    done_reason: str = "stop"
    prompt_tokens: int = 20
    completion_tokens: int = 10


# Faults of the reply: the protocol is kept, the text is not what was asked for.
TEXTS: dict[str, Answer] = {
    "truncated": Answer(GOOD[:-2] + ', {"name": "Kuber'),
    "fenced": Answer(f"Here you are:\n```json\n{GOOD}\n```\nAnything else?"),
    "prose": Answer("Docker is a technology, and I like it very much."),
    "empty": Answer(""),
    "wrong_keys": Answer('{"entities": [{"entity": "Docker", "kind": "technology"}]}'),
    "many": Answer(
        json.dumps({"entities": [{"name": f"E{n}", "type": "concept"} for n in range(5000)]})
    ),
    "think": Answer(f'<think>Is it {{"entities": []}}? No.</think>\n{GOOD}'),
    "length": Answer(GOOD[:20], done_reason="length"),
}
# Faults of the server: no whole reply comes.
BREAKS = ("500", "404", "reset", "silence", "drip", "no_schema", "no_json", "half_close")
FAULTS = (*TEXTS, *BREAKS)


class FaultServer(ThreadingHTTPServer):
    """Use it as a context manager; `url` is its address."""

    daemon_threads = True

    def __init__(
        self,
        answer: Callable[[dict[str, Any]], Answer] = lambda body: Answer(GOOD),
        *,
        faults: tuple[str, ...] = (),
        delay: float = 0.0,
        context_length: int = 4096,
        capabilities: tuple[str, ...] = ("completion",),
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer, self.faults, self.delay = answer, list(faults), delay
        self.context_length, self.capabilities = context_length, capabilities
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.ended = threading.Event()
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> FaultServer:
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self.ended.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients hang up in these tests; that is no news."""


class _Handler(BaseHTTPRequestHandler):
    server: FaultServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments: object) -> None:
        pass

    def do_GET(self) -> None:
        self.server.paths.append(self.path)
        if self.path == "/api/version":
            self._json({"version": "0.12.0"})
        elif self.path == "/api/tags":
            self._json({"models": [{"name": MODEL, "model": MODEL}]})
        else:
            self._json({"error": "not found"}, 404)

    def do_POST(self) -> None:
        self.server.paths.append(self.path)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if body.get("model") not in (MODEL, MODEL.split(":")[0]):
            self._json({"error": f"model '{body.get('model')}' not found"}, 404)
        elif self.path == "/api/show":
            self._json(
                {
                    "details": {"family": "tiny", "quantization_level": "Q4_1"},
                    "model_info": {"tiny.context_length": self.server.context_length},
                    "capabilities": list(self.server.capabilities),
                }
            )
        else:
            self._chat(body)

    def _chat(self, body: dict[str, Any]) -> None:
        server = self.server
        with server.lock:
            server.requests.append(body)
            fault = server.faults.pop(0) if server.faults else ""
        if server.delay and server.ended.wait(server.delay):
            return
        if fault == "500":
            self._json({"error": "runner process has terminated"}, 500)
        elif fault == "404":
            self._json({"error": "model 'tiny' not found"}, 404)
        elif fault == "no_schema" and isinstance(body.get("format"), dict):
            server.faults.insert(0, fault)  # it never learns
            self._json({"error": "cannot unmarshal object into field format of type string"}, 400)
        elif fault == "no_json" and body.get("format"):
            server.faults.insert(0, fault)
            self._json({"error": "format is not supported"}, 400)
        elif fault == "silence":
            server.ended.wait(30)
        else:
            answer = TEXTS.get(fault) or server.answer(body)
            self._parts(body, answer, fault)

    def _parts(self, body: dict[str, Any], answer: Answer, fault: str) -> None:
        """Send the answer as Ollama does: one JSON line a piece, or one object."""
        head = {"model": body["model"], "created_at": "2026-01-01T00:00:00Z"}
        end = {
            "done": True,
            "done_reason": answer.done_reason,
            "prompt_eval_count": answer.prompt_tokens,
            "eval_count": answer.completion_tokens,
        }
        if body.get("stream") is False:
            message = {"role": "assistant", "content": answer.text}
            self._json({**head, "message": message, **end})
            return
        pieces = [answer.text[at : at + 4000] for at in range(0, len(answer.text), 4000)]
        if len(answer.text) < 4000 and answer.text:
            middle = len(answer.text) // 2
            pieces = [answer.text[:middle], answer.text[middle:]]
        lines = [
            {**head, "message": {"role": "assistant", "content": piece}, "done": False}
            for piece in pieces
        ]
        last = {**head, "message": {"role": "assistant", "content": ""}, **end}
        self._stream([json.dumps(line).encode() + b"\n" for line in [*lines, last]], fault)

    def _stream(self, lines: list[bytes], fault: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if fault == "drip":
            for byte in b"".join(lines):
                if self.server.ended.wait(0.05):
                    return
                self._chunk(bytes([byte]))
            return
        for line in lines[:-1]:
            self._chunk(line)
            if fault == "reset":
                self._reset()
                return
        if fault != "half_close":  # the answer ends without its last line
            self._chunk(lines[-1])
        self.wfile.write(b"0\r\n\r\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _reset(self) -> None:
        """Close with RST instead of FIN, as a process that dies does."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def _json(self, value: dict[str, Any], status: int = 200) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def pass_through(address: str) -> Callable[[dict[str, Any]], Answer]:
    """Give an `answer` function that asks an OpenAI-speaking server (llama.cpp's own)."""
    import httpx

    def answer(body: dict[str, Any]) -> Answer:
        options = body.get("options", {})
        asked: dict[str, Any] = {
            "messages": body["messages"],
            "max_tokens": options.get("num_predict", 64),
            "temperature": options.get("temperature", 0),
            "seed": options.get("seed", 7),
        }
        if isinstance(body.get("format"), dict):
            form = {"name": "reply", "schema": body["format"]}
            asked["response_format"] = {"type": "json_schema", "json_schema": form}
        found = httpx.post(f"{address}/chat/completions", json=asked, timeout=120).json()
        choice, usage = found["choices"][0], found["usage"]
        return Answer(
            choice["message"]["content"],
            choice["finish_reason"],
            usage["prompt_tokens"],
            usage["completion_tokens"],
        )

    return answer


if __name__ == "__main__":  # a slow server for the test of interrupts: prints its address
    import sys

    with FaultServer(delay=float(sys.argv[1])) as slow:
        sys.stdout.write(slow.url + "\n")
        sys.stdout.flush()
        time.sleep(60)
