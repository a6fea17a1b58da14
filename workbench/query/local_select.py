"""A question's vector and the entities it names in, the entities of local search out; pure."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from workbench.ids import normalize_name
from workbench.params import LocalParams
from workbench.query.dense import cosines
from workbench.query.local_world import LocalWorld

OVERSAMPLE = 2  # Microsoft asks the vector store for twice the entities
BELOW = 10  # candidates shown below those
COLUMNS = ["entity_row", "matched_by", "spelling", "vector_rank", "cosine", "distance", "score"]
COLUMNS += ["selected", "reason"]
TYPES = {"vector_rank": "Int64", "selected": bool}
TYPES |= dict.fromkeys(["cosine", "distance", "score"], "float64")


@dataclass(frozen=True)
class Selection:
    """`entities`: rows in order. `candidates`: those and all others, in order, one row each.

    Its columns: entity_row, matched_by (included, named, vector or degree), spelling (in the
    question), vector_rank, cosine, distance (1 - cosine), score, selected, reason (why not).
    """

    entities: list[int]
    rows: list[dict[str, Any]]

    @functools.cached_property
    def candidates(self) -> pd.DataFrame:
        """The table of candidates."""
        return pd.DataFrame(self.rows, columns=COLUMNS).astype(TYPES)


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

    `named`: entity_row, spelling, cosine. Documented: included ones, then named ones, then the
    nearest down to `min_similarity`, each once, `top_k_entities` in all (more only if more are
    included). Named ones that are as near as that lead (a question names `river` and `Bubye River`,
    and is about the latter); among them and among the others cosine x ln(1 + chunks / chunks that
    mention it) decides. On the odd-numbered questions of 2wiki and musique the mean of recall@5 and
    all@8 is .61 so, .57 by cosine alone, and .55 with all named ones first, as in the question.

    The floor of 0.35: of 124 questions to the five corpora that answer them one had no entity as
    near, of 435 to corpora about something else 91 %.

    Shipped: included ones, then all of twice top_k nearest, repeats and all; those in no community
    are no candidates where a level is given; without a question the entities of highest degree.
    """
    shipped = world.variant == "as_shipped"
    excluded = {normalize_name(name) for name in params.exclude}
    near = zip(named["entity_row"], named["cosine"], strict=True)
    cosine = {row: value for row, value in near if not math.isnan(value)}
    places: dict[int, int] = {}
    if found is not None:
        places = {row: place for place, row in enumerate(found[0].tolist(), start=1)}
        cosine |= zip(places, found[1].tolist(), strict=True)
    rows: dict[Any, dict[str, Any]] = {}
    chosen = 0
    for how, row, spelling in _wanted(world, None if found is None else places, named, params):
        key = (how, row) if shipped else row  # shipped, one that is included and near stands twice
        if key not in rows:
            one = {"entity_row": row, "matched_by": how, "spelling": spelling}
            one |= {"vector_rank": places.get(row), "cosine": cosine.get(row)}
            one["reason"] = _reason(world, one, chosen, excluded, params)
            one["selected"] = not one["reason"]
            if one["cosine"] is not None:
                one["distance"] = 1 - one["cosine"]
                one["score"] = None if shipped else one["cosine"] * world.rarity[row]
            chosen += one["selected"]
            rows[key] = one
    ordered = list(rows.values())
    if not shipped:
        ordered.sort(key=lambda one: _order(one, params.min_similarity))
    return Selection([one["entity_row"] for one in ordered if one["selected"]], ordered)


def _order(row: dict[str, Any], floor: float) -> tuple[int, float]:
    """Put named ones first and order by score; those not selected stay in order of preference."""
    if not row["selected"]:
        return 3, 0
    if row["matched_by"] == "included":
        return 0, 0
    near = row["cosine"] is None or row["cosine"] >= floor
    return 1 if row["matched_by"] == "named" and near else 2, -round(row.get("score") or 0, 6)


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
    world: LocalWorld, one: dict[str, Any], chosen: int, excluded: set[str], params: LocalParams
) -> str:
    """Say why an entity is not selected; empty when it is."""
    row, how, cosine = one["entity_row"], one["matched_by"], one["cosine"]
    within = how != "vector" or one["vector_rank"] <= OVERSAMPLE * params.top_k_entities
    if how != "included" and normalize_name(str(world.names[row])) in excluded:
        return "excluded"
    if world.variant == "as_shipped":
        if params.level is not None and not world.in_level(row, params.level):
            return "no_community"
        return "" if within else "top_k"
    if how == "vector" and cosine < params.min_similarity:
        return "similarity"
    if how == "included" or chosen < params.top_k_entities:
        return ""
    return "oversampled" if how == "vector" and within else "top_k"
