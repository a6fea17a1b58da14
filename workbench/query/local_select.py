"""A question's vector and the entities it names in, the entities of local search out; pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from workbench.ids import normalize_name
from workbench.params import LocalParams
from workbench.query.dense import cosines
from workbench.query.local_world import LocalWorld

OVERSAMPLE = 2  # Microsoft asks the vector store for twice the entities
BELOW = 10  # candidates shown below those


@dataclass(frozen=True)
class Selection:
    """`entities`: rows in order. `candidates`: entity_row, matched_by, spelling, vector_rank,
    cosine, distance (1 - cosine), selected, reason (why not), in order of preference."""

    entities: list[int]
    candidates: pd.DataFrame


def nearest(matrix: np.ndarray, vector: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Give the rows nearest to a vector, best first, and their cosines; equal ones by row.

    Rows without a vector (zeros) are none. Cosines are compared to 6 decimals.
    """
    scores = np.round(cosines(matrix, vector), 6)
    few = min(number + 64, len(scores))  # room for rows without a vector
    if few < len(scores):
        least = np.partition(scores, len(scores) - few)[len(scores) - few]
        rows = np.flatnonzero(scores >= least)
    else:
        rows = np.arange(len(scores))
    rows = rows[matrix[rows].any(axis=1)]
    rows = rows[np.argsort(-scores[rows], kind="stable")][:number]
    return rows, scores[rows]


def candidates(
    matrix: np.ndarray, vector: np.ndarray | None, params: LocalParams
) -> tuple[np.ndarray, np.ndarray]:
    """Give the entities nearest to a question, twice as many as asked for and some below."""
    if vector is None or not len(matrix):
        return np.zeros(0, np.int64), np.zeros(0, np.float32)
    return nearest(matrix, vector, OVERSAMPLE * params.top_k_entities + BELOW)


def select(
    world: LocalWorld,
    found: tuple[np.ndarray, np.ndarray] | None,
    named: pd.DataFrame,
    params: LocalParams,
) -> Selection:
    """Choose entities from the nearest (None: there is no question) and those named.

    Documented: included ones, then named ones, then the nearest down to `min_similarity`, each
    once, `top_k_entities` in all (more only if more are included). Shipped: included ones, then
    all of twice top_k nearest, repeats and all; those in no community are no candidates where a
    level is given; without a question the entities of the highest degree.
    """
    shipped, seen = world.variant == "as_shipped", set()
    excluded = {normalize_name(name) for name in params.exclude}
    places, cosine = {}, {}
    if found is not None:
        places = {row: place for place, row in enumerate(found[0].tolist(), start=1)}
        cosine = dict(zip(places, found[1].tolist(), strict=True))
    chosen: list[int] = []
    rows = []
    for how, row, spelling in _wanted(world, None if found is None else places, named, params):
        if not shipped and row in seen:
            continue
        seen.add(row)
        if how != "included" and normalize_name(str(world.names[row])) in excluded:
            reason = "excluded"
        else:
            reason = _reason(world, how, row, places.get(row), cosine.get(row), len(chosen), params)
        if not reason:
            chosen.append(row)
        rows.append((row, how, spelling, places.get(row), cosine.get(row), not reason, reason))
    names = ["entity_row", "matched_by", "spelling", "vector_rank", "cosine", "selected", "reason"]
    frame = pd.DataFrame(rows, columns=names).astype({"vector_rank": "Int64", "cosine": "float64"})
    frame.insert(5, "distance", 1 - frame["cosine"])
    return Selection(chosen, frame)


def _wanted(
    world: LocalWorld, places: dict[int, int] | None, named: pd.DataFrame, params: LocalParams
) -> list[tuple[str, int, str]]:
    """Give all candidates in order of preference: how matched, row, spelling in the question."""
    wanted = []
    if params.include:
        rows: dict[str, int] = {}
        for row, name in enumerate(world.names.tolist()):
            rows.setdefault(str(name), row)
        wanted += [("included", rows[name], "") for name in params.include if name in rows]
    if world.variant == "documented":
        spelled = zip(named["entity_row"].tolist(), named["spelling"], strict=True)
        wanted += [("named", row, spelling) for row, spelling in spelled]
    if places is None:
        order = np.argsort(-world.degrees, kind="stable")[: params.top_k_entities]
        return wanted + [("degree", row, "") for row in order.tolist()]
    return wanted + [("vector", row, "") for row in places]


def _reason(
    world: LocalWorld, how: str, row: int, place: int | None, cosine: float | None, chosen: int,
    params: LocalParams,
) -> str:  # fmt: skip
    """Say why an entity is not selected; empty when it is."""
    twice = OVERSAMPLE * params.top_k_entities
    if world.variant == "as_shipped":
        if params.level is not None and not world.in_level(row, params.level):
            return "no_community"
        return "top_k" if how == "vector" and (place or 0) > twice else ""
    if how == "vector" and (cosine or 0) < params.min_similarity:
        return "similarity"
    if how == "included" or chosen < params.top_k_entities:
        return ""
    return "oversampled" if how == "vector" and (place or 0) <= twice else "top_k"
