"""The questions on the shipped corpora: what they name is there, and no kind is short."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from workbench.corpus.read import read_corpus
from workbench.corpus.words import terms
from workbench.paths import shipped

CORPORA = ("handbook", "novella")
KINDS = ("fact", "multi_hop", "relation", "theme")
METHODS = {"basic", "local", "global", "drift", "walk"}
FIELDS = ["id", "question", "kind", "method", "answer", "gold", "evidence"]


def rows(corpus: str) -> list[dict[str, Any]]:
    lines = shipped(f"data/questions/{corpus}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def texts() -> dict[str, dict[str, str]]:
    read = {name: read_corpus(shipped(f"data/{name}")).documents for name in CORPORA}
    return {
        name: dict(zip(frame["path"], frame["text"], strict=True)) for name, frame in read.items()
    }


@pytest.mark.parametrize("corpus", CORPORA)
def test_fields_and_names(corpus: str, texts: dict[str, dict[str, str]]) -> None:
    for row in rows(corpus):
        assert list(row) == FIELDS, row["id"]
        assert row["kind"] in KINDS
        assert row["method"] in METHODS
        assert row["question"].strip()
        assert row["answer"].strip()
        assert set(row["gold"]) <= set(texts[corpus]), row["id"]
        assert {item["document"] for item in row["evidence"]} == set(row["gold"]), row["id"]
        assert len(set(row["gold"])) == len(row["gold"])


@pytest.mark.parametrize("corpus", CORPORA)
def test_every_quote_stands_once_in_its_document(
    corpus: str, texts: dict[str, dict[str, str]]
) -> None:
    counts = {
        (row["id"], item["quote"]): texts[corpus][item["document"]].count(item["quote"])
        for row in rows(corpus)
        for item in row["evidence"]
    }
    assert {key: count for key, count in counts.items() if count != 1} == {}


def test_the_set_is_balanced_and_nothing_stands_twice() -> None:
    every = [row for corpus in CORPORA for row in rows(corpus)]
    assert len(every) >= 75
    counts = Counter(row["kind"] for row in every)
    assert all(counts[kind] >= 15 for kind in KINDS)
    assert max(counts.values()) - min(counts.values()) <= 2
    assert len({row["id"] for row in every}) == len(every)
    assert len({" ".join(terms(row["question"])) for row in every}) == len(every)


def test_hops_need_two_documents_and_themes_more_than_one() -> None:
    for row in (row for corpus in CORPORA for row in rows(corpus)):
        if row["kind"] in ("multi_hop", "relation"):
            assert len(row["gold"]) >= (2 if row["kind"] == "multi_hop" else 1), row["id"]
        if row["kind"] == "theme":
            assert len(row["gold"]) >= 2, row["id"]


def test_questions_do_not_copy_their_quotes() -> None:
    """No quote of six terms or more has over two thirds of them in its question."""
    for row in (row for corpus in CORPORA for row in rows(corpus)):
        asked = set(terms(row["question"]))
        for item in row["evidence"]:
            quoted = set(terms(item["quote"]))
            assert len(quoted) < 6 or len(quoted & asked) <= 2 / 3 * len(quoted), row["id"]
