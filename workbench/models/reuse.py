"""An embedder and vectors that are there in, an embedder that computes only what is new out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from workbench.models.embedding import Embedder


class ReusingEmbedder:
    """Gives a text its known vector, and asks the embedder for the others, each once.

    `known` maps texts to float32 unit vectors of the same embedder.
    """

    def __init__(self, embedder: Embedder, known: Mapping[str, np.ndarray]) -> None:
        self.name, self.revision = embedder.name, embedder.revision
        self.dtype, self.dimension = embedder.dtype, embedder.dimension
        self._embedder, self._known = embedder, dict(known)

    def encode(self, texts: Sequence[str], description: str = "embedding") -> np.ndarray:
        """Give one row a text, like the embedder itself."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
        if fresh:
            self._known.update(zip(fresh, self._embedder.encode(fresh, description), strict=True))
        rows = [self._known[text] for text in texts]
        return np.stack(rows) if rows else np.empty((0, self.dimension), np.float32)
