"""Two stores in, their differences out: what must be empty when the same was done twice."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pandas as pd

from workbench.schema import MAIN_TABLES, RUN_TABLES, Table
from workbench.store import Store

VECTOR_TOLERANCE = 1e-5  # the last bits of a vector depend on its batch


def compare_stores(first: Store, second: Store) -> list[str]:
    """Give one line a difference; columns that the clock changes are left out.

    Values are compared to the letter, vectors within 1e-5.
    """
    with first.session(), second.session():
        found: list[str] = []
        for table in MAIN_TABLES:
            found += _table(first, second, table, None)
        runs = [set(store.runs()["name"]) for store in (first, second)]
        for name in sorted(runs[0] & runs[1]):
            for table in RUN_TABLES:
                found += _table(first, second, table, name)
        return found


def _table(first: Store, second: Store, table: Table, run: str | None) -> Iterator[str]:
    place = f"{run or 'main'}.{table.name}"
    left, right = (_plain(store.read(table.name, run), table) for store in (first, second))
    if len(left) != len(right):
        yield f"{place}: {len(left)} rows, {len(right)} rows"
        return
    for column in left.columns:
        same = (left[column] == right[column]) | (left[column].isna() & right[column].isna())
        wrong = np.flatnonzero(~same.fillna(False).to_numpy(dtype=bool))
        if len(wrong):
            row = wrong[0]
            values = f"{left[column].iloc[row]!r}, {right[column].iloc[row]!r}"
            yield f"{place}.{column}: {len(wrong)} rows differ, the first is {row}: {values[:300]}"
    if "embedding" in table.names:
        yield from _vectors(first, second, table.name, run)


def _plain(frame: pd.DataFrame, table: Table) -> pd.DataFrame:
    frame = frame.drop(columns=[column.name for column in table.columns if column.volatile])
    if "vector" in frame:
        frame["vector"] = [json.dumps([float(x) for x in vector]) for vector in frame["vector"]]
    return frame


def _vectors(first: Store, second: Store, kind: str, run: str | None) -> Iterator[str]:
    left, right = first.vectors(kind, run), second.vectors(kind, run)
    if left.ids != right.ids or left.matrix.shape != right.matrix.shape:
        yield f"{run or 'main'}.{kind}.embedding: not the same rows have one"
    elif len(left.ids):
        apart = float(np.abs(left.matrix - right.matrix).max())
        if apart > VECTOR_TOLERANCE:
            yield f"{run or 'main'}.{kind}.embedding: up to {apart:.2g} apart"
