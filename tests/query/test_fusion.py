"""Ranks and fusions, by hand and as properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.params import FusionParams
from workbench.query.fusion import fuse, ranks

BM25 = np.array([2.0, 0.0, 4.0, 0.0])
COSINE = np.array([0.8, 0.4, 0.2, -0.1])


def test_rrf_by_hand() -> None:
    fused = fuse(BM25, COSINE, FusionParams(kind="rrf"))
    assert fused.tolist() == pytest.approx([1 / 62 + 1 / 61, 1 / 62, 1 / 61 + 1 / 63, 1 / 64])


def test_weighted_rrf_by_hand() -> None:
    fused = fuse(BM25, COSINE, FusionParams(kind="weighted_rrf", dense_weight=0.75, rrf_k=9))
    expected = [0.25 / 11 + 0.75 / 10, 0.75 / 11, 0.25 / 10 + 0.75 / 12, 0.75 / 13]
    assert fused.tolist() == pytest.approx(expected)


def test_score_fusion_by_hand() -> None:
    fused = fuse(BM25, COSINE, FusionParams(dense_weight=0.8))
    assert fused.tolist() == pytest.approx([0.2 * 0.5 + 0.8, 0.8 * 0.5, 0.2 + 0.8 * 0.25, 0])


def test_the_default_is_score_fusion_at_four_fifths() -> None:
    assert FusionParams().model_dump() == {"kind": "score", "dense_weight": 0.8, "rrf_k": 60}


@pytest.mark.parametrize("kind", ["score", "rrf", "weighted_rrf"])
def test_nothing_found_by_words_leaves_the_dense_order(kind: str) -> None:
    fused = fuse(np.zeros(4), COSINE, FusionParams(kind=kind))
    assert ranks(fused).tolist() == [1, 2, 3, 4]
    assert np.isfinite(fuse(np.zeros(2), -np.ones(2), FusionParams(kind=kind))).all()
    assert fuse(np.zeros(0), np.zeros(0), FusionParams(kind=kind)).tolist() == []


def test_equal_but_for_the_last_bits_stand_in_row_order() -> None:
    assert ranks(np.array([0.5, 0.5000001, 0.4])).tolist() == [1, 2, 3]


scores = st.lists(st.floats(0, 1), max_size=30)


@given(scores)
def test_ranks_are_a_permutation_by_score(values: list[float]) -> None:
    place = ranks(np.array(values))
    assert sorted(place) == list(range(1, len(values) + 1))
    ordered = [round(values[row], 6) for row in np.argsort(place)]
    assert ordered == sorted(ordered, reverse=True)


@given(st.lists(st.tuples(st.floats(0, 9), st.floats(-1, 1)), min_size=1, max_size=20))
def test_a_chunk_better_in_both_is_never_fused_below(pairs: list[tuple[float, float]]) -> None:
    bm25, cosine = (np.round(np.array(part), 3) for part in zip(*pairs, strict=True))
    for kind in ("score", "rrf", "weighted_rrf"):
        fused = fuse(bm25, cosine, FusionParams(kind=kind))
        for i in range(len(pairs)):
            better = (bm25 > bm25[i]) & (cosine > cosine[i])
            assert (fused[better] >= fused[i]).all()
