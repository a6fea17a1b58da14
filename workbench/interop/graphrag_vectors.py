"""The folder of an index in, the vectors that lie in it out, by kind; nothing is embedded here."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from workbench.errors import InputError
from workbench.interop.faults import Faults
from workbench.interop.graphrag_files import RawIndex
from workbench.interop.graphrag_read import ReadIndex
from workbench.interop.table_files import read_table
from workbench.schema import IMPORTED_VECTORS
from workbench.storage.tables import Vectors

ENTITIES, REPORTS, UNITS = "entity_description", "community_full_content", "text_unit_text"
_INLINE = {  # version 0.3 kept vectors in its tables
    "entities": ("description_embedding", ENTITIES),
    "community_reports": ("full_content_embedding", REPORTS),
    "text_units": ("text_embedding", UNITS),
}
_LANCE = "lancedb"


def read_vectors(raw: RawIndex, faults: Faults) -> dict[str, Vectors]:
    """Give the vectors of each kind: from parquet, else `.npz`, else the tables, else LanceDB.

    What a folder `lancedb/` holds is read with the extra of that name; without it a fault tells so.
    """
    found: dict[str, Vectors] = {}
    for kind, vectors in (*_parquet(raw), *_npz(raw), *_inline(raw)):
        found.setdefault(kind, vectors)
    place = raw.folder / _LANCE
    if place.is_dir():
        for kind, vectors in _lance(place, faults):
            found.setdefault(kind, vectors)
    return found


def _kind(name: str) -> str:
    """Give the kind by the name of a file or table: older ones write `default-entity.description`.

    >>> _kind("default-entity-description"), _kind("text_unit.text")
    ('entity_description', 'text_unit_text')
    """
    return name.removeprefix("default-").replace(".", "_").replace("-", "_")


def _parquet(raw: RawIndex) -> Iterator[tuple[str, Vectors]]:
    for path in sorted(raw.folder.glob("embeddings.*")):
        if path.suffix in (".parquet", ".csv"):
            table = read_table(path)
            if not {"id", "embedding"} <= set(table.columns):
                raise InputError(f"{path} has no columns id and embedding: remove it, or mend it.")
            kind = _kind(path.stem.removeprefix("embeddings."))
            yield kind, _stacked(table["id"], table["embedding"], path)


def _npz(raw: RawIndex) -> Iterator[tuple[str, Vectors]]:
    for path in sorted(raw.folder.glob("vectors.*.npz")):
        try:
            with np.load(path, allow_pickle=False) as file:
                ids, matrix = file["id"], file["vector"]
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
            raise InputError(
                f"{path} holds no arrays id and vector ({error}): remove it, or copy it again."
            ) from error
        yield _kind(path.stem.removeprefix("vectors.")), _stacked(ids, matrix, path)


def _inline(raw: RawIndex) -> Iterator[tuple[str, Vectors]]:
    for table, (column, kind) in _INLINE.items():
        path = raw.files.get(table)
        if path is None or raw.version != "v0.3":
            continue
        whole = read_table(path)
        if column in whole and "id" in whole and whole[column].notna().any():
            yield kind, _stacked(whole["id"], whole[column], path)


def _lance(place: Path, faults: Faults) -> Iterator[tuple[str, Vectors]]:
    try:
        import lancedb
    except ImportError:
        remedy = 'not read; pip install "graphrag-workbench[lancedb]" and import again'
        faults.add("vectors_not_read", f"{_LANCE}/", remedy, table="imported_vectors")
        return
    database = lancedb.connect(str(place))
    for path in sorted(place.glob("*.lance")):
        table = database.open_table(path.stem).to_arrow()
        if {"id", "vector"} <= set(table.column_names):
            ids, vectors = table["id"].to_pylist(), table["vector"].to_pylist()
            yield _kind(path.stem), _stacked(ids, vectors, path)


def _stacked(ids: Any, cells: Any, path: Path) -> Vectors:
    """Give ids and vectors as an array; rows without one are left out."""
    rows: dict[str, Any] = {}
    for id_, cell in zip(ids, cells, strict=True):
        if isinstance(cell, str):  # of a CSV file
            try:
                cell = json.loads(cell) if cell else None
            except ValueError as error:
                raise InputError(
                    f"{path} has a vector of {id_} that is no list of numbers: remove the file, "
                    "or copy it again."
                ) from error
        if cell is not None and np.ndim(cell) == 1 and len(cell):
            rows[str(id_)] = cell
    lengths = {len(cell) for cell in rows.values()}
    if len(lengths) > 1:
        raise InputError(
            f"{path} has vectors of {', '.join(map(str, sorted(lengths)))} numbers: they must be "
            "as long as each other; remove the file, or make it again."
        )
    matrix = np.array(list(rows.values()), dtype=np.float32)
    return Vectors(list(rows), matrix.reshape(len(rows), *lengths or (0,)))


def vector_rows(index: ReadIndex, faults: Faults) -> pd.DataFrame:
    """Give the index's vectors as rows of imported_vectors: kind, id, vector.

    Those of reports have the id of their community, as our reports do. A vector whose row is not
    there is left out; one fault a kind counts them.
    """
    own = {ENTITIES: "entities", REPORTS: "communities", UNITS: "chunks"}
    parts = [pd.DataFrame({name: [] for name in IMPORTED_VECTORS.names}, dtype=object)]
    for kind, found in sorted(read_vectors(index.raw, faults).items()):
        ids = (
            [index.report_ids.get(id_, id_) for id_ in found.ids] if kind == REPORTS else found.ids
        )
        rows = pd.DataFrame({"kind": kind, "id": ids, "vector": list(found.matrix)})
        if kind in own:
            known = rows["id"].isin(index.frames[own[kind]]["id"])
            if not known.all():
                reason = f"{(~known).sum()} of its {len(rows)} vectors belong to no row"
                faults.add("points_nowhere", kind, reason, table="imported_vectors")
            rows = rows[known]
        parts.append(rows)
    return pd.concat(parts, ignore_index=True)
