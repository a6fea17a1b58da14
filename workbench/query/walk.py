"""A question in, the chunks out that a walk from what it names leads to; no model retrieves.

Personalised PageRank (Haveliwala 2002) over the graph of `walk_graph`, as HippoRAG (Gutiérrez et
al. 2024), HippoRAG 2 (2025) and fast-graphrag do, and unlike them without a model in indexing or
asking. Seeds: the names in the question (words × rarity, as HippoRAG's node specificity), the
entities whose vectors are nearest to it, and, weakly, the chunks that BM25 and vectors find
(HippoRAG 2 gives passages 0.05 too). The chunks' order is by

    ln(walk / best walk) + text_share * text / best text

that is by score, never by rank: with RRF the walk loses what it found (see design.md).

Tuned on the odd-numbered questions (ids 1, 3, …) of 2wiki and musique, one set for all four runs;
the even ones decided nothing. Mean recall@5 and all@8, odd | even half:

                       recall@5        all@8
    2wiki heuristic    .990 | .971    1.000 | 1.000   basic .750 | .644   .600 | .385
    musique heuristic  .820 | .827     .720 |  .800   basic .610 | .647   .280 | .440
    musique gpt35      .773 | .887     .720 |  .800
    musique hybrid     .817 | .840     .720 |  .800

All 51 questions of 2wiki have all gold in the top 8; over all 50 of musique recall@5 is .823, .830
and .828. On the handbook's own questions, which decided nothing either, all@8 is .648 (basic .556)
and recall@5 .69 (basic .72): themes, and facts in one chunk, are better asked by other methods.

At settings on the way (mean of both figures, odd halves): damping 0.5, HippoRAG's, .730, 0.7 .788,
0.85 .810, since two hops are far away; without titles found in the texts .752.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from workbench.params import FusionParams, WalkParams
from workbench.query.asking import Asking
from workbench.query.basic import MEANINGS, chunk_table, respond_from, sections_of
from workbench.query.dense import cosines
from workbench.query.fusion import fuse, ranks
from workbench.query.methods import Method, rank_documents
from workbench.query.named import names_in
from workbench.query.question import Question
from workbench.query.run_index import RunIndex, run_index
from workbench.query.trace import Answer
from workbench.query.walk_graph import WalkGraph, described, walk_graph

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from workbench.store import Store

ROUNDS = 20  # 10 give the same figures on the benchmarks, 40 too
LEAST = 1e-12  # share of the best score that counts for a chunk the walk does not reach


class Seed(NamedTuple):
    """A node at which the walk begins, why, and how often of all times."""

    node: int
    why: str
    weight: float


@dataclass(frozen=True)
class Walk:
    """One walk: where it begins, and by chunk the scores bm25, cosine and text (both, fused).

    `scores` (nodes,) sum to 1, `combined` (chunks,) orders the chunks.
    """

    graph: WalkGraph
    seeds: list[Seed]
    bm25: np.ndarray
    cosine: np.ndarray
    text: np.ndarray
    scores: np.ndarray
    combined: np.ndarray

    @property
    def start(self) -> np.ndarray:
        """The weight of each node as a seed."""
        return _start(self.graph, self.seeds)

    @property
    def chunk_scores(self) -> np.ndarray:
        """The walk's score of each chunk."""
        return self.scores[len(self.graph.names) :]


def pagerank(
    step: csr_matrix, seeds: np.ndarray, damping: float, rounds: int = ROUNDS
) -> np.ndarray:
    """Give the scores after so many steps, summing to 1; `seeds` (nodes,) is where walks begin.

    scores ← (1 - damping) * seeds + damping * step @ scores. What is lost at dead ends is made up
    by scaling, which is the same as sending it back to the seeds.
    """
    start = seeds / seeds.sum()
    scores = start
    for _ in range(rounds):
        scores = (1 - damping) * start + damping * (step @ scores)
    return scores / scores.sum()


def walk(index: RunIndex, question: Question, params: WalkParams) -> Walk:
    """Walk from what a question is about."""
    graph = walk_graph(index)
    bm25 = index.chunks.bm25.scores(question.terms)
    cosine = cosines(index.chunks.matrix, question.vector)
    text = fuse(bm25, cosine, FusionParams())
    seeds = _seeds(index, graph, question, text, params)
    scores = _start(graph, seeds)
    if seeds:
        scores = pagerank(graph.step, scores, params.damping)
    reached = scores[len(graph.names) :]
    best, best_text = reached.max(initial=0) or 1, text.max(initial=0) or 1
    combined = np.log(np.maximum(reached / best, LEAST)) + params.text_share * text / best_text
    return Walk(graph, seeds, bm25, cosine, text, scores, combined)


def _start(graph: WalkGraph, seeds: list[Seed]) -> np.ndarray:
    start = np.zeros(len(graph.names) + graph.chunks)
    for seed in seeds:
        start[seed.node] += seed.weight
    return start


