"""An index that kills its own process at a chosen point: patches stand here, not in the product."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.storage.builders import StandIn
from workbench import index as indexing
from workbench import ingest
from workbench.models.embedding import SentenceEmbedder
from workbench.params import ChunkParams
from workbench.storage import corpus as transactions
from workbench.storage import create, plan, runs
from workbench.storage.file import StoreFile
from workbench.store import Store

CHUNK = ChunkParams(size=64, overlap=8)
BATCH = 8  # chunks, so that the small corpus makes several batches


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def at(owner: Any, name: str, call: int = 1, *, before: bool = False) -> Callable[[], None]:
    """Make the process die as the n-th call of `owner.name` returns, or begins."""

    def patch() -> None:
        original, calls = getattr(owner, name), []

        def wrapped(*args: Any, **keywords: Any) -> Any:
            calls.append(name)
            if before and len(calls) == call:
                die()
            result = original(*args, **keywords)
            if len(calls) == call:
                die()
            return result

        setattr(owner, name, wrapped)

    return patch


def at_stage(name: str, then: Callable[[], None] = die) -> Callable[[], None]:
    """Do something as a stage begins: die, or patch what dies later."""

    def patch() -> None:
        original = indexing.Stages.__call__

        def listener(self: Any, stage: str) -> Any:
            if stage == name:
                then()
            return original(self, stage)

        indexing.Stages.__call__ = listener

    return patch


def unmerged(commits: int) -> Callable[[], None]:
    """Die after the n-th commit, before the log is merged into the file."""

    def patch() -> None:
        original, closed = StoreFile._close, []

        def close(self: StoreFile) -> None:
            if self._writing and self._connection is not None:
                closed.append(self)
                if len(closed) == commits:
                    die()
            original(self)

        StoreFile._close = close

    return patch


STAGES: dict[str, Callable[[], None]] = {
    "after reading": at(ingest, "read"),
    "while the file is made": at(create, "make_tables"),
    "after cutting": at(ingest, "chunk_documents"),
    "in the first transaction": at(transactions, "begin"),
    "with the first transaction in the log": unmerged(1),
    "while embedding the second batch": at(StandIn, "encode", 2),
    "in the transaction of the second batch": at(transactions, "write", 2),
    "with the second batch in the log": unmerged(3),
    "between batches": at(ingest, "postings", 3, before=True),
    "in the last transaction of the corpus": at(transactions, "finish"),
    "after the corpus": at_stage("extract"),
    "during extraction": at_stage("extract", at(StandIn, "encode")),
    "before clustering": at_stage("cluster"),
    "in the transaction of the run": at(runs, "insert", 3),
    "with the run in the log": at_stage("write", unmerged(1)),
    "after the run": at(Store, "write_run"),
}


def quick_index(corpus: Path, path: Path, **options: Any) -> Any:
    """Index with the stand-in embedder and small batches."""
    indexing.load_embedder = lambda params: StandIn()
    plan.BATCH_CHUNKS = BATCH
    return indexing.index(corpus, Store(path), **{"chunk": CHUNK, **options})


def index_and_die(stage: str, corpus: Path, path: Path) -> None:
    """Run in a process of its own."""
    STAGES[stage]()
    quick_index(corpus, path)


def real_index(corpus: Path, path: Path, call: int = 0) -> Any:
    """Index with the packaged model; die in its n-th call (the first is its self-test)."""
    if call:
        at(SentenceEmbedder, "encode", call)()
    plan.BATCH_CHUNKS = BATCH
    return indexing.index(corpus, Store(path), chunk=CHUNK)
