"""A run in, a folder of Microsoft GraphRAG v3 tables, their vectors and GraphML out."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from workbench import __version__
from workbench.errors import InputError
from workbench.interop.beyond import FILE, beyond
from workbench.interop.graphml import graphml
from workbench.interop.graphrag_tables import v3_tables
from workbench.interop.graphrag_vectors import ENTITIES, REPORTS, UNITS
from workbench.paths import made_folder, user_path
from workbench.schema import RUN_TABLES
from workbench.storage.tables import Vectors

if TYPE_CHECKING:
    from workbench.run import Run

GRAPH = "graph.graphml"


def export_graphrag(run: Run, folder: str | Path, *, force: bool = False) -> dict[str, int]:
    """Write `run` so that graphrag 3.3 reads it; gives the rows of each file.

    The vectors (`embeddings.*.parquet`) are those of the store's own embedder: to query them,
    GraphRAG must embed the question with the same model. Titles are unique: a second entity of a
    name gets its type in brackets. The folder must be new or empty; with `force` the files of these
    names in it are replaced, and all others stay. All is written, or nothing. Raises InputError
    when the folder cannot be written.
    """
    target = user_path(folder, "The folder")
    if target.exists() and not target.is_dir():
        raise InputError(f"{target} is a file: give a folder that is new or empty.")
    if target.is_dir() and any(target.iterdir()) and not force:
        raise InputError(
            f"The folder {target} holds something already: give one that is new or empty, or "
            "--force to replace the tables in it."
        )
    with run.store.session():
        frames = {table.name: run.read(table.name) for table in RUN_TABLES}
        frames |= {name: run.store.read(name) for name in ("documents", "chunks")}
        day = run.store.runs().set_index("name")["finished_at"][run.name].date().isoformat()
        vectors = {
            kind: run.vectors(table)
            for kind, table in (
                (ENTITIES, "entities"),
                (REPORTS, "community_reports"),
                (UNITS, "chunks"),
            )
        }
    tables = v3_tables(frames, day)
    tables |= {f"embeddings.{kind}": _embeddings(found) for kind, found in vectors.items()}
    meta = run.store.meta()
    told = {
        "workbench": __version__,
        "run": {"name": run.name, "mode": run.mode, "llm": run.llm},
        "embedder": {name: meta[f"embedder_{name}"] for name in ("name", "revision", "dimension")},
        "tables": beyond(frames),
    }
    graph = graphml(frames)
    with _whole(target) as scratch:
        for name, table in tables.items():
            pq.write_table(table, scratch / f"{name}.parquet")
        (scratch / GRAPH).write_text(graph, encoding="utf-8", newline="\n")
        text = json.dumps(told, ensure_ascii=False, sort_keys=True, indent=1)
        (scratch / FILE).write_text(text, encoding="utf-8", newline="\n")
    return {f"{name}.parquet": table.num_rows for name, table in tables.items()} | {
        GRAPH: len(frames["relationships"])
    }


def _embeddings(vectors: Vectors) -> pa.Table:
    rows = {"id": vectors.ids, "embedding": list(vectors.matrix)}
    return pa.table(
        rows, schema=pa.schema([("id", pa.string()), ("embedding", pa.list_(pa.float32()))])
    )


@contextlib.contextmanager
def _whole(target: Path) -> Iterator[Path]:
    """Give a folder beside the target, whose files take their places at once when all is well."""
    made_folder(target.parent, "The folder")
    scratch = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        yield scratch
        if target.is_dir() and any(target.iterdir()):
            for path in sorted(scratch.iterdir()):
                path.replace(target / path.name)
        else:
            with contextlib.suppress(FileNotFoundError):
                target.rmdir()
            scratch.rename(target)
    except OSError as error:
        raise InputError(
            f"The folder {target} cannot be written ({error.strerror or error}): give another."
        ) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
