from __future__ import annotations

import math

import pytest

from tests.extraction.answering import TaskModel, caller_of, corpus, refused
from workbench.errors import InputError
from workbench.extraction.modes import extract
from workbench.params import LanguageParams

CLASSIFY = LanguageParams(classify=True)


def asked_names(prompt: str) -> list[str]:
    lines = prompt.split("stand in:\n")[1].split("\n\n")[0].splitlines()
    return [line.removeprefix("- ").split(": “")[0] for line in lines]


def run(answer, *documents, **options):
    model = TaskModel({"classify": answer})
    frames = corpus(*documents)
    made = extract("heuristic", *frames, None, caller=caller_of(model), language=CLASSIFY)
    return made, model


def test_types_are_set_and_ids_follow():
    text = "Redis keeps what Kafka sends. Every night Kafka tells Redis, and Redis sleeps."

    def answer(prompt):
        types = {"Redis": "database", "Kafka": "weird"}
        return {"entities": [{"name": n, "type": types[n]} for n in asked_names(prompt)]}

    made, _ = run(answer, text)
    plain = extract("heuristic", *corpus(text), None)
    before, after = (frame.set_index("name")["type"] for frame in (plain.entities, made.entities))
    assert after["Redis"] == "technology"
    assert after["Kafka"] == before["Kafka"]
    assert refused(made, "classify") == {"Kafka": "unknown_type"}
    assert set(made.entity_mentions["entity_id"]) == set(made.entities["id"])
    assert made.relationships["weight"].tolist() == plain.relationships["weight"].tolist()


@pytest.mark.parametrize("count", [49, 50, 51, 120])
def test_one_call_asks_for_fifty_names(count):
    text = " ".join(f"We saw the Zorb{n}x Engine and left." for n in range(count))
    made, model = run(lambda prompt: {"entities": []}, text)
    assert len(made.entities) == count
    assert model.tasks == ["classify"] * math.ceil(count / 50)
    assert made.calls["requests"] == math.ceil(count / 50)


def test_a_batch_without_a_usable_reply_keeps_its_types():
    text = "Redis keeps what Kafka sends. Every night Kafka tells Redis, and Redis sleeps."
    made, _ = run("no JSON at all", text)
    plain = extract("heuristic", *corpus(text), None)
    assert made.entities.equals(plain.entities)
    assert refused(made, "classify") == {f"{len(made.entities)} names": "fallback"}


def test_without_a_model_it_says_what_is_missing():
    with pytest.raises(InputError, match="'classify' asks a language model"):
        extract("heuristic", *corpus("Redis."), None, language=CLASSIFY)
