"""The real model, loaded once for all tests of the room."""

from __future__ import annotations

import pytest

from workbench.models.embedding import Embedder, load_embedder
from workbench.params import EmbedParams


@pytest.fixture(scope="session")
def minilm() -> Embedder:
    return load_embedder(EmbedParams())
