"""A cheap embedder and a small store, worked by hand, for tests of the store."""

from __future__ import annotations

import atexit
import functools
import hashlib
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from workbench.params import ChunkParams, EmbedParams
from workbench.storage import corpus
from workbench.store import Store

DIMENSION = 8
TEXTS = {"a.md": "Docker runs on Linux 😀.", "b.md": "Linux\x00 hosts 日本 Docker."}


class StandIn:
    """Gives each text the unit vector that its hash spells."""

    name, revision, dtype, dimension = "stand-in", "1", "float32", DIMENSION

    def encode(self, texts: Sequence[str], description: str = "embedding") -> np.ndarray:
        rows = [np.frombuffer(hashlib.sha256(t.encode()).digest()[:8], np.uint8) for t in texts]
        matrix = np.array(rows, np.float32).reshape(len(texts), DIMENSION) + 1
        return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def documents() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"id": f"d-{p}", "path": p, "title": p, "text": t, "content_hash": t, "metadata": "{}"}
            for p, t in TEXTS.items()
        ]
    )


def chunks() -> pd.DataFrame:
    """Each document in two chunks, cut after 10 characters."""
    rows = []
    for path, text in TEXTS.items():
        for place, (start, end) in enumerate([(0, 10), (10, len(text))]):
            rows.append(
                {
                    "id": f"c-{path}-{place}",
                    "short_id": len(rows),
                    "document_id": f"d-{path}",
                    "chunk_index": place,
                    "text": text[start:end],
                    "heading_path": "",
                    "start_char": start,
                    "end_char": end,
                    "token_count": 3,
                }
            )
    return pd.DataFrame(rows)


def postings() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"term": "docker", "chunk_id": "c-a.md-0", "tf": 1},
            {"term": "linux", "chunk_id": "c-a.md-1", "tf": 1},
            {"term": "linux", "chunk_id": "c-b.md-0", "tf": 1},
        ]
    )


def empty_store(path: Path) -> Store:
    return Store.create(path, chunk=ChunkParams(), embed=EmbedParams(), embedder=StandIn())


def small_store(path: Path) -> Store:
    store = empty_store(path)
    vectors = StandIn().encode(list(chunks()["text"]))
    with store.writing() as connection:
        corpus.write(connection, documents(), chunks(), vectors, postings(), DIMENSION)
        corpus.finish(connection)
    return store


def run_tables() -> dict[str, pd.DataFrame]:
    """Docker and Linux, related in chunk c-a.md-0, both in one community."""
    entities = [
        {"id": "e-linux", "short_id": 1, "name": "Linux", "mention_count": 2, "chunk_count": 2},
        {"id": "e-docker", "short_id": 0, "name": "Docker", "mention_count": 1, "chunk_count": 1},
    ]
    mentions = [("e-docker", "c-a.md-0", 0, 6), ("e-linux", "c-a.md-1", 15, 20)]
    mentions += [("e-linux", "c-b.md-0", 0, 5)]
    return {
        "entities": pd.DataFrame(entities).assign(type="technology", degree=1, confidence=0.9),
        "entity_aliases": pd.DataFrame(
            [{"entity_id": "e-linux", "alias": "linux", "rule": "case", "score": 1.0}]
        ),
        "entity_mentions": pd.DataFrame(
            mentions, columns=["entity_id", "chunk_id", "start_char", "end_char"]
        ).assign(mention_count=1),
        "relationships": pd.DataFrame(
            [
                {
                    "id": "r",
                    "short_id": 0,
                    "source_id": "e-docker",
                    "target_id": "e-linux",
                    "type": "co_occurs",
                    "weight": 1.0,
                }
            ]
        ),
        "relationship_mentions": pd.DataFrame(
            [{"relationship_id": "r", "chunk_id": "c-a.md-0", "mention_count": 1}]
        ),
        "communities": pd.DataFrame([{"id": "k", "short_id": 0, "level": 0, "size": 2}]),
        "community_members": pd.DataFrame(
            [("k", "e-docker"), ("k", "e-linux")], columns=["community_id", "entity_id"]
        ),
    }


@functools.cache
def _template() -> Path:
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return with_run(small_store(Path(folder.name) / "s.duckdb")).path


def store_with_run(path: Path) -> Store:
    """Copy of one small store with the run `heuristic`: quicker than making it."""
    return Store(shutil.copy(_template(), path))


def with_run(store: Store, name: str = "heuristic") -> Store:
    tables = run_tables()
    vectors = {"entities": StandIn().encode(list(tables["entities"]["name"]))}
    store.write_run(name, mode="heuristic", params={"a": 1}, tables=tables, vectors=vectors)
    return store
