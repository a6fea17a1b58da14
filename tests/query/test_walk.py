"""The walk: PageRank by hand, properties of its scores, titles in texts, and what brought them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from tests.query.small import Axes
from workbench.errors import InputError
from workbench.params import WalkParams
from workbench.query.bm25 import Bm25Index
from workbench.query.question import read_question
from workbench.query.run_index import run_index
from workbench.query.walk import METHOD, ROUNDS, pagerank, walk
from workbench.query.walk_graph import ABOUT, LINK, title_places, transitions, walk_graph
from workbench.query.walk_why import why
from workbench.store import Store


def test_pagerank_of_three_nodes_by_hand() -> None:
    # 0 — 1 — 2, begun at 0, damping 1/2: a = 1/2 + b/4, b = a/2 + c/2, c = b/4
    # so b = a/2 + b/8, a = 7b/4, 7b/4 - b/4 = 1/2: b = 1/3, a = 7/12, c = 1/12
    step = csr_matrix([[0, 0.5, 0], [1, 0, 1], [0, 0.5, 0]])
    scores = pagerank(step, np.array([3.0, 0, 0]), 0.5, rounds=60)
    assert scores == pytest.approx([7 / 12, 1 / 3, 1 / 12])


def test_a_dead_end_sends_its_score_back_to_the_seeds() -> None:
    # 0 → 1 and no further: a = 1/2, b = 1/4, scaled to a sum of 1
    step = csr_matrix([[0.0, 0], [1, 0]])
    assert pagerank(step, np.array([1.0, 0]), 0.5) == pytest.approx([2 / 3, 1 / 3])


@st.composite
def graphs(draw: st.DrawFn) -> tuple[pd.DataFrame, pd.DataFrame, int, int]:
    names, chunks = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    place = st.tuples(st.integers(0, names - 1), st.integers(0, chunks - 1))
    pairs = sorted(draw(st.sets(place, min_size=1)))
    held = pd.DataFrame(pairs, columns=["name", "chunk"])
    title = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    held = held.assign(title=title, link=[not own for own in title])
    ends = st.tuples(st.integers(0, names - 1), st.integers(0, names - 1), st.floats(0.1, 9))
    edges = draw(st.lists(ends, max_size=6))
    related = pd.DataFrame(edges, columns=["source_row", "target_row", "weight"])
    related = related.astype({"source_row": "int64", "target_row": "int64", "weight": float})
    return held, related, names, chunks


@settings(max_examples=60, deadline=None)
@given(graphs(), st.integers(0, 5), st.randoms(use_true_random=False))
def test_scores_sum_to_one_stay_in_the_component_and_know_no_order(graph, seed, random) -> None:
    held, related, names, chunks = graph
    rarity = np.linspace(0.2, 1, names)
    step = transitions(held, related, rarity, chunks)
    start = np.zeros(names + chunks)
    start[seed % names] = 1
    scores = pagerank(step, start, 0.85)
    assert scores.sum() == pytest.approx(1)
    assert (scores >= 0).all()
    from scipy.sparse.csgraph import connected_components

    _, part = connected_components(step, directed=False)
    assert not scores[part != part[seed % names]].any()
    sums = np.asarray(step.sum(axis=0)).ravel()
    assert np.all(np.isclose(sums, 1) | (sums == 0))
    rows, edges = list(held.index), list(related.index)
    random.shuffle(rows)
    random.shuffle(edges)
    again = transitions(held.loc[rows], related.loc[edges], rarity, chunks)
    assert pagerank(again, start, 0.85) == pytest.approx(scores, abs=1e-12)


def test_shares_by_hand() -> None:
    # name 0 in chunks 0 (its title) and 1 (which names another document), name 1 in chunk 1 only
    held = pd.DataFrame(
        {"name": [0, 0, 1], "chunk": [0, 1, 1], "title": [True, False, False]}
    ).assign(link=[False, True, False])
    none = pd.DataFrame({"source_row": [0], "target_row": [1], "weight": [4.0]})
    step = transitions(held, none, np.array([0.5, 1.0]), 2).toarray()
    total = (1 + ABOUT) + 1 + 0.1 * 2 * 1.0  # of name 0: its own chunk, the other, name 1
    assert step[2:, 0] == pytest.approx([(1 + ABOUT) / total, 1 / total])
    assert step[1, 0] == pytest.approx(0.2 / total)
    assert step[0, 2] == 1
    assert step[:2, 3] == pytest.approx([1, 0])  # name 1 leads nowhere else
    assert LINK > 1


@pytest.mark.parametrize(
    ("title", "rows"),
    [
        ("Joe Story", [0, 2]),
        ("the straw hat", [1]),
        ("C++", [3]),
        ("Story", [0, 2]),
        ("story of", []),
        ("nowhere", []),
        ("?", []),
    ],
)
def test_titles_are_found_in_texts_with_a_capital(title: str, rows: list[int]) -> None:
    texts = ["Joe Story's life", "The Straw Hat, a story of", "A Joe\nStory. A story", "C++ code"]
    from tests.query.small import postings

    frame = postings({str(row): text for row, text in enumerate(texts)})
    counts = frame.groupby("term").size()
    places = frame["chunk_id"].astype(int).to_numpy()
    bm25 = Bm25Index.build(list(counts.index), counts.to_numpy(), places, frame["tf"].to_numpy(), 4)
    assert title_places(title, texts, bm25) == rows


def test_the_small_run(small: Store, axes: Axes) -> None:
    index = run_index(small)
    graph = walk_graph(index)
    assert graph.names == ["Docker", "Docker Compose", "Container", "a.md", "b.md", "c.md"]
    assert graph.known["docker compose"] == {1: "Docker Compose"}
    found = walk(index, read_question("What is Docker Compose?", axes), WalkParams())
    assert found.scores.sum() == pytest.approx(1)
    assert found.seeds[0][:2] == (1, "named: Docker Compose")
    assert np.argsort(-found.combined)[:2].tolist() == [0, 2]
    ranked = METHOD.rank(small, None, read_question("What is Docker Compose?", axes), 3)
    assert ranked[:2] == ["d-a.md", "d-b.md"]
    assert ROUNDS == 20


def test_a_name_written_small_weighs_less(small: Store, axes: Axes) -> None:
    index = run_index(small)
    weights = []
    for text in ("Docker, Container", "Docker, container"):
        seeds = walk(index, read_question(text, axes), WalkParams()).seeds
        weights.append({seed.why: seed.weight for seed in seeds})
    big, less = weights[0]["named: Container"], weights[1]["named: container"]
    docker = [weights[0]["named: Docker"], weights[1]["named: Docker"]]
    assert less / docker[1] == pytest.approx(0.2 * big / docker[0])


def test_nothing_to_begin_at_leaves_the_order_to_the_text(small: Store, axes: Axes) -> None:
    params = WalkParams(near_weight=0, text_weight=0)
    found = walk(run_index(small), read_question("tables of data", axes), params)
    assert found.seeds == []
    assert not found.scores.any()
    assert np.argmax(found.combined) == np.argmax(found.text)


def test_what_brought_a_chunk_its_score(small: Store, axes: Axes) -> None:
    run = small.run("heuristic")
    table = why(run, "What is Docker Compose?", "c2", embedder=axes)
    assert table["label"].iloc[0] == "Docker Compose"
    assert table["seed"].iloc[0].startswith("named: Docker Compose")
    assert table["part"].sum() == pytest.approx(1)
    assert why(run, "What is Docker Compose?", 2, embedder=axes).equals(table)
    with pytest.raises(InputError, match="'nope'"):
        why(run, "Docker", "nope", embedder=axes)
