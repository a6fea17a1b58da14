"""What cannot be read is refused in one sentence: thing, value, remedy; nothing is made or lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.interop import indexes
from workbench.errors import InputError
from workbench.interop.graphrag_read import read_index
from workbench.interop.table_files import _list

Change = Callable[[Path, dict[str, Any]], None]


def without(name: str) -> Change:
    return lambda folder, rows: (folder / name).unlink()


def text(name: str, content: bytes) -> Change:
    return lambda folder, rows: (folder / name).write_bytes(content) and None


def cell(table: str, row: int, column: str, value: object) -> Change:
    def change(folder: Path, rows: dict[str, Any]) -> None:
        rows[table][row][column] = value
        indexes.write(folder, {table: rows[table]}, "csv")

    return change


def rows_of(table: str, made: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> Change:
    def change(folder: Path, rows: dict[str, Any]) -> None:
        pd.DataFrame(made(rows[table]), columns=list(rows[table][0])).to_csv(
            folder / f"{table}.csv", index=False
        )

    return change


CASES: dict[str, tuple[Change, str]] = {
    "missing table": (
        without("relationships.csv"),
        "is no whole GraphRAG index: relationships.csv missing; copy it there",
    ),
    "not UTF-8": (
        text("entities.csv", "id,title\ne0,Zoë\n".encode("latin-1")),
        r"entities.csv is no UTF-8 \(byte 14 is 0xeb\): save it as UTF-8",
    ),
    "no columns": (text("entities.csv", b""), "cannot be read as csv .*: copy it again"),
    "ragged": (
        text("entities.csv", b'id,title\n"e0'),
        "cannot be read as csv .*EOF inside string.*: copy it again",
    ),
    "malformed list": (
        cell("entities", 1, "text_unit_ids", "['u0', "),
        r"in column text_unit_ids, row 1, no list that can be read \(\"\['u0',\"\): write it as",
    ),
    "shortened array": (
        cell("entities", 0, "text_unit_ids", "['u0' 'u1' ... 'u9']"),
        "in column text_unit_ids, row 0, no list that can be read",
    ),
    "a call in place of a list": (
        cell("entities", 0, "text_unit_ids", "[__import__('os').getcwd()]"),
        "in column text_unit_ids, row 0, no list that can be read",
    ),
    "deep nesting": (
        cell("entities", 0, "text_unit_ids", "[" * 100_000),
        "in column text_unit_ids, row 0, no list that can be read",
    ),
    "findings that are no rows": (
        cell("community_reports", 0, "findings", "['a']"),
        "in column findings, row 0, no list that can be read",
    ),
    "a number in words": (
        cell("relationships", 1, "weight", "much"),
        "in column weight, row 1, 'much', which is no number: mend it",
    ),
    "half a degree": (
        cell("entities", 2, "degree", 1.5),
        "in column degree, row 2, '1.5', which is no whole number",
    ),
    "no id": (cell("entities", 2, "id", ""), "entities.csv has no id in row 2: give each row one"),
    "an id twice": (
        cell("entities", 2, "id", "e0"),
        "entities.csv has the id 'e0' 2 times, with different title or type or description: give",
    ),
    "a community twice": (
        cell("communities", 2, "community", 1),
        "communities.csv has no single row for community 1",
    ),
    "no rows": (
        rows_of("entities", lambda rows: []),
        "entities.csv has no rows: the index is empty; make it again",
    ),
    "no documents": (rows_of("documents", lambda rows: []), "documents.csv has no rows"),
}


@pytest.mark.parametrize("case", CASES)
def test_one_sentence(case: str, tmp_path: Path) -> None:
    change, message = CASES[case]
    rows = indexes.tables()
    folder = indexes.write(tmp_path, rows, "csv")
    change(folder, rows)
    with pytest.raises(InputError) as caught:
        read_index(folder)
    said = str(caught.value)
    assert re.search(message, said), said
    assert "\n" not in said and len(said) < 500 and said.endswith(".")


def test_parquet_that_is_damaged(tmp_path: Path) -> None:
    folder = indexes.write(tmp_path, indexes.tables())
    whole = (folder / "entities.parquet").read_bytes()
    for damaged in (whole[: len(whole) // 2], b"version https://git-lfs.github.com/spec/v1\n", b""):
        (folder / "entities.parquet").write_bytes(damaged)
        with pytest.raises(InputError, match="cannot be read as parquet .*: copy it again"):
            read_index(folder)


def test_a_column_that_is_missing(tmp_path: Path) -> None:
    rows = indexes.tables()
    for unit in rows["text_units"]:
        del unit["text"]
    with pytest.raises(InputError, match="text_units.parquet has no column text or chunk, but id"):
        read_index(indexes.write(tmp_path, rows))


def test_a_folder_that_is_no_index(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file: give the folder"):
        read_index(tmp_path / "file")
    with pytest.raises(InputError, match="is not there: give the folder"):
        read_index(tmp_path / "nowhere")
    with pytest.raises(InputError, match="is no GraphRAG index: it holds neither entities.parquet"):
        read_index(tmp_path)
    for name in ("20240101", "20240202"):
        indexes.write(tmp_path / "output" / name / "artifacts", indexes.tables())
    with pytest.raises(InputError, match="holds 2 indexes: give one of them, as .*20240202"):
        read_index(tmp_path)


def test_lists_are_parsed_and_never_run(tmp_path: Path) -> None:
    assert _list('["a", "b"]') == _list("['a', 'b']") == _list("['a' 'b']") == ["a", "b"]
    assert _list("('a',)") == _list(np.array(["a"])) == ["a"]
    assert _list("[\"it's\" 'a, b']") == ["it's", "a, b"]
    assert _list("[1, 2]") == [1, 2]
    assert _list(None) == _list("") == _list(float("nan")) == _list("[]") == []
    for bad in ("a, b", "{'a': 1}", "print(1)", "['a' 1]"):
        with pytest.raises((ValueError, SyntaxError)):
            _list(bad)


def test_settings_that_cannot_be_read_are_a_fault(tmp_path: Path) -> None:
    folder = indexes.write(tmp_path, indexes.tables())
    for content in (b"a: [1", b"\xff\xfe\x00"):
        (folder / "settings.yaml").write_bytes(content)
        assert "unreadable_settings" in set(read_index(folder).frames["rejected"]["rule"])
    (folder / "settings.yaml").write_text("just words")
    assert read_index(folder).raw.settings.known() == {}
