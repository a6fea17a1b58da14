from __future__ import annotations

import json

import pytest

from tests.extraction.answering import corpus, names, refused, triples
from workbench.errors import InputError
from workbench.extraction.openie import extract_openie, read_openie
from workbench.params import ExtractParams

TEXT = "The Journal of Ships is published by Harbour House. Harbour House is old. It began in 1963."
ROW = {
    "doc_id": "d0",
    "entities": ["Journal of Ships", "Harbour House", "1963", "Nowhere Press"],
    "triples": [
        ["Journal of Ships", "published by", "Harbour House"],
        ["Harbour House", "is", "old"],
        ["Journal of Ships", "rose"],
        ["Harbour House", "equals", "harbour house"],
    ],
}


def written(path, *rows):
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


def test_recorded_names_and_triples_are_grounded(tmp_path):
    recorded = read_openie(written(tmp_path / "a.jsonl", ROW, {**ROW, "doc_id": 7}))
    made = extract_openie(*corpus(TEXT), None, ExtractParams(), recorded)
    assert names(made.entities) == ["1963", "Harbour House", "Journal of Ships"]
    assert triples(made) == {("Journal of Ships", "published_by", "Harbour House")}
    row = made.relationships.iloc[0]
    assert row["evidence"] == "The Journal of Ships is published by Harbour House."
    assert refused(made) == {
        "Nowhere Press": "not_in_text",
        "Harbour House is old": "unknown_end",
        '["Journal of Ships", "rose"]': "no_triple",
        "Harbour House equals harbour house": "self_loop",
        "7": "unknown_document",
    }
    assert made.entities.set_index("name").loc["Harbour House", "mention_count"] == 2


def test_a_file_about_another_corpus_is_refused(tmp_path):
    recorded = read_openie(written(tmp_path / "a.jsonl", {**ROW, "doc_id": 7}))
    with pytest.raises(InputError, match="None of 1 recorded extractions fits"):
        extract_openie(*corpus(TEXT), None, ExtractParams(), recorded)


@pytest.mark.parametrize("line", ["{", "[1]", '{"doc_id": 1, "entities": []}', "7"])
def test_a_line_that_is_no_extraction_is_named(tmp_path, line):
    (tmp_path / "a.jsonl").write_text(json.dumps(ROW) + "\n" + line, encoding="utf-8")
    with pytest.raises(InputError, match="Line 2 of"):
        read_openie(tmp_path / "a.jsonl")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_openie(tmp_path / "none.jsonl")
