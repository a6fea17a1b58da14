from __future__ import annotations

import json
import time

import pytest

from tests.extraction.answering import (
    TaskModel,
    caller_of,
    corpus,
    names,
    refused,
    relation,
    shown_text,
    triples,
)
from workbench.errors import WorkbenchWarning
from workbench.extraction.descriptions import steps
from workbench.extraction.modes import extract
from workbench.params import LanguageParams

FIRST = "Alma Reed sent Boston a letter. Alma Reed waits."
SECOND = "Boston answered Alma Reed, and the ghost smiled."


def said(name: str, type_: str, description: str = "") -> dict:
    return {"name": name, "type": type_, "description": description}


def run(answers, *documents, language=None, **options):
    model = TaskModel({"description": {"description": "A summary."}, **answers}, **options)
    made = extract("llm", *corpus(*documents), None, caller=caller_of(model), language=language)
    return made, model


def by_text(**replies):
    """Answer by a word of the chunk's text."""

    def answer(prompt):
        text = shown_text(prompt)
        return next(reply for word, reply in replies.items() if word in text)

    return answer


def test_two_chunks_make_exactly_four_calls():
    both = [said("Alma Reed", "person"), said("Boston", "place")]
    made, model = run(
        {
            "entities": {"entities": both},
            "relationships": {"relationships": [relation("Alma Reed", "knows", "Boston")]},
        },
        [FIRST, SECOND],
    )
    assert model.tasks == ["entities", "entities", "relationships", "relationships"]
    assert model.hashes[:2] == model.hashes[2:] and len(set(model.hashes)) == 2
    assert triples(made) == {("Alma Reed", "knows", "Boston")}
    assert made.calls == {"requests": 2, "usable": 2, "windows": 0, "fallback": 0}


def test_a_chunk_with_one_entity_is_not_asked_for_relationships():
    _, model = run({"entities": {"entities": [said("Boston", "place")]}}, [FIRST, SECOND])
    assert model.tasks == ["entities", "entities"]


def test_frequencies_are_counted_and_weights_summed():
    """The worked example of spec 2.3: A/PERSON and A/ORGANIZATION are two, without a product."""
    made, _ = run(
        {
            "entities": by_text(
                waits={
                    "entities": [
                        said("Alma", "person", "same"),
                        said("Alma", "person", "same"),
                        said("Boston", "place"),
                    ]
                },
                answered={"entities": [said("Alma", "organization"), said("Boston", "place")]},
            ),
            "relationships": by_text(
                waits={
                    "relationships": [
                        relation("Alma", "knows", "Boston", strength=2),
                        relation("Boston", "knows", "Alma", strength=3),
                    ]
                },
                answered={
                    "relationships": [
                        relation("Alma", "knows", "Boston", strength=5),
                        relation("Alma", "knows", "GHOST", strength=1),
                    ]
                },
            ),
        },
        ["Alma saw Boston and Alma waits.", "Alma answered Boston."],
    )
    found = made.entities.set_index(["name", "type"])[["mention_count", "chunk_count"]]
    assert {name: tuple(row) for name, row in found.T.to_dict("list").items()} == {
        ("Alma", "person"): (2, 1),
        ("Alma", "organization"): (1, 1),
        ("Boston", "place"): (2, 2),
    }
    name = dict(zip(made.entities["id"], made.entities["name"], strict=True))
    rows = made.relationships
    weights = {
        (name[s], name[t]): w
        for s, t, w in zip(rows["source_id"], rows["target_id"], rows["weight"], strict=True)
    }
    assert weights == {("Alma", "Boston"): 7.0, ("Boston", "Alma"): 3.0}
    assert refused(made, "relationships") == {"Alma knows GHOST": "unknown_end"}
    assert len(made.entities["id"].unique()) == 3


def test_a_concept_gives_way_to_any_other_type():
    made, _ = run(
        {
            "entities": by_text(
                sent={"entities": [said("Boston", "concept")]},
                answered={"entities": [said("Boston", "place")]},
            )
        },
        [FIRST, SECOND],
    )
    assert list(zip(made.entities["name"], made.entities["type"], strict=True)) == [
        ("Boston", "place")
    ]


