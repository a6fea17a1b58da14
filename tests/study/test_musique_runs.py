"""Three runs of musique in one file, with their overlap, timed in one go (issue B)."""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.index import index
from workbench.models.embedding import load_embedder
from workbench.params import EmbedParams
from workbench.recorded import import_openie, union_runs
from workbench.study.overlap import overlap_matrix

LIMIT = 180  # seconds beside embedding, on two cores


def instant(self: Any, texts: Sequence[str], description: str = "") -> np.ndarray:
    """Give each text a vector of its own in no time: the limit is on all but the embedding."""
    rows = np.empty((len(texts), self.dimension), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
        row[:] = np.random.default_rng(seed).standard_normal(self.dimension)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True) if len(texts) else rows


@pytest.mark.slow
def test_three_runs_and_their_overlap(
    shared: Callable[[str], Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = shared("bench/musique")
    monkeypatch.setattr(type(load_embedder(EmbedParams())), "encode", instant)
    begin = time.perf_counter()
    rules = index(folder / "corpus.jsonl", tmp_path / "m.duckdb")
    runs = {"heuristic": rules}
    runs["gpt35"] = import_openie(rules.store, folder / "llm_openie_gpt35.jsonl", "gpt35")
    runs["hybrid"] = union_runs(rules.store, ["heuristic", "gpt35"], "hybrid")
    entities = overlap_matrix(runs)
    relationships = overlap_matrix(runs, "relationships")
    seconds = time.perf_counter() - begin
    with capsys.disabled():
        sys.stdout.write(f"\n{seconds:.1f} s beside embedding\n{entities}\n{relationships}\n")
    assert seconds < LIMIT
    for matrix in (entities, relationships):
        assert ((matrix > 0) & (matrix <= 1)).all(axis=None)
    assert relationships.loc["heuristic", "gpt35"] < entities.loc["heuristic", "gpt35"]
    assert len(runs["hybrid"].rejected) == sum(
        len(runs[n].rejected) for n in ("heuristic", "gpt35")
    )
