"""What this machine has; a server that is named but does not answer; one that does."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import duckdb
import pytest
from typer.testing import CliRunner

from workbench.cli import app
from workbench.study.doctor import doctor


@pytest.fixture
def server() -> Iterator[str]:
    """A server of the OpenAI protocol that lists two models."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"data": [{"id": "small"}, {"id": "large"}]}).encode()
            self.send_response(200 if self.path == "/v1/models" else 404)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}/v1"
        running.shutdown()


def test_doctor_tells_versions_models_and_servers(
    monkeypatch: pytest.MonkeyPatch, server: str
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")  # the port that discards
    monkeypatch.setenv("OPENAI_BASE_URL", server)
    state = doctor().set_index("name")
    assert state.loc["duckdb", "state"] == duckdb.__version__
    assert state.loc["embedder", "state"].endswith("384 numbers, works")
    assert state.loc["DuckDB vss", "state"] == "loads"
    assert state.loc["Ollama", "state"].startswith("does not answer")
    assert "ollama serve" in state.loc["Ollama", "remedy"]
    assert state.loc["OpenAI protocol", "state"] == "answers: large, small"
    assert state["ok"].all()


def test_the_command_prints_json_and_never_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    result = CliRunner().invoke(app, ["doctor", "--json"])
    assert result.exit_code == 0, result.output
    assert "sk-secret" not in result.output
    assert {row["part"] for row in json.loads(result.stdout)["doctor"]} == {
        "software", "machine", "models", "extras", "servers",
    }  # fmt: skip
