from __future__ import annotations

import numpy as np

from tests.storage.builders import StandIn
from workbench.models.reuse import ReusingEmbedder


def test_only_new_texts_are_embedded_each_once():
    asked = []

    class Noting(StandIn):
        def encode(self, texts, description="embedding"):
            asked.append(list(texts))
            return super().encode(texts, description)

    known = {"a": np.full(8, 0.5, np.float32)}
    embedder = ReusingEmbedder(Noting(), known)
    rows = embedder.encode(["b", "a", "b", "c"])
    assert asked == [["b", "c"]]
    assert (rows[1] == known["a"]).all() and (rows[0] == rows[2]).all()
    assert np.allclose(rows[[0, 3]], StandIn().encode(["b", "c"]))
    assert embedder.encode([]).shape == (0, 8)
    assert list(known) == ["a"]
