"""What another system retrieved for the same questions in, its figures and the odds out.

A published file is JSONL, a question a line: query_id, retrieved_titles (best first).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from workbench.errors import InputError
from workbench.study.answers import paired
from workbench.study.questions import Asked, json_of, jsonl_lines

_FORM = '{"query_id": …, "retrieved_titles": ["…", …]}'
_CUT = (":", ",")  # where the published files broke titles off


def read_published(
    path: str | Path, asked: Sequence[Asked], documents: pd.DataFrame
) -> tuple[dict[str, list[str]], dict[str, int]]:
    """Give the ids of the documents retrieved for each question (by its id), and counts.

    A title that no document bears is taken for one that was cut at a colon or comma; where several
    documents begin so, it stands for all of them, which can only favour the other system. Counts:
    `mapped` (cut titles mapped back), `ambiguous` (those among them that fit several), `unknown`.
    Raises InputError for lines of another form, or when a question is missing.
    """
    titles: dict[str, list[str]] = {}
    for id_, title in zip(documents["id"].astype(str), documents["title"], strict=True):
        titles.setdefault(str(title), []).append(id_)
    counts = {"mapped": 0, "ambiguous": 0, "unknown": 0}
    found: dict[str, list[str]] = {}
    for number, line in jsonl_lines(path, "Published results"):
        row = json_of(line, f"{path}, line {number}", _FORM)
        if not isinstance(row, dict) or not isinstance(row.get("retrieved_titles"), list):
            raise InputError(f"{path}, line {number} lacks its retrieved titles: write {_FORM}.")
        ids = [_ids(str(title), titles, counts) for title in row["retrieved_titles"]]
        found[str(row.get("query_id"))] = list(dict.fromkeys(sum(ids, [])))
    missing = [item.id for item in asked if item.id not in found]
    if missing:
        raise InputError(
            f"{path} has no results for question {missing[0]!r}: give the questions it is about."
        )
    return found, counts


def _ids(title: str, titles: Mapping[str, list[str]], counts: dict[str, int]) -> list[str]:
    if title in titles:
        return titles[title]
    starts = tuple(title + sign for sign in _CUT)
    fitting = [name for name in titles if name.startswith(starts)]
    counts["mapped" if fitting else "unknown"] += 1
    counts["ambiguous"] += len(fitting) > 1
    return sum((titles[name] for name in fitting), [])


def comparisons(
    frame: pd.DataFrame, methods: Sequence[str], published: Sequence[str], by: Sequence[str]
) -> list[dict[str, Any]]:
    """Give wins, losses, ties and McNemar's exact p of each method over each published one.

    `frame` holds one row a question and method; `by` names columns that are 0 or 1.
    """
    return [
        {"method": one, "against": other, "measure": name, **paired(frame, one, other, name)}
        for other in published
        for one in methods
        for name in by
    ]
