"""A connection in, every fault of the tables out: orphans, stale spans, missing vectors, counts."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pandas as pd

from workbench.schema import MAIN_TABLES, RUN_TABLES, Table
from workbench.storage.tables import place, run_name

Row = tuple[str, str, str, str]  # problem, table, id, detail
COLUMNS = ["problem", "table", "id", "detail"]

# table, column that points, table pointed at (its id). Chunks and documents are of the corpus.
_CORPUS_REFERENCES = (
    ("chunks", "document_id", "documents"),
    ("postings", "chunk_id", "chunks"),
)
_RUN_REFERENCES = (
    ("entity_aliases", "entity_id", "entities"),
    ("entity_mentions", "entity_id", "entities"),
    ("entity_mentions", "chunk_id", "chunks"),
    ("relationships", "source_id", "entities"),
    ("relationships", "target_id", "entities"),
    ("relationship_mentions", "relationship_id", "relationships"),
    ("relationship_mentions", "chunk_id", "chunks"),
    ("communities", "parent_id", "communities"),
    ("community_members", "community_id", "communities"),
    ("community_members", "entity_id", "entities"),
    ("community_reports", "community_id", "communities"),
    ("claims", "subject_id", "entities"),
    ("claims", "object_id", "entities"),
    ("claims", "chunk_id", "chunks"),
    ("rejected", "chunk_id", "chunks"),
)
_COUNTS = (
    (
        "entities",
        "SELECT id, 'chunk_count is ' || chunk_count || ', mentions are in ' || n || ' chunks' "
        "FROM entities JOIN (SELECT entity_id, count(*) AS n FROM entity_mentions GROUP BY ALL) "
        "ON entity_id = id WHERE chunk_count <> n ORDER BY id",
    ),
    (
        "entities",
        "SELECT id, 'mention_count is ' || mention_count || ', its chunks hold ' || n "
        "FROM entities JOIN (SELECT entity_id, sum(mention_count) AS n FROM entity_mentions "
        "GROUP BY ALL) ON entity_id = id WHERE entities.mention_count <> n ORDER BY id",
    ),
    (
        "communities",
        "SELECT id, 'size is ' || size || ', members are ' || count(entity_id) FROM communities "
        "LEFT JOIN community_members ON community_id = id GROUP BY id, size "
        "HAVING size <> count(entity_id) ORDER BY id",
    ),
)
_STALE_MENTIONS = """
    SELECT entity_id, 'mention at ' || m.start_char || '..' || m.end_char || ' lies outside chunk '
        || c.id || ' (' || c.start_char || '..' || c.end_char || ')'
    FROM entity_mentions AS m JOIN wb.main.chunks AS c ON c.id = m.chunk_id
    WHERE m.start_char < c.start_char OR m.end_char > c.end_char ORDER BY ALL"""


def check(connection: duckdb.DuckDBPyConnection) -> pd.DataFrame:
    """Give one row a fault, in the order of the tables."""
    rows = [*_corpus(connection)]
    runs = connection.execute("SELECT name, status FROM wb.main.runs ORDER BY name").fetchall()
    for name, status in runs:
        if missing := _missing_tables(connection, name):
            rows += missing
            continue
        connection.execute(f'USE wb."{run_name(name)}"')
        try:
            rows += [
                (problem, f"{name}.{table}", id_, detail)
                for problem, table, id_, detail in _run(connection, name, stale=status == "stale")
            ]
        finally:
            connection.execute("USE wb")
        if status == "stale":
            detail = f"documents have changed since: workbench index --run {name}"
            rows.append(("stale run", "runs", name, detail))
    return pd.DataFrame(rows, columns=COLUMNS, dtype="str")


def _missing_tables(connection: duckdb.DuckDBPyConnection, run: str) -> list[Row]:
    there = connection.execute(
        "SELECT table_name FROM duckdb_tables() WHERE database_name = 'wb' AND schema_name = ?",
        [run],
    ).fetchall()
    missing = [table.name for table in RUN_TABLES if (table.name,) not in there]
    return [("missing table", "runs", run, f"{run}.{name} does not exist") for name in missing]


def _corpus(connection: duckdb.DuckDBPyConnection) -> Iterator[Row]:
    for table in MAIN_TABLES:
        yield from _duplicates(connection, table, None)
    for reference in _CORPUS_REFERENCES:
        yield from _orphans(connection, *reference)
    yield from _stale_chunks(connection)
    for (id_,) in connection.execute(
        "SELECT id FROM wb.main.chunks WHERE embedding IS NULL ORDER BY short_id"
    ).fetchall():
        yield "missing vector", "chunks", id_, "embedding is null"


def _run(connection: duckdb.DuckDBPyConnection, name: str, *, stale: bool) -> Iterator[Row]:
    for table in RUN_TABLES:
        yield from _duplicates(connection, table, name)
    for reference in _RUN_REFERENCES:
        if not (stale and reference[2] == "chunks"):
            yield from _orphans(connection, *reference)
    if not stale:
        for id_, detail in connection.execute(_STALE_MENTIONS).fetchall():
            yield "stale span", "entity_mentions", id_, detail
    for table, query in _COUNTS:
        for id_, detail in connection.execute(query).fetchall():
            yield "wrong count", table, id_, detail
    for table, key in (("entities", "id"), ("community_reports", "community_id")):
        # A run whose rows have no vector at all was made without an embedder; of a report that
        # failed there is nothing to embed.
        due = "status IS DISTINCT FROM 'failed'" if table == "community_reports" else "true"
        for (id_,) in connection.execute(
            f"SELECT {key} FROM {table} WHERE embedding IS NULL AND {due} "  # noqa: S608
            f"AND EXISTS (FROM {table} WHERE embedding IS NOT NULL) ORDER BY {key}"
        ).fetchall():
            yield "missing vector", table, id_, "embedding is null"


def _orphans(
    connection: duckdb.DuckDBPyConnection, table: str, column: str, target: str
) -> Iterator[Row]:
    corpus = {"documents": "wb.main.documents", "chunks": "wb.main.chunks"}
    source, of = {"postings": "wb.main.postings"}.get(table, table), corpus.get(target, target)
    source = corpus.get(source, source)
    found = connection.execute(
        f"SELECT DISTINCT {column} FROM {source} WHERE {column} IS NOT NULL "  # noqa: S608
        f"AND {column} NOT IN (SELECT id FROM {of}) ORDER BY ALL"
    ).fetchall()
    for (id_,) in found:
        yield "orphan", table, id_, f"{column} is not in {target}"


def _duplicates(
    connection: duckdb.DuckDBPyConnection, table: Table, run: str | None
) -> Iterator[Row]:
    for key in (table.key, ("short_id",) if "short_id" in table.names else ()):
        if not key:
            continue
        columns = ", ".join(key)
        found = connection.execute(
            f"SELECT concat_ws(' ', {columns}), count(*) FROM {place(table, run)} "  # noqa: S608
            f"GROUP BY {columns} HAVING count(*) > 1 ORDER BY {columns}"
        ).fetchall()
        for id_, count in found:
            yield "duplicate key", table.name, id_, f"{count} rows have this {columns}"


def _stale_chunks(connection: duckdb.DuckDBPyConnection) -> Iterator[Row]:
    """Compare each chunk with its slice: in Python, whose slices of a long text cost nothing."""
    texts = dict(connection.execute("SELECT id, text FROM wb.main.documents").fetchall())
    cursor = connection.execute(
        "SELECT id, document_id, start_char, end_char, text FROM wb.main.chunks ORDER BY short_id"
    )
    while rows := cursor.fetchmany(1000):
        for id_, document, start, end, text in rows:
            if start is not None and document in texts and texts[document][start:end] != text:
                yield "stale span", "chunks", id_, f"its text is not text[{start}:{end}]"
