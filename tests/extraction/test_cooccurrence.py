from __future__ import annotations

import numpy as np
import pytest

from workbench.extraction.cooccurrence import count_pairs, npmi, significant_pairs


def places(*groups: list[int]) -> np.ndarray:
    return np.array([(g, e) for g, members in enumerate(groups) for e in members]).reshape(-1, 2)


def test_pairs_are_counted_once_a_group():
    codes, counts = count_pairs(places([0, 1, 1], [0, 1], [1, 2]), 3)
    assert dict(zip(codes.tolist(), counts.tolist(), strict=True)) == {0 * 3 + 1: 2, 1 * 3 + 2: 1}


def test_npmi_by_hand():
    one = np.array([2])
    assert npmi(np.array([2]), one, one, 4)[0] == pytest.approx(1.0)  # always together
    # p(xy) = 1/4, p(x) = p(y) = 1/2: ln 1 = 0
    assert npmi(np.array([1]), one, one, 4)[0] == pytest.approx(0.0)
    assert npmi(np.array([4]), np.array([4]), np.array([4]), 4)[0] == 1.0


def test_a_shared_sentence_is_enough_and_one_shared_chunk_is_not():
    chunks = places([0, 1, 2, 3], [0, 3], [3])
    sentences = places([0, 1], [2], [3])
    found = significant_pairs(chunks, sentences, 4, 3, 0.1)
    kept = {(row.a, row.b): (row.weight, row.sentences) for row in found.kept.itertuples()}
    # 0-1 share a sentence. 0-3 share two chunks, but 3 is everywhere: npmi 0, and it stays only as
    # the best pair of 3, which has no other. 2 keeps its best one: with 1, before the frequent 0.
    assert kept == {(0, 1): (1, 1), (0, 3): (2, 0), (1, 2): (1, 0)}
    assert found.dropped == {"one_chunk_no_sentence": 3, "npmi_below": 0}


def test_nothing_gives_nothing():
    empty = np.empty((0, 2), np.int64)
    found = significant_pairs(empty, empty, 0, 0, 0.1)
    assert len(found.kept) == 0
