"""Sentences of chunks: how they are cut, which name an entity, which are central."""

from __future__ import annotations

import pytest

from tests.graph.report_worlds import entities
from workbench import schema
from workbench.frames import table_frame
from workbench.graph.sentences import Sentences, sentences_of, split


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Dr. Ada met J. Smith at the pier. “Was it late?” Nobody could tell for sure.",
            [
                "Dr. Ada met J. Smith at the pier.",
                "Nobody could tell for sure.",  # “Was it late?” has three words
            ],
        ),
        ("Run it with version 3.11 of Python today. Then it waits there for you.", 2),
        ("```\nthis is code and no sentence.\n```\n\nThis is a sentence in prose.", 1),
        ("# A heading with quite a few words\n\n- An item of a list is read, too.", 1),
        ("Use [the docs](https://a.b/c) and **bold** words in a sentence.",
         ["Use the docs and bold words in a sentence."]),
        ("It asks when the lamp was *replaced* by Ada, not when it was *lit*.",
         ["It asks when the lamp was replaced by Ada, not when it was lit."]),
        ("| the first cell of a row | the second cell of it |\n| - | - |\n| a | b |", []),
        ("The file docker_compose.yml or `*.py` stays as __it__ is.",
         ["The file docker_compose.yml or `*.py` stays as it is."]),
        ("Too short. Four words are here.", []),
        ("", []),
    ],
)  # fmt: skip
def test_split(text: str, found: list[str] | int) -> None:
    sentences = split(text)
    assert (len(sentences) if isinstance(found, int) else sentences) == found


def _sentences(names: dict[str, str], texts: list[str], mentions: list[dict]) -> Sentences:
    table = entities(dict.fromkeys(names, 1))
    table["name"] = list(names.values())
    rows = [{"id": f"t{n}", "short_id": n, "start_char": 100 * n, "text": text}
            for n, text in enumerate(texts)]  # fmt: skip
    return sentences_of(
        table,
        table_frame(schema.CHUNKS, rows),
        table_frame(schema.ENTITY_MENTIONS, mentions),
    )


def test_an_entity_is_found_as_a_whole_word_by_name_or_as_it_is_written() -> None:
    text = "Google is a company of some size. Go is a language from there. Golang runs fast on it."
    start = text.index("Golang")
    found = _sentences(
        {"go": "Go", "gl": "Go language"},
        [text],
        [
            {"entity_id": "go", "chunk_id": "t0"},
            {"entity_id": "gl", "chunk_id": "t0", "start_char": start, "end_char": start + 6},
            {"entity_id": "none", "chunk_id": "t0"},
            {"entity_id": "go", "chunk_id": "elsewhere"},
        ],
    )
    shown = {name: [found.texts[n] for n in numbers] for name, numbers in found.naming.items()}
    assert shown == {
        "go": ["Go is a language from there."],
        "gl": ["Golang runs fast on it."],
    }


def test_names_in_scripts_without_blanks_are_found() -> None:
    found = _sentences(
        {"d": "容器"}, ["这 是 一 个 容器的 例子 吧。"], [{"entity_id": "d", "chunk_id": "t0"}]
    )
    assert found.naming == {"d": [0]}


def test_the_most_central_comes_first_and_repetitions_are_passed_over() -> None:
    same = "Ada rows the red boat to the pier."
    texts = [same, same, "Ada rows the boat to a far island.", "Ada reads poems by candle light."]
    mentions = [{"entity_id": "a", "chunk_id": f"t{n}"} for n in range(4)]
    found = _sentences({"a": "Ada"}, texts, mentions)
    chosen = found.central(["a"], 3)
    assert [found.chunks[n] for n in chosen] == [0, 2, 3]
    assert found.central(["a"], 1) == [0]
    assert found.central(["nobody"], 3) == []


def test_no_chunks_give_no_sentences() -> None:
    assert _sentences({"a": "Ada"}, [], []).central(["a"], 3) == []
