"""Recall and all@k by hand, the form of the questions, and the two public benchmarks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.query.small import axes, small
from workbench.errors import InputError, StoreError
from workbench.query import methods
from workbench.query.chunk_index import ChunkIndex
from workbench.query.methods import rank_documents
from workbench.store import Store
from workbench.study.evaluate import evaluate, per_question
from workbench.study.questions import read_questions

__all__ = ["axes", "small"]
DOCUMENTS = pd.DataFrame({"id": ["1", "2", "h"], "path": ["x:1", "x:2", "a/b.md"]})


def write(path: Path, rows: list[object]) -> Path:
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows), "utf-8")
    return path


def test_gold_is_an_id_of_any_type_or_a_path(tmp_path: Path) -> None:
    rows = [{"id": 7, "question": "q", "gold": [1, "a/b.md", "h", "2"]}, "", {"question": "r"}]
    rows[2]["gold"] = ["x:2"]
    first, second = read_questions(write(tmp_path / "q.jsonl", rows), DOCUMENTS)
    assert (first.id, first.gold) == ("7", ("1", "h", "2"))
    assert (second.id, second.gold) == ("3", ("2",))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"question": "q", "gold": [1]}, "{oops"], "line 2 is no JSON"),
        ([{"question": "q"}], "line 1 lacks"),
        ([{"question": "q", "gold": []}], "line 1 lacks"),
        ([{"question": " ", "gold": [1]}], "line 1 lacks"),
        ([[1]], "line 1 lacks"),
        ([{"question": "q", "gold": [1, 99, "zz"]}], "no document '99', 'zz'"),
        ([], "has none"),
    ],
)
def test_what_cannot_be_used_is_refused(tmp_path: Path, rows: list[object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_questions(write(tmp_path / "q.jsonl", rows), DOCUMENTS)


def test_a_path_that_several_rows_share_is_no_name(tmp_path: Path) -> None:
    rows = pd.DataFrame({"id": ["1", "2"], "path": ["t.jsonl", "t.jsonl"]})
    with pytest.raises(InputError, match=r"'t\.jsonl'"):
        read_questions(write(tmp_path / "q.jsonl", [{"question": "q", "gold": ["t.jsonl"]}]), rows)


def test_missing_or_binary_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_questions(tmp_path / "none.jsonl", DOCUMENTS)
    (tmp_path / "b.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read"):
        read_questions(tmp_path / "b.jsonl", DOCUMENTS)


def test_a_document_ranks_by_its_best_chunk() -> None:
    chunks = pd.DataFrame({"document_id": ["a", "b", "a", "c"]})
    index = ChunkIndex(chunks, None, np.zeros((4, 1)), {}, [])
    assert rank_documents(index, np.array([3, 2, 1, 0])) == ["a", "b"]


@pytest.fixture
def fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register a method that always answers with the same documents."""
    answer = ["d-b.md", "d-c.md", "d-a.md"]
    monkeypatch.setitem(methods.METHODS, "fixed", lambda store, run, question, k: answer)


def test_figures_by_hand(small, axes, fixed: None, tmp_path: Path) -> None:
    rows = [
        {"id": 1, "question": "data", "gold": ["a.md", "b.md"]},  # ranks 3 and 1
        {"id": 2, "question": "docker", "gold": ["d-c.md"]},  # rank 2
    ]
    path = write(tmp_path / "q.jsonl", rows)
    result = evaluate(small, path, methods=["fixed"], k=[1, 2, 3], embedder=axes)
    figures = result["methods"]["fixed"]
    assert figures.pop("p50_ms") >= 0
    assert figures == {
        "recall@1": 0.25,
        "all@1": 0.0,
        "recall@2": 0.75,
        "all@2": 0.5,
        "recall@3": 1.0,
        "all@3": 1.0,
    }
    assert result["questions"] == 2
    frame = per_question(small, path, methods=["fixed"], k=[1], embedder=axes)
    assert list(frame["gold_ranks"]) == [[3, 1], [2]]
    assert json.loads(json.dumps(result)) == result


def test_built_in_methods_on_the_small_store(small, axes, tmp_path: Path) -> None:
    path = write(tmp_path / "q.jsonl", [{"question": "postgresql tables", "gold": ["b.md"]}])
    result = evaluate(small, path, k=[1], embedder=axes)
    assert {name: figures["recall@1"] for name, figures in result["methods"].items()} == {
        "bm25": 1.0,
        "dense": 1.0,
        "basic": 1.0,
    }
    with pytest.raises(InputError, match="'walks'"):
        evaluate(small, path, methods=["walks"], embedder=axes)
    with pytest.raises(InputError, match="at least 1"):
        evaluate(small, path, k=[0], embedder=axes)


@pytest.mark.shared
def test_bm25_of_2wiki(shared: Callable[[str], Path], axes, tmp_path: Path) -> None:
    from workbench import ingest
    from workbench.params import ChunkParams, EmbedParams
    from workbench.stages import Stages
    from workbench.store import Store

    folder = shared("bench/2wiki")
    store = Store.create(
        tmp_path / "2wiki.duckdb", chunk=ChunkParams(), embed=EmbedParams(), embedder=axes
    )
    ingest.ingest(ingest.read(folder / "corpus.jsonl"), store, lambda: axes, Stages())
    result = evaluate(store, folder / "queries.jsonl", methods=["bm25"], embedder=axes)
    assert result["questions"] == 51
    assert result["methods"]["bm25"]["recall@5"] == pytest.approx(0.637, abs=0.02)
    assert result["methods"]["bm25"]["all@8"] == pytest.approx(0.353, abs=0.021)


@pytest.mark.parametrize("line", ["[" * 100_000, '{"id": ' + "9" * 5_000 + "}"])
def test_json_that_python_itself_refuses_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(InputError, match="line 1 is no JSON"):
        read_questions(write(tmp_path / "q.jsonl", [line]), DOCUMENTS)


def test_a_byte_order_mark_and_odd_characters_do_no_harm(tmp_path: Path) -> None:
    line = '{"id": "a", "question": "x\u2028y \\ud800", "gold": [1]}'
    path = tmp_path / "q.jsonl"
    path.write_text(line, "utf-8-sig")
    assert [asked.text for asked in read_questions(path, DOCUMENTS)] == ["x\u2028y \ufffd"]


def test_a_run_that_is_not_there_is_refused(small: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "q.jsonl", [{"question": "q", "gold": ["x"]}])
    with pytest.raises(StoreError, match="no run 'nope'"):
        evaluate(small, path, methods=["bm25"], run="nope")
