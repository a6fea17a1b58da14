"""Two scores a chunk in, ranks and one fused score out.

Three fusions; `score` is `basic`'s default:

* rrf: 1 / (60 + BM25 rank) + 1 / (60 + dense rank) (Cormack et al. 2009; no term for a chunk that
  holds no term of the query);
* weighted_rrf: the same with the weights (1 - w) and w;
* score: (1 - w) * BM25 / best BM25 + w * cosine / best cosine, cosines below 0 counted as 0.

The rule: of rrf, weighted_rrf (w = 2/3, 4/5, 6/7) and score (w = 0.5, 0.6, 0.7, 0.8, 0.9), take the
highest mean of recall@5 and all@8 over the odd-numbered questions of 2wiki and of musique; on equal
means the larger recall@5, then the earlier in this list. Their wording is looked at nowhere.

Mean of the four figures on the odd halves, which decide, and on the even ones, which do not:

    fusion        w      odd    even        fusion        w      odd    even
    score         0.8    .560   .529        score         0.9    .535   .532
    weighted_rrf  2/3    .549   .536        rrf                  .528   .493
    score         0.7    .545   .546        dense alone          .518   .517
    weighted_rrf  4/5    .543   .525        score         0.5    .513   .520
    weighted_rrf  6/7    .543   .532        BM25 alone           .500   .380
    score         0.6    .537   .546
"""

from __future__ import annotations

import numpy as np

from workbench.params import FusionParams


def ranks(scores: np.ndarray, ranked: np.ndarray | None = None) -> np.ndarray:
    """Give the place of each row, int64 from 1 for the highest; equal scores in row order.

    Rows that `ranked` (boolean) leaves out get 0. Scores are compared to 6 decimals, since a
    vector's last bits depend on its batch.

    >>> ranks(np.array([0.1, 0.7, 0.7, 0.0]), np.array([True, True, True, False])).tolist()
    [3, 1, 2, 0]
    """
    place = np.zeros(len(scores), np.int64)
    rows = np.arange(len(scores)) if ranked is None else np.flatnonzero(ranked)
    order = rows[np.argsort(-np.round(scores[rows], 6), kind="stable")]
    place[order] = np.arange(1, len(order) + 1)
    return place


def fuse(bm25: np.ndarray, cosine: np.ndarray, params: FusionParams) -> np.ndarray:
    """Give the fused score of each row, float64, from BM25 scores and cosines (rows,)."""
    if params.kind == "score":
        weight = params.dense_weight
        return (1 - weight) * _to_best(bm25) + weight * _to_best(np.maximum(cosine, 0))
    both = (1.0, 1.0)
    if params.kind == "weighted_rrf":
        both = (1 - params.dense_weight, params.dense_weight)
    return both[0] * _reciprocal(ranks(bm25, bm25 > 0), params.rrf_k) + both[1] * _reciprocal(
        ranks(cosine), params.rrf_k
    )


def _to_best(scores: np.ndarray) -> np.ndarray:
    """Scale to the best score; where nothing is above 0, all are 0."""
    best = scores.max(initial=0)
    return scores.astype(np.float64) / best if best > 0 else np.zeros(len(scores))


def _reciprocal(places: np.ndarray, k: int) -> np.ndarray:
    return np.where(places > 0, 1 / (k + places), 0.0)
