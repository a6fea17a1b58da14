"""Two lists of spelling sets in, one-to-one pairs out: which said entity is which gold one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from workbench.ids import normalize_name

Spellings = Sequence[str]  # normalised, the name first, then the aliases


def spellings(
    entities: pd.DataFrame, aliases: pd.DataFrame, normalize: Callable[[str], str] = normalize_name
) -> list[list[str]]:
    """Give the normalised spellings of each row of `entities`: its name, then its aliases sorted.

    `entities` needs id and name, `aliases` entity_id and alias. Empty spellings are left out.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for entity, alias in zip(aliases["entity_id"], aliases["alias"], strict=True):
        found[entity].add(normalize(alias))
    rows = []
    for entity, name in zip(entities["id"], entities["name"], strict=True):
        first = normalize(name)
        rows.append([s for s in (first, *sorted(found[entity] - {first})) if s])
    return rows


def holders(rows: Sequence[Spellings]) -> dict[str, list[int]]:
    """Give, for each spelling, the rows that have it, rising."""
    index: dict[str, list[int]] = defaultdict(list)
    for row, names in enumerate(rows):
        for name in dict.fromkeys(names):
            index[name].append(row)
    return dict(index)


def match(said: Sequence[Spellings], gold: Sequence[Spellings]) -> list[tuple[int, int]]:
    """Give the largest set of pairs (said row, gold row) that share a spelling, each row once.

    Among equally large sets, one with the most pairs of the same main name. Sorted by said row.
    """
    from scipy.optimize import linear_sum_assignment

    where = holders(gold)
    edges = [(i, j) for i, names in enumerate(said) for name in names for j in where.get(name, ())]
    if not edges:
        return []
    rows = sorted({i for i, _ in edges})
    columns = sorted({j for _, j in edges})
    place = {i: n for n, i in enumerate(rows)}, {j: n for n, j in enumerate(columns)}
    value = np.zeros((len(rows), len(columns)))
    for i, j in edges:
        same_name = said[i][0] == gold[j][0]
        value[place[0][i], place[1][j]] = 1 + (same_name / (1 + len(columns)))
    chosen = zip(*linear_sum_assignment(value, maximize=True), strict=True)
    return sorted((rows[a], columns[b]) for a, b in chosen if value[a, b] > 0)


def rates(right: int, said: int, gold: int) -> dict[str, float]:
    """Give precision, recall and F1 from counts; 0 where nothing was said or asked for."""
    precision = right / said if said else 0.0
    recall = right / gold if gold else 0.0
    total = precision + recall
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / total if total else 0.0,
    }
