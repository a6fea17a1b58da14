"""Unit vectors in, cosines out: exact search, in one product."""

from __future__ import annotations

import numpy as np


def cosines(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Give the cosine of each row with the vector, float32 (rows,); all are unit vectors."""
    return matrix @ vector.astype(np.float32)
