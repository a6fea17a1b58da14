from __future__ import annotations

from tests.extraction.answering import corpus, names, triples
from workbench.extraction.modes import extract
from workbench.extraction.openie import Recorded, extract_openie
from workbench.extraction.union import unite
from workbench.params import ExtractParams

TEXT = (
    "Docker Compose starts Redis. Later docker-compose stops Redis, and Ann Lee reads. "
    "Redis and Docker Compose are known to Ann Lee."
)
RECORDED = [
    Recorded(
        "d0",
        ("docker compose", "Redis", "reads"),
        (("docker compose", "starts", "Redis"), ("Redis", "known to", "reads")),
    )
]


def made():
    frames = corpus(TEXT)
    one = extract("heuristic", *frames, None)
    other = extract_openie(*frames, None, ExtractParams(), RECORDED)
    both = unite([one.tables(), other.tables()], frames[1], {}, None, ExtractParams())
    return one, other, both


def test_a_union_has_what_either_saw_once():
    one, other, both = made()
    assert names(both.entities) == ["Ann Lee", "Docker Compose", "Redis", "reads"]
    assert triples(both) >= {
        ("Docker Compose", "starts", "Redis"),
        ("Redis", "known_to", "reads"),
    }
    together = [t for t in triples(both) if t[1] == "co_occurs_with"]
    assert len(together) == len(one.relationships)
    found = both.entities.set_index("name")
    assert found.loc["Redis", "mention_count"] == 3
    assert (
        found.loc["Docker Compose", "type"]
        == (one.entities.set_index("name").loc["Docker Compose", "type"])
    )


def test_a_union_is_the_same_whatever_run_twice():
    _, _, first = made()
    _, _, second = made()
    for name, frame in first.tables().items():
        assert frame.equals(second.tables()[name])


def test_a_union_of_a_run_with_itself_is_that_run():
    one, _, _ = made()
    frames = corpus(TEXT)
    both = unite([one.tables(), one.tables()], frames[1], {}, None, ExtractParams())
    assert both.entities.drop(columns="confidence").equals(one.entities.drop(columns="confidence"))
    assert both.entity_mentions.equals(one.entity_mentions)
    assert set(both.entity_aliases["alias"]) == set(one.entity_aliases["alias"])
    assert set(both.relationships["id"]) == set(one.relationships["id"])
    weights = both.relationships.set_index("id")["weight"]
    assert (weights == one.relationships.set_index("id")["weight"]).all()
