"""A method's name in, the function that ranks documents for a question out.

A method takes the store, the name of a run (or None), the question and k, and gives document ids,
best first, at least k of them where the store has as many. New methods add themselves to METHODS.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import InputError
from workbench.params import FusionParams
from workbench.query.chunk_index import ChunkIndex, chunk_index
from workbench.query.question import Question
from workbench.query.search import SEARCH_METHODS, score_chunks

if TYPE_CHECKING:
    from workbench.store import Store

RankDocuments = Callable[["Store", str | None, Question, int], list[str]]


def rank_documents(index: ChunkIndex, chunk_ranks: np.ndarray) -> list[str]:
    """Give document ids by the rank (from 1; 0: unranked) of their best chunk, best first."""
    rows = np.flatnonzero(chunk_ranks > 0)
    rows = rows[np.argsort(chunk_ranks[rows])]
    return list(dict.fromkeys(index.chunks["document_id"].to_numpy()[rows]))


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
    """Give the method of that name; InputError lists the methods when there is none."""
    if name not in METHODS:
        raise InputError(f"Method {name!r} is unknown: use one of {', '.join(METHODS)}.")
    return METHODS[name]