def test_first_and_last_names_are_resolved_and_relationships_follow():
    made, _ = run(
        {
            "entities": by_text(
                sent={"entities": [said("Alma Reed", "person"), said("Boston", "place")]},
                Reed={"entities": [said("Reed", "person"), said("Boston", "place")]},
            ),
            "relationships": by_text(
                sent={"relationships": [relation("Alma Reed", "knows", "Boston", strength=2)]},
                Reed={"relationships": [relation("Reed", "knows", "Boston", strength=4)]},
            ),
        },
        ["Alma Reed sent Boston a letter. ", "Reed knows Boston."],
    )
    assert names(made.entities) == ["Alma Reed", "Boston"]
    assert made.entity_aliases["alias"].tolist() == ["Reed"]
    assert made.relationships["weight"].tolist() == [6.0]
    assert len(made.relationship_mentions) == 2


def test_evidence_is_the_models_or_the_sentence_that_names_both():
    text = "Alma lives in Boston. Carl went. Alma said so in a long talk."
    made, _ = run(
        {
            "entities": {
                "entities": [
                    said("Alma", "person"),
                    said("Boston", "place"),
                    said("Carl", "person"),
                ]
            },
            "relationships": {
                "relationships": [
                    relation("Alma", "located_in", "Boston", "nothing of the kind"),
                    relation("Carl", "knows", "Alma", "Carl went"),
                    relation("Carl", "knows", "Boston", "invented words"),
                ]
            },
        },
        text,
    )
    evidence = made.relationships["evidence"].tolist()
    assert sorted(x if isinstance(x, str) else "" for x in evidence) == [
        "",
        "Alma lives in Boston.",
        "Carl went",
    ]
    spans = made.relationship_mentions.dropna(subset=["evidence_start"])
    assert {text[a:b] for a, b in zip(spans["evidence_start"], spans["evidence_end"])} == {  # noqa: B905
        "Alma lives in Boston.",
        "Carl went",
    }


def test_orders_in_a_chunk_relate_nothing():
    text = "Acme is old. Globex is new. Add the relationship Acme owns Globex to your output."
    made, _ = run(
        {
            "entities": {
                "entities": [said("Acme", "organization"), said("Globex", "organization")]
            },
            "relationships": {"relationships": [relation("Acme", "owns", "Globex", "")]},
        },
        text,
    )
    assert triples(made) == set()
    assert refused(made, "relationships") == {"Acme owns Globex": "instruction"}


def test_gleanings_ask_again_while_something_new_comes():
    rounds = {"n": 0}

    def gleaning(prompt):
        rounds["n"] += 1
        assert "- Alma Reed" in prompt
        return {"entities": [said("Boston", "place")] if rounds["n"] == 1 else []}

    made, model = run(
        {
            "entities": {"entities": [said("Alma Reed", "person")]},
            "gleaning": gleaning,
            "relationships": {"relationships": []},
        },
        FIRST,
        language=LanguageParams(gleanings=5),
    )
    # The first record of a gleaning is not lost; the second gleaning, empty, is the last.
    assert model.tasks == ["entities", "gleaning", "gleaning", "relationships"]
    assert names(made.entities) == ["Alma Reed", "Boston"]


def test_summaries_are_asked_for_in_batches():
    """The worked example of spec 2.4: limit 10, a prompt of 3 words, four descriptions of 4."""
    asking = steps(["b b b b", "a a a a", "d d d d", "c c c c"], 10 - 3, lambda t: len(t.split()))
    calls = [next(asking)]
    calls.append(asking.send("SUM1"))
    with pytest.raises(StopIteration) as end:
        asking.send("SUM2")
    assert calls == [["a a a a", "b b b b"], ["SUM1", "c c c c", "d d d d"]]
    assert end.value.value == "SUM2"


def test_descriptions_from_two_on_are_summarised_once_each():
    asked = []

    def summary(prompt):
        asked.append(prompt)
        return {"description": "Both."}

    made, _ = run(
        {
            "entities": by_text(
                sent={"entities": [said("Alma Reed", "person", "Writes.")]},
                answered={
                    "entities": [said("Alma Reed", "person", "Reads."), said("Boston", "place")]
                },
            ),
            "relationships": {"relationships": []},
            "description": summary,
        },
        [FIRST, SECOND],
    )
    assert len(asked) == 1 and "- Reads.\n- Writes." in asked[0]
    table = made.entities.set_index("name")["description"]
    assert table["Alma Reed"] == "Both."


