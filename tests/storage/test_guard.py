from __future__ import annotations

import pytest

from tests.storage.builders import store_with_run
from workbench.errors import StoreError

READS = {
    "SELECT count(*) FROM heuristic.entities": 2,
    "select count(*) from chunks": 4,
    "-- a comment\n(select 1)": 1,
    "/* one */ WITH a AS (SELECT 3 AS x) SELECT x FROM a": 3,
    "FROM documents SELECT count(*)": 2,
    "VALUES (5)": 5,
    "SELECT count(*) FROM range(3)": 3,
    "select 1;": 1,
    "select list_sum(list_transform([1, 2], lambda x: x + 1))": 5,
    "select histogram(tf)[1]::INT from postings": 3,
    "select count(*) from duckdb_tables() where schema_name = 'heuristic'": 10,
}
ATTACKS = {
    "INSERT INTO meta VALUES ('a', 'b')": "only reads",
    "UPDATE chunks SET text = ''": "only reads",
    "DELETE FROM chunks": "only reads",
    "DROP TABLE chunks": "only reads",
    "CREATE TEMP TABLE x AS SELECT 1": "only reads",
    "COPY chunks TO '{out}'": "only reads",
    "COPY (SELECT 1) TO '/dev/stdout'": "only reads",
    "EXPORT DATABASE '{out}'": "only reads",
    "ATTACH '{out}' AS z": "only reads",
    "ATTACH ':memory:' AS z": "only reads",
    "DETACH wb": "only reads",
    "USE memory": "only reads",
    "INSTALL httpfs": "only reads",
    "LOAD vss": "only reads",
    "SET threads = 1": "only reads",
    "SET enable_external_access = true": "only reads",
    "PRAGMA database_list": "only reads",
    "PRAGMA enable_profiling": "only reads",
    "CALL enable_logging()": "only reads",
    "CHECKPOINT": "only reads",
    "BEGIN": "only reads",
    "PREPARE p AS SELECT 1": "only reads",
    "EXPLAIN ANALYZE INSERT INTO meta VALUES ('a', 'b')": "only reads",
    "EXPLAIN (FORMAT json) DELETE FROM chunks": "only reads",
    "EXPLAIN ANALYZE ATTACH ':memory:' AS z": "syntax error",
    "SELECT 1; SELECT 2": "2 statements",
    "SELECT 1; DROP TABLE chunks": "2 statements",
    "PIVOT meta ON key; DROP TABLE chunks": "statements",
    "": "0 statements",
    " -- nothing\n": "0 statements",
    "SELEC 1": "syntax error",
    "WITH x AS (INSERT INTO meta VALUES ('a', 'b') RETURNING *) FROM x": "CTE needs a SELECT",
    "SELECT * FROM read_csv('/etc/passwd')": r"calls read_csv\(\)",
    "SELECT * FROM read_text('/etc/passwd')": r"calls read_text\(\)",
    "SELECT * FROM \"read_text\" /* /* ( */ */ ('/etc/passwd')": r"calls read_text\(\)",
    "SELECT * FROM MAIN.Read_Text('/etc/passwd')": r"calls read_text\(\)",
    "SELECT * FROM read_parquet('http://localhost/x.parquet')": r"calls read_parquet\(\)",
    "SELECT '😀', * FROM read_blob('{store}')": r"calls read_blob\(\)",
    "SELECT * FROM glob('/etc/*')": r"calls glob\(\)",
    "SELECT * FROM sniff_csv('/etc/passwd')": r"calls sniff_csv\(\)",
    "SELECT * FROM enable_logging(storage_path = '{out}')": r"calls enable_logging\(\)",
    "SELECT * FROM query('SELECT * FROM enable_logging()')": r"calls query\(\)",
    "SELECT * FROM pandas_scan(4711)": r"calls pandas_scan\(\)",
    "SELECT * FROM force_checkpoint('wb')": r"calls force_checkpoint\(\)",
    "SELECT * FROM duckdb_secrets()": r"calls duckdb_secrets\(\)",
    "SELECT * FROM '/etc/passwd'": "does not exist",
    "SELECT * FROM 'http://localhost/x.csv'": "Cannot access file",
    "SELECT * FROM secret_frame": "does not exist",
    "SELECT getenv('HOME')": "getenv does not exist",
    "SELECT nothing FROM chunks": "nothing",
    "SELECT 'a'::INT": "Could not convert",
    "SELECT '\ud800'": "lone surrogate",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return store_with_run(tmp_path_factory.mktemp("guard") / "s.duckdb")


@pytest.mark.parametrize("query", READS)
def test_reads(store, query):
    assert store.sql(query).iloc[0, 0] == READS[query]


@pytest.mark.parametrize(
    "query",
    [
        "SHOW TABLES",
        "DESCRIBE chunks",
        "SUMMARIZE chunks",
        "PIVOT meta ON key",
        "PIVOT meta ON key IN ('tokenizer') USING first(value)",
        "UNPIVOT meta ON key, value",
        "EXPLAIN SELECT * FROM chunks",
        "EXPLAIN ANALYZE SELECT * FROM chunks",
        "EXPLAIN (FORMAT json) SELECT 1",
        "TABLE meta",
    ],
)
def test_answers(store, query):
    assert len(store.sql(query)) >= 1


@pytest.mark.parametrize("query", ATTACKS)
def test_refuses(store, query, tmp_path):
    secret_frame = __import__("pandas").DataFrame({"a": [1]})
    assert len(secret_frame) == 1  # a Python variable that SQL must not see
    before = store.path.read_bytes()
    out = tmp_path / "out"
    with pytest.raises(StoreError, match=ATTACKS[query]) as caught:
        store.sql(query.replace("{out}", str(out)).replace("{store}", str(store.path)))
    assert "\n" not in str(caught.value)
    assert not out.exists()
    assert store.path.read_bytes() == before
    assert store.sql("SELECT count(*) FROM chunks").iloc[0, 0] == 4


def test_binds_parameters(store):
    assert store.sql("SELECT text FROM chunks WHERE id = ?", ["c-a.md-0"])["text"].item()
    found = store.sql("SELECT $word AS word", {"word": "'; DROP TABLE chunks; --"})
    assert found["word"].item() == "'; DROP TABLE chunks; --"


def test_in_a_session_too(store):
    with store.session():
        assert store.sql("SELECT 1").iloc[0, 0] == 1
        with pytest.raises(StoreError):
            store.sql("SELECT * FROM nowhere")
        assert store.sql("SELECT 2").iloc[0, 0] == 2
