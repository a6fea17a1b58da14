"""A method's name in, the functions that answer by it and rank documents by it out.

A method is one module with a `METHOD`; a new one adds itself to `_HOMES`.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import InputError
from workbench.params import FusionParams, Params
from workbench.query.chunk_index import ChunkIndex, chunk_index
from workbench.query.question import Question
from workbench.query.search import SEARCH_METHODS, score_chunks

if TYPE_CHECKING:
    from workbench.query.asking import Asking
    from workbench.query.trace import Answer
    from workbench.store import Store

# The store, the name of a run (or None), the question and k in; document ids out, best first, at
# least k of them where the method finds as many.
RankDocuments = Callable[["Store", str | None, Question, int], list[str]]

_HOMES = {
    "basic": "workbench.query.basic",
    "local": "workbench.query.local",
    "global": "workbench.query.global_search",
    "drift": "workbench.query.drift",
    "walk": "workbench.query.walk",
}
METHOD_NAMES = tuple(_HOMES)


@dataclass(frozen=True)
class Method:
    """One way to answer: its parameters, and how it answers and ranks documents."""

    name: str
    params: type[Params]
    answer: Callable[[Asking], Answer]
    rank: RankDocuments


def method(name: str) -> Method:
    """Give the method of that name; InputError lists them when there is none."""
    if name not in _HOMES:
        known = ", ".join([*_HOMES, "auto"])
        raise InputError(f"Method {name!r} is unknown: use one of {known}.")
    return importlib.import_module(_HOMES[name]).METHOD


def rank_documents(index: ChunkIndex, chunk_ranks: np.ndarray) -> list[str]:
    """Give document ids by the rank (from 1; 0: unranked) of their best chunk, best first."""
    rows = np.flatnonzero(chunk_ranks > 0)
    rows = rows[np.argsort(chunk_ranks[rows])]
    return list(dict.fromkeys(index.documents[rows]))


def _search_documents(
    store: Store, run: str | None, question: Question, k: int, *, method: str
) -> list[str]:
    """Rank documents by one of search's methods, which need no run."""
    index = chunk_index(store)
    scored = score_chunks(index, question, method, FusionParams())
    return rank_documents(index, scored["rank"].to_numpy())


METHODS: dict[str, RankDocuments] = {
    name: functools.partial(_search_documents, method=name) for name in SEARCH_METHODS
}


def method_of(name: str) -> RankDocuments:
    """Give the ranking of that name; InputError lists the rankings when there is none."""
    if name in METHODS:
        return METHODS[name]
    if name in _HOMES:
        return method(name).rank
    known = ", ".join(dict.fromkeys([*METHODS, *_HOMES]))
    raise InputError(f"Method {name!r} is unknown: use one of {known}.")
