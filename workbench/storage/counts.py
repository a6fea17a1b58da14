"""A connection in, the numbers that `stats` prints out."""

from __future__ import annotations

from typing import Any

import duckdb

from workbench.storage.tables import run_name


def counts(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Count documents, chunks, and the tables of every run.

    `isolated_entities` have degree 0; `levels` are those of the community hierarchy.
    """
    documents, chunks = connection.execute(
        "SELECT (SELECT count(*) FROM wb.main.documents), (SELECT count(*) FROM wb.main.chunks)"
    ).fetchone()
    runs = connection.execute("SELECT name, mode FROM wb.main.runs ORDER BY name").fetchall()
    return {
        "documents": documents,
        "chunks": chunks,
        "runs": {name: {"mode": mode, **_run(connection, name)} for name, mode in runs},
    }


def _run(connection: duckdb.DuckDBPyConnection, name: str) -> dict[str, int]:
    names = ("entities", "relationships", "communities", "isolated_entities", "levels")
    connection.execute(f'USE wb."{run_name(name)}"')
    try:
        row = connection.execute(
            "SELECT (SELECT count(*) FROM entities), (SELECT count(*) FROM relationships), "
            "(SELECT count(*) FROM communities), "
            "(SELECT count(*) FROM entities WHERE coalesce(degree, 0) = 0), "
            "(SELECT count(DISTINCT level) FROM communities)"
        ).fetchone()
    finally:
        connection.execute("USE wb")
    return dict(zip(names, row, strict=True))
