"""The same small index in every version and kind of file gives the same frames."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.interop import indexes
from workbench.interop.graphrag_read import read_index

FORMS = {
    "v3": lambda rows: rows,
    "v2": indexes.version_2,
    "v1": indexes.version_1,
    "v0.3": indexes.version_03,
}
SAME = {  # what every version tells
    "documents": ["id", "title", "text"],
    "chunks": ["id", "document_id", "text", "start_char", "end_char", "chunk_index", "short_id"],
    "entities": ["id", "short_id", "name", "type", "description", "degree", "chunk_count"],
    "entity_mentions": ["entity_id", "chunk_id", "mention_count"],
    "relationships": ["id", "short_id", "source_id", "target_id", "weight", "combined_degree"],
    "communities": ["short_id", "level", "title", "size"],
    "community_reports": ["title", "summary", "rank", "rating_explanation", "findings"],
    "claims": ["id", "subject_id", "description", "chunk_id", "object_id"],
}


def form(version: str) -> dict[str, Any]:
    return FORMS[version](copy.deepcopy(indexes.tables()))


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
@pytest.mark.parametrize("version", FORMS)
def test_every_version_and_file_gives_the_same(version: str, suffix: str, tmp_path: Path) -> None:
    wanted = read_index(indexes.write(tmp_path / "v3", indexes.tables()))
    found = read_index(indexes.write(tmp_path / "other", form(version), suffix))
    assert found.raw.version == version
    for table, columns in SAME.items():
        pd.testing.assert_frame_equal(found.frames[table][columns], wanted.frames[table][columns])
    parents = [
        index.frames["communities"]["parent_id"].map(
            index.frames["communities"].set_index("id")["short_id"]
        )
        for index in (wanted, found)
    ]
    pd.testing.assert_series_equal(*parents)


def test_the_frames_are_what_was_written(tmp_path: Path) -> None:
    frames = read_index(indexes.write(tmp_path, indexes.tables())).frames
    chunks = frames["chunks"]
    assert chunks[["start_char", "end_char"]].to_numpy().tolist() == [[0, 21], [21, 38], [38, 60]]
    assert frames["relationships"]["source_id"].tolist() == ["e0", "e1"]
    assert frames["communities"]["parent_id"].fillna("").tolist() == ["", "c0", "c0"]
    members = frames["community_members"].to_numpy().tolist()
    assert members == [
        ["c0", "e0"],
        ["c0", "e1"],
        ["c0", "e2"],
        ["c1", "e0"],
        ["c1", "e1"],
        ["c2", "e2"],
    ]
    assert json.loads(frames["community_reports"]["findings"][0]) == [indexes.FINDING]
    metadata = json.loads(frames["documents"]["metadata"][0])
    assert metadata == {"format": "plain", "creation_date": "2026-01-01"}


def test_lists_as_pandas_writes_arrays(tmp_path: Path) -> None:
    """What pandas made has `['u0'\\n 'u1']` in its CSV files, and arrays of dictionaries."""
    rows = indexes.tables()
    folder = indexes.write(tmp_path, rows, "csv")
    frame = pd.DataFrame(rows["entities"])
    frame["text_unit_ids"] = ["['u0']", "['u0'\n 'u1']", "['u1' 'u0']", "[]"]
    frame.to_csv(folder / "entities.csv", index=False)
    reports = pd.DataFrame(rows["community_reports"])
    reports["findings"] = [f"[{indexes.FINDING!r}\n {indexes.FINDING!r}]"] * 3
    reports.to_csv(folder / "community_reports.csv", index=False)
    frames = read_index(folder).frames
    pairs = frames["entity_mentions"][["entity_id", "chunk_id"]].to_numpy().tolist()
    assert pairs == [["e0", "u0"], ["e1", "u0"], ["e1", "u1"], ["e2", "u1"], ["e2", "u0"]]
    assert json.loads(frames["community_reports"]["findings"][0]) == [indexes.FINDING] * 2


def test_names_that_look_like_nothing_stay(tmp_path: Path) -> None:
    rows = indexes.tables()
    rows["entities"][3]["title"] = "NA"
    frames = read_index(indexes.write(tmp_path, rows, "csv")).frames
    assert frames["entities"]["name"].tolist() == ["ADA", "BOB", "CY", "NA"]


def test_tokens_that_are_not_told_are_counted(tmp_path: Path) -> None:
    rows = indexes.tables()
    for unit in rows["text_units"]:
        del unit["n_tokens"]
    chunks = read_index(indexes.write(tmp_path, rows)).frames["chunks"]
    assert chunks["token_count"].tolist() == [7, 6, 7]


def test_the_folder_of_a_project_and_an_old_run(tmp_path: Path) -> None:
    indexes.write(tmp_path / "new/output", indexes.tables())
    indexes.write(tmp_path / "old/output/20240801-1200/artifacts", form("v0.3"))
    (tmp_path / "new/settings.yaml").write_text(
        "completion_models:\n  default_completion_model: {model: gpt-4.1, api_key: sk-1}\n"
        "chunking: {size: 300, overlap: 20, encoding_model: o200k_base}\n"
        "extract_graph: {entity_types: [person, geo]}\n"
    )
    (tmp_path / "old/settings.yaml").write_text(
        "encoding_model: cl100k_base\nllm: {model: '${MODEL}'}\nchunks: {size: 300, overlap: 100}\n"
        "entity_extraction: {entity_types: [person]}\n"
    )
    new, old = (read_index(tmp_path / name).raw for name in ("new", "old"))
    assert (new.version, old.version) == ("v3", "v0.3")
    assert new.settings.known() == {
        "size": 300,
        "overlap": 20,
        "encoding": "o200k_base",
        "entity_types": ("person", "geo"),
        "llm": "gpt-4.1",
    }
    assert old.settings.known() == {
        "size": 300,
        "overlap": 100,
        "encoding": "cl100k_base",
        "entity_types": ("person",),
    }
    assert "sk-1" not in str(new.settings)
    cut = old.settings.chunk_params("v0.3", 6)
    assert (cut.chunker, cut.size, cut.overlap, cut.encoding) == ("tokens", 300, 100, "cl100k_base")
