"""Scores against gold, counted by hand; and the shipped gold against itself."""

from __future__ import annotations

import pandas as pd
import pytest

from workbench.errors import InputError
from workbench.study.gold import Gold, gold_of, read_gold
from workbench.study.score import score_entities, worst_errors
from workbench.study.score_relationships import score_relationships

GOLD = gold_of(
    [
        {"name": "Docker Compose", "type": "technology", "aliases": ["docker-compose", "Compose"]},
        {"name": "PostgreSQL", "type": "technology", "aliases": ["Postgres"], "documents": ["a"]},
        {"name": "Python 3.11", "type": "technology"},
        {"name": "Python 3.12", "type": "technology", "documents": ["a", "b"]},
        {"name": "Edwin Cray", "type": "person", "aliases": ["Edwin"], "ambiguous": ["Edwin"]},
    ],
    [
        {"source": "Docker Compose", "target": "Postgres", "type": "runs"},
        {"source": "Edwin Cray", "target": "Docker Compose", "type": "uses"},
    ],
    apart=[("SHA256", "SHA512")],
    not_entities=["Note"],
)


def frames(said: dict[str, tuple[str, list[str]]]) -> tuple[pd.DataFrame, pd.DataFrame]:
    rows = [
        {"id": name, "name": name, "type": type_, "mention_count": n}
        for n, (name, (type_, _)) in enumerate(said.items(), start=1)
    ]
    aliases = [(name, alias) for name, (_, spelled) in said.items() for alias in spelled]
    entities = pd.DataFrame(rows, columns=["id", "name", "type", "mention_count"])
    return entities, pd.DataFrame(aliases, columns=["entity_id", "alias"])


SAID = {
    "docker compose": ("technology", ["docker-compose"]),  # right, one pair merged
    "Compose": ("concept", []),  # split off: two pairs unmerged
    "Postgres": ("organization", []),  # right by alias, wrong type; its pair is unseen
    "Python 3.11": ("technology", ["python 3.12"]),  # right, and swallows 3.12
    "SHA256": ("concept", ["SHA512"]),  # spurious, and merged against `apart`
    "Note": ("concept", []),  # spurious, known to be none
    "a.md": ("document", []),  # not counted: the gold has no documents
}


def test_entities_by_hand() -> None:
    score = score_entities(*frames(SAID), GOLD)
    assert (score["right"], score["said"], score["gold"]) == (3, 6, 5)
    assert score["precision"] == 0.5
    assert score["recall"] == 0.6
    assert score["f1"] == pytest.approx(2 * 0.5 * 0.6 / 1.1)
    assert score["type_accuracy"] == pytest.approx(2 / 3)
    assert (score["merged"], score["unmerged"], score["unseen"]) == (1, 2, 1)
    assert score["wrongly_merged"] == 2
    assert score["alias_recall"] == pytest.approx(1 / 3)
    assert score["alias_precision"] == pytest.approx(1 / 3)


def test_errors_say_what_went_wrong() -> None:
    errors = score_entities(*frames(SAID), GOLD)["errors"]
    assert errors["missed"].to_numpy().tolist() == [
        ["Python 3.12", "technology", 2, "Python 3.11"],
        ["Edwin Cray", "person", 0, ""],
    ]
    assert errors["spurious"][["name", "why"]].to_numpy().tolist() == [
        ["Note", "no entity"],
        ["SHA256", "not in the gold"],
        ["Compose", "split off Docker Compose"],
    ]
    assert errors["wrongly_merged"].to_numpy().tolist() == [
        ["Python 3.11", "python 3.11", "python 3.12"],
        ["SHA256", "sha256", "sha512"],
    ]
    assert list(errors["unmerged"]["entities"]) == ["docker compose | Compose"] * 2


def test_worst_errors_come_first() -> None:
    worst = worst_errors(score_entities(*frames(SAID), GOLD), 4)
    assert list(worst["kind"]) == ["wrongly merged", "wrongly merged", "spurious", "spurious"]
    assert list(worst["name"]) == ["Python 3.11", "SHA256", "Note", "SHA256"]
    assert worst_errors(score_entities(*frames({}), gold_of([]))).empty


def test_ambiguous_spellings_neither_merge_nor_part() -> None:
    said = {"Edwin Cray": ("person", ["Edwin"]), "Docker Compose": ("technology", ["Edwin"])}
    score = score_entities(*frames(said), GOLD)
    assert (score["merged"], score["wrongly_merged"]) == (0, 0)
    assert score["right"] == 2


def relationships(rows: list[tuple[str, str, str]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["source_id", "target_id", "type"])


def test_relationships_by_hand() -> None:
    ours = relationships(
        [
            ("Postgres", "docker compose", "co_occurs"),  # the pair, not the triple
            ("Compose", "Postgres", "runs"),  # the triple, from the split-off half
            ("Python 3.11", "Postgres", "runs"),  # judged and wrong
            ("Note", "Postgres", "runs"),  # not judged: Note stands for nothing
            ("docker compose", "Compose", "runs"),  # both ends are one gold entity
        ]
    )
    score = score_relationships(ours, *frames(SAID), GOLD)
    assert (score["right"], score["said"], score["gold"]) == (1, 2, 2)
    assert (score["precision"], score["recall"], score["f1"]) == (0.5, 0.5, 0.5)
    typed = score["typed"]
    assert (typed["right"], typed["said"], typed["gold"]) == (1, 3, 2)
    assert score["missed"].to_numpy().tolist() == [["Edwin Cray", "Docker Compose", "uses"]]


def test_nothing_said_scores_nothing() -> None:
    empty, aliases = frames({})
    score = score_entities(empty, aliases, GOLD)
    assert (score["precision"], score["recall"], score["f1"]) == (0, 0, 0)
    assert len(score["errors"]["missed"]) == 5
    assert score_relationships(relationships([]), empty, aliases, GOLD)["recall"] == 0


@pytest.mark.parametrize("corpus", ["handbook", "novella"])
def test_the_shipped_gold_scores_itself_perfectly(corpus: str) -> None:
    gold: Gold = read_gold(corpus)
    said = {
        name: (type_, list(aliases))
        for name, type_, aliases in gold.entities[["name", "type", "aliases"]].itertuples(
            index=False
        )
    }
    score = score_entities(*frames(said), gold)
    assert (score["precision"], score["recall"], score["type_accuracy"]) == (1, 1, 1)
    assert (score["unmerged"], score["unseen"], score["wrongly_merged"]) == (0, 0, 0)
    ends = gold.relationships
    ours = relationships(list(zip(ends["source"], ends["target"], ends["type"], strict=True)))
    names = {alias: name for name, (_, spelled) in said.items() for alias in spelled}
    ours = ours.replace({"source_id": names, "target_id": names})
    scored = score_relationships(ours, *frames(said), gold)
    assert (scored["recall"], scored["typed"]["recall"]) == (1, 1)
    assert scored["gold"] >= 80


def test_unknown_gold_is_refused(tmp_path) -> None:
    with pytest.raises(InputError, match="'nothing'"):
        read_gold("nothing")
    (tmp_path / "x_entities.jsonl").write_text("{")
    with pytest.raises(InputError, match="is no JSON"):
        read_gold("x", tmp_path)
