"""A question and reports in, how near each report is and the chunks behind the best ones out."""

from __future__ import annotations

import numpy as np
import pandas as pd

from workbench.corpus.words import terms
from workbench.params import FusionParams
from workbench.query.answering import term_weights
from workbench.query.dense import cosines
from workbench.query.question import Question
from workbench.query.run_index import RunIndex
from workbench.query.search import score_chunks


def relevance(index: RunIndex, question: Question, weights: np.ndarray) -> pd.DataFrame:
    """Give a row a report, in the index' order: term_share, cosine, weight, score.

    score = share of the question's terms that the report holds, by IDF, + cosine with the question
    where above 0, + a tenth of the occurrence weight.
    """
    held = index.derived("report terms", _report_terms)
    asked = term_weights(index, question.terms)
    whole = sum(asked.values()) or 1.0
    share = [sum(asked[term] for term in asked if term in found) / whole for found in held]
    near = np.full(len(held), np.nan)
    if question.vector is not None:
        near = np.round(cosines(index.report_matrix, question.vector), 6)
    frame = pd.DataFrame({"term_share": np.round(share, 6), "cosine": near, "weight": weights})
    nearness = frame["cosine"].fillna(0).clip(lower=0)
    frame["score"] = (frame["term_share"] + nearness + 0.1 * frame["weight"].fillna(0)).round(6)
    return frame


def chunk_scores(
    index: RunIndex, question: Question, near: pd.DataFrame, rows: np.ndarray
) -> np.ndarray:
    """Give each chunk of these reports (rows) a score, 0 for all others; float64 (chunks,).

    A chunk is a report's when it mentions an entity of its community. Its score = its own in basic
    search × the summed scores of its reports; `near` is `relevance`'s.
    """
    reports = index.reports[["community_row"]].assign(score=near["score"]).iloc[rows]
    chosen = index.members.merge(reports, on="community_row")
    pairs = chosen.merge(index.mentions, on="entity_row")
    pairs = pairs[["community_row", "chunk_row", "score"]].drop_duplicates()
    total = np.bincount(
        pairs["chunk_row"], weights=pairs["score"], minlength=len(index.chunks.chunks)
    )
    own = score_chunks(index.chunks, question, "basic", FusionParams())["fused_score"].to_numpy()
    return np.round(total * own, 6)


def _report_terms(index: RunIndex) -> list[frozenset[str]]:
    return [frozenset(terms(text)) for text in index.reports["full_content"]]