def _seeds(
    index: RunIndex, graph: WalkGraph, question: Question, text: np.ndarray, params: WalkParams
) -> list[Seed]:
    """Give the seeds, each node once for each reason; their weights sum to 1."""
    named: dict[tuple[int, str], float] = {}
    for name in names_in(question.text, graph.known):
        small = name.written == name.written.lower()
        share = (params.small_weight if small else 1.0) * name.length / len(name.rows)
        for row in name.rows:
            key = row, f"named: {name.written}"
            named[key] = named.get(key, 0.0) + share * float(graph.rarity[row])
    near = cosines(index.entity_matrix, question.vector)
    first = len(graph.names)
    groups = (
        (1.0, named),
        (
            params.near_weight,
            {(int(r), "vector"): float(near[r]) for r in _best(near, params.near_entities)},
        ),
        (
            params.text_weight,
            {(first + int(r), "text"): float(text[r]) for r in _best(text, params.text_chunks)},
        ),
    )
    seeds = []
    for whole, group in groups:
        total = sum(group.values()) or 1.0
        seeds += [Seed(*key, whole * weight / total) for key, weight in group.items()]
    total = sum(seed.weight for seed in seeds) or 1.0
    return [seed._replace(weight=seed.weight / total) for seed in seeds if seed.weight > 0]


def _best(scores: np.ndarray, k: int) -> np.ndarray:
    """Give the rows of the k highest scores above 0, best first; equal ones in row order."""
    rounded = np.round(scores, 6)
    if k < len(rounded):
        least = np.partition(rounded, len(rounded) - k)[len(rounded) - k] if k else np.inf
        rows = np.flatnonzero(rounded >= least)
    else:
        rows = np.arange(len(rounded))
    rows = rows[np.argsort(-rounded[rows], kind="stable")][:k]
    return rows[rounded[rows] > 0]


def rank(store: Store, run: str | None, question: Question, k: int) -> list[str]:
    """Rank documents by their best chunk."""
    index = run_index(store, run)
    return rank_documents(index.chunks, ranks(walk(index, question, WalkParams()).combined))


def answer(asking: Asking) -> Answer:
    """Answer from the k best chunks, the entities that the walk came to, and what relates them."""
    params, index = asking.params, asking.index
    assert isinstance(params, WalkParams)  # noqa: S101 (told by METHOD)
    with asking.record.timed("walk"):
        found = walk(index, asking.question, params)
    if not any(seed.why.startswith("named") for seed in found.seeds):
        asking.record.note(
            "The question names nothing that the run knows: it walks from what is "
            "near to it by text and vector."
        )
    asking.record.step(
        "seeds",
        "Where the walk begins: names in the question, near entities, chunks found by text.",
        lambda: _seed_table(index, found),
    )
    with asking.record.timed("context"):
        rows, chunks = _chunks(index, found, max(3 * params.k, 30))
        entities = _entities(index, found, max(3 * params.entities, 30))
        weights = found.chunk_scores[rows] + LEAST
        sections = sections_of(asking, rows, chunks, weights, params, entities)
    count = len(found.text)
    return respond_from(asking, sections, _meanings(len(chunks), count))


def _meanings(shown: int, chunks: int) -> dict[str, str]:
    return {
        "sources": f"Chunks by ln(walk) + text: the {shown:,} best of {chunks:,}.",
        "entities": "Entities by the score that the walk left them.",
        "relationships": MEANINGS["relationships"],
    }


def _chunks(index: RunIndex, found: Walk, most: int) -> tuple[np.ndarray, pd.DataFrame]:
    """Give the rows of the best chunks in order, and their table."""
    places = ranks(found.combined)
    rows = np.argsort(places)[:most]
    scores = {
        "bm25_score": found.bm25,
        "cosine": found.cosine,
        "text_score": found.text,
        "walk_score": found.chunk_scores,
        "combined": found.combined,
    }
    frame = pd.DataFrame({name: np.round(of[rows], 9) for name, of in scores.items()})
    return rows, chunk_table(index.chunks, rows, frame)


def _entities(index: RunIndex, found: Walk, most: int) -> pd.DataFrame:
    """Give row, label, walk_score and rarity of the entities with the highest score."""
    scores = found.scores[: found.graph.entities]
    rows = np.argsort(-np.round(scores, 9), kind="stable")[:most]
    rows = rows[scores[rows] > 0]
    return pd.DataFrame(
        {
            "row": rows,
            "label": index.entities["name"].to_numpy(dtype=object)[rows],
            "walk_score": np.round(scores[rows], 9),
            "rarity": np.round(found.graph.rarity[rows], 6),
        }
    )


def _seed_table(index: RunIndex, found: Walk) -> pd.DataFrame:
    seeds = pd.DataFrame(found.seeds, columns=Seed._fields).astype({"node": "int64"})
    seeds = seeds.sort_values(["weight", "node"], ascending=[False, True], kind="stable")
    frame = described(index, found.graph, seeds["node"].to_numpy())
    title = (seeds["node"] >= found.graph.entities) & (seeds["node"] < len(found.graph.names))
    return frame.assign(
        why=np.where(title, "title " + seeds["why"], seeds["why"]),
        weight=seeds["weight"].round(9).to_numpy(),
        order=range(1, len(frame) + 1),
        tokens=0,
        in_context=False,
        cut_reason="a seed: what the walk finds is in the other steps",
        text="",
    )


METHOD = Method("walk", WalkParams, answer, rank)