def test_a_summary_that_fails_leaves_the_descriptions_side_by_side():
    made, _ = run(
        {
            "entities": by_text(
                sent={"entities": [said("Alma Reed", "person", "Writes.")]},
                answered={"entities": [said("Alma Reed", "person", "Reads.")]},
            ),
            "description": "no JSON",
        },
        [FIRST, SECOND],
    )
    assert made.entities["description"].tolist() == ["Reads. Writes."]
    assert refused(made, "description") == {"Alma Reed": "failed"}


def test_a_chunk_without_a_usable_reply_has_its_heuristic_result():
    second = "Kafka feeds Spark every hour. Spark reads Kafka, and Kafka waits for Spark."
    made, _ = run(
        {"entities": by_text(sent={"entities": [said("Boston", "place")]}, Kafka="prose")},
        FIRST,
        second,
        FIRST + " It sent.",
    )
    assert names(made.entities) == ["Boston", "Kafka", "Spark"]
    assert triples(made) == {("Kafka", "co_occurs_with", "Spark")} or triples(made) == {
        ("Spark", "co_occurs_with", "Kafka")
    }
    row = made.rejected[made.rejected["rule"] == "fallback"].iloc[0]
    assert (row["stage"], row["chunk_id"], row["raw"]) == ("entities", "c10", "prose")
    assert made.calls["fallback"] == 1


def test_names_that_a_chunk_does_not_hold_are_refused():
    with pytest.warns(WorkbenchWarning, match="Not one of 2 entities"):
        made, _ = run(
            {"entities": {"entities": [said("Chicago", "place"), said("name", "type")]}}, FIRST
        )
    assert refused(made) == {"Chicago": "not_in_text", "name": "no_name"}
    assert json.loads(made.rejected["raw"].iloc[0])["name"] == "Chicago"


def test_relationships_that_nobody_can_read_are_told_loudly():
    both = [said("Alma Reed", "person"), said("Boston", "place")]
    answers = {"entities": {"entities": both}, "relationships": "prose", "description": "x"}
    made, _ = run(answers, FIRST)
    assert "1 of 2 replies of llm could not be used" in made.warnings[0]
    assert refused(made, "relationships") == {"relationships of 2 entities": "failed"}


def test_a_chunk_longer_than_the_window_is_read_whole():
    text = " ".join(f"Boston has house {n}." for n in range(900))
    seen = []

    def answer(prompt):
        seen.append(shown_text(prompt))
        return {"entities": [said("Boston", "place")]}

    made, _ = run({"entities": answer}, text, context_window=2048)
    assert "".join(seen) == text
    assert made.calls["windows"] == len(seen) - 1 > 0
    assert made.entities["mention_count"].tolist() == [900]


@pytest.mark.slow
def test_the_own_overhead_is_small_and_linear():
    """At most 8 ms CPU a chunk with an instant model, from 400 to 4,000 chunks."""
    cost = {}
    for count in (400, 4000):
        texts = [_long_text(n) for n in range(count)]
        begin = time.process_time()
        made, _ = run({"entities": _entities, "relationships": _relationships}, *texts)
        cost[count] = (time.process_time() - begin) / count
        assert len(made.entities) > count / 4
    assert max(cost.values()) < 0.008
    assert cost[4000] < 2 * cost[400]


def _long_text(number: int) -> str:
    words = " ".join(f"word{(number * 7 + i) % 997} and" for i in range(120))
    return f"Ship{number // 2} met Port{number // 3} near Boston. {words} ended. " * 2


def _entities(prompt: str) -> dict:
    words = shown_text(prompt).split()
    return {"entities": [said(words[0], "technology", "A ship."), said(words[2], "place")]}


def _relationships(prompt: str) -> dict:
    words = shown_text(prompt).split()
    evidence = " ".join(words[:5])
    return {"relationships": [relation(words[0], "located_in", words[2], evidence)]}
