"""Published results by hand: titles that were cut, the figures, and McNemar's p."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from tests.query.small import axes, small
from tests.study.test_evaluate import write
from workbench.errors import InputError
from workbench.query import methods
from workbench.store import Store
from workbench.study.against import comparisons, read_published
from workbench.study.evaluate import evaluate
from workbench.study.questions import Asked, read_questions

__all__ = ["axes", "small"]
DOCUMENTS = pd.DataFrame(
    {
        "id": ["1", "2", "3", "4", "5"],
        "path": ["a", "b", "c", "d", "e"],
        "title": ["Gaby: A True Story", "Otto I, Count", "Otto I, King", "Otto", "Ottoman"],
    }
)


def test_cut_titles_are_mapped_back_and_counted(tmp_path: Path) -> None:
    titles = ["Otto", "Gaby", "Otto", "Otto I", "Nobody"]
    path = write(tmp_path / "p.jsonl", [{"query_id": 7, "retrieved_titles": titles}])
    found, counts = read_published(path, [Asked("7", "q", ("1",))], DOCUMENTS)
    assert found == {"7": ["4", "1", "2", "3"]}  # a whole title first, each document once
    assert counts == {"mapped": 2, "ambiguous": 1, "unknown": 1}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"query_id": 8, "retrieved_titles": []}, "no results for question '7'"),
        ({"query_id": 7}, "line 1 lacks its retrieved titles"),
        ("[", "line 1 is no JSON"),
    ],
)
def test_a_file_of_another_form_is_refused(row: object, message: str, tmp_path: Path) -> None:
    path = write(tmp_path / "p.jsonl", [row])
    with pytest.raises(InputError, match=message):
        read_published(path, [Asked("7", "q", ("1",))], DOCUMENTS)


def test_mcnemar_by_hand() -> None:
    """Five wins, one loss: p = 2 · (1 + 6) / 2^6 = 0.21875."""
    ours, theirs = [1, 1, 1, 1, 1, 0, 1, 0], [0, 0, 0, 0, 0, 1, 1, 0]
    frame = pd.DataFrame(
        {
            "id": list("abcdefgh") * 2,
            "method": ["ours"] * 8 + ["theirs"] * 8,
            "all@5": ours + theirs,
        }
    )
    assert comparisons(frame, ["ours"], ["theirs"], ["all@5"]) == [
        {
            "method": "ours",
            "against": "theirs",
            "measure": "all@5",
            "wins": 5,
            "losses": 1,
            "ties": 2,
            "p": pytest.approx(0.21875),
        }
    ]


def test_evaluate_against_a_file(
    small: Store, axes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles = small.sql("SELECT id, title FROM documents ORDER BY path")
    ids = titles["id"].tolist()
    monkeypatch.setitem(methods.METHODS, "fixed", lambda store, run, question, k: ids[:1])
    rows = [
        {"id": 1, "question": "data", "gold": ["a.md"]},
        {"id": 2, "question": "docker", "gold": ["b.md"]},
    ]
    results = [
        {"query_id": id_, "retrieved_titles": titles["title"].tolist()[1:]} for id_ in (1, 2)
    ]
    result = evaluate(
        small,
        write(tmp_path / "q.jsonl", rows),
        methods=["fixed"],
        k=[1],
        embedder=axes,
        against=[write(tmp_path / "other.jsonl", results)],
    )
    assert result["published"]["other"] == {
        "recall@1": 0.5,
        "all@1": 0.5,
        "mapped": 0,
        "ambiguous": 0,
        "unknown": 0,
    }
    assert result["halves"]["odd"] == {
        "fixed": {"recall@1": 1.0, "all@1": 1.0},
        "other": {"recall@1": 0.0, "all@1": 0.0},
    }
    assert result["halves"]["even"]["other"]["all@1"] == 1.0
    (compared,) = result["comparisons"]
    assert (compared["wins"], compared["losses"], compared["ties"]) == (1, 1, 0)
    assert compared["p"] == 1.0


@pytest.mark.shared
def test_published_figures_of_2wiki(shared: Callable[[str], Path]) -> None:
    """All gold passages in the top 8, as published: vector 0.49, fast-graphrag 0.96."""
    folder = shared("bench/2wiki")
    documents = pd.read_json(folder / "corpus.jsonl", lines=True, dtype=False)
    documents = documents.assign(id=documents["id"].astype(str), path=documents["id"].astype(str))
    asked = read_questions(folder / "queries.jsonl", documents)
    shares = {}
    for name in ("vdb", "graph", "lightrag_local", "nano_local"):
        found, counts = read_published(folder / f"published_{name}.jsonl", asked, documents)
        hits = [set(item.gold) <= set(found[item.id]) for item in asked]
        shares[name] = (round(sum(hits) / len(hits), 3), counts["mapped"], counts["unknown"])
    assert shares == {
        "vdb": (0.49, 0, 0),
        "graph": (0.961, 0, 0),
        "lightrag_local": (0.51, 47, 0),
        "nano_local": (0.765, 8, 0),
    }
