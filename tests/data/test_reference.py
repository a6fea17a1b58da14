"""Checks on the replies written by hand: they fit their tasks, and say what the texts say."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from workbench.corpus.chunk import chunk_documents
from workbench.corpus.clean import embed_text
from workbench.corpus.read import read_corpus
from workbench.ids import content_hash
from workbench.models.replay import Entry, ReplayModel, read_replies
from workbench.models.schemas import (
    DescriptionReply,
    EntitiesReply,
    HybridReply,
    RelationshipsReply,
    ReportReply,
)
from workbench.params import ChunkParams
from workbench.schema import ENTITY_TYPES, PREDICATES
from workbench.study.reference import build, text_of

DATA = Path(__file__).resolve().parents[2] / "data"
FILE = DATA / "replies" / "reference.jsonl"
SHAPES = {
    "hybrid": HybridReply,
    "entities": EntitiesReply,
    "gleaning": EntitiesReply,
    "relationships": RelationshipsReply,
    "description": DescriptionReply,
    "report": ReportReply,
}


@cache
def entries(task: str) -> list[Entry]:
    return [entry for entry in read_replies(FILE)[1] if entry.task == task]


def reply(entry: Entry) -> dict:
    return json.loads(entry.reply)


@cache
def texts(task: str) -> dict[str, str]:
    """What the entries of a task are about, by content hash."""
    if task == "hybrid":
        folders = [read_corpus(DATA / name).documents for name in ("handbook", "novella")]
        documents = pd.concat(folders)
        return dict(zip(documents["content_hash"], documents["text"], strict=True))
    chunks = chunk_documents(read_corpus(DATA / "novella").documents, ChunkParams())
    return {content_hash(text.encode()): text for text in chunks["text"]}


def test_a_replay_opens_it_and_knows_that_it_was_written_by_hand() -> None:
    model = ReplayModel(str(FILE))  # raises when two replies answer one question
    assert model.by_hand and model.name == "replay/reference.jsonl"
    assert {entry.task for entry in model.entries} == set(SHAPES)


def test_how_much_there_is() -> None:
    documents = list(texts("hybrid"))  # the handbook, and chapters one to eight of the novella
    assert {entry.content_hash for entry in entries("hybrid")} == set(documents[: 47 + 8])
    assert len(entries("hybrid")) == 47 + 8
    assert len(entries("entities")) == len(entries("relationships")) == 37
    assert len(entries("gleaning")) == 37  # most of them found nothing more, and say so
    first = list(texts("entities"))[:37]  # chapters one to eight, without a gap
    assert [entry.content_hash for entry in entries("entities")] == first
    assert len(entries("description")) >= 90
    assert len(entries("report")) >= 150
    with_relationships = sum(len(reply(one)["relationships"]) >= 5 for one in entries("hybrid"))
    assert with_relationships >= 44


@pytest.mark.parametrize("task", SHAPES)
def test_every_reply_has_the_shape_of_its_task(task: str) -> None:
    for entry in entries(task):
        said = reply(entry)
        assert SHAPES[task].model_validate(said).model_dump() == said, entry.content_hash


@pytest.mark.parametrize("task", ["hybrid", "entities"])
def test_every_name_stands_in_its_text(task: str) -> None:
    for entry in entries(task):
        text = " ".join(embed_text(texts(task)[entry.content_hash]).split()).casefold()
        names = [entity["name"].casefold() for entity in reply(entry)["entities"]]
        assert [name for name in names if name not in text] == []
        assert [name for name, times in Counter(names).items() if times > 1] == []


@pytest.mark.parametrize("task", ["hybrid", "entities"])
def test_entities_are_of_a_type_and_described_in_a_sentence(task: str) -> None:
    for entry in entries(task):
        for entity in reply(entry)["entities"]:
            assert entity["type"] in ENTITY_TYPES, entity
            assert re.fullmatch(r".{5,390}[.?!]", entity["description"]), entity


@pytest.mark.parametrize("task", ["hybrid", "relationships"])
def test_evidence_is_quoted_exactly_and_names_an_end(task: str) -> None:
    for entry in entries(task):
        text = texts(task)[entry.content_hash]
        for one in reply(entry)["relationships"]:
            quote = one["evidence"]
            assert len(quote) <= 400, one
            assert len(quote.split()) >= 2 or not quote.isascii(), one  # Chinese has no blanks
            assert quote in text, one
            assert 1 <= one["strength"] <= 10
            assert one["predicate"] in PREDICATES
            assert one["source"].casefold() != one["target"].casefold()


def test_ends_are_entities_that_were_kept() -> None:
    named = {entry.content_hash: reply(entry)["entities"] for entry in entries("entities")}
    for task in ("hybrid", "relationships"):
        for entry in entries(task):
            said = reply(entry)
            entities = said["entities"] if task == "hybrid" else named[entry.content_hash]
            kept = {e["name"].casefold() for e in entities if e.get("verdict") != "reject"}
            ties = said["relationships"]
            ends = {tie[end].casefold() for tie in ties for end in ("source", "target")}
            assert ends <= kept, ends - kept


def test_nothing_is_said_twice_in_a_reply() -> None:
    for task in ("hybrid", "relationships"):
        for entry in entries(task):
            said = reply(entry)["relationships"]
            ties = Counter((r["source"], r["predicate"], r["target"]) for r in said)
            assert [tie for tie, times in ties.items() if times > 1] == []


def test_summaries_keep_to_the_words_allowed() -> None:
    for entry in entries("description"):
        assert 1 < len(reply(entry)["description"].split()) <= 100


def test_reports_rank_and_cite() -> None:
    for entry in entries("report"):
        said = reply(entry)
        assert 0 <= said["rank"] <= 10 and said["rating_explanation"]
        assert 1 <= len(said["findings"]) <= 10
        assert len(said["title"].split()) <= 24, said["title"]
        for finding in said["findings"]:
            cited = re.findall(r"\[Data: ([^\]]*)\]", finding["explanation"])
            assert cited, finding
            for part in re.findall(r"\(([\d, ]+)\)", "".join(cited)):
                assert 1 <= len(part.split(",")) <= 5


@pytest.mark.slow
def test_the_file_is_what_its_sources_give_today(tmp_path: Path) -> None:
    """After a change of extraction: `python -m workbench.study.reference` writes it anew."""
    reader = build(DATA, tmp_path)
    assert reader.missing == []
    assert text_of(reader) == FILE.read_text(encoding="utf-8")


def test_reports_written_by_hand_find_their_communities() -> None:
    rows = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()[1:]]
    how = Counter(row["how"] for row in rows if row["task"] == "report")
    sources = (DATA / "replies" / "sources" / "reports.jsonl").read_text(encoding="utf-8")
    assert how["hand"] >= 0.85 * len(sources.splitlines())
