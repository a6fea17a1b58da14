"""Servers that speak OpenAI's protocol: what is sent, what is learnt, and where the key stays."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from tests.models.openai_server import GOOD, OpenAIServer, completion
from workbench.errors import InputError
from workbench.models.calls import Caller, Request
from workbench.models.language import ModelUnavailable, ReplyCut, ReplyFailed
from workbench.models.llamacpp import LlamaCppModel
from workbench.models.openai import OpenAIModel
from workbench.models.schemas import ClassifyReply, EntitiesReply, ReportReply, json_schema
from workbench.store import Store

SCHEMA = json_schema(EntitiesReply)
KEY = "sk-very-secret-0123456789"


def test_request_and_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        model = OpenAIModel("tiny")
        reply = model.generate("Docker?", schema=SCHEMA, max_tokens=50)
        assert server.requests == [
            {
                "model": "tiny",
                "messages": [{"role": "user", "content": "Docker?"}],
                "max_tokens": 50,
                "temperature": 0.0,
                "seed": 7,
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
                },
            }
        ]
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == (GOOD, 20, 10)
    assert reply.parsed["entities"][0]["name"] == "Docker"
    assert (model.name, model.workers) == ("openai/tiny", 1)
    assert OpenAIModel("gpt-4o", base_url="https://api.example.org/v1").workers == 4


def test_refused_formats_are_tried_once_and_remembered() -> None:
    def only_object(body: dict[str, Any]) -> Any:
        if body.get("response_format", {}).get("type") == "json_schema":
            return 400, {"error": {"message": "response_format json_schema is not supported"}}
        return completion()

    with OpenAIServer(only_object) as server:
        model = OpenAIModel("tiny", base_url=server.url)
        for _ in range(2):
            assert model.generate("x", schema=SCHEMA, max_tokens=5).parsed is not None
        kinds = [body["response_format"]["type"] for body in server.requests]
    assert kinds == ["json_schema", "json_schema", "json_object", "json_object"]


def test_strict_mode_without_lengths_is_the_second_way() -> None:
    def no_lengths(body: dict[str, Any]) -> Any:
        if "maxLength" in str(body["response_format"]):
            return 400, {"error": {"message": "Invalid schema: 'maxLength' is not permitted."}}
        return completion()

    with OpenAIServer(no_lengths) as server:
        OpenAIModel("tiny", base_url=server.url).generate("x", schema=SCHEMA, max_tokens=5)
        sent = server.requests[1]["response_format"]["json_schema"]["schema"]
    assert "maxItems" not in str(sent)
    assert sent["properties"]["entities"]["items"]["required"] == ["name", "type", "description"]


def test_no_format_at_all_is_the_last_way() -> None:
    def none(body: dict[str, Any]) -> Any:
        return (400, {"error": "unknown field"}) if "response_format" in body else completion()

    with OpenAIServer(none) as server:
        model = OpenAIModel("tiny", base_url=server.url)
        model.generate("x", schema=SCHEMA, max_tokens=5)
        assert len(server.requests) == 4
        model.generate("x", schema=SCHEMA, max_tokens=5)
        assert len(server.requests) == 5


def test_bad_request_for_another_reason_is_reported_and_nothing_is_learnt() -> None:
    with OpenAIServer(lambda body: (400, {"error": {"message": "too hot"}})) as server:
        model = OpenAIModel("tiny", base_url=server.url)
        with pytest.raises(ReplyFailed, match=r"an error \(400\): too hot") as caught:
            model.generate("x", schema=SCHEMA, max_tokens=5)
        assert caught.value.again is False
        server.answer = lambda body: completion()
        model.generate("x", schema=SCHEMA, max_tokens=5)
        assert server.requests[-1]["response_format"]["type"] == "json_schema"


def test_options_that_a_server_does_not_take_are_left_out() -> None:
    def picky(body: dict[str, Any]) -> Any:
        if "max_tokens" in body:
            return 400, {"error": {"message": "Use 'max_completion_tokens' instead."}}
        if "temperature" in body:
            return 400, {"error": {"message": "Unsupported value: 'temperature'."}}
        return completion()

    with OpenAIServer(picky) as server:
        model = OpenAIModel("tiny", base_url=server.url)
        model.generate("x", max_tokens=5)
        model.generate("x", max_tokens=5)
        assert len(server.requests) == 4
        assert server.requests[-1].keys() == {"model", "messages", "seed", "max_completion_tokens"}


def test_length_is_an_error_and_refusals_are_failures() -> None:
    with OpenAIServer(lambda body: completion(GOOD[:9], "length")) as server:
        model = OpenAIModel("tiny", base_url=server.url)
        with pytest.raises(ReplyCut) as cut:
            model.generate("x", schema=SCHEMA, max_tokens=5)
        assert cut.value.reply.text == GOOD[:9]
        server.answer = lambda body: completion("", "content_filter")
        with pytest.raises(ReplyFailed, match="refused the content"):
            model.generate("x", max_tokens=5)
        server.answer = lambda body: completion(None)
        assert model.generate("x", max_tokens=5).text == ""


def test_rate_limit_says_how_long_to_wait_and_is_tried_again(no_pauses: None, store: Store) -> None:
    answers = [(429, {"error": {"message": "slow down"}}), completion()]
    with OpenAIServer(lambda body: answers.pop(0)) as server:
        model = OpenAIModel("tiny", base_url=server.url)
        [outcome] = Caller(model, store).ask_all([Request("entities", "x", EntitiesReply)])
    assert (outcome.status, outcome.attempts) == ("ok", 2)
    assert store.read("llm_calls")["finish_reason"].tolist() == ["http 429", "stop"]


def test_key_is_sent_and_appears_nowhere(
    monkeypatch: pytest.MonkeyPatch, store: Store, no_pauses: None
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def echo(body: dict[str, Any]) -> Any:
        return 500, {"error": {"message": f"could not reach the upstream with {KEY}"}}

    with OpenAIServer(echo) as server:
        model = OpenAIModel("tiny", base_url=server.url)
        [outcome] = Caller(model, store).ask_all([Request("entities", "x")])
        assert server.keys[-1] == f"Bearer {KEY}"
        server.answer = lambda body: (401, {"error": {"message": f"Incorrect key: {KEY}"}})
        with pytest.raises(ModelUnavailable, match="OPENAI_API_KEY is refused") as caught:
            model.generate("x", max_tokens=5)
    assert outcome.error.endswith("could not reach the upstream with (key)")
    for text in (str(caught.value), repr(model), str(vars(model)), outcome.error):
        assert KEY not in text
    assert KEY.encode() not in store.path.read_bytes()
    assert server.url.encode() not in store.path.read_bytes()


def test_context_window_as_the_server_tells() -> None:
    for listed, window in (
        ([{"id": "tiny", "max_model_len": 4096}], 4096),  # vLLM
        ([{"id": "/models/x.gguf", "meta": {"n_ctx": 2048}}], 2048),  # llama.cpp: any name will do
        ([{"id": "tiny"}], 8192),
        (None, 8192),
    ):
        with OpenAIServer(models=listed) as server:
            model = OpenAIModel("tiny", base_url=server.url)
            model.check()
            assert model.context_window == window
            assert OpenAIModel("x", base_url=server.url, context_window=99).context_window == 99


def test_unknown_model_and_absent_server_name_the_remedy() -> None:
    with OpenAIServer(models=[{"id": "a"}, {"id": "b"}]) as server:
        with pytest.raises(ModelUnavailable, match="no model 'c': choose one of a, b"):
            OpenAIModel("c", base_url=server.url).check()
        server.answer = lambda body: (404, {"error": {"message": "no such model"}})
        with pytest.raises(ModelUnavailable, match="no such model"):
            OpenAIModel("a", base_url=server.url).generate("x", max_tokens=5)
        gone = server.url
    with pytest.raises(ModelUnavailable, match=r"No server answers at http://127\.0\.0\.1"):
        OpenAIModel("a", base_url=gone.replace("://", "://me:pw@")).check()  # and no password
    with pytest.raises(InputError, match="is no address"):
        OpenAIModel("a", base_url="localhost:1234")


@pytest.mark.slow
def test_llamacpp_own_server_is_one_of_them(smollm2: LlamaCppModel, store: Store) -> None:
    shape = (("type", ("person", "technology")),)
    model = OpenAIModel("smollm2", base_url=smollm2.address)
    assert model.context_window == 2048
    request = Request(
        "classify", "Classify: Docker. Answer in JSON.", ClassifyReply, max_tokens=40, choices=shape
    )
    [outcome] = Caller(model, store, retries=0).ask_all([request])
    assert outcome.reply.completion_tokens > 0
    assert outcome.reply.text.replace(" ", "").replace("\n", "").startswith('{"entities":[')
    assert (outcome.status == "ok") == (outcome.reply.finish_reason == "stop")
    # in process and over HTTP it is the same model with the same grammar: the same words
    direct = smollm2_text(smollm2, request)
    assert outcome.reply.text == direct


def smollm2_text(model: LlamaCppModel, request: Request) -> str:
    try:
        return model.generate(
            request.prompt, schema=request.json_schema(), max_tokens=request.max_tokens
        ).text
    except ReplyCut as cut:
        return cut.reply.text


def test_report_schema_has_no_reference_and_all_keys_required() -> None:
    schema = json_schema(ReportReply)
    assert "$ref" not in str(schema)
    assert schema["required"] == [field for field in ReportReply.model_fields]
    assert dataclasses.is_dataclass(Request)
