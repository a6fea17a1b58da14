"""A store in, its chunk vectors in a DuckDB HNSW index out, and what that index cannot do.

An option: exact search (`dense.py`) is faster up to 100,000 chunks and misses nothing. The index
lies in a file of its own, `<store>.hnsw.duckdb`, since DuckDB writes an index anew at each
checkpoint; it is made when first asked for, and made again when the vectors are others than those
it was made of. It is used for `ORDER BY array_cosine_distance(column, parameter) LIMIT k` alone:
`hnsw_traps` shows what happens otherwise.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import json
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa

from workbench.errors import InputError, WorkbenchWarning
from workbench.query.chunk_index import ChunkIndex, chunk_index
from workbench.query.dense import cosines
from workbench.query.fusion import ranks
from workbench.query.stamp import kept

if TYPE_CHECKING:
    from workbench.store import Store

NEAR = 100  # chunks that a search through the index looks at, or 10 k when that is more
_EF = 64  # candidates that DuckDB's search keeps, or k when that is more
_ROWS = "SELECT row FROM hnsw.vectors"
_BY = "ORDER BY array_cosine_distance(embedding, <vector>)"
TRAPS = {  # what is asked, and how
    "as it must be": f"{_ROWS} {_BY} LIMIT 10",
    "a WHERE runs after the index": f"{_ROWS} WHERE row % 7 = 3 {_BY} LIMIT 10",
    "a second sort key": f"{_ROWS} {_BY}, row LIMIT 10",
    "similarity in place of distance": (
        f"{_ROWS} ORDER BY array_cosine_similarity(embedding, <vector>) DESC LIMIT 10"
    ),
    "another metric": f"{_ROWS} ORDER BY array_distance(embedding, <vector>) LIMIT 10",
    "a sub-query as the vector": (
        f"{_ROWS} ORDER BY array_cosine_distance(embedding, (SELECT <vector>)) LIMIT 10"
    ),
    "no LIMIT": f"{_ROWS} {_BY}",
}


def hnsw_file(store: Store) -> Path:
    """Give where the index of a store lies, or will lie."""
    return store.path.with_suffix(".hnsw.duckdb")


def near_cosines(store: Store, index: ChunkIndex, vector: np.ndarray, k: int) -> np.ndarray | None:
    """Give the cosine of the chunks that the index finds near, NaN for all others.

    None where there is no extension: then search exactly.
    """
    connection = _opened(store, index)
    if connection is None:
        return None
    rows = _nearest(connection, vector, min(max(NEAR, 10 * k), len(index.chunks)))
    found = np.full(len(index.chunks), np.nan, np.float32)
    found[rows] = cosines(index.matrix[rows], vector)
    return found


def hnsw_recall(store: Store, *, k: int = 10, sample: int = 100) -> pd.DataFrame:
    """Compare the index with exact search, with the vectors of `sample` chunks as questions.

    Columns: chunk (short id), recall (share of the exact k nearest that it found), missed (their
    short ids). The chunks are spread evenly over the corpus. InputError without the extension.
    """
    index = chunk_index(store)
    connection = _needed(store, index)
    short = index.chunks["short_id"].to_numpy()
    asked = np.unique(np.linspace(0, len(short) - 1, min(sample, len(short))).astype(int))
    rows = []
    for row in asked.tolist():
        places = ranks(cosines(index.matrix, index.matrix[row]))
        exact = set(np.flatnonzero(places <= k).tolist())
        missed = sorted(exact - set(_nearest(connection, index.matrix[row], k).tolist()))
        names = ", ".join(str(short[one]) for one in missed)
        rows.append((int(short[row]), 1 - len(missed) / len(exact), names))
    return pd.DataFrame(rows, columns=["chunk", "recall", "missed"])


def hnsw_plan(store: Store, query: str = TRAPS["as it must be"]) -> str:
    """Give DuckDB's plan of a query on `hnsw.vectors` (row, embedding) with `<vector>` in it."""
    index = chunk_index(store)
    return _explained(_needed(store, index), query, index.matrix[0])


def hnsw_traps(store: Store) -> pd.DataFrame:
    """Show for each way of asking whether the index is used, and how many of its rows come.

    Columns: asked, index_used, rows, expected (rows without an index), sql.
    """
    index = chunk_index(store)
    connection, vector = _needed(store, index), index.matrix[0]
    length, rows = len(vector), []
    for name, sql in TRAPS.items():
        query = _bound(sql, length)
        found = len(connection.execute(query, [_text(vector)]).fetchall())
        plain = query.replace("hnsw.vectors", "(SELECT * FROM hnsw.vectors OFFSET 0)")
        expected = len(connection.execute(plain, [_text(vector)]).fetchall())
        used = "HNSW_INDEX_SCAN" in _explained(connection, query, vector)
        rows.append((name, used, found, expected, query))
    return pd.DataFrame(rows, columns=["asked", "index_used", "rows", "expected", "sql"])


def _explained(connection: duckdb.DuckDBPyConnection, query: str, vector: np.ndarray) -> str:
    query = f"EXPLAIN {_bound(query, len(vector))}"
    return connection.execute(query, [_text(vector)]).fetchall()[0][1]


