from __future__ import annotations

import math

from workbench import schema
from workbench.extraction.inspect import (
    alias_table,
    entity_table,
    extract_text,
    idf_table,
    mention_table,
    rejected_by_rule,
)
from workbench.frames import table_frame

TEXT = "Docker runs containers.\nDocker Inc. sells\n docker."
DOCUMENTS = table_frame(schema.DOCUMENTS, [{"id": "d", "path": "a.md", "text": TEXT}])
CHUNKS = table_frame(
    schema.CHUNKS,
    [
        {"id": "c0", "short_id": 0, "document_id": "d", "start_char": 0, "end_char": 23},
        {"id": "c1", "short_id": 1, "document_id": "d", "start_char": 24, "end_char": 50},
    ],
)
ENTITIES = table_frame(
    schema.ENTITIES,
    [
        {"id": "e1", "name": "Docker", "normalized_name": "docker", "type": "technology",
         "mention_count": 2, "chunk_count": 2, "confidence": 0.9},
        {"id": "e2", "name": "Docker Inc.", "normalized_name": "docker inc.",
         "type": "organization", "mention_count": 1, "chunk_count": 1, "confidence": 0.5},
    ],
)  # fmt: skip
ALIASES = table_frame(schema.ENTITY_ALIASES, [{"entity_id": "e1", "alias": "docker"}])
MENTIONS = table_frame(
    schema.ENTITY_MENTIONS,
    [
        {"entity_id": "e1", "chunk_id": "c1", "mention_count": 1, "start_char": 43,
         "end_char": 49, "signals": "code,name"},
        {"entity_id": "e1", "chunk_id": "c0", "mention_count": 1, "start_char": 0, "end_char": 6,
         "signals": "name"},
        {"entity_id": "e2", "chunk_id": "c1", "mention_count": 1, "start_char": 24,
         "end_char": 35, "signals": "initial"},
    ],
)  # fmt: skip


def test_entity_table_gives_the_reason_of_each() -> None:
    table = entity_table(ENTITIES, MENTIONS, ALIASES, CHUNKS)
    assert table["name"].to_list() == ["Docker", "Docker Inc."]
    first = table.loc[0]
    assert (first["documents"], first["signals"], first["aliases"]) == (1, "code, name", "docker")
    assert table.loc[1, "aliases"] == ""


def test_mentions_are_quoted_in_the_order_of_the_text() -> None:
    table = mention_table(ENTITIES, MENTIONS, CHUNKS, DOCUMENTS, around=8)
    assert table["quote"].to_list() == [
        "[Docker] runs co",
        "ainers. [Docker Inc.] sells",
        "sells [docker].",
    ]
    assert table["chunk"].to_list() == [0, 1, 1]


def test_idf_is_the_logarithm_of_all_over_those_that_hold_it() -> None:
    postings = table_frame(
        schema.POSTINGS,
        [
            {"term": "docker", "chunk_id": "c0", "tf": 1},
            {"term": "docker", "chunk_id": "c1", "tf": 2},
            {"term": "sells", "chunk_id": "c1", "tf": 1},
        ],
    )
    table = idf_table(postings, CHUNKS, ENTITIES, ALIASES).set_index("name")
    assert table.loc["docker"].to_dict() == {
        "mention_count": 3,
        "chunk_count": 2,
        "idf": 0.0,
        "kept": True,
    }
    assert math.isclose(table.loc["sells", "idf"], math.log(2))
    assert not table.loc["sells", "kept"]


def test_rejected_are_counted_by_rule_with_examples() -> None:
    rows = [
        {"stage": "extract", "item": item, "rule": "stop_word", "reason": "it is one"}
        for item in ("the", "A", "of", "the")
    ] + [{"stage": "pairs", "item": "a|b", "rule": "npmi", "reason": "chance"}]
    table = rejected_by_rule(table_frame(schema.REJECTED, rows))
    assert table.loc[0].to_list() == ["extract", "stop_word", "it is one", 4, "A · of · the"]
    assert table["items"].to_list() == [4, 1]
    assert rejected_by_rule(table_frame(schema.REJECTED, [])).empty


def test_aliases_are_named_and_the_doubtful_come_first() -> None:
    rows = [("e1", "docker", "form", 1.0), ("e2", "Docker Corp", "similar", 0.86)]
    columns = ["entity_id", "alias", "rule", "score"]
    aliases = table_frame(
        schema.ENTITY_ALIASES, [dict(zip(columns, row, strict=True)) for row in rows]
    )
    assert alias_table(ENTITIES, aliases).loc[1].to_list() == [
        "Docker Inc.",
        "Docker Corp",
        "similar",
        0.86,
    ]


def test_one_text_is_extracted_like_a_corpus() -> None:
    found = extract_text("We moved to Kubernetes (K8s). Ada Lovelace likes `docker-compose`.")
    assert {"Kubernetes", "Ada Lovelace"} <= set(found.entities["name"])
    assert extract_text("It is what it was.").entities.empty
