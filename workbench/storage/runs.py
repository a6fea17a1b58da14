"""A run's frames and vectors in, its schema in the file out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import duckdb
import numpy as np
import pandas as pd

from workbench.schema import RUN_TABLES, RUNS
from workbench.storage.tables import insert, place, run_name


def write_run(
    connection: duckdb.DuckDBPyConnection,
    row: Mapping[str, Any],
    frames: Mapping[str, pd.DataFrame],
    vectors: Mapping[str, np.ndarray],
    dimension: int,
) -> None:
    """Write the run described by `row` (of table runs) in place of the former of that name."""
    unknown = sorted({*frames, *vectors} - {table.name for table in RUN_TABLES})
    if unknown:
        raise KeyError(f"no tables of a run: {unknown}")
    name = row["name"]
    drop_run(connection, name)
    connection.execute(f'CREATE SCHEMA wb."{run_name(name)}"')
    for table in RUN_TABLES:
        connection.execute(table.ddl(name, dimension))
        if table.name in frames:
            insert(
                connection,
                table,
                frames[table.name],
                run=name,
                vectors=vectors.get(table.name),
                dimension=dimension,
            )
    insert(connection, RUNS, pd.DataFrame([row]))


def add_usage(
    connection: duckdb.DuckDBPyConnection, name: str, usage: Mapping[str, Mapping[str, Any]]
) -> None:
    """Note with a run what was asked of a model, by task, in place of what stands there of it."""
    query = "SELECT usage FROM wb.main.runs WHERE name = ?"
    noted = connection.execute(query, [name]).fetchone()
    merged = {**json.loads((noted and noted[0]) or "{}"), **usage}
    connection.execute(
        "UPDATE wb.main.runs SET usage = ? WHERE name = ?",
        [json.dumps(merged, sort_keys=True), name],
    )


def replace_table(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    table: str,
    frame: pd.DataFrame,
    vectors: np.ndarray | None,
    dimension: int,
) -> None:
    """Write one table of the run in place of its rows."""
    known = {one.name: one for one in RUN_TABLES}
    connection.execute(f"DELETE FROM {place(known[table], run_name(name))}")  # noqa: S608
    insert(connection, known[table], frame, run=name, vectors=vectors, dimension=dimension)


def drop_run(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    """Drop a run's tables and its row."""
    connection.execute(f'DROP SCHEMA IF EXISTS wb."{run_name(name)}" CASCADE')
    connection.execute("DELETE FROM wb.main.runs WHERE name = ?", [name])
