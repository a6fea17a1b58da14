"""Search over a store worked by hand: components, order, provenance, odd questions."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest

from tests.query.small import Axes
from workbench.errors import InputError, StoreError
from workbench.query.chunk_index import chunk_index
from workbench.query.search import chunk_entities, search, term_contributions
from workbench.store import Store

COLUMNS = [
    "chunk_id",
    "short_id",
    "document",
    "heading_path",
    "bm25_score",
    "bm25_rank",
    "terms",
    "cosine",
    "dense_rank",
    "fused_score",
    "rank",
    "entities",
    "text",
]


def test_every_component_is_shown(small: Store, axes: Axes) -> None:
    found = search(small, "docker tables", embedder=axes)
    assert list(found.columns) == COLUMNS
    assert list(found["rank"]) == [1, 2, 3, 4]
    assert list(found["chunk_id"]) == ["c2", "c0", "c3", "c1"]
    best = found.iloc[0]
    assert best["document"] == "b.md"
    assert best["text"].startswith("PostgreSQL keeps data")
    assert (best["bm25_rank"], best["dense_rank"]) == (1, 1)
    assert best["cosine"] == pytest.approx(2.01 / (2.01**0.5 * 3.01**0.5), abs=1e-6)
    assert best["fused_score"] == pytest.approx(1)
    assert best["terms"].startswith("table")
    assert found["bm25_rank"].isna().tolist() == [False, False, True, True]


def test_entities_stand_by_provenance_not_by_substring(small: Store, axes: Axes) -> None:
    found = search(small, "docker", embedder=axes).set_index("chunk_id")["entities"]
    assert found["c0"] == "Docker, Container, Docker Compose"
    assert found["c2"] == "Docker Compose"  # its text holds "docker", which no mention says
    assert found["c1"] == ""
    frame = chunk_entities(small, "heuristic", ["c0", "c2"])
    assert frame[["chunk_id", "entity_id", "mention_count"]].to_numpy().tolist() == [
        ["c0", "e0", 2],
        ["c0", "e2", 1],
        ["c0", "e1", 1],
        ["c2", "e1", 1],
    ]


def test_bm25_ranks_only_what_holds_a_term(small: Store) -> None:
    found = search(small, "docker", method="bm25")
    assert list(found["chunk_id"]) == ["c0", "c2"]
    assert found["cosine"].isna().all()
    assert found["dense_rank"].isna().all()
    assert found["fused_score"].isna().all()


def test_k_cuts_and_dense_ranks_all(small: Store, axes: Axes) -> None:
    assert len(search(small, "data", method="dense", k=99, embedder=axes)) == 4
    assert len(search(small, "data", k=2, embedder=axes)) == 2


def test_term_contributions_sum_up_to_the_score(small: Store) -> None:
    found = search(small, "docker-compose starts data", method="bm25")
    frame = term_contributions(small, "docker-compose starts data", list(found["chunk_id"]))
    sums = frame.groupby("chunk_id")["contribution"].sum()
    for row in found.itertuples():
        assert sums[row.chunk_id] == pytest.approx(row.bm25_score)
    assert list(frame.columns) == ["chunk_id", "term", "tf", "df", "idf", "contribution"]
    with pytest.raises(InputError, match="'nope'"):
        term_contributions(small, "docker", ["nope"])


@pytest.mark.parametrize(
    "text",
    [
        "the of and",
        "?!… --",
        "word " * 10_000,
        "'; DROP TABLE chunks; --",
        '{"a": [1]} <script>alert(1)</script> $terms ?',
        "\ud800 docker",
        "\x00docker",
        "未知 ποιος",
    ],
)
def test_odd_questions_have_answers(small: Store, axes: Axes, text: str) -> None:
    for method in ("basic", "bm25", "dense"):
        found = search(small, text, method=method, embedder=axes)
        assert list(found.columns) == COLUMNS
        assert method == "bm25" or len(found) == 4
        pd.testing.assert_frame_equal(found, search(small, text, method=method, embedder=axes))
    assert len(small.read("chunks")) == 4


def test_what_cannot_be_asked_is_refused(small: Store, axes: Axes) -> None:
    for text in ("", " \n\t"):
        with pytest.raises(InputError, match="empty"):
            search(small, text, embedder=axes)
    with pytest.raises(InputError, match="'basics'"):
        search(small, "docker", method="basics", embedder=axes)
    with pytest.raises(InputError, match="k is 0"):
        search(small, "docker", k=0, embedder=axes)
    with pytest.raises(StoreError, match="no run 'hybrid'"):
        search(small, "docker", run="hybrid", embedder=axes)


def test_another_embedder_is_refused(small: Store) -> None:
    class Other(Axes):
        revision = "2"

    with pytest.raises(StoreError, match="cannot be compared"):
        search(small, "docker", embedder=Other())


def test_the_index_is_kept_until_its_content_changes(small: Store, tmp_path: Path) -> None:
    own = Store(shutil.copyfile(small.path, tmp_path / "own.duckdb"))  # others read the small one
    assert chunk_index(own) is chunk_index(own)
    assert list(chunk_index(own).chunks["id"]) == ["c0", "c1", "c2", "c3"]
    before = chunk_index(own)
    own.put("traces", pd.DataFrame([{"id": "t", "run": "x", "payload": "{}"}]))
    assert chunk_index(own) is before  # a trace changes the file, not what is searched
    with own.writing() as connection:
        connection.execute("DELETE FROM wb.main.chunks WHERE id = 'c3'")
    assert list(chunk_index(own).chunks["id"]) == ["c0", "c1", "c2"]
