"""The real models, loaded once for all tests of the room; and empty stores for the ledger."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from workbench.models import asking
from workbench.models.embedding import Embedder, load_embedder
from workbench.models.llamacpp import LlamaCppModel
from workbench.models.pull import packaged_file
from workbench.params import ChunkParams, EmbedParams
from workbench.store import Store


@pytest.fixture(scope="session")
def minilm() -> Embedder:
    return load_embedder(EmbedParams())


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store: the ledger needs no vectors."""
    embedder = SimpleNamespace(name="minilm", revision="test", dtype="float32", dimension=4)
    return Store.create(
        tmp_path / "ledger.duckdb", chunk=ChunkParams(), embed=EmbedParams(), embedder=embedder
    )


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_FIRST_PAUSE", 0.01)


@pytest.fixture(scope="session")
def smollm2() -> LlamaCppModel:
    """SmolLM2-135M in this process, and behind llama.cpp's own HTTP server at its `address`."""
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed (extra `llamacpp`)")
    if packaged_file("smollm2") is None:
        pytest.skip("SmolLM2 is not installed: workbench pull smollm2")
    return LlamaCppModel("smollm2", context_window=2048)
