"""Recorded replies: found by prompt, or by task and content when a hand wrote them."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

from tests.models.fakes import FunctionModel, QueueModel
from workbench.errors import InputError
from workbench.models.calls import Caller, Request
from workbench.models.language import ModelUnavailable, ReplayMiss, Reply, ReplyCut, load_model
from workbench.models.record import RecordingModel, recorded
from workbench.models.replay import ReplayModel, prompt_hash, read_replies, stale_replies
from workbench.models.schemas import EntitiesReply
from workbench.store import Store

GOOD = '{"entities": [{"name": "Łódź", "type": "place", "description": "a\u2028city"}]}'


def request(text: str, content: str = "c1", task: str = "entities") -> Request:
    return Request(task, text, EntitiesReply, content)


def by_hand(tmp_path: Path, *entries: dict[str, object]) -> Path:
    file = tmp_path / "hand.jsonl"
    header = {"model": "a careful reader", "date": "2026-01-01", "written_by": "hand"}
    file.write_text("\n".join(json.dumps(row) for row in (header, *entries)), "utf-8")
    return file


def test_what_is_recorded_is_replayed_without_the_model(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    model = RecordingModel(QueueModel([GOOD, "prose", GOOD]), file)
    live = Caller(model).ask_all([request("one", "c1"), request("two", "c2")])
    header, entries = read_replies(file)
    assert (header["model"], header["written_by"]) == ("fake/function", "model")
    assert [(entry.task, entry.content_hash) for entry in entries] == [
        ("entities", "c1"),
        ("entities", "c2"),
        ("entities", "c2"),
    ]
    assert entries[0].prompt_hash == prompt_hash("one")
    assert entries[2].first_prompt == prompt_hash("two")  # the second try

    replay = load_model(f"replay/{file}")
    assert replay.name == "replay/r.jsonl"
    again = Caller(replay).ask_all([request("one", "c1"), request("two", "c2")])
    assert [outcome.parsed for outcome in again] == [outcome.parsed for outcome in live]
    assert [outcome.attempts for outcome in again] == [1, 2]
    assert [outcome.reply for outcome in again] == [outcome.reply for outcome in live]
    assert replay.unused().empty


def test_miss_names_the_prompt_and_the_command_and_ends_the_job(
    tmp_path: Path, store: Store
) -> None:
    file = tmp_path / "r.jsonl"
    Caller(RecordingModel(FunctionModel(lambda prompt: GOOD), file)).ask_all([request("one")])
    with pytest.raises(ReplayMiss) as caught:
        Caller(ReplayModel(str(file)), store).ask_all([request("one"), request("two {x}", "c7")])
    assert str(caught.value) == (
        f"{file} has no reply to task 'entities' on content c7 (prompt {prompt_hash('two {x}')}: "
        f"'two {{x}}'…): record it by the same command with `--llm fake/function --record {file}`."
    )
    assert store.read("llm_calls")["prompt"].tolist() == ["one"]


def test_cut_replies_are_cut_in_the_replay(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    cut = ReplyCut("cut", Reply('{"entities"', finish_reason="length", completion_tokens=3))
    model = RecordingModel(FunctionModel(lambda prompt: cut), file)
    [live] = Caller(model, retries=1).ask_all([request("one")])
    [again] = Caller(ReplayModel(str(file)), retries=1).ask_all([request("one")])
    assert (live.status, again.status, again.reply.text) == ("invalid", "invalid", '{"entities"')
    assert len(read_replies(file)[1]) == 1  # the same words are recorded once


def test_failures_are_not_recorded(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    model = RecordingModel(FunctionModel(lambda prompt: ModelUnavailable("gone")), file)
    with pytest.raises(ModelUnavailable):
        Caller(model).ask_all([request("one")])
    assert not file.exists()


def test_recording_holds_what_the_ledger_has_served(tmp_path: Path, store: Store) -> None:
    inner = FunctionModel(lambda prompt: GOOD)
    Caller(inner, store).ask_all([request("one")])
    file = tmp_path / "r.jsonl"
    Caller(RecordingModel(inner, file), store).ask_all([request("one"), request("two", "c2")])
    assert len(inner.prompts) == 2
    assert [entry.prompt_hash for entry in read_replies(file)[1]] == [
        prompt_hash("one"),
        prompt_hash("two"),
    ]


def test_recordings_of_two_models_are_not_mixed(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    Caller(RecordingModel(FunctionModel(lambda prompt: GOOD), file)).ask_all([request("one")])
    RecordingModel(FunctionModel(lambda prompt: GOOD), file)  # the same model goes on
    with pytest.raises(InputError, match="holds replies of 'fake/function', not of 'fake/other'"):
        RecordingModel(FunctionModel(lambda prompt: GOOD, name="fake/other"), file)
    with pytest.raises(InputError, match="not of 'fake/function'"):
        RecordingModel(FunctionModel(lambda prompt: GOOD), by_hand(tmp_path))
    with pytest.raises(InputError, match="nothing to record"):
        recorded(ReplayModel(str(file)), tmp_path / "s.jsonl")
    with pytest.raises(InputError, match="nothing to record"):
        recorded(None, file)
    assert recorded(None, None) is None


def test_hand_written_replies_are_found_by_task_and_content(tmp_path: Path) -> None:
    entry = {"task": "entities", "content_hash": "c1", "reply": json.loads(GOOD)}
    model = ReplayModel(str(by_hand(tmp_path, entry)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        [outcome] = Caller(model).ask_all([request("any prompt at all")])
    assert outcome.parsed.entities[0].name == "Łódź"


def test_a_hand_written_file_may_have_gaps(tmp_path: Path, store: Store) -> None:
    entry = {"task": "entities", "content_hash": "c1", "reply": json.loads(GOOD)}
    asked = [request(f"p{n}", f"c{n}") for n in range(12)]  # more gaps than a dead server may have
    outcomes = Caller(ReplayModel(str(by_hand(tmp_path, entry))), store).ask_all(asked)
    assert [outcome.status for outcome in outcomes] == ["failed", "ok", *["failed"] * 10]
    assert "no reply to task 'entities' on content c2" in outcomes[2].error
    assert outcomes[2].error.endswith("write it there, with this task and content_hash.")
    assert outcomes[2].attempts == 1
    assert set(store.read("llm_calls")["finish_reason"]) == {"stop", "no recorded reply"}


def test_hand_written_reply_to_another_prompt_warns_once_a_task(tmp_path: Path) -> None:
    entries = [
        {"task": "entities", "content_hash": name, "prompt_hash": prompt_hash("old"), "reply": GOOD}
        for name in ("c1", "c2")
    ]
    model = ReplayModel(str(by_hand(tmp_path, *entries)))
    model.generate("old", max_tokens=9, request=request("old"))
    with pytest.warns(UserWarning, match="the prompt of task 'entities' has changed") as seen:
        model.generate("new", max_tokens=9, request=request("new", "c1"))
        model.generate("new", max_tokens=9, request=request("new", "c2"))
    assert len(seen) == 1


def test_an_edited_file_is_read_anew_past_the_ledger(tmp_path: Path, store: Store) -> None:
    entry = {"task": "entities", "content_hash": "c1", "reply": GOOD}
    file = by_hand(tmp_path, entry)
    Caller(ReplayModel(str(file)), store).ask_all([request("x")])
    file.write_text(file.read_text("utf-8").replace("place", "city"), "utf-8")
    [outcome] = Caller(ReplayModel(str(file)), store).ask_all([request("x")])
    assert (outcome.cached, outcome.parsed.entities[0].type) == (False, "city")


def test_stale_replies_are_those_nobody_asks_for(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    asked = [request("one", "c1"), request("two", "c2")]
    Caller(RecordingModel(QueueModel([GOOD, "prose", GOOD]), file)).ask_all(asked)
    assert stale_replies(file, asked).empty
    stale = stale_replies(file, [request("one"), request("two, reworded")])
    assert stale["line"].tolist() == [2, 3]  # with its second try
    assert stale["content_hash"].tolist() == ["c2", "c2"]

    entries = [{"task": "t", "content_hash": name, "reply": GOOD} for name in ("c1", "c2")]
    hand = by_hand(tmp_path, *entries)
    assert stale_replies(hand, [request("x", "c1", "t")])["content_hash"].tolist() == ["c2"]
    model = ReplayModel(str(hand))
    model.generate("x", max_tokens=1, request=request("x", "c2", "t"))
    assert model.unused()["content_hash"].tolist() == ["c1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no header"),
        ('{"task": "t", "reply": "x"}', "has no header"),
        ('{"written_by": "hand"}\n{"task": "t"}', "Line 2 .*KeyError"),
        ('{"written_by": "hand"}\nnonsense', "Line 2"),
        ('{"written_by": "hand"}\n' + '{"task": "t", "content_hash": "c", "reply": "x"}\n' * 2,
         "two replies to task 't' on 'c'"),
    ],
)  # fmt: skip
def test_files_that_are_no_replies_are_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        ReplayModel(str(file))
    with pytest.raises(InputError, match="cannot be read"):
        ReplayModel(str(tmp_path / "absent.jsonl"))
