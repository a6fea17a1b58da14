"""Three runs of musique in one file, with their overlap, timed in one go (issue B)."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
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


@pytest.mark.slow
def test_three_runs_and_their_overlap(
    shared: Callable[[str], Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = shared("bench/musique")
    seconds: list[float] = []
    embedder = type(load_embedder(EmbedParams()))
    encode = embedder.encode

    def timed(*given: Any, **named: Any) -> np.ndarray:
        start = time.perf_counter()
        try:
            return encode(*given, **named)
        finally:
            seconds.append(time.perf_counter() - start)

    monkeypatch.setattr(embedder, "encode", timed)
    begin = time.perf_counter()
    rules = index(
        folder / "corpus.jsonl", tmp_path / "m.duckdb", columns={"title": "title", "text": "text"}
    )
    runs = {"heuristic": rules}
    runs["gpt35"] = import_openie(rules.store, folder / "llm_openie_gpt35.jsonl", "gpt35")
    runs["hybrid"] = union_runs(rules.store, ["heuristic", "gpt35"], "hybrid")
    entities = overlap_matrix(runs)
    relationships = overlap_matrix(runs, "relationships")
    whole = time.perf_counter() - begin
    embedding = sum(seconds)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{whole:.1f} s, {embedding:.1f} s of it embedding\n{entities}\n{relationships}\n"
        )
    assert whole - embedding < LIMIT
    for matrix in (entities, relationships):
        assert ((matrix > 0) & (matrix <= 1)).all(axis=None)
    assert relationships.loc["heuristic", "gpt35"] < entities.loc["heuristic", "gpt35"]
