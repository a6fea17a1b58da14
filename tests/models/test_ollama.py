"""The official client over real HTTP: how calls are sized, and what each fault leads to."""

from __future__ import annotations

import time

import pytest

from tests.models.fault_server import GOOD, Answer, FaultServer, pass_through
from workbench.errors import InputError
from workbench.models.calls import Caller, Outcome, Request
from workbench.models.language import ModelUnavailable, ReplyFailed, load_model
from workbench.models.llamacpp import LlamaCppModel
from workbench.models.ollama import OllamaModel
from workbench.models.schemas import ClassifyReply, EntitiesReply, json_schema
from workbench.store import Store

REQUEST = Request("entities", "Which entities are in: Docker runs.", EntitiesReply, max_tokens=100)


def ask(
    server: FaultServer, store: Store, timeout: float = 5.0, deadline: float = 10.0
) -> tuple[Outcome, list[tuple[int, str, str]]]:
    """Ask once through a Caller; give the outcome and (attempt, status, finish_reason) rows."""
    model = OllamaModel("tiny", host=server.url, timeout=timeout)
    outcome = Caller(model, store, run="r", deadline=deadline).ask_all([REQUEST])[0]
    calls = store.read("llm_calls")
    assert set(calls["model"]) <= {"ollama/tiny"}  # neither host nor port
    return outcome, list(zip(calls["attempt"], calls["status"], calls["finish_reason"]))  # noqa: B905


def names(outcome: Outcome) -> list[str]:
    return [entity.name for entity in outcome.parsed.entities]


def test_request_carries_schema_context_and_length(store: Store) -> None:
    with FaultServer() as server:
        outcome, rows = ask(server, store)
        [sent] = server.requests
    assert names(outcome) == ["Docker"]
    assert outcome.reply.prompt_tokens == 20
    assert outcome.reply.completion_tokens == 10
    assert sent["format"] == json_schema(EntitiesReply)
    assert sent["options"] == {"num_ctx": 2048, "num_predict": 100, "temperature": 0.0, "seed": 7}
    assert "think" not in sent
    assert rows == [(1, "ok", "stop")]


def test_context_grows_in_powers_of_two_up_to_the_models_own() -> None:
    with FaultServer(context_length=6000) as server:
        model = OllamaModel("tiny", host=server.url)
        assert model.context_window == 6000
        for words, length in ((10, 100), (1500, 1000), (10, 100), (4000, 1000)):
            model.generate("word " * words, max_tokens=length)
        sizes = [sent["options"]["num_ctx"] for sent in server.requests]
        # 1,500 words: 1,501 tokens * 1.5 + 64 + 1,000 -> 4,096; never smaller again: each new
        # size makes Ollama load the model anew
        assert sizes == [2048, 4096, 4096, 6000]
        with pytest.raises(ReplyFailed, match="exceed the context window of 6000 tokens"):
            model.generate("word " * 5500, max_tokens=1000)
        assert len(server.requests) == 4


def test_thinking_is_switched_off_where_the_model_can_think() -> None:
    with FaultServer(capabilities=("completion", "thinking")) as server:
        OllamaModel("tiny", host=server.url).generate("x", max_tokens=10)
        assert server.requests[0]["think"] is False


def test_500_is_tried_again_and_kept_as_failed(store: Store, no_pauses: None) -> None:
    with FaultServer(faults=("500",)) as server:
        outcome, rows = ask(server, store)
    assert (outcome.status, outcome.attempts, names(outcome)) == ("ok", 2, ["Docker"])
    assert rows == [(1, "failed", "http 500"), (2, "ok", "stop")]


def test_500_for_ever_fails_after_three_tries(store: Store, no_pauses: None) -> None:
    with FaultServer(faults=("500",) * 9) as server:
        outcome, rows = ask(server, store)
        assert len(server.requests) == 3
    assert (outcome.status, outcome.parsed) == ("failed", None)
    assert outcome.error == "Ollama answered with an error (500): runner process has terminated"
    assert rows == [(n, "failed", "http 500") for n in (1, 2, 3)]


def test_missing_model_names_the_command_before_any_call(store: Store) -> None:
    with FaultServer() as server:
        model = OllamaModel("llama3.2:3b", host=server.url)
        with pytest.raises(ModelUnavailable, match="fetch it with `ollama pull llama3.2:3b`"):
            Caller(model, store).ask_all([REQUEST])
        assert server.requests == []
    assert store.read("llm_calls").empty


