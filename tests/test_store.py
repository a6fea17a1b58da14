from __future__ import annotations

import threading

import numpy as np
import pandas as pd
import pytest

from tests.storage.builders import (
    DIMENSION,
    TEXTS,
    StandIn,
    empty_store,
    run_tables,
    store_with_run,
    with_run,
)
from workbench.errors import InputError, StoreError
from workbench.params import EmbedParams
from workbench.schema import RESERVED_RUN_NAMES, RUN_TABLES
from workbench.storage.compare import compare_stores
from workbench.store import Run, Store


@pytest.fixture
def store(tmp_path):
    return store_with_run(tmp_path / "s.duckdb")


def test_a_new_store_knows_what_it_was_made_with(tmp_path):
    store = empty_store(tmp_path / "s.duckdb")
    assert store.meta() == {
        "schema_version": "1",
        "tokenizer": "o200k_base",
        "chunk_params": '{"chunker":"markdown","size":512,"overlap":50,"encoding":"o200k_base"}',
        "embed_params": '{"model":"minilm","dtype":"float32"}',
        "embedder_name": "stand-in",
        "embedder_revision": "1",
        "embedder_dtype": "float32",
        "embedder_dimension": "8",
        "corpus_status": "partial",
    }
    assert store.counts() == {"documents": 0, "chunks": 0, "runs": {}}
    assert store.embed_params() == EmbedParams()
    assert [path.name for path in tmp_path.iterdir()] == ["s.duckdb"]
    with pytest.raises(StoreError, match="exists already"):
        empty_store(tmp_path / "s.duckdb")


def test_reads_what_was_written_in_a_stable_order(store):
    documents = store.read("documents")
    assert list(documents["text"]) == list(TEXTS.values())
    chunks = store.read("chunks")
    assert list(chunks["short_id"]) == [0, 1, 2, 3]
    assert "embedding" not in chunks
    assert list(store.run().entities["name"]) == ["Docker", "Linux"]
    assert list(store.run("heuristic").community_members["entity_id"]) == ["e-docker", "e-linux"]


def test_vectors_are_aligned_read_only_and_kept_until_the_file_changes(store):
    found = store.vectors("chunks")
    assert found.ids == list(store.read("chunks")["id"])
    assert found.matrix.dtype == np.float32
    np.testing.assert_array_equal(found.matrix, StandIn().encode(store.read("chunks")["text"]))
    assert store.vectors("chunks") is found
    with pytest.raises(ValueError, match="read-only"):
        found.matrix[0, 0] = 2
    entities = store.vectors("entities")
    assert entities.ids == ["e-docker", "e-linux"]
    np.testing.assert_array_equal(entities.matrix, StandIn().encode(["Docker", "Linux"]))
    Store(store.path).delete_run("heuristic")
    assert store.vectors("chunks") is not found
    assert empty_vectors_shape(store) == (0, DIMENSION)
    with pytest.raises(StoreError, match="no vectors"):
        store.vectors("documents")


def empty_vectors_shape(store):
    tables = {"entities": run_tables()["entities"]}
    store.write_run("bare", mode="heuristic", params={}, tables=tables)
    return store.vectors("entities", "bare").matrix.shape


def test_a_run_replaces_the_former_one_of_its_name(store):
    tables = run_tables()
    tables["entities"] = tables["entities"].iloc[:1]
    run = store.write_run("heuristic", mode="llm", params={"b": [1]}, llm="m", tables=tables)
    assert isinstance(run, Run)
    assert (run.mode, run.params, run.llm, run.status) == ("llm", {"b": [1]}, "m", "complete")
    assert list(run.entities["name"]) == ["Linux"]
    assert len(run.rejected) == 0
    assert len(store.runs()) == 1


def test_a_write_that_fails_leaves_the_former_run(store):
    tables = run_tables()
    tables["communities"] = pd.DataFrame([{"id": "k", "level": "not a number"}])
    with pytest.raises((ValueError, StoreError)):
        store.write_run("heuristic", mode="heuristic", params={}, tables=tables)
    assert len(store.run("heuristic").entities) == 2
    assert store.check().empty


def test_runs_are_found_by_name_or_when_there_is_one(store):
    with pytest.raises(StoreError, match="no run 'llm': its runs are: heuristic"):
        store.run("llm")
    with_run(store, "other")
    with pytest.raises(StoreError, match="name one .*heuristic, other"):
        store.run()
    store.delete_run("heuristic")
    assert store.run().name == "other"
    assert (
        store.sql("SELECT count(*) AS n FROM duckdb_schemas() WHERE schema_name = 'heuristic'")[
            "n"
        ].item()
        == 0
    )
    store.delete_run("other")
    with pytest.raises(StoreError, match="workbench index --store"):
        store.read("entities")


@pytest.mark.parametrize(
    "name", [*sorted(RESERVED_RUN_NAMES), "A", "1a", "a-b", 'a"; DROP', "a\n", "", "a" * 42]
)
def test_bad_run_names_are_refused(store, name):
    with pytest.raises(InputError, match="cannot be called"):
        store.write_run(name, mode="heuristic", params={}, tables={})


