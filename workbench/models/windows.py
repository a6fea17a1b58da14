"""Token ids in, batches and one vector a text out: how texts longer than the model are embedded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

BATCH_PIECES = 1024  # four full windows of MiniLM: the fastest of 1 to 64 windows on 2 cores
_LONG_WORD = re.compile(r"\S{90}(?=\S)")


def readable(text: str) -> str:
    """Give text that a tokenizer reads whole.

    A lone surrogate is no character (it becomes `?`), and WordPiece turns a word of more than 100
    characters into one unknown piece, so a longer run without blanks gets a blank every 90.
    """
    text = text.encode("utf-8", "replace").decode("utf-8")
    return _LONG_WORD.sub(r"\g<0> ", text)


def batches(lengths: Sequence[int], budget: int = BATCH_PIECES) -> Iterator[list[int]]:
    """Give the row numbers of each batch: longest first, at most `budget` pieces with padding.

    Like lengths stand together, so little is padded. A row longer than the budget goes alone.

    >>> list(batches([3, 10, 4, 9], budget=20))
    [[1, 3], [2, 0]]
    """
    order = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    start = 0
    while start < len(order):
        size = max(1, budget // max(1, lengths[order[start]]))
        yield order[start : start + size]
        start += size


def mean_of_windows(vectors: np.ndarray, weights: np.ndarray, owners: np.ndarray) -> np.ndarray:
    """Give one unit vector a text: the mean of its windows, weighted by their pieces.

    `vectors` (windows, dim); `weights` (windows,) piece counts; `owners` (windows,) the text each
    window is of, rising, without gaps from 0. A full window thus counts more than a last one of
    three words, as mean pooling over all pieces at once would have it. A mean of length 0 stays 0.
    """
    weighted = vectors.astype(np.float64) * weights[:, None]
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    return unit(np.add.reduceat(weighted, starts, axis=0)).astype(np.float32)


def unit(vectors: np.ndarray) -> np.ndarray:
    """Give the rows with length 1; a row of zeros stays as it is."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(norms == 0, 1, norms)
