from __future__ import annotations

import shutil

import numpy as np
import pandas as pd
import pytest

from tests.storage.builders import StandIn
from tests.storage.corpora import change_corpus, document, write_corpus
from tests.storage.killing import CHUNK
from workbench import index as indexing
from workbench.errors import InputError, StoreError
from workbench.index import index
from workbench.params import ChunkParams, ClusterParams, EmbedParams
from workbench.storage.compare import compare_stores
from workbench.store import Store


class Counting(StandIn):
    """Remembers the texts that it was asked to embed."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def encode(self, texts, description="embedding"):
        self.texts += texts
        return super().encode(texts, description)


@pytest.fixture
def embedder(monkeypatch):
    counting = Counting()
    monkeypatch.setattr(indexing, "load_embedder", lambda params: counting)
    return counting


@pytest.fixture
def corpus(tmp_path):
    return write_corpus(tmp_path / "corpus", 6)


@pytest.fixture
def store(corpus, embedder, tmp_path):
    built = index(corpus, tmp_path / "s.duckdb", chunk=CHUNK).store
    embedder.texts.clear()
    return built


def test_a_first_index_fills_every_table(corpus, embedder, tmp_path):
    stages = []
    run = index(corpus, tmp_path / "s.duckdb", chunk=CHUNK, on_stage=stages.append)
    assert stages == ["read", "load", "chunk", "embed", "extract", "cluster", "write"]
    store, report = run.store, run.index_report
    chunks = store.read("chunks")
    assert (report.documents, report.unchanged, report.skipped) == (6, 0, 1)
    assert (report.embedded, report.reused, report.extracted) == (len(chunks), 0, True)
    assert list(store.read("skipped")["path"]) == ["picture.png"]
    assert list(chunks["short_id"]) == list(range(len(chunks)))
    assert store.meta()["corpus_status"] == "complete"
    terms = store.sql("SELECT term FROM postings")["term"]
    assert terms.is_monotonic_increasing
    assert "docker" in set(terms)
    assert {"Docker", "Kubernetes"} <= set(run.entities["name"])
    assert run.entities["degree"].max() > 0
    assert len(run.communities) >= 1
    assert len(store.vectors("entities").ids) == len(run.entities)
    assert run.params["chunk"] == CHUNK.model_dump()
    assert store.check().empty


def test_nothing_changed_nothing_done(corpus, store, embedder):
    before = store.path.read_bytes()
    run = index(corpus, store)
    assert store.path.read_bytes() == before
    assert embedder.texts == []
    report = run.index_report
    assert (report.unchanged, report.changed, report.extracted) == (6, False, False)


def test_only_what_changed_is_embedded_and_all_equals_a_fresh_index(
    corpus, store, embedder, tmp_path
):
    run = index(change_corpus(corpus), store)
    report = run.index_report
    # d04 went, d03b came, d05 is a05; of d02 the chunks around the changed sentence are new.
    assert (report.documents, report.unchanged, report.deleted) == (6, 3, 2)
    assert run.store.path == store.path
    stored = set(store.read("chunks")["text"])
    chunk_texts = [text for text in embedder.texts if text in stored]
    assert len(chunk_texts) == report.embedded < 8
    assert sum("answers at once" in text for text in chunk_texts) >= 1
    assert report.reused > 0
    fresh = index(corpus, tmp_path / "fresh.duckdb", chunk=CHUNK)
    assert compare_stores(store, fresh.store) == []
    assert store.check().empty


def test_a_renamed_document_keeps_its_vectors(corpus, store):
    (corpus / "d01.md").rename(corpus / "z01.md")
    report = index(corpus, store).index_report
    assert (report.embedded, report.deleted) == (0, 1)
    assert report.reused > 0
    assert store.read("documents")["path"].iloc[-1] == "z01.md"


def test_another_title_alone_makes_the_run_stale(corpus, store):
    file = corpus / "d01.md"
    file.write_text(file.read_text().replace("title: About", "title: All about"))
    index(corpus, store, run="second")
    assert dict(store.runs()[["name", "status"]].itertuples(index=False, name=None)) == {
        "heuristic": "stale",
        "second": "complete",
    }
    assert store.check()["problem"].tolist() == ["stale run"]
    assert index(None, store).index_report.extracted
    assert store.check().empty


def test_without_a_corpus_the_stored_chunks_are_used(store):
    run = index(None, store, run="coarse", cluster=ClusterParams(max_cluster_size=50))
    assert run.params["cluster"]["max_cluster_size"] == 50
    assert list(store.runs()["name"]) == ["coarse", "heuristic"]
    pd.testing.assert_frame_equal(run.entities, store.run("heuristic").entities)


def test_force_extracts_again(corpus, store, embedder):
    report = index(corpus, store, force=True).index_report
    assert (report.embedded, report.extracted) == (0, True)


def test_other_parameters_are_refused_before_anything_is_written(corpus, store, tmp_path):
    before = store.path.read_bytes()
    for other in (
        {"chunk": ChunkParams(size=65, overlap=8)},
        {"chunk": ChunkParams(size=64, overlap=8, encoding="cl100k_base")},
        {"embed": EmbedParams(model="other")},
        {"embed": EmbedParams(dtype="bfloat16")},
    ):
        with pytest.raises(StoreError, match="another --store FILE, or --force"):
            index(corpus, store, **other)
    assert store.path.read_bytes() == before


def test_another_revision_of_the_embedder_is_refused(corpus, store, embedder):
    embedder.revision = "2"
    (corpus / "new.md").write_text(document(9))
    before = store.path.read_bytes()
    with pytest.raises(StoreError, match=r"embedded by stand-in \(1, .*not by stand-in \(2, "):
        index(corpus, store)
    assert store.path.read_bytes() == before


def test_force_makes_the_tables_anew_for_other_parameters(corpus, store, embedder, tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        index(tmp_path / "nowhere", store, chunk=ChunkParams(size=100, overlap=0), force=True)
    assert store.chunk_params() == CHUNK  # what cannot be replaced is not thrown away
    store.put("llm_calls", pd.DataFrame([{"key": "k", "attempt": 1}]))
    other = ChunkParams(size=100, overlap=0)
    run = index(corpus, store, chunk=other, force=True)
    assert store.chunk_params() == other
    assert run.index_report.embedded == len(store.read("chunks"))
    assert len(store.read("llm_calls")) == 1  # what a model said stays true
    store_of_its_own = index(corpus, tmp_path / "fresh.duckdb", chunk=other).store
    assert [line.split(":")[0] for line in compare_stores(store, store_of_its_own)] == [
        "main.llm_calls"
    ]


def test_wrong_input_leaves_no_file(corpus, embedder, tmp_path):
    path = tmp_path / "none.duckdb"
    for wrong, message in (
        ({"mode": "magic"}, "Mode 'magic' does not exist"),
        ({"run": "Main!"}, "cannot be called 'Main!'"),
    ):
        with pytest.raises(InputError, match=message):
            index(corpus, path, **wrong)
    with pytest.raises(InputError, match="does not exist"):
        index(tmp_path / "nowhere", path)
    with pytest.raises(StoreError, match="no store"):
        index(None, path)
    assert not path.exists()


def test_an_unfinished_corpus_is_not_extracted_from(store):
    with store.writing() as connection:
        connection.execute("UPDATE wb.main.meta SET value = 'partial' WHERE key = 'corpus_status'")
    with pytest.raises(StoreError, match="is unfinished: run `workbench index CORPUS` again"):
        index(None, store)


def test_columns_of_a_table_can_be_named(embedder, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("key,head,body\n7,One,Docker runs.\n8,Two,Docker stops.\n")
    columns = {"id": "key", "title": "head", "text": "body"}
    store = index(table, tmp_path / "s.duckdb", columns=columns).store
    assert list(store.read("documents")["id"]) == ["7", "8"]


def test_one_worker_and_two_give_the_same(corpus, store, embedder, tmp_path):
    other = index(corpus, tmp_path / "two.duckdb", chunk=CHUNK, jobs=2).store
    assert compare_stores(store, other) == []


def test_the_file_does_not_grow_with_reindexing(corpus, store):
    sizes = []
    for round_ in range(10):
        file = corpus / "d03.md"
        file.write_text(document(3) + f"\nRound {round_} ends.\n")
        index(corpus, store)
        sizes.append(store.path.stat().st_size)
    assert max(sizes) <= 3 * sizes[0]
    assert max(sizes[5:]) <= 1.2 * max(sizes[:5])


@pytest.mark.slow
def test_the_real_embedder(corpus, tmp_path):
    run = index(corpus, tmp_path / "s.duckdb", chunk=CHUNK)
    assert run.store.meta()["embedder_dimension"] == "384"
    norms = np.linalg.norm(run.store.vectors("chunks").matrix, axis=1)
    np.testing.assert_allclose(norms, 1, atol=1e-5)
    copy = Store(shutil.copy(run.store.path, tmp_path / "copy.duckdb"))
    index(change_corpus(corpus), copy)
    fresh = index(corpus, tmp_path / "fresh.duckdb", chunk=CHUNK).store
    assert compare_stores(copy, fresh) == []
