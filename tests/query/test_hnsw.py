"""The HNSW index with the real extension: recall, what it is made of, its plan and its traps."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.query.small import Axes
from workbench.errors import InputError, WorkbenchWarning
from workbench.query import hnsw
from workbench.query.ask import ask
from workbench.query.chunk_index import ChunkIndex, chunk_index
from workbench.query.search import search
from workbench.store import Store


@pytest.fixture
def copied(small: Store, tmp_path: Path) -> Store:
    path = tmp_path / "it's.duckdb"
    shutil.copyfile(small.path, path)
    return Store(path)


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch, copied: Store) -> ChunkIndex:
    """500 unit vectors of 16 numbers in place of the store's four chunks."""
    import pandas as pd

    matrix = np.random.default_rng(3).normal(size=(500, 16)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    chunks = pd.DataFrame({"id": [f"c{row}" for row in range(500)], "short_id": range(500)})
    index = ChunkIndex(chunks, None, matrix, {}, [])
    monkeypatch.setattr(hnsw, "chunk_index", lambda store: index)
    return index


def test_recall_and_the_file_beside_the_store(copied: Store, many: ChunkIndex) -> None:
    table = hnsw.hnsw_recall(copied, k=10, sample=50)
    assert list(table.columns) == ["chunk", "recall", "missed"]
    assert len(table) == 50
    assert table["recall"].mean() >= 0.95
    assert (table["missed"] == "").equals(table["recall"] == 1)
    assert hnsw.hnsw_file(copied) == copied.path.parent / "it's.hnsw.duckdb"
    assert hnsw.hnsw_file(copied).exists()


def test_its_cosines_are_the_exact_ones(copied: Store, many: ChunkIndex) -> None:
    found = hnsw.near_cosines(copied, many, many.matrix[7], 10)
    assert np.isfinite(found).sum() == 100
    known = np.isfinite(found)
    assert found[known] == pytest.approx((many.matrix @ many.matrix[7])[known], abs=1e-6)
    assert np.nanargmax(found) == 7


def test_other_vectors_or_a_spoilt_file_make_it_anew(copied: Store, many: ChunkIndex) -> None:
    path = hnsw.hnsw_file(copied)
    hnsw._load(path, many).close()
    first = path.stat().st_mtime_ns, hnsw._made_of(path)
    hnsw._load(path, many).close()
    assert (path.stat().st_mtime_ns, hnsw._made_of(path)) == first
    other = ChunkIndex(many.chunks, None, -many.matrix, {}, [])
    connection = hnsw._load(path, other)
    assert hnsw._made_of(path) == hnsw._fingerprint(other) != first[1]
    assert hnsw._nearest(connection, other.matrix[5], 3)[0] == 5
    connection.close()
    path.write_bytes(b"no database")
    hnsw._load(path, many).close()
    assert hnsw._made_of(path) == hnsw._fingerprint(many)


def test_the_plan_and_the_traps(copied: Store, many: ChunkIndex) -> None:
    assert "HNSW_INDEX_SCAN" in hnsw.hnsw_plan(copied)
    table = hnsw.hnsw_traps(copied).set_index("asked")
    used = table.index[table["index_used"]].tolist()
    assert used == ["as it must be", "a WHERE runs after the index"]
    assert table.loc["as it must be", ["rows", "expected"]].tolist() == [10, 10]
    where = table.loc["a WHERE runs after the index"]
    assert where["rows"] < where["expected"] == 10
    others = table.drop(index="a WHERE runs after the index")
    assert others["rows"].equals(others["expected"])


def test_search_through_the_index_finds_the_same(copied: Store, axes: Axes) -> None:
    exact = search(copied, "docker tables", embedder=axes)
    found = search(copied, "docker tables", embedder=axes, index="hnsw")
    assert found["chunk_id"].tolist() == exact["chunk_id"].tolist()
    assert found["cosine"].tolist() == pytest.approx(exact["cosine"].tolist(), abs=1e-6)
    with pytest.raises(InputError, match="'tree'"):
        search(copied, "docker", embedder=axes, index="tree")


def test_basic_answers_through_the_index(copied: Store, axes: Axes) -> None:
    run = copied.run("heuristic")
    exact, near = (
        ask(run, "docker tables", method="basic", index=how, embedder=axes, save=False)
        for how in ("exact", "hnsw")
    )
    assert near.answer.text == exact.answer.text
    assert near.step("sources")["id"].equals(exact.step("sources")["id"])


def test_without_the_extension_search_is_exact_and_says_so_once(
    copied: Store, axes: Axes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise ImportError("gone")

    monkeypatch.setattr(hnsw, "load_packaged", fail)
    monkeypatch.setattr(hnsw, "_load_installed", fail)
    hnsw._say_once.cache_clear()
    with pytest.warns(WorkbenchWarning, match="exact") as caught:
        found = search(copied, "docker", embedder=axes, index="hnsw")
        search(copied, "docker", embedder=axes, index="hnsw")
    assert len(caught) == 1
    assert found.equals(search(copied, "docker", embedder=axes))
    with pytest.raises(InputError, match="vss"):
        hnsw.hnsw_recall(copied)
    assert not hnsw.hnsw_file(copied).exists()
    assert chunk_index(copied).matrix.shape == (4, 4)
