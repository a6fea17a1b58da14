"""Frames and vectors in, rows of a DuckDB table out, and back.

Vectors travel apart from frames: float32 arrays (rows, dimension), row i of the one belonging to
row i of the other, all NaN where that row has no vector. Names of tables and columns come from
`schema.py`, names of runs pass `run_name`; all values are bound or come as Arrow tables.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa

from workbench.errors import InputError, StoreError
from workbench.frames import table_frame
from workbench.schema import BY_NAME, RESERVED_RUN_NAMES, RUN_NAME_PATTERN, VECTOR, Table

_ARROW = {
    "VARCHAR": pa.string(),
    "INTEGER": pa.int32(),
    "DOUBLE": pa.float64(),
    "BOOLEAN": pa.bool_(),
    "TIMESTAMP": pa.timestamp("us"),
    "FLOAT[]": pa.list_(pa.float32()),
}


@dataclass(frozen=True)
class Vectors:
    """Vectors of one table: `matrix[i]` (float32, read-only) belongs to the row `ids[i]`."""

    ids: list[str]
    matrix: np.ndarray


def run_name(name: str) -> str:
    """Give the name back when a run may have it; raise InputError otherwise."""
    if not re.fullmatch(RUN_NAME_PATTERN, name) or name in RESERVED_RUN_NAMES:
        raise InputError(
            f"A run cannot be called {name!r}: use at most 41 of a-z, 0-9 and _, a letter first, "
            f"and none of {', '.join(sorted(RESERVED_RUN_NAMES))}."
        )
    return name


def table(name: str) -> Table:
    """Give the schema's table; StoreError lists the tables when there is none of that name."""
    if name not in BY_NAME:
        raise StoreError(f"There is no table {name!r}: the tables are {', '.join(BY_NAME)}.")
    return BY_NAME[name]


def place(table: Table, run: str | None) -> str:
    """Give the quoted place of a table in the attached file."""
    schema = run_name(run) if table.scope == "run" and run is not None else "main"
    return f'wb."{schema}".{table.name}'


def insert(
    connection: duckdb.DuckDBPyConnection,
    table: Table,
    rows: pd.DataFrame,
    *,
    run: str | None = None,
    vectors: np.ndarray | None = None,
    dimension: int = 0,
) -> None:
    """Add rows, sorted by the table's key, so that equal content makes equal files."""
    frame = table_frame(table, rows)
    if frame.empty:
        return
    connection.register("staged", _arrow(table, frame, vectors, dimension))
    try:
        order = f" ORDER BY {', '.join(table.key)}" if table.key else ""
        connection.execute(f"INSERT INTO {place(table, run)} BY NAME FROM staged{order}")
    finally:
        connection.unregister("staged")


def replace(connection: duckdb.DuckDBPyConnection, table: Table, rows: pd.DataFrame) -> None:
    """Add rows to a table of the corpus in place of those that have the same key."""
    frame = table_frame(table, rows)
    if frame.empty:
        return
    connection.register("replaced", _arrow(table, frame, None, 0))
    same = " AND ".join(f"old.{name} = replaced.{name}" for name in table.key)
    connection.execute(
        f"DELETE FROM {place(table, None)} AS old USING replaced WHERE {same}"  # noqa: S608
    )
    connection.unregister("replaced")
    insert(connection, table, frame)


def _arrow(
    table: Table, frame: pd.DataFrame, vectors: np.ndarray | None, dimension: int
) -> pa.Table:
    columns = {}
    for column in table.columns:
        if column.type == VECTOR:
            if vectors is not None:
                columns[column.name] = _fixed(vectors, len(frame), dimension, table.name)
        else:
            columns[column.name] = pa.array(
                frame[column.name], type=_ARROW[column.type], from_pandas=True
            )
    return pa.table(columns)


def _fixed(vectors: np.ndarray, rows: int, dimension: int, name: str) -> pa.Array:
    """Give vectors as an Arrow column; a row of NaN is a row that has no vector."""
    if vectors.shape != (rows, dimension):
        raise ValueError(f"vectors of {name}: shape {vectors.shape}, not {(rows, dimension)}")
    flat = np.ascontiguousarray(vectors, dtype=np.float32).ravel()
    without = pa.array(np.isnan(vectors).all(axis=1))
    return pa.FixedSizeListArray.from_arrays(pa.array(flat), dimension, mask=without)


def read(
    connection: duckdb.DuckDBPyConnection, table: Table, run: str | None = None
) -> pd.DataFrame:
    """Give a table's rows without vectors, in the order in which people look at them."""
    columns = ", ".join(table.plain_names)
    query = f"SELECT {columns} FROM {place(table, run)} ORDER BY {_order(table)}"  # noqa: S608
    return table_frame(table, connection.execute(query).df())


def _order(table: Table) -> str:
    if table.name == "documents":
        return "path, id"
    if "short_id" in table.names:
        return "short_id, id"
    return ", ".join(table.key) or "rowid"


def read_vectors(
    connection: duckdb.DuckDBPyConnection, table: Table, run: str | None, dimension: int
) -> Vectors:
    """Give the vectors of the rows that have one, in the order of `read`."""
    key = table.key[0]
    query = (
        f"SELECT {key}, embedding FROM {place(table, run)} "  # noqa: S608
        f"WHERE embedding IS NOT NULL ORDER BY {_order(table)}"
    )
    found = connection.execute(query).to_arrow_table()
    flat = found["embedding"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
    matrix = np.ascontiguousarray(flat, dtype=np.float32).reshape(found.num_rows, dimension)
    matrix.flags.writeable = False  # it is shared by all who ask
    return Vectors(found[key].to_pylist(), matrix)
