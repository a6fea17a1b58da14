"""The benchmark protocols, on cases counted by hand and on the real gold against itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from workbench.errors import InputError
from workbench.study.benchmarks import dulce_score, plain, redocred_score


def frames(names: dict[str, list[str]], mentions: dict[str, list[str]]) -> tuple:
    """Give entities, aliases, mentions, chunks, documents; one chunk a document, ids = titles."""
    entities = pd.DataFrame({"id": list(names), "name": list(names), "type": "concept"})
    aliases = [(name, alias) for name, spelled in names.items() for alias in spelled]
    pairs = [(name, title) for title, said in mentions.items() for name in said]
    return (
        entities,
        pd.DataFrame(aliases, columns=["entity_id", "alias"]),
        pd.DataFrame(pairs, columns=["entity_id", "chunk_id"]),
        pd.DataFrame({"id": list(mentions), "document_id": list(mentions)}),
        pd.DataFrame({"id": list(mentions), "title": list(mentions)}),
    )


GOLD = [
    {
        "title": "one",
        "entities": [
            {"type": "PER", "mentions": ['Wilfried " Willi " Schneider', "Schneider"]},
            {"type": "LOC", "mentions": ["U.S."]},
            {"type": "LOC", "mentions": ["Mediaș"]},
            {"type": "TIME", "mentions": ["13 March 1963"]},
            {"type": "NUM", "mentions": ["two"]},
        ],
    }
]


def test_plain() -> None:
    assert plain('Wilfried " Willi " Schneider') == "wilfried willi schneider"
    assert plain("U.S.") == "us"


def test_redocred_counts_by_hand() -> None:
    # right: Schneider (by alias), US; split: Willi Schneider's second entity; spurious: Canada;
    # left out: 13 March 1963; missed: Mediaș; Peter is said in another document only
    names = {"W. Schneider": ["SCHNEIDER"], "Wilfried Willi Schneider": [], "US": [], "Canada": []}
    names |= {"13 March 1963": [], "Peter": []}
    mentions = {"one": [n for n in names if n != "Peter"], "two": ["Peter"]}
    figures, errors = redocred_score(*frames(names, mentions), GOLD)
    assert {k: figures[k] for k in ("right", "any", "said", "gold")} == {
        "right": 2,
        "any": 3,
        "said": 4,
        "gold": 3,
    }
    assert figures["precision"] == 0.5
    assert figures["precision_any"] == 0.75
    assert figures["recall"] == pytest.approx(2 / 3)
    assert figures["f1"] == pytest.approx(4 / 7)
    kinds = {kind: sorted(group["name"]) for kind, group in errors.groupby("kind")}
    assert kinds["missed"] == ["Mediaș"]
    assert kinds["spurious"] == ["Canada"]
    assert len(kinds["split"]) == 1


def test_redocred_entity_serves_one_gold_entity_only() -> None:
    names = {"US": ["Mediaș"]}
    figures, _ = redocred_score(*frames(names, {"one": ["US"]}), GOLD)
    assert (figures["right"], figures["said"], figures["gold"]) == (1, 1, 3)


def test_redocred_missing_document_is_named() -> None:
    with pytest.raises(InputError, match="'one'"):
        redocred_score(*frames({}, {"other": []}), GOLD)


def test_redocred_gold_scores_itself_perfectly(shared: Callable[[str], Path]) -> None:
    lines = shared("bench/redocred.jsonl").read_text("utf-8").splitlines()
    gold = [json.loads(line) for line in lines]
    names, mentions, aliases = [], [], []
    for row in gold:
        for number, entity in enumerate(row["entities"]):
            key = f"{row['title']}/{number}"
            names.append((key, entity["mentions"][0], entity["type"]))
            aliases += [(key, mention) for mention in entity["mentions"]]
            mentions.append((key, row["title"]))
    titles = [row["title"] for row in gold]
    figures, errors = redocred_score(
        pd.DataFrame(names, columns=["id", "name", "type"]),
        pd.DataFrame(aliases, columns=["entity_id", "alias"]),
        pd.DataFrame(mentions, columns=["entity_id", "chunk_id"]),
        pd.DataFrame({"id": titles, "document_id": titles}),
        pd.DataFrame({"id": titles, "title": titles}),
        gold,
    )
    assert figures["documents"] == 150
    assert figures["gold"] == 922 + 453 + 428 + 411
    assert figures["recall"] > 0.999
    assert figures["precision"] > 0.99  # a mention string of two gold entities serves either


def test_dulce_counts_units_types_and_aliases(shared: Callable[[str], Path]) -> None:
    folder = shared("dulce-v0.3")
    gold = pd.read_parquet(folder / "create_final_entities.parquet")
    entities = pd.DataFrame({"id": ["a", "b"], "name": ["Alex Mercer", "dulce base"]})
    aliases = pd.DataFrame({"entity_id": ["a", "a"], "alias": ["Alex", "Mercer"]})
    score = dulce_score(entities, aliases, gold)
    assert (score["found"], score["gold"]) == (4, 17)
    assert score["recall"] == pytest.approx(4 / 17)
    assert list(score["misses"]["name"])[:2] == ["TAYLOR CRUZ", "JORDAN HAYES"]
