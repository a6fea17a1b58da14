"""A small store worked by hand: four chunks of three documents, a run, and vectors one can see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from workbench.corpus.words import terms
from workbench.params import ChunkParams, EmbedParams
from workbench.storage import corpus
from workbench.store import Store

TEXTS = {  # chunk id: document, text
    "c0": ("a.md", "Docker starts containers. Docker Compose starts several."),
    "c1": ("a.md", "A volume keeps the data of a container."),
    "c2": ("b.md", "PostgreSQL keeps data in tables; docker-compose starts it."),
    "c3": ("c.md", "—"),
}
AXES = ("docker", "data", "tables")


class Axes:
    """A text's vector: how often it holds each word of AXES, and a little of a fourth axis."""

    name, revision, dtype, dimension = "axes", "1", "float32", 4

    def encode(self, texts: Sequence[str], description: str = "") -> np.ndarray:
        rows = [[text.lower().count(word) for word in AXES] + [0.1] for text in texts]
        matrix = np.array(rows, np.float32).reshape(len(texts), 4)
        return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def postings(texts: dict[str, str]) -> pd.DataFrame:
    rows = [
        {"term": term, "chunk_id": chunk, "tf": tf}
        for chunk, text in texts.items()
        for term, tf in Counter(terms(text)).items()
    ]
    return pd.DataFrame(rows).sort_values(["term", "chunk_id"], ignore_index=True)


@pytest.fixture(scope="session")
def axes() -> Axes:
    return Axes()


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory, axes: Axes) -> Store:
    path = tmp_path_factory.mktemp("query") / "small.duckdb"
    store = Store.create(path, chunk=ChunkParams(), embed=EmbedParams(), embedder=axes)
    paths = sorted({document for document, _ in TEXTS.values()})
    documents = [
        {"id": f"d-{p}", "path": p, "title": p, "text": p, "content_hash": p, "metadata": "{}"}
        for p in paths
    ]
    chunks = [
        {"id": id_, "short_id": n, "document_id": f"d-{path}", "chunk_index": n, "text": text}
        | {"heading_path": "", "start_char": 0, "end_char": len(text), "token_count": 1}
        for n, (id_, (path, text)) in enumerate(TEXTS.items())
    ]
    texts = {id_: text for id_, (_, text) in TEXTS.items()}
    with store.writing() as connection:
        corpus.write(
            connection,
            pd.DataFrame(documents),
            pd.DataFrame(chunks),
            axes.encode(list(texts.values())),
            postings(texts),
            axes.dimension,
        )
        corpus.finish(connection)
    store.write_run("heuristic", mode="heuristic", params={}, tables=_run_tables())
    return store


def _run_tables() -> dict[str, pd.DataFrame]:
    names = {"e0": ("Docker", 2), "e1": ("Docker Compose", 2), "e2": ("Container", 2)}
    entities = [
        {"id": id_, "short_id": n, "name": name, "normalized_name": name.lower()}
        | {"type": "technology", "mention_count": 3, "chunk_count": chunks, "degree": 0}
        for n, (id_, (name, chunks)) in enumerate(names.items())
    ]
    mentions = [("e0", "c0", 2), ("e1", "c0", 1), ("e2", "c0", 1), ("e1", "c2", 1)]
    return {
        "entities": pd.DataFrame(entities),
        "entity_mentions": pd.DataFrame(
            mentions, columns=["entity_id", "chunk_id", "mention_count"]
        ).assign(start_char=0, end_char=1, signals="heading"),
    }
