"""A path in, a connection to the DuckDB file out, held only while somebody uses it.

DuckDB lets one process write, or several read. So a file is opened for a call and closed after it
(about 10 ms), a call waits a few seconds for its turn, and what cannot be opened is refused in one
sentence. All Stores of a path in this process share one `StoreFile`: DuckDB refuses to open a file
twice in different ways, and its lock belongs to the process, not to the connection.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb

from workbench.errors import StoreError
from workbench.schema import FILE_ALIAS, SCHEMA_VERSION
from workbench.storage.faults import explain, holder, is_fatal, is_locked

WAIT_SECONDS = 5.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.5
_CONFIG = {
    # Else DuckDB asks the network for an extension when it meets a SQLite file or a URL.
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    # Else `select * from df` in a query would read a Python variable of whoever called.
    "python_enable_replacements": False,
    "temp_directory": os.path.join(tempfile.gettempdir(), f"workbench-{os.getpid()}"),
}
_files: dict[Path, StoreFile] = {}
_files_lock = threading.Lock()


def store_file(path: Path) -> StoreFile:
    """Give this process's one StoreFile of a path."""
    with _files_lock:
        return _files.setdefault(path, StoreFile(path))


class StoreFile:
    """One DuckDB file, opened when used, for reading or for writing.

    A connection for reading cannot write, cannot reach another file or the network, and its
    settings are locked; so that a user's own SQL may run on it. Calls of several threads take
    turns; a thread that holds a session does not keep the others out.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._turn = threading.RLock()
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._writing = False
        self._holders = 0

    @contextlib.contextmanager
    def session(self, wait: float = WAIT_SECONDS) -> Iterator[None]:
        """Keep the file open between calls; may be nested."""
        with self._turn:
            self._open(write=False, wait=wait)
            self._holders += 1
        try:
            yield
        finally:
            self._leave()

    @contextlib.contextmanager
    def reading(self, wait: float = WAIT_SECONDS) -> Iterator[duckdb.DuckDBPyConnection]:
        """Give a connection that cannot write."""
        with self._use(write=False, wait=wait) as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self, wait: float = WAIT_SECONDS) -> Iterator[duckdb.DuckDBPyConnection]:
        """Give a connection inside one transaction: all that is done on it is kept, or nothing."""
        with self._use(write=True, wait=wait) as connection:
            connection.execute("BEGIN TRANSACTION")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(duckdb.Error):
                    connection.execute("ROLLBACK")
                raise

    def fingerprint(self) -> tuple[tuple[int, int], ...]:
        """Give size and time of the last change, in ns, of the file and of its log."""
        found = []
        for file in (self.path, wal_of(self.path)):
            with contextlib.suppress(FileNotFoundError):
                stat = file.stat()
                found.append((stat.st_size, stat.st_mtime_ns))
        return tuple(found)

    @contextlib.contextmanager
    def _use(self, *, write: bool, wait: float) -> Iterator[duckdb.DuckDBPyConnection]:
        with self._turn:
            connection = self._open(write=write, wait=wait)
            self._holders += 1
            try:
                yield connection
            except duckdb.Error as error:
                if is_fatal(error):
                    self._close()
                raise explain(error, self.path) from error
            finally:
                self._leave()

    def _leave(self) -> None:
        with self._turn:
            self._holders -= 1
            # A session that wrote once must not shut other processes out until it ends.
            if self._holders == 0 or self._writing:
                self._close()

    def _open(self, *, write: bool, wait: float) -> duckdb.DuckDBPyConnection:
        if self._connection is not None and self._writing != write:
            self._close()
        if self._connection is None:
            self._connection = _connect_in_turn(self.path, write=write, wait=wait)
            self._writing = write
        return self._connection

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(duckdb.Error):
                connection.close()


def wal_of(path: Path) -> Path:
    """Give the path of the log that DuckDB keeps beside a file that is written."""
    return path.with_name(path.name + ".wal")


def new_file(path: Path) -> duckdb.DuckDBPyConnection:
    """Give a connection to a file that does not exist yet."""
    return _connect(path, write=True)


def _connect_in_turn(path: Path, *, write: bool, wait: float) -> duckdb.DuckDBPyConnection:
    """Open an existing store, waiting up to `wait` seconds while another process holds it."""
    _refuse_missing(path)
    end, pause = time.monotonic() + wait, _FIRST_PAUSE
    while True:
        try:
            return _checked(_connect(path, write=write), path)
        except duckdb.Error as error:
            if not is_locked(error):
                raise explain(error, path, write=write) from error
            if time.monotonic() + pause > end:
                raise StoreError(
                    f"The store {path} is held by {holder(error)} (waited {wait:g} s): "
                    "wait until it is done, or end it."
                ) from error
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def _refuse_missing(path: Path) -> None:
    if not path.exists():
        raise StoreError(
            f"There is no store {path}: make one with `workbench index CORPUS --store {path}`."
        )
    if not path.is_file():
        kind = "a folder" if path.is_dir() else "no regular file"
        raise StoreError(f"The store {path} is {kind}: give the path of a .duckdb file.")


def _connect(path: Path, *, write: bool) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config=_CONFIG)
    options = "TYPE duckdb" if write else "TYPE duckdb, READ_ONLY"
    quoted = str(path).replace("'", "''")
    try:
        connection.execute(f"ATTACH '{quoted}' AS {FILE_ALIAS} ({options})")
        connection.execute(f"USE {FILE_ALIAS}")
        if not write:
            # After ATTACH, which needs what they forbid.
            connection.execute("SET enable_external_access=false")
            connection.execute("SET lock_configuration=true")
    except BaseException:
        connection.close()
        raise
    return connection


def _checked(connection: duckdb.DuckDBPyConnection, path: Path) -> duckdb.DuckDBPyConnection:
    """Give the connection back when the file is a workbench store of this version."""
    try:
        version = connection.execute(
            "SELECT value FROM wb.main.meta WHERE key = 'schema_version'"
        ).fetchone()
    except (duckdb.CatalogException, duckdb.BinderException):
        version = None
    except BaseException:
        connection.close()
        raise
    if version == (str(SCHEMA_VERSION),):
        return connection
    connection.close()
    if version is None or not str(version[0]).isdecimal():
        raise StoreError(
            f"{path} is a DuckDB file, but no workbench store: give another --store FILE."
        )
    raise StoreError(
        f"The store {path} has schema version {version[0]}, and this workbench reads "
        f"version {SCHEMA_VERSION}: upgrade the workbench, or give another --store FILE."
    )