def test_model_that_vanishes_ends_the_job_and_keeps_what_was_done(store: Store) -> None:
    with FaultServer(faults=("", "404")) as server:
        caller = Caller(OllamaModel("tiny", host=server.url), store)
        requests = [Request("t", f"prompt {n}") for n in range(4)]
        with pytest.raises(ModelUnavailable, match="ollama pull tiny"):
            caller.ask_all(requests)
        assert store.read("llm_calls")["status"].tolist() == ["ok"]
        caller.ask_all(requests)
        assert len(server.requests) == 2 + 3  # the first one is not asked again


def test_no_server_names_the_remedy() -> None:
    with FaultServer() as server:
        gone = server.url
    with pytest.raises(ModelUnavailable, match=r"does not answer at http://127.0.0.1:\d+ .*serve"):
        OllamaModel("tiny", host=gone).check()


def test_connection_reset_in_the_middle_is_tried_again(store: Store, no_pauses: None) -> None:
    with FaultServer(faults=("reset",)) as server:
        outcome, rows = ask(server, store)
    assert names(outcome) == ["Docker"]
    assert rows == [(1, "failed", "connection"), (2, "ok", "stop")]


def test_answer_without_its_last_line_is_not_taken_for_whole(store: Store, no_pauses: None) -> None:
    with FaultServer(faults=("half_close",)) as server:
        _, rows = ask(server, store)
    assert rows == [(1, "failed", "connection"), (2, "ok", "stop")]


def test_silence_times_out_and_is_tried_again(store: Store, no_pauses: None) -> None:
    with FaultServer(faults=("silence",)) as server:
        outcome, rows = ask(server, store, timeout=0.3)
    assert outcome.status == "ok"
    assert rows == [(1, "failed", "time-out"), (2, "ok", "stop")]


def test_slow_drip_ends_at_the_deadline(store: Store) -> None:
    with FaultServer(faults=("drip",) * 3) as server:
        begin = time.monotonic()
        outcome, rows = ask(server, store, timeout=5.0, deadline=0.6)
        assert time.monotonic() - begin < 4.0  # each byte alone would reset the time-out
    assert outcome.status == "failed"
    assert "not whole after 0.6 s" in outcome.error
    assert rows == [(1, "failed", "deadline")]


def test_truncated_json_keeps_the_whole_records_only(store: Store) -> None:
    with FaultServer(faults=("truncated",)) as server:
        outcome, rows = ask(server, store)
    assert names(outcome) == ["Docker"]  # and no "Kuber"
    assert (outcome.repaired, rows) == (True, [(1, "ok", "stop")])


def test_fenced_json_is_read_and_counted_as_repaired(store: Store) -> None:
    with FaultServer(faults=("fenced",)) as server:
        outcome, rows = ask(server, store)
    assert names(outcome) == ["Docker"]
    assert (outcome.repaired, rows) == (True, [(1, "ok", "stop")])


@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        ("prose", "the reply holds no JSON object"),
        ("empty", "the reply is empty"),
        ("wrong_keys", "no record of entities has its keys (name, type, description)"),
    ],
)
def test_unusable_reply_is_asked_once_more_with_the_error(
    store: Store, fault: str, complaint: str
) -> None:
    with FaultServer(faults=(fault,)) as server:
        outcome, rows = ask(server, store)
        second = server.requests[1]["messages"][0]["content"]
    assert second.startswith(REQUEST.prompt)
    assert complaint in second
    assert names(outcome) == ["Docker"]
    assert rows == [(1, "invalid", "stop"), (2, "ok", "stop")]


def test_prose_for_ever_is_invalid_after_the_second_try_and_never_served(store: Store) -> None:
    with FaultServer(faults=("prose",) * 9) as server:
        outcome, rows = ask(server, store)
        assert (outcome.status, outcome.parsed) == ("invalid", None)
        assert outcome.reply.text.startswith("Docker is a technology")  # to be shown
        assert rows == [(1, "invalid", "stop"), (2, "invalid", "stop")]
        server.faults.clear()
        outcome, rows = ask(server, store)
    assert (outcome.status, outcome.cached) == ("ok", False)
    assert rows[2:] == [(3, "ok", "stop")]