@pytest.mark.parametrize("name", ["select", "table", "a" * 41, "run_2"])
def test_any_other_name_serves(store, name):
    with_run(store, name)
    assert store.counts()["runs"][name]["entities"] == 2
    assert store.check().empty


def test_counts_have_the_shape_of_the_command_line(store):
    assert store.counts() == {
        "documents": 2,
        "chunks": 4,
        "runs": {
            "heuristic": {
                "mode": "heuristic",
                "entities": 2,
                "relationships": 1,
                "communities": 1,
                "isolated_entities": 0,
                "levels": 1,
            }
        },
    }


def test_unknown_tables_are_refused_with_the_known_ones(store):
    with pytest.raises(StoreError, match="no table 'entitys'.*entities"):
        store.read("entitys")
    with pytest.raises(KeyError, match="entitys"):
        store.write_run("x", mode="llm", params={}, tables={"entitys": pd.DataFrame()})


def test_put_replaces_rows_of_the_same_key(store):
    call = {"key": "k", "attempt": 1, "run": "llm", "task": "t", "reply": "one", "seconds": 0.5}
    store.put("llm_calls", pd.DataFrame([call, {**call, "attempt": 2}]))
    store.put("llm_calls", pd.DataFrame([{**call, "reply": "two"}]))
    assert list(store.read("llm_calls")["reply"]) == ["two", "one"]
    vector = {"kind": "text_unit_text", "id": "1", "vector": [1.0, 2.0, 3.0]}
    store.put("imported_vectors", pd.DataFrame([vector]))
    assert list(store.read("imported_vectors")["vector"].iloc[0]) == [1.0, 2.0, 3.0]
    with pytest.raises(KeyError, match="meta"):
        store.put("meta", pd.DataFrame([{"key": "schema_version", "value": "9"}]))


def test_another_embedder_is_refused(store):
    store.require_embedder(StandIn())
    for field, value in {
        "name": "big",
        "revision": "2",
        "dtype": "bfloat16",
        "dimension": 9,
    }.items():
        other = StandIn()
        setattr(other, field, value)
        with pytest.raises(StoreError, match="stand-in .*another --store FILE"):
            store.require_embedder(other)


def test_sessions_nest_and_hold_no_thread_back(store):
    seen = []
    with store.session(), store.session():
        assert len(store.read("chunks")) == 4
        call = {"key": "k", "attempt": 1}
        thread = threading.Thread(
            target=lambda: seen.append(store.put("llm_calls", pd.DataFrame([call])))
        )
        thread.start()
        thread.join(10)
        assert not thread.is_alive()
        assert len(store.read("llm_calls")) == 1
    assert seen == [None]


def test_threads_take_turns(store):
    def work(number):
        for attempt in range(2):
            store.put("llm_calls", pd.DataFrame([{"key": f"{number}", "attempt": attempt}]))
            Store(store.path).read("chunks")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.read("llm_calls")) == 6


def test_equal_stores_have_no_differences_and_unequal_ones_name_theirs(tmp_path):
    first = store_with_run(tmp_path / "a.duckdb")
    second = store_with_run(tmp_path / "b.duckdb")
    assert compare_stores(first, second) == []
    with second.writing() as connection:
        connection.execute("UPDATE wb.heuristic.entities SET name = 'Docked' WHERE short_id = 0")
        connection.execute("DELETE FROM wb.main.postings WHERE term = 'docker'")
        connection.execute(
            "UPDATE wb.main.chunks SET embedding = ?::FLOAT[8] WHERE short_id = 0",
            [[1.0] + 7 * [0.0]],
        )
    found = compare_stores(first, second)
    assert [line.split(":")[0] for line in found] == [
        "main.chunks.embedding",
        "main.postings",
        "heuristic.entities.name",
    ]
    assert "'Docker', 'Docked'" in found[2]


def test_every_table_of_a_run_can_be_read(store):
    for table in RUN_TABLES:
        assert list(store.read(table.name).columns) == table.plain_names


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("chunk_params", None),
        ("embed_params", "{"),
        ("embedder_dimension", "many"),
        ("corpus_status", None),
    ],
)
def test_a_lost_setting_is_named(store, key, value):
    with store.writing() as connection:
        connection.execute("DELETE FROM wb.main.meta WHERE key = ?", [key])
        if value is not None:
            connection.execute("INSERT INTO wb.main.meta VALUES (?, ?)", [key, value])
    with pytest.raises(StoreError, match=f"lost its setting '{key}'.*restore"):
        Store(store.path)


def test_parameters_of_a_run_that_are_no_json_are_named(store):
    with store.writing() as connection:
        connection.execute("UPDATE wb.main.runs SET params = '{'")
    name = store.runs()["name"].iloc[0]
    with pytest.raises(StoreError, match=f"run '{name}'.*no JSON"):
        store.run(name)
