"""Settings in, a new store file out: whole or not there at all."""

from __future__ import annotations

import os
from pathlib import Path

import duckdb
import pandas as pd

from workbench.errors import StoreError
from workbench.schema import MAIN_TABLES, META
from workbench.storage import tables
from workbench.storage.faults import explain
from workbench.storage.file import new_file, wal_of
from workbench.storage.runs import drop_run

# What a run or its chunks cost to make again; the rest (calls, traces, imports) is kept.
_REBUILT = ("meta", "documents", "skipped", "chunks", "postings", "runs")


def create(path: Path, meta: dict[str, str]) -> None:
    """Make an empty store; a process killed meanwhile leaves no file of that name."""
    if path.exists():
        raise StoreError(f"The store {path} exists already: give another --store FILE.")
    if not path.parent.is_dir():
        raise StoreError(f"The folder {path.parent} does not exist: make it, then index again.")
    scratch = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        _clear(scratch)
        with new_file(scratch) as connection:
            make_tables(connection, meta)
        scratch.replace(path)
    except duckdb.Error as error:
        raise explain(error, path, write=True) from error
    finally:
        _clear(scratch)


def make_tables(connection: duckdb.DuckDBPyConnection, meta: dict[str, str]) -> None:
    """Make the corpus tables that are missing, and write the settings."""
    dimension = int(meta["embedder_dimension"])
    for table in MAIN_TABLES:
        connection.execute(table.ddl("main", dimension))
    tables.insert(connection, META, pd.DataFrame(meta.items(), columns=["key", "value"]))


def make_again(connection: duckdb.DuckDBPyConnection, meta: dict[str, str]) -> None:
    """Drop documents, chunks and runs, and make their tables for other settings."""
    for (name,) in connection.execute("SELECT name FROM wb.main.runs").fetchall():
        drop_run(connection, name)
    for name in _REBUILT:
        connection.execute(f"DROP TABLE wb.main.{name}")
    make_tables(connection, meta)


def _clear(scratch: Path) -> None:
    for file in (scratch, wal_of(scratch)):
        file.unlink(missing_ok=True)
