"""BM25 by hand, against bm25s, and against its own SQL."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.corpus.words import terms
from workbench.query.bm25 import BM25_SQL, Bm25Index
from workbench.query.chunk_index import chunk_index
from workbench.store import Store


def build(corpus: list[list[str]]) -> Bm25Index:
    rows = [(term, row) for row, document in enumerate(corpus) for term in document]
    frame = pd.DataFrame(rows, columns=["term", "row"]).groupby(["term", "row"]).size()
    table = frame.rename("tf").reset_index().sort_values(["term", "row"])
    spread = table.groupby("term").size()
    return Bm25Index.build(
        list(spread.index),
        spread.to_numpy(),
        table["row"].to_numpy(np.int64),
        table["tf"].to_numpy(),
        len(corpus),
    )


def test_worked_by_hand() -> None:
    index = build([["a", "b", "a"], ["b"], ["c", "c"]])  # N = 3, mean length 2
    idf_a, idf_b = math.log(2.5 / 1.5 + 1), math.log(1.5 / 2.5 + 1)
    first = idf_a * 2 * 2.5 / (2 + 1.5 * (0.25 + 0.75 * 1.5)) + idf_b * 2.5 / (1 + 1.5 * 1.375)
    second = idf_b * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 0.5))
    assert index.scores(["a", "b"]).tolist() == pytest.approx([first, second, 0])
    assert index.scores(["b", "b"])[1] == pytest.approx(2 * second)
    assert index.scores(["unknown"]).tolist() == [0, 0, 0]
    assert index.scores([]).tolist() == [0, 0, 0]


words = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=12)


@given(st.lists(words, min_size=2, max_size=12), words)
@settings(max_examples=40, deadline=None)
def test_same_scores_as_bm25s(corpus: list[list[str]], query: list[str]) -> None:
    bm25s = pytest.importorskip("bm25s")
    other = bm25s.BM25(method="lucene", k1=1.5, b=0.75, dtype="float64")
    other.index(corpus, show_progress=False)
    # bm25s leaves the constant factor k1 + 1 out; it raises on a term that no document holds
    known = [term for term in query if any(term in document for document in corpus)]
    expected = other.get_scores(known) * 2.5 if known else np.zeros(len(corpus))
    assert np.allclose(build(corpus).scores(query), expected, atol=1e-9)


def test_contributions_sum_up_to_scores() -> None:
    index = build([["a", "b", "a"], ["b"], ["c", "c"], ["a", "c"]])
    query = ["a", "c", "c", "zz"]
    frame = index.contributions(query, [3, 0])
    assert frame[["row", "term", "tf", "df"]].to_numpy().tolist() == [
        [3, "c", 1, 2],
        [3, "a", 1, 2],
        [0, "a", 2, 2],
    ]
    sums = frame.groupby("row")["contribution"].sum()
    scores = index.scores(query)
    assert sums[0] == pytest.approx(scores[0])
    assert sums[3] == pytest.approx(scores[3])


def test_sql_says_the_same(small: Store) -> None:
    index = chunk_index(small)
    asked = terms("which docker-compose starts the data?")
    frame = small.sql(BM25_SQL, {"terms": asked})
    by_sql = frame.groupby("chunk_id")["contribution"].sum()
    scores = dict(zip(index.chunks["id"], index.bm25.scores(asked), strict=True))
    assert {c: s for c, s in scores.items() if s > 0} == pytest.approx(by_sql.to_dict())
    own = index.bm25.contributions(asked, range(4))
    assert own["contribution"].sum() == pytest.approx(frame["contribution"].sum())


def test_lengths_count_the_chunk_without_terms(small: Store) -> None:
    lengths = chunk_index(small).bm25.lengths
    assert lengths[0] == len(terms("Docker starts containers. Docker Compose starts several."))
    assert lengths[3] == 0
    assert len(lengths) == 4


def test_nothing_indexed_scores_nothing() -> None:
    empty = Bm25Index.build([], np.array([], int), np.array([], int), np.array([], int), 0)
    assert empty.scores(["a"]).tolist() == []
    assert empty.contributions(["a"], []).empty
