"""A DuckDB error in, one sentence with its remedy out."""

from __future__ import annotations

import os
import re
from pathlib import Path

import duckdb
import psutil

from workbench.errors import StoreError

_LOCKED = ("Could not set lock on file", "already open in", "being used by another process")
_FOREIGN = ("not a valid DuckDB database file",)
_DENIED = ("Permission denied", "Read-only file system", "Access is denied")
_FULL = ("No space left", "Could not write file", "quota", "not enough space")
_PLACES = ("Unique file handle conflict", "different configuration")
_DAMAGED = (
    duckdb.IOException,
    duckdb.SerializationException,
    duckdb.InternalException,
    duckdb.FatalException,
)


def is_locked(error: duckdb.Error) -> bool:
    """Say whether another process holds the file."""
    return any(words in str(error) for words in _LOCKED)


def is_fatal(error: duckdb.Error) -> bool:
    """Say whether the connection is of no further use."""
    return isinstance(error, duckdb.InternalException | duckdb.FatalException)


def is_damage(error: duckdb.Error) -> bool:
    """Say whether the error is of a kind that tells of the file rather than of the question."""
    return isinstance(error, _DAMAGED)


def holder(error: duckdb.Error) -> str:
    """Name the process that DuckDB's message tells of, with its command line."""
    found = re.search(r"\(PID (\d+)\)", str(error))
    if found is None:
        return "another process"
    pid = int(found.group(1))
    if pid == os.getpid():
        return f"another DuckDB connection of this process ({pid})"
    try:
        command = " ".join(psutil.Process(pid).cmdline())
    except psutil.Error:
        command = ""
    return f"process {pid} ({command[:200]})" if command else f"process {pid}"


def first_line(error: duckdb.Error) -> str:
    """Give DuckDB's own words without the stack trace that may follow."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def explain(error: duckdb.Error, path: Path, *, write: bool = False) -> StoreError:
    """Give the StoreError for what DuckDB reported about the file at `path`."""
    text = str(error)
    if any(words in text for words in _FOREIGN):
        return StoreError(f"{path} is no DuckDB file: give another --store FILE.")
    if any(words in text for words in _PLACES):
        return StoreError(
            f"The store {path} is open in this process through another DuckDB connection: close it."
        )
    if any(words in text for words in _FULL):
        return StoreError(
            f"The store {path} cannot be written ({first_line(error)}): make room on the disk and "
            "run the command again; what was done so far is kept."
        )
    if any(words in text for words in _DENIED):
        what = "written" if write else "read"
        return StoreError(
            f"The store {path} cannot be {what}: you lack the permission for it or its folder; "
            "change that, or copy the file."
        )
    if is_damage(error):
        return _damaged(error, path)
    return StoreError(f"The store {path} cannot do this: {first_line(error)}.")


def _damaged(error: duckdb.Error, path: Path) -> StoreError:
    if "WAL" in str(error):
        return StoreError(
            f"The log {path}.wal is damaged ({first_line(error)}): delete it to go on from the "
            "last state that was saved whole, then run `workbench index` again."
        )
    return StoreError(
        f"The store {path} is damaged ({first_line(error)}): restore a copy, or delete it and "
        f"make it anew with `workbench index CORPUS --store {path}`."
    )
