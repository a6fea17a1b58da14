"""A folder or table file in, documents, chunks, vectors and postings in the store out.

Only what changed is cut and embedded, in batches of whole documents; each batch is one
transaction, so a process killed anywhere loses at most the batch it was at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.corpus.chunk import chunk_documents
from workbench.corpus.clean import embed_text
from workbench.corpus.postings import postings
from workbench.corpus.read import Corpus, read_corpus
from workbench.progress import progress
from workbench.stages import Stages
from workbench.storage import corpus as transactions
from workbench.storage.plan import Plan, batches, numbered, plan
from workbench.storage.settings import chunk_params

if TYPE_CHECKING:
    from workbench.models.embedding import Embedder
    from workbench.store import Store

_STORED_DOCUMENTS = "SELECT id, path, title, content_hash, metadata FROM documents"
_STORED_CHUNKS = "SELECT id, document_id, chunk_index, short_id FROM chunks"
_LEAVING = """
    SELECT text, embedding FROM wb.main.chunks
    WHERE embedding IS NOT NULL AND document_id IN (SELECT unnest(?)) ORDER BY short_id"""


@dataclass
class Ingested:
    """What an ingest had to do: numbers of documents and of chunks."""

    documents: int = 0
    skipped: int = 0
    unchanged: int = 0
    deleted: int = 0
    embedded: int = 0
    reused: int = 0  # vectors of chunks whose text is known from a document that changed or moved
    changed: bool = False


def read(path: str | Path, columns: Mapping[str, str] | None = None) -> Corpus:
    """Read a corpus; `columns` names the columns `id`, `title` and `text` of a table file."""
    names = {f"{key}_column": name for key, name in (columns or {}).items()}
    return read_corpus(path, **names)


def ingest(
    corpus: Corpus,
    store: Store,
    embedder: Callable[[], Embedder],
    stages: Stages,
    jobs: int | None = None,
) -> Ingested:
    """Bring the store to hold this corpus and nothing else; gives what had to be done.

    The embedder is asked for only when a chunk must be embedded.
    """
    with store.session():
        meta = store.meta()
        todo = plan(corpus.documents, store.sql(_STORED_DOCUMENTS))
        known = _known_vectors(store, todo)
    done = Ingested(len(corpus.documents), len(corpus.skipped), todo.unchanged, len(todo.vanished))
    done.changed = bool(len(todo.pending) or todo.vanished)
    if not done.changed and _same_margin(store, meta, corpus):
        return done
    with stages("chunk"):
        fresh = chunk_documents(todo.pending, chunk_params(meta), jobs=jobs)
    if not set(fresh["text"]) <= set(known):
        embedder()  # what it has to say against this store must be said before a byte is written
    fresh = _begin(store, corpus, todo, fresh)
    dimension = int(meta["embedder_dimension"])
    with stages("embed"):
        for group in progress(batches(todo.pending, fresh), "documents", unit="batch"):
            documents = todo.pending[todo.pending["id"].isin(group)]
            chunks = fresh[fresh["document_id"].isin(group)].reset_index(drop=True)
            vectors = _vectors(chunks, known, embedder, dimension, done)
            found = postings(chunks)
            with store.writing() as connection:
                transactions.write(connection, documents, chunks, vectors, found, dimension)
    with store.writing() as connection:
        transactions.finish(connection)
    return done


def _same_margin(store: Store, meta: Mapping[str, str], corpus: Corpus) -> bool:
    """Say whether what is stored was finished, and the skipped files are the same."""
    stored = store.read("skipped")
    order = ["path", "reason"]
    skipped = corpus.skipped.sort_values(order)[list(stored.columns)]
    same = skipped.to_numpy().tolist() == stored.sort_values(order).to_numpy().tolist()
    return same and meta["corpus_status"] == "complete"


def _known_vectors(store: Store, todo: Plan) -> dict[str, np.ndarray]:
    """Give the vectors of chunks that are about to leave, by text: most of it comes back."""
    ids = [*todo.pending["id"], *todo.vanished]
    with store.reading() as connection:
        rows = connection.execute(_LEAVING, [ids]).to_arrow_table()
    vectors = rows["embedding"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
    texts = rows["text"].to_pylist()
    return dict(zip(texts, vectors.reshape(len(texts), -1), strict=True)) if texts else {}


def _begin(store: Store, corpus: Corpus, todo: Plan, fresh: pd.DataFrame) -> pd.DataFrame:
    stored = store.sql(_STORED_CHUNKS)
    fresh, numbers = numbered(corpus.documents, stored, fresh, set(todo.pending["id"]))
    with store.writing() as connection:
        transactions.begin(
            connection,
            vanished=todo.vanished,
            skipped=corpus.skipped,
            numbers=numbers,
            stale=bool(len(todo.pending) or todo.vanished),
        )
    return fresh


def _vectors(
    chunks: pd.DataFrame,
    known: Mapping[str, np.ndarray],
    embedder: Callable[[], Embedder],
    dimension: int,
    done: Ingested,
) -> np.ndarray:
    """Give the vectors of a batch: those known by their text, the others embedded."""
    vectors = np.zeros((len(chunks), dimension), np.float32)
    new = []
    for row, text in enumerate(chunks["text"]):
        if text in known:
            vectors[row] = known[text]
        else:
            new.append(row)
    if new:
        vectors[new] = embedder().encode([embed_text(chunks["text"].iloc[row]) for row in new])
    done.embedded += len(new)
    done.reused += len(chunks) - len(new)
    return vectors
