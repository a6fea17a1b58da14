from __future__ import annotations

import pytest

from tests.storage.builders import store_with_run

FAULTS = [
    ("UPDATE main.chunks SET document_id = 'x' WHERE short_id = 0", "orphan", "chunks", "x"),
    ("INSERT INTO main.postings VALUES ('a', 'x', 1)", "orphan", "postings", "x"),
    ("DELETE FROM main.chunks WHERE short_id = 3", None, None, None),
    (
        "UPDATE main.documents SET text = 'Docker: ' || text WHERE path = 'a.md'",
        "stale span",
        "chunks",
        "c-a.md-0",
    ),
    ("UPDATE main.chunks SET end_char = 9 WHERE short_id = 0", "stale span", "chunks", "c-a.md-0"),
    (
        "UPDATE main.chunks SET embedding = NULL WHERE short_id = 1",
        "missing vector",
        "chunks",
        "c-a.md-1",
    ),
    (
        "UPDATE heuristic.entities SET embedding = NULL WHERE id = 'e-linux'",
        "missing vector",
        "heuristic.entities",
        "e-linux",
    ),
    ("UPDATE heuristic.entities SET embedding = NULL", None, None, None),
    (
        "UPDATE heuristic.entity_mentions SET entity_id = 'x' WHERE entity_id = 'e-docker'",
        "orphan",
        "heuristic.entity_mentions",
        "x",
    ),
    (
        "INSERT INTO heuristic.entity_aliases VALUES ('x', 'a', 'r', 1)",
        "orphan",
        "heuristic.entity_aliases",
        "x",
    ),
    (
        "UPDATE heuristic.relationships SET source_id = 'x'",
        "orphan",
        "heuristic.relationships",
        "x",
    ),
    (
        "UPDATE heuristic.relationships SET target_id = 'x'",
        "orphan",
        "heuristic.relationships",
        "x",
    ),
    (
        "UPDATE heuristic.relationship_mentions SET relationship_id = 'x'",
        "orphan",
        "heuristic.relationship_mentions",
        "x",
    ),
    (
        "UPDATE heuristic.relationship_mentions SET chunk_id = 'x'",
        "orphan",
        "heuristic.relationship_mentions",
        "x",
    ),
    ("UPDATE heuristic.communities SET parent_id = 'x'", "orphan", "heuristic.communities", "x"),
    ("UPDATE heuristic.communities SET size = 3", "wrong count", "heuristic.communities", "k"),
    (
        "UPDATE heuristic.entities SET chunk_count = 7 WHERE id = 'e-linux'",
        "wrong count",
        "heuristic.entities",
        "e-linux",
    ),
    (
        "UPDATE heuristic.entities SET mention_count = 7 WHERE id = 'e-linux'",
        "wrong count",
        "heuristic.entities",
        "e-linux",
    ),
    (
        "UPDATE heuristic.entities SET short_id = 0",
        "duplicate key",
        "heuristic.entities",
        "0",
    ),
    (
        "INSERT INTO heuristic.entity_aliases FROM heuristic.entity_aliases",
        "duplicate key",
        "heuristic.entity_aliases",
        "e-linux linux",
    ),
    (
        "UPDATE heuristic.entity_mentions SET end_char = 99 WHERE entity_id = 'e-docker'",
        "stale span",
        "heuristic.entity_mentions",
        "e-docker",
    ),
    (
        "INSERT INTO heuristic.rejected (stage, chunk_id) VALUES ('s', 'x')",
        "orphan",
        "heuristic.rejected",
        "x",
    ),
    (
        "INSERT INTO heuristic.claims (id, short_id, subject_id) VALUES ('q', 0, 'x')",
        "orphan",
        "heuristic.claims",
        "x",
    ),
    (
        "INSERT INTO heuristic.community_reports (community_id) VALUES ('x')",
        "orphan",
        "heuristic.community_reports",
        "x",
    ),
]


@pytest.fixture
def store(tmp_path):
    return store_with_run(tmp_path / "s.duckdb")


def test_a_sound_store_has_no_faults(store):
    found = store.check()
    assert found.empty
    assert list(found.columns) == ["problem", "table", "id", "detail"]


@pytest.mark.parametrize(("fault", "problem", "table", "id_"), FAULTS)
def test_finds_the_fault_and_nothing_else(store, fault, problem, table, id_):
    with store.writing() as connection:
        connection.execute(fault)
    found = store.check()
    if problem is None:
        assert found.empty
    elif table == "chunks" and problem == "orphan":
        assert (found["problem"] == "orphan").sum() == 1
    else:
        rows = found[["problem", "table", "id"]].to_numpy().tolist()
        assert [problem, table, id_] in rows
        assert {row[0] for row in rows} == {problem}, found


def test_a_stale_run_is_one_row(store):
    with store.writing() as connection:
        connection.execute("UPDATE wb.main.runs SET status = 'stale'")
        connection.execute("DELETE FROM wb.main.postings")
        connection.execute("DELETE FROM wb.main.chunks WHERE short_id = 0")
    found = store.check()
    assert found[["problem", "table", "id"]].to_numpy().tolist() == [
        ["stale run", "runs", "heuristic"]
    ]
    assert "workbench index --run heuristic" in found["detail"].item()


def test_a_run_without_its_tables_is_a_fault(store):
    with store.writing() as connection:
        connection.execute("DROP SCHEMA wb.heuristic CASCADE")
    found = store.check()
    assert set(found["problem"]) == {"missing table"}
    assert found["detail"].iloc[0] == "heuristic.entities does not exist"
