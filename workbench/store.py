"""A path in, tables and vectors out, and in again: one .duckdb file, one corpus and its runs."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pandas as pd

from workbench.errors import StoreError
from workbench.params import ChunkParams, EmbedParams
from workbench.paths import user_path
from workbench.run import Run
from workbench.schema import META
from workbench.storage import check, counts, create, guard, runs, settings
from workbench.storage import tables as rows
from workbench.storage.faults import first_line, is_damage
from workbench.storage.file import WAIT_SECONDS, store_file
from workbench.storage.tables import Vectors, run_name

if TYPE_CHECKING:
    from workbench.models.embedding import Embedder

__all__ = ["Run", "Store", "Vectors"]


class Store:
    """One .duckdb file. It is open only while a call runs, or inside `with store.session():`.

    A file that exists is looked at when the Store is made, and refused with a StoreError when it
    is no workbench store, of a newer version, or damaged. A file that does not exist is made by
    `index`, or by `Store.create`. Calls wait up to `wait` seconds for another process's turn.

    Calls from several threads take turns. One call must not be made while another one of the same
    thread is being answered (from inside a cursor, say); sessions may be nested.
    """

    def __init__(self, path: str | Path, *, wait: float = WAIT_SECONDS) -> None:
        self.path = user_path(path, "The store").resolve()
        self.wait = wait
        self._file = store_file(self.path)
        self._vectors: dict[tuple[str, str | None], tuple[Any, Vectors]] = {}
        self._meta: tuple[Any, dict[str, str]] | None = None
        if self.path.exists():
            self.meta()

    def __repr__(self) -> str:
        return f"Store({str(self.path)!r})"

    @classmethod
    def create(
        cls, path: str | Path, *, chunk: ChunkParams, embed: EmbedParams, embedder: Embedder
    ) -> Store:
        """Make an empty store for chunks cut and embedded like this."""
        store = cls.__new__(cls)
        create.create(user_path(path, "The store").resolve(), settings.rows(chunk, embed, embedder))
        store.__init__(path)
        return store

    def exists(self) -> bool:
        """Say whether there is a file yet."""
        return self.path.exists()

    @contextlib.contextmanager
    def session(self) -> Iterator[Store]:
        """Keep the file open for reading between calls (saves about 10 ms a call)."""
        with self._file.session(self.wait):
            yield self

    @contextlib.contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Give a connection that can only read; the file's tables stand under `wb`."""
        with self._file.reading(self.wait) as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Give a connection inside one transaction, which ends with the block."""
        with self._file.writing(self.wait) as connection:
            yield connection

    def fingerprint(self) -> tuple[tuple[int, int], ...]:
        """Give what changes whenever the file is written: size and time of file and log."""
        return self._file.fingerprint()

    # -- reading

    def meta(self) -> dict[str, str]:
        """Give the settings that the file was made with."""
        fingerprint = self.fingerprint()
        if self._meta is None or self._meta[0] != fingerprint:
            with self.reading() as connection:
                self._meta = fingerprint, settings.read(connection, self.path)
        return dict(self._meta[1])

    def chunk_params(self) -> ChunkParams:
        """Give how the file's chunks were cut."""
        return settings.chunk_params(self.meta())

    def embed_params(self) -> EmbedParams:
        """Give how the file's chunks were embedded."""
        return settings.embed_params(self.meta())

    def require_embedder(self, embedder: Embedder) -> None:
        """Raise StoreError unless `embedder` is the one that the file's vectors come from."""
        settings.require_embedder(self.meta(), embedder, self.path)

    def read(self, table: str, run: str | None = None) -> pd.DataFrame:
        """Give a table without its vectors, ordered by path, short_id or key.

        A run's table needs the run's name when the file has several runs.
        """
        schema = rows.table(table)
        name = self.run(run).name if schema.scope == "run" else None
        with self.reading() as connection:
            return rows.read(connection, schema, name)

    def vectors(self, kind: str, run: str | None = None) -> Vectors:
        """Give the vectors of chunks, entities or community_reports; rows without are left out.

        They are kept in this process until the file changes.
        """
        schema = rows.table(kind)
        if "embedding" not in schema.names:
            raise StoreError(
                f"Table {kind!r} has no vectors: ask for chunks, entities or community_reports."
            )
        kept = self._vectors.get((kind, run))
        if kept is not None and kept[0] == self.fingerprint():
            return kept[1]
        with self.session():
            fingerprint, dimension = self.fingerprint(), int(self.meta()["embedder_dimension"])
            name = self.run(run).name if schema.scope == "run" else None
            with self.reading() as connection:
                found = rows.read_vectors(connection, schema, name, dimension)
        self._vectors[kind, run] = fingerprint, found
        return found

    def runs(self) -> pd.DataFrame:
        """Give the table of runs, by name."""
        return self.read("runs")

    def run(self, name: str | None = None) -> Run:
        """Give a run by its name, or without a name the only one there is.

        Raises StoreError, which lists the runs, when that does not tell which.
        """
        with self.reading() as connection:
            found = connection.execute(
                "SELECT name, mode, params, llm, status FROM wb.main.runs ORDER BY name"
            ).fetchall()
        chosen = [row for row in found if name in (None, row[0])]
        if len(chosen) == 1:
            name, mode, params, llm, status = chosen[0]
            return Run(self, name, mode, settings.parsed(name, params, self.path), llm, status)
        known = ", ".join(row[0] for row in found) or "none"
        if name is not None:
            raise StoreError(f"The store {self.path} has no run {name!r}: its runs are: {known}.")
        remedy = "name one" if found else f"make one with `workbench index --store {self.path}`"
        raise StoreError(f"Which run of {self.path} is meant? {remedy} (its runs are: {known}).")

    def sql(self, query: str, params: Sequence[Any] | Mapping[str, Any] | None = None) -> Any:
        """Answer one SELECT as a DataFrame; it can neither write nor reach beyond the file.

        Corpus tables go by their name, a run's as `heuristic.entities`. `params` are bound to `?`
        or `$name`. Errors of the query are StoreErrors with DuckDB's own first line.
        """
        guard.reading_only(query)
        with self.reading() as connection:
            connection.execute("BEGIN TRANSACTION READ ONLY")
            try:
                return connection.execute(query, params).df()
            except duckdb.Error as error:
                if is_damage(error):
                    raise
                raise StoreError(f"The query failed: {first_line(error)}") from error
            finally:
                with contextlib.suppress(duckdb.Error):
                    connection.execute("ROLLBACK")

    def counts(self) -> dict[str, Any]:
        """Count documents, chunks, and per run its entities, relationships and communities."""
        with self.reading() as connection:
            return counts.counts(connection)

    def check(self) -> pd.DataFrame:
        """Give every orphan row, stale span, missing vector and wrong count; empty when sound.

        Columns: problem, table, id, detail. A stale run is one row; what of it points to chunks
        that are gone is not listed.
        """
        with self.reading() as connection:
            return check.check(connection)

    # -- writing

    def write_run(
        self,
        name: str,
        *,
        mode: str,
        params: Mapping[str, Any],
        tables: Mapping[str, pd.DataFrame],
        vectors: Mapping[str, np.ndarray] | None = None,
        llm: str | None = None,
        started_at: datetime | None = None,
    ) -> Run:
        """Write a run in one transaction, in place of the former one of that name.

        `tables` holds frames by table name (those missing stay empty), `vectors` float32 arrays
        (rows of the frame, dimension) by table name.
        """
        run_name(name)
        dimension = int(self.meta()["embedder_dimension"])
        now = datetime.now(UTC).replace(tzinfo=None)
        row = {
            "name": name,
            "mode": mode,
            "params": json.dumps(params, sort_keys=True, ensure_ascii=False),
            "llm": llm,
            "status": "complete",
            "started_at": started_at or now,
            "finished_at": now,
        }
        with self.writing() as connection:
            runs.write_run(connection, row, tables, vectors or {}, dimension)
        return self.run(name)

    def add_usage(self, name: str, usage: pd.DataFrame) -> None:
        """Note with a run what its caller's `usage()` says, in place of former rows of its tasks.

        `llm_calls` tells what was asked, and not which replies were known already.
        """
        self.run(name)
        noted = usage.set_index("task").to_dict("index")
        with self.writing() as connection:
            runs.add_usage(connection, name, noted)

    def replace_table(
        self, name: str, table: str, frame: pd.DataFrame, vectors: np.ndarray | None = None
    ) -> None:
        """Write one table of a run in place of what it held, in one transaction.

        `vectors` is float32 (rows of the frame, dimension); a row of NaN is kept without one.
        """
        self.run(name)
        dimension = int(self.meta()["embedder_dimension"])
        with self.writing() as connection:
            runs.replace_table(connection, name, table, frame, vectors, dimension)

    def delete_run(self, name: str) -> None:
        """Delete a run and its tables; StoreError lists the runs when there is none such."""
        self.run(name)
        with self.writing() as connection:
            runs.drop_run(connection, name)

    def put(self, table: str, frame: pd.DataFrame) -> None:
        """Write rows of llm_calls, traces or imported_vectors in place of those of the same key."""
        schema = rows.table(table)
        if schema.scope != "main" or table == META.name:
            raise KeyError(f"put() writes no table {table!r}")
        with self.writing() as connection:
            rows.replace(connection, schema, frame)
