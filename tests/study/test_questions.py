"""Shipped sets by name, quotations found in a store by hand, and what evidence may look like."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from tests.query.small import axes, small
from tests.study.test_evaluate import DOCUMENTS, write
from workbench.errors import InputError
from workbench.store import Store
from workbench.study.questions import evidence_spans, questions, read_questions

__all__ = ["axes", "small"]


def test_a_shipped_set_goes_by_its_name() -> None:
    frame = questions("novella")
    assert list(frame.columns) == [
        "id",
        "question",
        "kind",
        "method",
        "answer",
        "gold",
        "evidence",
    ]
    assert len(frame) == 32
    told = "no questions 'novel': give a JSONL file, or one of handbook, novella"
    with pytest.raises(InputError, match=told):
        questions("novel")


def test_quotations_are_found_where_they_stand(small: Store, tmp_path: Path) -> None:
    text = small.sql("SELECT text FROM documents WHERE path = 'a.md'")["text"][0]
    assert text == "a.md"
    quotes = ["md", "nowhere to be found"]
    evidence = [{"document": "a.md", "quote": quote} for quote in quotes]
    path = write(
        tmp_path / "q.jsonl",
        [{"id": "x", "question": "q", "gold": ["a.md"], "evidence": evidence}],
    )
    spans = evidence_spans(small, path)
    assert spans["id"].tolist() == ["x", "x"]
    assert spans["document"].tolist() == ["a.md", "a.md"]
    assert spans["start_char"].tolist() == [2, pd.NA]
    assert spans["end_char"].tolist() == [4, pd.NA]
    first, second = spans["chunk_ids"]
    assert first == ["c0", "c1"]
    assert second == []


def test_halves_go_by_number_or_by_place(tmp_path: Path) -> None:
    rows = [{"id": id_, "question": "q", "gold": ["1"]} for id_ in (0, 1, "h7", "h8")]
    asked = read_questions(write(tmp_path / "q.jsonl", rows), DOCUMENTS)
    assert [item.odd for item in asked] == [False, True, True, False]


@pytest.mark.parametrize("evidence", ["a.md", [{"document": "a/b.md"}], [{"quote": "x"}], ["x"]])
def test_evidence_that_is_none_is_refused(evidence: object, tmp_path: Path) -> None:
    row = {"question": "q", "gold": ["1"], "evidence": evidence}
    with pytest.raises(InputError, match="evidence that is none"):
        read_questions(write(tmp_path / "q.jsonl", [row]), DOCUMENTS)


def test_evidence_of_a_document_that_is_not_there_is_refused(tmp_path: Path) -> None:
    row = {"question": "q", "gold": ["1"], "evidence": [{"document": "gone.md", "quote": "x"}]}
    with pytest.raises(InputError, match=r"no document 'gone\.md'"):
        read_questions(write(tmp_path / "q.jsonl", [row]), DOCUMENTS)
