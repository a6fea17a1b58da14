"""Vectors in every place where versions of GraphRAG keep them."""

from __future__ import annotations

import copy
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from tests.interop import indexes
from tests.storage.builders import StandIn
from workbench.errors import InputError
from workbench.interop.faults import Faults
from workbench.interop.graphrag_import import import_graphrag
from workbench.interop.graphrag_read import read_index
from workbench.interop.graphrag_vectors import vector_rows
from workbench.storage.imported import imported_vectors


def rows(folder: Path, faults: Faults | None = None) -> list[tuple[str, str, list[float]]]:
    frame = vector_rows(read_index(folder), faults or Faults())
    return [(kind, id_, list(vector)) for kind, id_, vector in frame.to_numpy().tolist()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return indexes.write(tmp_path / "i", indexes.tables())


def embeddings(folder: Path, name: str, **vectors: list[float] | None) -> None:
    frame = pd.DataFrame({"id": list(vectors), "embedding": list(vectors.values())})
    if name.endswith("csv"):
        frame.to_csv(folder / name, index=False)
    else:
        frame.to_parquet(folder / name)


def test_parquet_of_all_versions_and_csv(folder: Path) -> None:
    embeddings(folder, "embeddings.entity_description.parquet", e1=[1.0, 2.0], e0=None)
    embeddings(folder, "embeddings.community.full_content.parquet", report1=[3.0])
    embeddings(folder, "embeddings.text_unit.text.csv", u2=[4.0, 5.0, 6.0])
    assert rows(folder) == [
        ("community_full_content", "c1", [3.0]),  # by its community, as our reports are
        ("entity_description", "e1", [1.0, 2.0]),
        ("text_unit_text", "u2", [4.0, 5.0, 6.0]),
    ]


def test_npz_stands_behind_parquet(folder: Path) -> None:
    embeddings(folder, "embeddings.entity_description.parquet", e1=[1.0, 2.0])
    for kind, ids in (("entity_description", ["e0"]), ("text_unit_text", ["u0"])):
        np.savez(folder / f"vectors.{kind}.npz", id=ids, vector=np.ones((1, 2), np.float32))
    assert [row[:2] for row in rows(folder)] == [
        ("entity_description", "e1"),
        ("text_unit_text", "u0"),
    ]


def test_version_03_keeps_them_in_its_tables(tmp_path: Path) -> None:
    old = indexes.write(tmp_path, indexes.version_03(copy.deepcopy(indexes.tables())))
    assert rows(old)[2] == ("entity_description", "e2", [2.0, 1.0, 0.0])


def test_vectors_of_rows_that_are_not_there_are_counted(folder: Path) -> None:
    embeddings(folder, "embeddings.entity_description.parquet", e1=[1.0], gone=[2.0])
    faults = Faults()
    assert [row[1] for row in rows(folder, faults)] == ["e1"]
    assert faults.frame()["reason"].tolist() == ["1 of its 2 vectors belong to no row"]


def test_damaged_vectors_are_refused(folder: Path) -> None:
    path = folder / "embeddings.entity_description.csv"
    path.write_text("id,embedding\ne0,[1;2]\n")
    with pytest.raises(InputError, match="has a vector of e0 that is no list of numbers: remove"):
        rows(folder)
    path.write_text('id,embedding\ne0,[1]\ne1,"[1, 2]"\n')
    with pytest.raises(InputError, match="has vectors of 1, 2 numbers: they must be as long"):
        rows(folder)
    path.write_text("name,embedding\ne0,[1]\n")
    with pytest.raises(InputError, match="has no columns id and embedding"):
        rows(folder)
    path.unlink()
    (folder / "vectors.entity_description.npz").write_bytes(b"PK\3\4 nothing")
    with pytest.raises(InputError, match="holds no arrays id and vector .*: remove it"):
        rows(folder)
    np.savez(folder / "vectors.entity_description.npz", id=np.array([object()]), vector=[[1.0]])
    with pytest.raises(InputError, match="holds no arrays id and vector"):  # never unpickled
        rows(folder)


def test_lancedb_without_its_extra_tells_the_remedy(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "lancedb").mkdir()
    monkeypatch.setitem(sys.modules, "lancedb", None)
    faults = Faults()
    assert rows(folder, faults) == []
    (said,) = faults.frame()["reason"]
    assert 'pip install "graphrag-workbench[lancedb]"' in said


def test_lancedb(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the package, which is heavy: tables of both spellings, and a foreign one."""
    tables = {
        "default-entity-description": {"id": ["e3"], "vector": [[1.0, 0.0]]},
        "text_unit_text": {"id": ["u1"], "vector": [[0.0, 1.0]]},
        "notes": {"text": ["mine"]},
    }
    for name in tables:
        (folder / "lancedb" / f"{name}.lance").mkdir(parents=True)
    opened = SimpleNamespace(
        open_table=lambda name: SimpleNamespace(to_arrow=lambda: pa.table(tables[name]))
    )
    monkeypatch.setitem(sys.modules, "lancedb", SimpleNamespace(connect=lambda path: opened))
    assert [row[:2] for row in rows(folder)] == [
        ("entity_description", "e3"),
        ("text_unit_text", "u1"),
    ]


def test_imported_vectors_by_kind(folder: Path, tmp_path: Path, embedder: StandIn) -> None:
    embeddings(folder, "embeddings.entity_description.parquet", e1=[1.0, 2.0], e0=[0.5, 0.0])
    store = import_graphrag(folder, tmp_path / "s.duckdb").store
    found = imported_vectors(store)
    assert found.ids == ["e0", "e1"]
    assert found.matrix.dtype == np.float32 and found.matrix.tolist() == [[0.5, 0.0], [1.0, 2.0]]
    with pytest.raises(InputError, match="no imported vectors of kind 'title' .*entity_descript"):
        imported_vectors(store, "title")
