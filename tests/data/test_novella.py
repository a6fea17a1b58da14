"""Checks on the teaching novella and its gold files."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[2] / "data"
NOVELLA = DATA / "novella"
GOLD = DATA / "gold"
TYPES = {"person", "organization", "place", "event", "object", "concept", "document"}

Row = dict[str, Any]


@cache
def chapters() -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(NOVELLA.glob("*.txt"))}


def read_rows(name: str) -> list[Row]:
    lines = (GOLD / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@cache
def entities() -> list[Row]:
    return read_rows("novella_entities.jsonl")


@cache
def relationships() -> list[Row]:
    return read_rows("novella_relationships.jsonl")


@cache
def apart() -> list[list[str]]:
    return json.loads((GOLD / "novella_apart.json").read_text(encoding="utf-8"))["pairs"]


@cache
def by_name() -> dict[str, Row]:
    return {row["name"]: row for row in entities()}


def certain(row: Row) -> list[str]:
    """The spellings which name this entity and no other."""
    return [row["name"], *(a for a in row["aliases"] if a not in row["ambiguous"])]


def occurs(spelling: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(spelling)}(?!\w)", text) is not None


@cache
def spellings_by_chapter() -> dict[str, set[str]]:
    """Which gold spellings each chapter uses; of nested ones only the longest counts."""
    every = {s for row in entities() for s in (row["name"], *row["aliases"])}
    longest_first = sorted(every, key=lambda s: (-len(s), s))
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    return {name: set(pattern.findall(text)) for name, text in chapters().items()}


def test_length_and_shape() -> None:
    assert 10 <= len(chapters()) <= 14
    assert sum(len(text.split()) for text in chapters().values()) >= 12_000


@pytest.mark.parametrize("name", sorted(chapters()))
def test_chapter_is_clean_text(name: str) -> None:
    raw = (NOVELLA / name).read_bytes()
    text = raw.decode("utf-8")
    assert b"\r" not in raw
    assert text.startswith("Chapter ")
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert not set("\"'\t") & set(text), "straight quotes or tabs"


def test_counts_by_type() -> None:
    counts = Counter(row["type"] for row in entities())
    assert set(counts) <= TYPES
    assert counts["person"] >= 15
    assert counts["place"] >= 8
    assert counts["organization"] >= 5
    assert counts["event"] >= 4
    assert counts["object"] + counts["document"] >= 4


def test_names_are_unique() -> None:
    assert len(by_name()) == len(entities())


def test_every_listed_document_names_the_entity() -> None:
    for row in entities():
        assert row["documents"], row["name"]
        for document in row["documents"]:
            text = chapters()[document]
            assert any(occurs(s, text) for s in certain(row)), (row["name"], document)


def test_documents_are_complete() -> None:
    for row in entities():
        wanted = set(certain(row))
        found = [name for name, used in spellings_by_chapter().items() if used & wanted]
        assert row["documents"] == found, row["name"]


def test_every_alias_is_used() -> None:
    used = set().union(*spellings_by_chapter().values())
    for row in entities():
        assert len(set(row["aliases"])) == len(row["aliases"]), row["name"]
        assert row["name"] not in row["aliases"]
        assert set(row["aliases"]) <= used, row["name"]


def test_no_certain_spelling_has_two_owners() -> None:
    owners: dict[str, set[str]] = defaultdict(set)
    for row in entities():
        for spelling in (row["name"], *row["aliases"]):
            owners[spelling].add(row["name"])
    for row in entities():
        for spelling in certain(row):
            assert owners[spelling] == {row["name"]}, spelling


def test_ambiguous_aliases_have_two_owners() -> None:
    owners = Counter(alias for row in entities() for alias in row["ambiguous"])
    for row in entities():
        assert set(row["ambiguous"]) <= set(row["aliases"]), row["name"]
        assert all(owners[alias] >= 2 for alias in row["ambiguous"]), row["name"]


def test_enough_relationships() -> None:
    keys = [(r["source"], r["type"], r["target"], r["document"]) for r in relationships()]
    assert len(keys) >= 90
    assert len(set(keys)) == len(keys)


def test_relationship_ends_are_known_and_named_in_the_document() -> None:
    for row in relationships():
        assert row["source"] != row["target"]
        for end in (row["source"], row["target"]):
            entity = by_name()[end]
            text = chapters()[row["document"]]
            assert any(occurs(s, text) for s in (end, *entity["aliases"])), row


def test_evidence_is_an_exact_substring() -> None:
    for row in relationships():
        assert row["evidence"].strip(), row
        assert row["evidence"] in chapters()[row["document"]], row


def test_predicates_are_the_documented_ones() -> None:
    text = (DATA / "NOVELLA.md").read_text(encoding="utf-8")
    section = text.split("## Predicates", 1)[1].split("\n## ", 1)[0]
    documented = set(re.findall(r"^- `(\w+)`", section, flags=re.MULTILINE))
    assert {row["type"] for row in relationships()} == documented


def test_apart_pairs() -> None:
    pairs = {frozenset(pair) for pair in apart()}
    assert len(pairs) == len(apart()) >= 10
    for pair in pairs:
        assert len(pair) == 2
        assert pair <= set(by_name())
