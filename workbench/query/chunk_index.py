"""A store in, what every retrieval needs of it out: chunks, postings and vectors as arrays."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.query.bm25 import Bm25Index
from workbench.query.stamp import kept

if TYPE_CHECKING:
    from workbench.store import Store

_CHUNKS = """
WITH named AS (
    SELECT id, CASE WHEN count(*) OVER (PARTITION BY path) = 1 THEN path ELSE id END AS name
    FROM documents
)
SELECT c.id, c.short_id, c.document_id, d.name AS document, c.heading_path
FROM chunks c LEFT JOIN named d ON d.id = c.document_id ORDER BY c.short_id, c.id
"""
_POSTINGS = """
WITH place AS (SELECT id, row_number() OVER (ORDER BY short_id, id) - 1 AS place FROM chunks)
SELECT place::INTEGER AS place, tf FROM postings JOIN place ON place.id = chunk_id
ORDER BY term, place
"""
_SPREAD = """
SELECT term, count(*) AS df FROM postings SEMI JOIN chunks ON chunks.id = chunk_id
GROUP BY term ORDER BY term
"""


@dataclass(frozen=True)
class ChunkIndex:
    """The chunks in order (document path, place in it), without their text.

    `chunks`: id, short_id, document_id, document (its path, or its id where a table's rows share
    one), heading_path. `matrix` float32 (chunks, dimension): row i of chunk i, zeros for one
    without a vector. `meta`: the store's settings; `runs`: the names of its runs.
    """

    chunks: pd.DataFrame
    bm25: Bm25Index
    matrix: np.ndarray
    meta: dict[str, str]
    runs: list[str]

    @functools.cached_property
    def row_of(self) -> dict[str, int]:
        """The row of each chunk id."""
        return {chunk: row for row, chunk in enumerate(self.chunks["id"])}

    @functools.cached_property
    def documents(self) -> np.ndarray:
        """The id of each chunk's document, by row."""
        return self.chunks["document_id"].to_numpy(dtype=object)


def chunk_index(store: Store) -> ChunkIndex:
    """Give the store's index, kept in this process until corpus or runs change.

    Loading takes well under a second for 10,000 chunks and some seconds for 100,000.
    """
    return kept("chunks", store, None, lambda: _load(store))


def _load(store: Store) -> ChunkIndex:
    with store.session():
        chunks = store.sql(_CHUNKS)
        spread, postings = store.sql(_SPREAD), store.sql(_POSTINGS)
        vectors = store.vectors("chunks")
        meta, runs = store.meta(), list(store.runs()["name"])
    bm25 = Bm25Index.build(
        list(spread["term"]),
        spread["df"].to_numpy(),
        postings["place"].to_numpy(),
        postings["tf"].to_numpy(),
        len(chunks),
    )
    matrix = vectors.matrix
    if vectors.ids != list(chunks["id"]):
        rows = {chunk: row for row, chunk in enumerate(chunks["id"])}
        matrix = np.zeros((len(chunks), vectors.matrix.shape[1]), np.float32)
        matrix[[rows[chunk] for chunk in vectors.ids]] = vectors.matrix
    return ChunkIndex(chunks, bm25, matrix, meta, runs)