def _bound(query: str, length: int) -> str:
    """Put the vector's place into a query: bound as text, since a bound list costs 20 ms."""
    return query.replace("<vector>", f"(?::VARCHAR)::FLOAT[{length}]")


def _nearest(connection: duckdb.DuckDBPyConnection, vector: np.ndarray, k: int) -> np.ndarray:
    connection.execute(f"SET hnsw_ef_search = {max(_EF, k)}")
    query = _bound(f"{_ROWS} {_BY} LIMIT {k}", len(vector))
    return connection.execute(query, [_text(vector)]).fetchnumpy()["row"].astype(np.int64)


def _text(vector: np.ndarray) -> str:
    return json.dumps([float(value) for value in vector])


def _needed(store: Store, index: ChunkIndex) -> duckdb.DuckDBPyConnection:
    connection = _opened(store, index)
    if connection is None:
        raise InputError("DuckDB's extension vss is missing: pip install duckdb-extension-vss.")
    return connection


def _opened(store: Store, index: ChunkIndex) -> duckdb.DuckDBPyConnection | None:
    """Give a connection that reads the index, kept in this process until the corpus changes."""
    if not len(index.chunks):
        raise InputError(f"The store {store.path} has no chunks: index a corpus first.")
    connection = kept("hnsw", store, None, lambda: _load(hnsw_file(store), index))
    if connection is None:
        _say_once()
    return connection


def _load(path: Path, index: ChunkIndex) -> duckdb.DuckDBPyConnection | None:
    connection = _with_vss()
    if connection is None:
        return None
    fingerprint = _fingerprint(index)
    if _made_of(path) != fingerprint:
        _build(path, index, fingerprint)
    connection.execute(f"ATTACH '{_quoted(path)}' AS hnsw (READ_ONLY)")
    return connection


def _fingerprint(index: ChunkIndex) -> str:
    """Give a hash of the chunks' ids and vectors."""
    found = hashlib.sha256("\n".join(index.chunks["id"]).encode())
    found.update(str(index.matrix.shape).encode())
    found.update(np.ascontiguousarray(index.matrix))
    return found.hexdigest()


def _made_of(path: Path) -> str | None:
    """Give the fingerprint of the vectors that an index was made of; None for no such file."""
    if not path.exists():
        return None
    with contextlib.suppress(duckdb.Error), _closing(_with_vss()) as connection:
        connection.execute(f"ATTACH '{_quoted(path)}' AS hnsw (READ_ONLY)")
        return str(connection.execute("SELECT fingerprint FROM hnsw.made_of").fetchall()[0][0])
    return None


def _build(path: Path, index: ChunkIndex, fingerprint: str) -> None:
    """Write the index into a file beside its place, then put it there."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    fresh.unlink(missing_ok=True)
    count, length = index.matrix.shape
    flat = pa.array(np.ascontiguousarray(index.matrix, np.float32).ravel())
    vectors = pa.FixedSizeListArray.from_arrays(flat, length)
    table = pa.table({"row": pa.array(np.arange(count, dtype=np.int32)), "embedding": vectors})
    with _closing(_with_vss()) as connection:
        connection.execute("SET hnsw_enable_experimental_persistence = true")
        connection.execute(f"ATTACH '{_quoted(fresh)}' AS hnsw")
        connection.register("given", table)
        connection.execute("CREATE TABLE hnsw.vectors AS SELECT * FROM given")
        connection.execute(
            "CREATE INDEX near ON hnsw.vectors USING HNSW (embedding) WITH (metric = 'cosine')"
        )
        connection.execute("CREATE TABLE hnsw.made_of AS SELECT ? AS fingerprint", [fingerprint])
        connection.execute("DETACH hnsw")
    os.replace(fresh, path)


@contextlib.contextmanager
def _closing(
    connection: duckdb.DuckDBPyConnection | None,
) -> Iterator[duckdb.DuckDBPyConnection]:
    assert connection is not None  # noqa: S101 (looked at before)
    try:
        yield connection
    finally:
        connection.close()


def _with_vss() -> duckdb.DuckDBPyConnection | None:
    """Give a connection that has the extension: the packaged one, else one to be installed."""
    connection = duckdb.connect()
    for load in (load_packaged, _load_installed):
        try:
            load(connection)
            return connection
        except (duckdb.Error, ImportError):
            continue
    connection.close()
    return None


def load_packaged(connection: duckdb.DuckDBPyConnection) -> None:
    """Load the extension that came as a wheel; ImportError where it did not."""
    spec = importlib.util.find_spec("duckdb_extension_vss")
    places = spec.submodule_search_locations if spec else None
    files = sorted(Path(places[0]).rglob("vss.duckdb_extension")) if places else []
    if not files:
        raise ImportError("duckdb_extension_vss")
    connection.load_extension(str(files[0]))


def _load_installed(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("INSTALL vss")
    connection.execute("LOAD vss")


@functools.cache
def _say_once() -> None:
    warnings.warn(
        "DuckDB's extension vss cannot be loaded, so search is exact: "
        "pip install duckdb-extension-vss.",
        WorkbenchWarning,
        stacklevel=2,
    )


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")
