from __future__ import annotations

import pandas as pd
import pytest

from workbench.corpus.inspect import (
    chunk_table,
    coverage,
    document_path,
    of_document,
    sweep,
    sweep_table,
)
from workbench.corpus.tokens import count_tokens
from workbench.errors import InputError

TEXT = "---\ntitle: T\n---\n# Top\n\n" + "\n\n".join(
    f"Paragraph number {n} says the same words as all the others do." for n in range(40)
)
DOCUMENTS = pd.DataFrame(
    {
        "id": ["d1", "d2"],
        "path": ["a.md", "b.md"],
        "title": ["T", "B"],
        "text": [TEXT, "Only this.\n"],
        "metadata": ['{"format": "markdown"}'] * 2,
    }
)


def test_coverage_counts_every_character_once() -> None:
    chunks = sweep(DOCUMENTS, [64], [16])
    found = coverage(DOCUMENTS, chunks).set_index("document")
    assert (found["covered"] + found["left_out"]).to_list() == found["characters"].to_list()
    lengths = (chunks["end_char"] - chunks["start_char"]).groupby(chunks["document_id"]).sum()
    assert found.loc["a.md", "covered"] + found.loc["a.md", "repeated"] == lengths["d1"]
    assert found.loc["a.md", "left_out"] >= len("---\ntitle: T\n---\n")
    assert found.loc["b.md"].to_dict() == {
        "chunks": 1,
        "characters": 11,
        "covered": 10,
        "repeated": 0,
        "left_out": 1,
    }


def test_a_sweep_leaves_out_what_cannot_be_cut() -> None:
    table = sweep_table(sweep(DOCUMENTS, [32, 128], [0, 20]))
    assert list(zip(table["size"], table["overlap"], strict=True)) == [(32, 0), (128, 0), (128, 20)]
    assert (table["max_tokens"] <= table["size"]).all()
    assert table["repeated_tokens"].to_list()[:2] == [0, 0]
    assert 0 < table["repeated_share"].iloc[2] < 20 / 128


def test_repeated_tokens_are_those_of_the_shared_text() -> None:
    chunks = of_document(DOCUMENTS, sweep(DOCUMENTS, [64], [16]), "a.md")
    ends, starts = chunks["end_char"][:-1], chunks["start_char"][1:]
    shared = [TEXT[start:end] for start, end in zip(starts, ends, strict=True) if end > start]
    table = sweep_table(sweep(DOCUMENTS, [64], [16]))
    assert table.loc[0, "repeated_tokens"] == sum(count_tokens(text) for text in shared) > 0


def test_the_chunk_table_names_documents_and_begins_with_the_text() -> None:
    table = chunk_table(DOCUMENTS, sweep(DOCUMENTS, [64], [0]), width=10)
    assert table.loc[0, ["document", "heading_path"]].to_list() == ["a.md", "Top"]
    assert table["begins"].str.len().max() == 10
    assert table["short_id"].to_list() == list(range(len(table)))


def test_a_document_is_named_or_is_the_longest() -> None:
    assert document_path(DOCUMENTS) == "a.md"
    assert document_path(DOCUMENTS, "b.md") == "b.md"
    with pytest.raises(InputError, match=r"no document 'bb.md': did you mean 'b.md'\?"):
        document_path(DOCUMENTS, "bb.md")
