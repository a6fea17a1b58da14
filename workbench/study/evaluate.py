"""A store and questions with gold documents in, how many of them each method finds out."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from workbench.corpus.decode import clean
from workbench.errors import InputError
from workbench.models.embedding import Embedder
from workbench.progress import progress
from workbench.query.chunk_index import chunk_index
from workbench.query.methods import method_of
from workbench.query.question import Question, read_question
from workbench.query.search import embedder_of

if TYPE_CHECKING:
    from workbench.store import Store


@dataclass(frozen=True)
class Asked:
    """A question with the documents that answer it, as ids of the store."""

    id: str
    text: str
    gold: tuple[str, ...]


def evaluate(
    store: Store,
    questions: str | Path,
    *,
    methods: Sequence[str] = ("bm25", "dense", "basic"),
    k: Sequence[int] = (5, 8),
    run: str | None = None,
    embedder: Embedder | None = None,
) -> dict[str, Any]:
    """Measure each method on a JSONL file of questions (id, question, gold: document ids or paths).

    Gives `{"methods": {name: {"recall@5": …, "all@5": …, …, "p50_ms": …}}, "questions": n,
    "embed_p50_ms": …}`. A document ranks by its best chunk. recall@k is the mean share of gold
    documents among the first k, all@k the share of questions with every one there. `p50_ms` is the
    median time of a question, warm; the embedding of the question is measured apart. Raises
    InputError for a malformed line, or for gold that the store does not hold.
    """
    frame, embed_ms = _measured(store, questions, methods, k, run, embedder)
    result: dict[str, Any] = {"methods": {}}
    for name in dict.fromkeys(methods):
        own = frame[frame["method"] == name]
        figures = {
            f"{kind}@{cut}": float(own[f"{kind}@{cut}"].mean())
            for cut in k
            for kind in ("recall", "all")
        }
        result["methods"][name] = {**figures, "p50_ms": round(float(own["ms"].median()), 3)}
    return {**result, "questions": frame["id"].nunique(), "embed_p50_ms": round(embed_ms, 3)}


def per_question(
    store: Store,
    questions: str | Path,
    *,
    methods: Sequence[str] = ("bm25", "dense", "basic"),
    k: Sequence[int] = (5, 8),
    run: str | None = None,
    embedder: Embedder | None = None,
) -> pd.DataFrame:
    """Give one row a question and method: id, question, method, gold_ranks, recall@k, all@k, ms.

    `gold_ranks` lists the rank of each gold document, None where it was not ranked.
    """
    return _measured(store, questions, methods, k, run, embedder)[0]


def read_questions(path: str | Path, documents: pd.DataFrame) -> list[Asked]:
    """Read questions, with gold as ids of `documents` (columns id, path); see `evaluate`.

    Lines without `gold`, with an empty one or without `question` are malformed; blank ones are
    passed over.
    """
    try:
        lines = Path(path).read_text("utf-8-sig").split("\n")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no UTF-8 text"
        raise InputError(
            f"Questions {str(path)[:200]!r} cannot be read ({reason}): give a JSONL file."
        ) from error
    single = documents[~documents["path"].duplicated(keep=False)]  # rows of a table share its path
    known = dict(zip(single["path"].astype(str), single["id"].astype(str), strict=True))
    known |= {str(id_): str(id_) for id_ in documents["id"]}
    asked, unknown = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        row = _row(line, f"{path}, line {number}")
        gold = dict.fromkeys(str(entry) for entry in row["gold"])
        unknown += [entry for entry in gold if entry not in known]
        ids = tuple(dict.fromkeys(known[entry] for entry in gold if entry in known))
        asked.append(Asked(clean(str(row.get("id", number))), clean(row["question"]), ids))
    if unknown:
        shown = ", ".join(repr(entry) for entry in list(dict.fromkeys(unknown))[:10])
        raise InputError(
            f"The store holds no document {shown}, which {path} names as gold: index the corpus "
            "that the questions are about."
        )
    if not asked:
        raise InputError(f"Questions {str(path)!r} has none: give a line of JSON a question.")
    return asked


def _row(line: str, where: str) -> dict[str, Any]:
    """Parse one line and look whether it can be used."""
    form = '{"id": …, "question": "…", "gold": ["document id", …]}'
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:  # also numbers of 5,000 digits, 100,000 brackets
        reason = getattr(error, "msg", None) or str(error).split(";")[0]
        raise InputError(f"{where} is no JSON ({reason}): write {form}.") from error
    sound = (
        isinstance(row, dict)
        and isinstance(row.get("question"), str)
        and row["question"].strip()
        and isinstance(row.get("gold"), list)
        and row["gold"]
    )
    if not sound:
        raise InputError(f"{where} lacks a question or its gold documents: write {form}.")
    return row


def _measured(
    store: Store,
    questions: str | Path,
    methods: Sequence[str],
    k: Sequence[int],
    run: str | None,
    embedder: Embedder | None,
) -> tuple[pd.DataFrame, float]:
    """Give the rows of `per_question` and the median time of embedding a question, in ms."""
    if not methods or not k or min(k) < 1:
        raise InputError("Name at least one method, and cut-offs k of at least 1.")
    rank = {name: method_of(name) for name in methods}
    with store.session():
        if run is not None:
            store.run(run)  # says which runs there are
        asked = read_questions(questions, store.sql("SELECT id, path FROM documents"))
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
    return pd.DataFrame(rows), embed_ms


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
    row = {"id": item.id, "question": item.text, "method": method, "gold_ranks": ranks}
    for cut in k:
        hits = [rank is not None and rank <= cut for rank in ranks]
        row |= {f"recall@{cut}": sum(hits) / len(hits), f"all@{cut}": float(all(hits))}
    return row
