"""A store and questions with gold documents in, how many of them each method finds out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from workbench.errors import InputError
from workbench.models.embedding import Embedder
from workbench.progress import progress
from workbench.query.chunk_index import chunk_index
from workbench.query.methods import method_of
from workbench.query.question import Question, read_question
from workbench.query.search import SEARCH_METHODS, embedder_of
from workbench.study.against import comparisons, read_published
from workbench.study.choices import decider, rank_by_choice, score_choices
from workbench.study.evidence import evidence_recall
from workbench.study.questions import Asked, read_questions

if TYPE_CHECKING:
    from workbench.store import Store

AUTO = "auto"


def evaluate(
    store: Store,
    questions: str | Path,
    *,
    methods: Sequence[str] = ("bm25", "dense", "basic"),
    k: Sequence[int] = (5, 8),
    run: str | None = None,
    embedder: Embedder | None = None,
    evidence: bool = False,
    against: Sequence[str | Path] = (),
) -> dict[str, Any]:
    """Measure each method on a JSONL file of questions (id, question, gold: document ids or paths).

    Gives `{"methods": {name: {"recall@5": …, "all@5": …, …, "p50_ms": …}}, "questions": n,
    "embed_p50_ms": …, "halves": {"odd": {name: …}, "even": …}}`. A document ranks by its best
    chunk. recall@k is the mean share of gold documents among the first k, all@k the share of
    questions with every one there. `p50_ms` is the median time of a question, warm; the embedding
    of the question is measured apart. Questions that have a kind add `kinds`. `evidence` asks each
    question of each method that answers, and adds the columns of `evidence_recall` as means. Method
    `auto` adds `choices` (see `score_choices`) where questions say which method suits. `against`
    names files of what published systems retrieved: their figures go to `published`, with the
    titles that had to be mapped, and `comparisons` holds wins, losses, ties and McNemar's p.
    Raises InputError for a malformed line, or for gold that the store does not hold.
    """
    seen = _measured(store, questions, methods, k, run, embedder)
    names, frame = list(dict.fromkeys(methods)), seen.frame
    published, mapped = {}, {}
    for path in against:
        name = Path(path).stem
        published[name], mapped[name] = read_published(path, seen.asked, seen.documents)
    others = [
        _scored(item, name, found[item.id], k) | {"ms": np.nan}
        for name, found in published.items()
        for item in seen.asked
    ]
    if others:
        frame = pd.concat([frame, pd.DataFrame(others)], ignore_index=True)
    result = {
        "methods": _figures(frame, names, k, timed=True),
        "questions": len(seen.asked),
        "embed_p50_ms": round(seen.embed_ms, 3),
        "halves": {
            half: _figures(frame[frame["odd"] == odd], [*names, *published], k)
            for half, odd in (("odd", True), ("even", False))
        },
    }
    kinds = [kind for kind in dict.fromkeys(frame["kind"]) if kind]
    if kinds:
        result["kinds"] = {kind: _figures(frame[frame["kind"] == kind], names, k) for kind in kinds}
    if evidence:
        answering = [name for name in names if name not in SEARCH_METHODS or name == "basic"]
        _add_evidence(
            result["methods"],
            evidence_recall(store, questions, methods=answering, k=k, run=run, embedder=embedder),
        )
    if AUTO in names and any(item.method for item in seen.asked):
        result["choices"] = _choices(store, run, seen.asked)
    if published:
        figures = _figures(frame, list(published), k)
        result["published"] = {name: figures[name] | mapped[name] for name in published}
        measures = [f"all@{cut}" for cut in k]
        result["comparisons"] = comparisons(frame, names, list(published), measures)
    return result


def per_question(
    store: Store,
    questions: str | Path,
    *,
    methods: Sequence[str] = ("bm25", "dense", "basic"),
    k: Sequence[int] = (5, 8),
    run: str | None = None,
    embedder: Embedder | None = None,
) -> pd.DataFrame:
    """Give one row a question and method: id, question, kind, method, odd, gold_ranks, figures, ms.

    `gold_ranks` lists the rank of each gold document, None where it was not ranked; the figures are
    recall@k and all@k.
    """
    return _measured(store, questions, methods, k, run, embedder).frame


@dataclass(frozen=True)
class _Measured:
    """Rows of `per_question`, the median time of embedding a question, and what was asked."""

    frame: pd.DataFrame
    embed_ms: float
    asked: list[Asked]
    documents: pd.DataFrame


def _figures(
    frame: pd.DataFrame, names: Sequence[str], k: Sequence[int], timed: bool = False
) -> dict[str, dict[str, float]]:
    """Give the means of each method over the questions of `frame`."""
    figures = {}
    for name in names:
        own = frame[frame["method"] == name]
        columns = [f"{kind}@{cut}" for cut in k for kind in ("recall", "all")]
        figures[name] = {column: float(own[column].mean()) for column in columns if len(own)}
        if timed:
            figures[name]["p50_ms"] = round(float(own["ms"].median()), 3)
    return figures


def _add_evidence(figures: dict[str, dict[str, float]], found: pd.DataFrame) -> None:
    if found.empty:
        return
    means = found.drop(columns=["id", "kind", "quotes"]).groupby("method").mean()
    for name, row in means.round(6).iterrows():
        figures[str(name)] |= {column: float(value) for column, value in row.items()}


def _choices(store: Store, run: str | None, asked: Sequence[Asked]) -> dict[str, Any]:
    frame = pd.DataFrame(
        [(item.id, item.text, item.kind, item.method) for item in asked],
        columns=["id", "question", "kind", "method"],
    )
    scored = score_choices(frame, decider(store, run))
    confusion = {
        suits: {chosen: int(count) for chosen, count in row.items()}
        for suits, row in scored["confusion"].iterrows()
    }
    return {"accuracy": scored["accuracy"], "near": scored["near"], "confusion": confusion}


def _measured(
    store: Store,
    questions: str | Path,
    methods: Sequence[str],
    k: Sequence[int],
    run: str | None,
    embedder: Embedder | None,
) -> _Measured:
    if not methods or not k or min(k) < 1:
        raise InputError("Name at least one method, and cut-offs k of at least 1.")
    rank = {name: rank_by_choice if name == AUTO else method_of(name) for name in methods}
    with store.session():
        if run is not None:
            store.run(run)  # says which runs there are
        documents = store.sql("SELECT id, path, title FROM documents")
        asked = read_questions(questions, documents)
        dense = "bm25" if set(rank) == {"bm25"} else "basic"
        model = embedder_of(store, chunk_index(store), dense, embedder)
        read, embed_ms = _read_all(asked, model)
        rows = []
        for name, function in rank.items():
            function(store, run, read[0], max(k))  # warm
            for item, question in zip(progress(asked, name, unit="question"), read, strict=True):
                start = time.perf_counter()
                found = function(store, run, question, max(k))
                elapsed = (time.perf_counter() - start) * 1000
                rows.append(_scored(item, name, found, k) | {"ms": elapsed})
    return _Measured(pd.DataFrame(rows), embed_ms, asked, documents)


def _read_all(asked: list[Asked], model: Embedder | None) -> tuple[list[Question], float]:
    read, times = [], []
    for item in asked:
        start = time.perf_counter()
        read.append(read_question(item.text, model))
        times.append((time.perf_counter() - start) * 1000)
    return read, float(np.median(times)) if model else 0.0


def _scored(item: Asked, method: str, found: list[str], k: Sequence[int]) -> dict[str, Any]:
    place = {document: rank for rank, document in enumerate(found, start=1)}
    ranks = [place.get(document) for document in item.gold]
    row = {"id": item.id, "question": item.text, "kind": item.kind, "method": method}
    row |= {"odd": item.odd, "gold_ranks": ranks}
    for cut in k:
        hits = [rank is not None and rank <= cut for rank in ranks]
        row |= {f"recall@{cut}": sum(hits) / len(hits), f"all@{cut}": float(all(hits))}
    return row
