"""The walk over 2wiki, from the passages to the ranks, with floors below what was measured.

With the packaged embedder (a minute and more to index) all@8 is 1.000: see `query/walk.py`. Here
a text's vector is the sum of its words' random ones, which takes seconds.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from workbench import ingest
from workbench.corpus.words import terms
from workbench.extraction.modes import extract
from workbench.finish import finish, run_params
from workbench.params import ChunkParams, EmbedParams, ExtractParams
from workbench.stages import Stages
from workbench.store import Store
from workbench.study.evaluate import evaluate


class Hashed:
    """A text's vector: the sum of random vectors of its words, each seeded by the word."""

    name, revision, dtype, dimension = "hashed", "1", "float32", 64

    def __init__(self) -> None:
        self.known: dict[str, np.ndarray] = {}

    def encode(self, texts: Sequence[str], description: str = "") -> np.ndarray:
        matrix = np.array([sum(map(self._of, terms(text)), self._of("")) for text in texts])
        matrix = matrix.reshape(len(texts), 64).astype(np.float32)
        return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)

    def _of(self, word: str) -> np.ndarray:
        if word not in self.known:
            seed = zlib.crc32(word.encode())
            self.known[word] = np.random.default_rng(seed).normal(size=64)
        return self.known[word]


@pytest.mark.shared
@pytest.mark.slow
def test_walk_finds_all_gold_passages_of_2wiki(
    shared: Callable[[str], Path], tmp_path: Path
) -> None:
    folder, hashed = shared("bench/2wiki"), Hashed()
    settings = {"chunk": ChunkParams(), "embed": EmbedParams(), "embedder": hashed}
    store = Store.create(tmp_path / "2wiki.duckdb", **settings)
    ingest.ingest(ingest.read(folder / "corpus.jsonl"), store, lambda: hashed, Stages())
    found = extract(
        "heuristic", store.read("documents"), store.read("chunks"), hashed, ExtractParams()
    )
    finish(
        store,
        "heuristic",
        found,
        mode="heuristic",
        params=run_params(store, None, None),
        cluster=None,
        stages=Stages(),
        started=datetime(2026, 1, 1),
    )
    result = evaluate(
        store, folder / "queries.jsonl", methods=["basic", "walk"], k=[5, 8], embedder=hashed
    )
    walk, basic = result["methods"]["walk"], result["methods"]["basic"]
    assert walk["all@8"] >= 0.90
    assert walk["recall@5"] >= 0.90
    assert basic["all@8"] <= 0.60  # what the graph adds
