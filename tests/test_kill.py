"""Killed with SIGKILL once in every stage: the file opens, is sound, and the next index goes on."""

from __future__ import annotations

import multiprocessing
import shutil
import signal
import sys
from pathlib import Path

import pytest

from tests.storage.corpora import change_corpus, write_corpus
from tests.storage.killing import STAGES, index_and_die, quick_index, real_index
from workbench import index as indexing
from workbench.storage import plan
from workbench.storage.compare import compare_stores
from workbench.store import Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
AGAIN = (
    "after cutting",
    "in the first transaction",
    "in the transaction of the second batch",
    "with the second batch in the log",
    "in the last transaction of the corpus",
    "in the transaction of the run",
)
BEFORE_THE_FILE = {"after reading", "while the file is made"}


@pytest.fixture(scope="module")
def processes():
    """Give processes forked from one that has imported everything and opened nothing."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.storage.killing"])
    return context


@pytest.fixture(autouse=True)
def _restored(monkeypatch):
    """Undo what quick_index sets in this process."""
    monkeypatch.setattr(plan, "BATCH_CHUNKS", plan.BATCH_CHUNKS)
    monkeypatch.setattr(indexing, "load_embedder", indexing.load_embedder)


@pytest.fixture(scope="module")
def states(tmp_path_factory):
    """Give two states of a corpus, and stores that went through one and both undisturbed."""
    folder = tmp_path_factory.mktemp("kill")
    first = write_corpus(folder / "first", 6)
    second = change_corpus(Path(shutil.copytree(first, folder / "second")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "BATCH_CHUNKS", plan.BATCH_CHUNKS)
        patch.setattr(indexing, "load_embedder", indexing.load_embedder)
        quick_index(first, folder / "once.duckdb")
        shutil.copy(folder / "once.duckdb", folder / "twice.duckdb")
        quick_index(second, folder / "twice.duckdb")
    return {"first": first, "second": second, "folder": folder}


def killed(processes, *arguments, target=index_and_die) -> None:
    process = processes.Process(target=target, args=arguments)
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL, f"not killed: {process.exitcode}"


@pytest.mark.parametrize("stage", STAGES)
def test_a_first_index_goes_on_where_it_was_killed(processes, states, tmp_path, stage):
    path = tmp_path / "s.duckdb"
    killed(processes, stage, states["first"], path)
    assert path.exists() == (stage not in BEFORE_THE_FILE)
    kept = 0
    if path.exists():
        assert Store(path).check().empty
        kept = Store(path).counts()["documents"]
    run = quick_index(states["first"], path)
    assert run.index_report.unchanged == kept
    assert run.store.check().empty
    assert compare_stores(run.store, Store(states["folder"] / "once.duckdb")) == []


@pytest.mark.parametrize("stage", AGAIN)
def test_a_second_index_leaves_old_or_new_documents_whole(processes, states, tmp_path, stage):
    path = tmp_path / "s.duckdb"
    shutil.copy(states["folder"] / "once.duckdb", path)
    before = Store(path).counts()
    killed(processes, stage, states["second"], path)
    store = Store(path)
    faults = store.check()
    assert set(faults["problem"]) <= {"stale run"}
    assert store.counts()["runs"]["heuristic"]["entities"] > 0
    if stage == "after cutting":
        assert store.counts() == before
    run = quick_index(states["second"], path)
    assert run.store.check().empty
    assert compare_stores(run.store, Store(states["folder"] / "twice.duckdb")) == []


def test_a_killed_process_leaves_a_file_that_can_be_read_at_once(processes, states, tmp_path):
    path = tmp_path / "s.duckdb"
    killed(processes, "in the transaction of the second batch", states["first"], path)
    store = Store(path)
    assert 0 < len(store.read("documents")) < 6
    assert len(store.vectors("chunks").ids) == len(store.read("chunks"))
    assert store.meta()["corpus_status"] == "partial"


@pytest.mark.slow
def test_with_the_real_embedder(processes, states, tmp_path):
    killed(processes, states["first"], tmp_path / "s.duckdb", 3, target=real_index)
    kept = Store(tmp_path / "s.duckdb")
    assert kept.check().empty
    assert 0 < kept.counts()["documents"] < 6
    run = real_index(states["first"], kept.path)
    assert run.index_report.unchanged > 0
    undisturbed = real_index(states["first"], tmp_path / "whole.duckdb")
    assert compare_stores(run.store, undisturbed.store) == []
