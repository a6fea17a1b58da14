"""The caller and its ledger: what is asked, what is served, what an interrupt leaves behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.models.fakes import FunctionModel, QueueModel
from tests.models.fault_server import FaultServer
from workbench.models.calls import Caller, Request, call_key
from workbench.models.language import ModelUnavailable, ReplyFailed
from workbench.models.schemas import DescriptionReply, EntitiesReply
from workbench.store import Store

REPOSITORY = Path(__file__).resolve().parents[2]


def reply(prompt: str) -> str:
    return json.dumps({"description": f"about {prompt}"})


def requests(count: int, task: str = "description") -> list[Request]:
    return [Request(task, f"prompt {n}", DescriptionReply, f"c{n}") for n in range(count)]


def test_outcomes_come_in_order_whatever_order_calls_end_in(store: Store) -> None:
    def slow_first(prompt: str) -> str:
        time.sleep(0.2 if prompt.endswith("0") else 0)
        return reply(prompt)

    outcomes = Caller(FunctionModel(slow_first, workers=4), store).ask_all(requests(6))
    texts = [outcome.parsed.description for outcome in outcomes]
    assert texts == [f"about prompt {n}" for n in range(6)]
    assert Caller(FunctionModel(reply), store).ask_all([]) == []


def test_workers_bound_how_many_calls_run_at_once() -> None:
    running, most, lock = 0, 0, threading.Lock()

    def count(prompt: str) -> str:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.02)
        with lock:
            running -= 1
        return reply(prompt)

    Caller(FunctionModel(count), workers=3).ask_all(requests(12))
    assert most == 3


def test_rerun_makes_no_call_and_gives_the_same(store: Store) -> None:
    model = FunctionModel(reply)
    first = Caller(model, store, run="a").ask_all(requests(5))
    caller = Caller(model, store, run="b")
    again = caller.ask_all(requests(5))
    assert len(model.prompts) == 5
    assert [outcome.parsed for outcome in again] == [outcome.parsed for outcome in first]
    assert [(outcome.cached, outcome.attempts) for outcome in again] == [(True, 0)] * 5
    assert [outcome.reply.text for outcome in again] == [outcome.reply.text for outcome in first]
    calls = store.read("llm_calls")
    assert len(calls) == 5
    assert set(calls["run"]) == {"a"}
    assert calls["prompt_tokens"].tolist() == [2] * 5
    assert store.check().empty
    usage = caller.usage().to_dict("records")
    assert [(row["task"], row["calls"], row["cached"]) for row in usage] == [("description", 0, 5)]


def test_equal_requests_make_one_call(store: Store) -> None:
    model = FunctionModel(reply)
    one, two = requests(2)
    caller = Caller(model, store)
    outcomes = caller.ask_all([one, two, one, Request("other", one.prompt, DescriptionReply, "x")])
    assert sorted(model.prompts) == ["prompt 0", "prompt 1"]
    assert [outcome.cached for outcome in outcomes] == [False, False, True, True]
    assert outcomes[3].request.content_hash == "x"
    assert outcomes[3].parsed == outcomes[0].parsed
    counts = caller.usage().set_index("task")[["calls", "cached"]]
    assert counts.loc["description"].tolist() == [2, 1]
    assert counts.loc["other"].tolist() == [0, 1]


def test_key_is_of_model_prompt_schema_and_options_only() -> None:
    def key(request: Request, name: str = "fake/a") -> str:
        return call_key(FunctionModel(reply, name=name), request)

    base = Request("t", "p", DescriptionReply)
    assert key(base) == key(Request("u", "p", DescriptionReply, "c", max_tokens=9))
    others = [
        Request("t", "q", DescriptionReply),
        Request("t", "p", EntitiesReply),
        Request("t", "p"),
        Request("t", "p", DescriptionReply, options=(("seed", 8),)),
        Request("t", "p", DescriptionReply, choices=(("description", ("a",)),)),
    ]
    keys = {key(base), key(base, "fake/b"), *(key(other) for other in others)}
    assert len(keys) == 7
    assert key(Request("t", "p", options=(("seed", 1), ("temperature", 0.5)))) == key(
        Request("t", "p", options=(("temperature", 0.5), ("seed", 1)))
    )


def test_failed_and_invalid_replies_are_kept_and_asked_again_next_time(
    store: Store, no_pauses: None
) -> None:
    down = ReplyFailed("no", "connection")
    model = QueueModel([down, down, "prose", "prose again", reply("a"), reply("b")])
    caller = Caller(model, store, retries=1)
    bad = caller.ask_all(requests(2))
    assert [(o.status, o.attempts, o.cached) for o in bad] == [
        ("failed", 2, False),
        ("invalid", 2, False),
    ]
    good = caller.ask_all(requests(2))
    assert [(o.status, o.attempts, o.cached) for o in good] == [("ok", 1, False)] * 2
    calls = store.read("llm_calls").sort_values(["key", "attempt"])
    by_prompt = calls.groupby("key")["status"].agg(list).tolist()
    assert sorted(by_prompt) == [["failed", "failed", "ok"], ["invalid", "invalid", "ok"]]
    usage = caller.usage().iloc[0]
    assert usage[["calls", "retried", "failed"]].tolist() == [4, 2, 2]


def test_eight_failures_in_a_row_end_the_job_and_keep_what_was_done(
    store: Store, no_pauses: None
) -> None:
    down = ReplyFailed("The server is down.", "connection", again=False)
    model = FunctionModel(lambda prompt: reply(prompt) if prompt == "prompt 0" else down)
    message = r"8 calls in a row failed \(The server is down\.\): .* start again"
    with pytest.raises(ModelUnavailable, match=message):
        Caller(model, store).ask_all(requests(50))
    assert store.read("llm_calls")["status"].value_counts().to_dict() == {"failed": 8, "ok": 1}


def test_a_fault_of_the_program_is_raised_and_finished_calls_are_kept(store: Store) -> None:
    def broken(prompt: str) -> str:
        if prompt == "prompt 3":
            raise ZeroDivisionError
        return reply(prompt)

    with pytest.raises(ZeroDivisionError):
        Caller(FunctionModel(broken), store).ask_all(requests(6))
    assert sorted(store.read("llm_calls")["prompt"]) == [f"prompt {n}" for n in range(3)]


def test_works_inside_a_running_event_loop_and_without_a_store() -> None:
    async def main() -> list[str]:
        outcomes = Caller(FunctionModel(reply)).ask_all(requests(2))
        return [outcome.status for outcome in outcomes]

    assert asyncio.run(main()) == ["ok", "ok"]


def test_text_without_schema_is_good_unless_empty() -> None:
    model = QueueModel(["Some words.", "", ""])
    good, bad = Caller(model).ask_all([Request("t", "a"), Request("t", "b")])
    assert (good.status, good.reply.text, good.parsed) == ("ok", "Some words.", None)
    assert (bad.status, bad.error) == ("invalid", "The reply cannot be used: the reply is empty.")


_INTERRUPTED = """
import sys
from workbench.models.calls import Caller, Request
from workbench.models.ollama import OllamaModel
from workbench.store import Store
model = OllamaModel("tiny", host=sys.argv[1])
requests = [Request("t", f"prompt {n}") for n in range(1000)]
print("ready", flush=True)
try:
    Caller(model, Store(sys.argv[2]), workers=2).ask_all(requests)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_interrupt_returns_within_two_seconds_with_finished_calls_kept(store: Store) -> None:
    """A real SIGINT to a process that waits for a slow server; it must also end, not only raise."""
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.models.fault_server", "0.4"],
        stdout=subprocess.PIPE, text=True, cwd=REPOSITORY, env=environment,
    )  # fmt: skip
    try:
        url = server.stdout.readline().strip()
        client = subprocess.Popen(
            [sys.executable, "-c", _INTERRUPTED, url, str(store.path)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
        )  # fmt: skip
        assert client.stdout.readline() == "ready\n"
        deadline = time.monotonic() + 30
        while len(store.read("llm_calls")) < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        begin = time.monotonic()
        client.send_signal(signal.SIGINT)
        out, err = client.communicate(timeout=20)
        seconds = time.monotonic() - begin
    finally:
        server.kill()
        server.wait()
    assert out == "interrupted\n", err
    assert seconds < 2.0
    kept = store.read("llm_calls")
    assert 2 <= len(kept) < 100
    assert set(kept["status"]) == {"ok"}
    model = FunctionModel(lambda prompt: "now", name="ollama/tiny")
    Caller(model, store).ask_all([Request("t", f"prompt {n}") for n in range(len(kept))])
    assert len(model.prompts) <= 2  # two ran at once: they may have ended in another order


_KILLED = """
import sys
from workbench.models.calls import Caller, Request
from workbench.models.ollama import OllamaModel
from workbench.store import Store
requests = [Request("t", f"prompt {n}") for n in range(12)]
Caller(OllamaModel("tiny", host=sys.argv[1]), Store(sys.argv[2])).ask_all(requests)
"""


def test_killed_half_way_no_finished_call_is_made_again(store: Store) -> None:
    """SIGKILL lets nothing be tidied up: what the ledger holds by then must be all that ended."""
    argv = [sys.executable, "-c", _KILLED]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    with FaultServer(delay=0.3) as server:
        argv += [server.url, str(store.path)]
        with subprocess.Popen(argv, env=environment) as client:
            while len(server.requests) < 5:
                time.sleep(0.01)
            client.kill()
        assert len(store.read("llm_calls")) == 4  # the fifth was under way
        subprocess.run(argv, env=environment, check=True)
        prompts = [sent["messages"][0]["content"] for sent in server.requests]
    assert sorted(prompts) == sorted([f"prompt {n}" for n in range(12)] + ["prompt 4"])


def test_own_overhead_is_small_and_linear(store: Store) -> None:
    """At most 1.5 ms CPU a call, ledger and all, for 500 as for 2,000."""
    answer = json.dumps(
        {"entities": [{"name": f"Entity {n}", "type": "concept"} for n in range(8)]}
    )
    model = FunctionModel(lambda prompt: answer)
    costs = []
    for count in (500, 2000):
        asked = [
            Request("entities", f"{count} {n} " + "word " * 400, EntitiesReply)
            for n in range(count)
        ]
        begin = time.process_time()
        Caller(model, store).ask_all(asked)
        costs.append((time.process_time() - begin) / count)
    assert max(costs) < 0.0015
    assert costs[1] < 1.5 * costs[0] + 0.0003
