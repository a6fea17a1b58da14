"""Documents and chunks in, three kinds of transaction out: begin, a batch, finish.

Between any two of them the file is whole: each document stands in it with all its chunks, vectors
and postings, in its old state or in its new one. `meta.corpus_status` is `partial` from begin to
finish.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import numpy as np
import pandas as pd

from workbench.schema import CHUNKS, DOCUMENTS, POSTINGS, SKIPPED
from workbench.storage import tables


def begin(
    connection: duckdb.DuckDBPyConnection,
    *,
    vanished: Sequence[str],
    skipped: pd.DataFrame,
    numbers: pd.DataFrame,
    stale: bool,
) -> None:
    """Delete vanished documents, note what was skipped, number the chunks that stay.

    `numbers` has the columns id and short_id of stored chunks whose number changes. `stale` says
    that documents have changed, so that complete runs no longer fit them.
    """
    _status(connection, "partial")
    _delete(connection, vanished)
    connection.execute("DELETE FROM wb.main.skipped")
    tables.insert(connection, SKIPPED, skipped)
    if not numbers.empty:
        connection.register("numbers", numbers)
        connection.execute(
            "UPDATE wb.main.chunks SET short_id = numbers.short_id FROM numbers "
            "WHERE chunks.id = numbers.id"
        )
        connection.unregister("numbers")
    if stale:
        connection.execute("UPDATE wb.main.runs SET status = 'stale' WHERE status = 'complete'")


def write(
    connection: duckdb.DuckDBPyConnection,
    documents: pd.DataFrame,
    chunks: pd.DataFrame,
    vectors: np.ndarray,
    postings: pd.DataFrame,
    dimension: int,
) -> None:
    """Put documents with their chunks in place of what the file holds of these documents."""
    _delete(connection, list(documents["id"]))
    tables.insert(connection, DOCUMENTS, documents)
    tables.insert(connection, CHUNKS, chunks, vectors=vectors, dimension=dimension)
    tables.insert(connection, POSTINGS, postings)


def finish(connection: duckdb.DuckDBPyConnection) -> None:
    """Sort the postings by term, so that a query reads few blocks, and call the corpus complete."""
    connection.execute(
        "CREATE OR REPLACE TABLE wb.main.postings AS FROM wb.main.postings ORDER BY term, chunk_id"
    )
    _status(connection, "complete")


def _status(connection: duckdb.DuckDBPyConnection, status: str) -> None:
    connection.execute("UPDATE wb.main.meta SET value = ? WHERE key = 'corpus_status'", [status])


def _delete(connection: duckdb.DuckDBPyConnection, ids: Sequence[str]) -> None:
    if not ids:
        return
    gone = [list(ids)]
    connection.execute(
        "DELETE FROM wb.main.postings WHERE chunk_id IN "
        "(SELECT id FROM wb.main.chunks WHERE document_id IN (SELECT unnest(?)))",
        gone,
    )
    connection.execute("DELETE FROM wb.main.chunks WHERE document_id IN (SELECT unnest(?))", gone)
    connection.execute("DELETE FROM wb.main.documents WHERE id IN (SELECT unnest(?))", gone)
