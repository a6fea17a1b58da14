"""Questions with quotations in, how many of them each method puts before its model out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from workbench.progress import progress
from workbench.query.ask import ask
from workbench.query.trace import Trace
from workbench.study.questions import Asked, evidence_spans, read_questions

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

    Columns: method, id, kind, quotes, evidence@k (the share of quotations that overlap one of the
    first k chunks in context), evidence (… any chunk in context), chunks and context_tokens (how
    much that took, over all prompts). Compare methods at equal k: a longer context holds more.
    """
    spans = evidence_spans(store, questions)
    touched = spans.groupby("id", sort=False)["chunk_ids"].agg(list)
    rows = []
    with store.session():
        asked = read_questions(questions, store.sql("SELECT id, path FROM documents"))
        asked = [item for item in asked if item.id in touched.index]
        target = store.run(run)
        known = set(store.sql("SELECT id FROM chunks")["id"])
        for name in dict.fromkeys(methods):
            for item in progress(asked, f"{name}: evidence", unit="question"):
                trace = ask(target, item.text, method=name, save=False, embedder=embedder)
                chunks = chunks_in_context(trace, known)
                row = _row(item, trace, chunks, touched[item.id], k)
                rows.append({"method": name, **row})
    return pd.DataFrame(rows)


def chunks_in_context(trace: Trace, known: Collection[str]) -> list[str]:
    """Give the ids of the chunks (of `known`) that stand in a query's prompts, in order, once."""
    parts = (part for prompt in trace.prompts for part in prompt.parts if part.kind == "row")
    return list(dict.fromkeys(part.id for part in parts if part.id in known))


def _row(
    item: Asked, trace: Trace, chunks: list[str], quotes: list[list[str]], k: Sequence[int]
) -> dict[str, object]:
    shares = {f"evidence@{cut}": _share(quotes, chunks[:cut]) for cut in k}
    return {
        "id": item.id,
        "kind": item.kind,
        "quotes": len(quotes),
        **shares,
        "evidence": _share(quotes, chunks),
        "chunks": len(chunks),
        "context_tokens": sum(prompt.tokens for prompt in trace.prompts),
    }


def _share(quotes: list[list[str]], chunks: list[str]) -> float:
    return sum(not set(chunks).isdisjoint(touched) for touched in quotes) / len(quotes)
