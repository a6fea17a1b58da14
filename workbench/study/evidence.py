"""Questions with quotations in, how many of them each method puts before its model out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from workbench.progress import progress
from workbench.query.ask import ask
from workbench.query.trace import Trace
from workbench.study.questions import evidence_spans, read_questions

if TYPE_CHECKING:
    from workbench.models.embedding import Embedder
    from workbench.store import Store


def evidence_recall(
    store: Store,
    questions: str | Path,
    *,
    methods: Sequence[str],
    k: Sequence[int] = (5, 8),
    run: str | None = None,
    embedder: Embedder | None = None,
) -> pd.DataFrame:
    """Ask each question without a model; give one row a question (that has quotations) and method.

    Columns: id, kind, method, quotes, evidence@k (the share of quotations that overlap one of the
    first k chunks in context), evidence (… any chunk in context), chunks and context_tokens (how
    much that took). A method that reads reports only, as global does, has no chunk in context.
    """
    spans = evidence_spans(store, questions)
    touched = spans.groupby("id", sort=False)["chunk_ids"].agg(list)
    rows = []
    with store.session():
        asked = read_questions(questions, store.sql("SELECT id, path FROM documents"))
        asked = [item for item in asked if item.id in touched.index]
        target = store.run(run)
        for name in dict.fromkeys(methods):
            for item in progress(asked, f"{name}: evidence", unit="question"):
                trace = ask(target, item.text, method=name, save=False, embedder=embedder)
                rows.append(_row(item.id, item.kind, name, trace, touched[item.id], k))
    return pd.DataFrame(rows)


def chunks_in_context(trace: Trace) -> list[str]:
    """Give the ids of the chunks that a query put in context, in order, each once."""
    found: list[str] = []
    for step in trace.steps:
        table = step.table
        inside = table[(table["kind"] == "chunk") & table["in_context"].astype(bool)]
        found += inside.sort_values("order", kind="stable")["id"].tolist()
    return list(dict.fromkeys(found))


def _row(
    id_: str, kind: str, method: str, trace: Trace, quotes: list[list[str]], k: Sequence[int]
) -> dict[str, object]:
    chunks = chunks_in_context(trace)
    shares = {f"evidence@{cut}": _share(quotes, chunks[:cut]) for cut in k}
    return {
        "id": id_,
        "kind": kind,
        "method": method,
        "quotes": len(quotes),
        **shares,
        "evidence": _share(quotes, chunks),
        "chunks": len(chunks),
        "context_tokens": sum(prompt.tokens for prompt in trace.prompts),
    }


def _share(quotes: list[list[str]], chunks: list[str]) -> float:
    return sum(not set(chunks).isdisjoint(touched) for touched in quotes) / len(quotes)
