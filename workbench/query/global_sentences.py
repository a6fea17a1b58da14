"""Reports in, an answer without a model out: sentences of the nearest ones and of their chunks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.graph.report_lines import csv_row
from workbench.params import GlobalParams
from workbench.query import basic
from workbench.query.answering import respond
from workbench.query.asking import Asking
from workbench.query.basic import Section
from workbench.query.fusion import ranks
from workbench.query.global_plan import Plan, plan
from workbench.query.global_relevance import chunk_scores, relevance
from workbench.query.methods import rank_documents
from workbench.query.question import Question
from workbench.query.run_index import RunIndex, run_index
from workbench.query.trace import Answer

if TYPE_CHECKING:
    from workbench.store import Store

BEST = 5  # reports that are shown, and whose chunks are looked at
CHUNKS = 10  # of those, so many are shown
WITHOUT_END = 1 << 60  # tokens: nothing is cut
LOOK = 30  # reports, and chunks, that are listed as candidates
MEANINGS = {
    "reports": "reports by the question's terms they hold, their nearness to it and their weight",
    "sources": "chunks of those reports: their score in basic search × those of their reports",
}


def from_sentences(asking: Asking, chosen: Plan) -> Answer:
    """Answer by sentences of the reports nearest to the question, and of their chunks."""
    params, index = asking.params, asking.index
    with asking.record.timed("nearest"):
        near, rows = _nearest(index, asking.question, chosen)
        reports = _section(
            asking, "reports", index.reports.iloc[rows], near.iloc[rows],
            ("short_id", "title", "full_content"), params.max_context_tokens // 2,
        )  # fmt: skip
        used = reports.fill(BEST, "best", stop_at_first=False)
        scores = chunk_scores(index, asking.question, near, rows[reports.inside])
        chunks = _first(scores, scores > 0)
        table = index.chunks.chunks.iloc[chunks].assign(text=[index.texts[row] for row in chunks])
        sources = _section(
            asking, "sources", table, pd.DataFrame({"score": scores[chunks]}),
            ("short_id", "document", "text"), params.max_context_tokens - used,
        )  # fmt: skip
        sources.fill(CHUNKS, "k", stop_at_first=False)
    for section in (reports, sources):
        section.take_down(asking.record, MEANINGS[section.name])
    shown = pd.concat([reports.sources(), sources.sources()])
    parts = [*reports.parts(), *sources.parts()]
    return respond(replace(asking, caller=None), parts, shown)


def _nearest(index: RunIndex, question: Question, chosen: Plan) -> tuple[pd.DataFrame, np.ndarray]:
    """Give the scores of all reports, and the rows of the nearest of those read, best first."""
    weights = np.zeros(len(index.reports))
    weights[chosen.read["row"]] = chosen.read["weight"]
    near = relevance(index, question, weights)
    return near, _first(near["score"].to_numpy(), np.isin(near.index, chosen.read["row"]))


def _first(scores: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Give the rows of the LOOK best scores, best first."""
    places = ranks(scores, among)
    rows = np.flatnonzero((places > 0) & (places <= LOOK))
    return rows[np.argsort(places[rows])]


def _section(
    asking: Asking, name: str, records: pd.DataFrame, scores: pd.DataFrame,
    columns: tuple[str, str, str], allowed: int,
) -> Section:  # fmt: skip
    short, label, text = columns
    values = records[list(columns)].itertuples(index=False, name=None)
    lines = [csv_row(row, "|") for row in values]
    opening = f"-----{name.title()}-----\nid|{'title' if label == 'title' else label}|content\n"
    table = pd.DataFrame(
        {
            "kind": "report" if name == "reports" else "chunk",
            "id": records["community_id" if name == "reports" else "id"].to_numpy(dtype=object),
            "short_id": records[short].to_numpy(),
            "label": records[label].to_numpy(dtype=object),
            **{column: scores[column].to_numpy() for column in scores},
        }
    )
    tokens = [asking.count(line) for line in lines]
    return Section(name, table, lines, tokens, allowed, opening, asking.count(opening))


def rank(store: Store, run: str | None, question: Question, k: int) -> list[str]:
    """Rank documents by the chunks of the reports nearest to the question, then as basic does."""
    index = run_index(store, run)
    found: list[str] = []
    if not index.reports.empty:
        near, rows = _nearest(index, question, plan(index, GlobalParams(), len, WITHOUT_END))
        scores = chunk_scores(index, question, near, rows[:BEST])
        found = rank_documents(index.chunks, ranks(scores, scores > 0))
    if len(found) < k:
        found = list(dict.fromkeys([*found, *basic.METHOD.rank(store, run, question, k)]))
    return found
