"""Quotations in context, counted by hand on the small store."""

from __future__ import annotations

from pathlib import Path

from tests.query.small import axes, small
from tests.study.test_evaluate import write
from workbench.query.ask import ask
from workbench.query.trace import Answer, Part, Prompt, Trace
from workbench.store import Store
from workbench.study.evaluate import evaluate
from workbench.study.evidence import chunks_in_context, evidence_recall

__all__ = ["axes", "small"]


def test_chunks_of_all_prompts_in_order_each_once() -> None:
    prompts = (
        Prompt("map", (Part("row", "", "…", "c2"), Part("row", "", "…", "e1"))),
        Prompt("reduce", (Part("heading", "", "…", "c0"), Part("row", "", "…", "c1"))),
        Prompt("reduce", (Part("row", "", "…", "c2"),)),
    )
    trace = Trace("run", "x", "q", {}, (), prompts, Answer("", "extractive"))
    assert chunks_in_context(trace, {"c0", "c1", "c2"}) == ["c2", "c1"]


def test_shares_by_hand(small: Store, axes, tmp_path: Path) -> None:
    texts = small.sql("SELECT path, text FROM documents").set_index("path")["text"]
    evidence = [
        {"document": "b.md", "quote": texts["b.md"][:10]},
        {"document": "a.md", "quote": texts["a.md"][:10]},
        {"document": "a.md", "quote": "not in the text"},
        {"document": "b.md", "quote": texts["b.md"][3:9]},
    ]
    rows = [
        {"id": 1, "question": "data tables", "gold": ["b.md"], "evidence": evidence},
        {"id": 2, "question": "without quotations", "gold": ["b.md"]},
    ]
    path = write(tmp_path / "q.jsonl", rows)
    frame = evidence_recall(small, path, methods=["basic"], k=[1], embedder=axes)
    (row,) = frame.to_dict("records")
    assert (row["id"], row["method"], row["quotes"]) == ("1", "basic", 4)
    assert row["evidence@1"] == 0.5  # c2 is first; it holds both quotations of b.md
    assert row["evidence"] == 0.75  # c0 is in context as well; one quotation is nowhere
    trace = ask(small, "data tables", method="basic", save=False, embedder=axes)
    assert row["chunks"] == len(chunks_in_context(trace, {"c0", "c1", "c2", "c3"}))
    assert row["context_tokens"] == trace.prompts[0].tokens
    result = evaluate(small, path, methods=["bm25", "basic"], k=[1], embedder=axes, evidence=True)
    assert result["methods"]["basic"]["evidence"] == 0.75
    assert "evidence" not in result["methods"]["bm25"]  # a ranking, not an answer