def test_5000_entities_are_all_kept(store: Store) -> None:
    with FaultServer(faults=("many",)) as server:
        outcome, rows = ask(server, store)
    assert names(outcome) == [f"E{n}" for n in range(5000)]  # grounding judges them later
    assert rows == [(1, "ok", "stop")]


def test_thoughts_are_taken_out(store: Store) -> None:
    with FaultServer(faults=("think",)) as server:
        outcome, rows = ask(server, store)
    assert outcome.reply.text == GOOD
    assert (outcome.repaired, rows) == (False, [(1, "ok", "stop")])


def test_cut_reply_is_asked_for_longer(store: Store) -> None:
    with FaultServer(faults=("length",)) as server:
        outcome, rows = ask(server, store)
        lengths = [sent["options"]["num_predict"] for sent in server.requests]
    assert lengths == [100, 200]
    assert names(outcome) == ["Docker"]
    assert rows == [(1, "invalid", "length"), (2, "ok", "stop")]


def test_reply_that_stays_cut_is_reported(store: Store) -> None:
    with FaultServer(faults=("length",) * 9) as server:
        outcome, rows = ask(server, store)
        lengths = [sent["options"]["num_predict"] for sent in server.requests]
    assert lengths == [100, 200, 400]
    assert (outcome.status, outcome.parsed) == ("invalid", None)
    assert outcome.error == "The reply was cut at its length of 10 tokens."
    assert rows == [(n, "invalid", "length") for n in (1, 2, 3)]


def test_full_context_counts_as_cut() -> None:
    with FaultServer(lambda body: Answer(GOOD, prompt_tokens=2000, completion_tokens=48)) as server:
        caller = Caller(OllamaModel("tiny", host=server.url), retries=0)
        [outcome] = caller.ask_all([REQUEST])
    assert (outcome.status, outcome.error) == (
        "invalid",
        "Prompt and reply filled the context of 2048 tokens.",
    )


@pytest.mark.parametrize(
    ("fault", "first", "later"),
    [
        ("no_schema", ["dict", "str"], ["str"]),
        ("no_json", ["dict", "str", "NoneType"], ["NoneType"]),
    ],
)
def test_refused_schema_is_handled_once_and_remembered(
    fault: str, first: list[str], later: list[str]
) -> None:
    with FaultServer(faults=(fault,)) as server:
        caller = Caller(OllamaModel("tiny", host=server.url))
        outcomes = [
            caller.ask_all([Request("entities", prompt, EntitiesReply)])[0] for prompt in "ab"
        ]
        kinds = [type(sent.get("format")).__name__ for sent in server.requests]
    assert [outcome.status for outcome in outcomes] == ["ok", "ok"]
    assert [outcome.attempts for outcome in outcomes] == [1, 1]
    assert kinds == first + later


def test_server_speaks_the_rest_of_the_protocol() -> None:
    import ollama

    with FaultServer() as server:
        client = ollama.Client(host=server.url)
        assert client.list().models[0].model == "tiny:latest"
        assert client.show("tiny").details.quantization_level == "Q4_1"
        whole = client.chat("tiny", [{"role": "user", "content": "x"}], stream=False)
        assert whole.message.content == GOOD
        assert whole.done_reason == "stop"


def test_choice_names_kind_and_model() -> None:
    assert load_model("ollama/llama3.2:3b").name == "ollama/llama3.2:3b"
    assert load_model("none") is None
    with pytest.raises(InputError, match="'gpt-4o' is unknown: choose one of ollama/NAME"):
        load_model("gpt-4o")


@pytest.mark.slow
def test_real_model_behind_the_server(smollm2: LlamaCppModel, store: Store) -> None:
    shape = (("type", ("person", "technology")),)
    request = Request(
        "classify",
        "Classify: Docker. Answer in JSON, one record.",
        ClassifyReply,
        max_tokens=60,
        choices=shape,
    )
    with FaultServer(pass_through(smollm2.address)) as server:
        model = OllamaModel("tiny", host=server.url, timeout=120)
        [outcome] = Caller(model, store, retries=0).ask_all([request])
        assert server.requests[0]["format"] == json_schema(ClassifyReply, shape)
    # the small model may or may not end in 60 tokens; either way the truth is told
    assert outcome.reply.completion_tokens > 0
    assert outcome.reply.text.lstrip().startswith("{")
    assert (outcome.status == "ok") == (outcome.reply.finish_reason == "stop")
