"""What was read and what is stored in, what has to be done out: pure steps over frames."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

BATCH_CHUNKS = 256  # what a broken-off index loses at most, unless one document has more
IDENTITY = ["id", "path", "title", "content_hash", "metadata"]


@dataclass(frozen=True)
class Plan:
    """Documents to write (by path), ids of documents to delete, and how many stay as they are."""

    pending: pd.DataFrame
    vanished: list[str]
    unchanged: int


def plan(read: pd.DataFrame, stored: pd.DataFrame) -> Plan:
    """Compare documents as read with those stored (columns IDENTITY at least)."""
    known = set(stored[IDENTITY].itertuples(index=False, name=None))
    same = [row in known for row in read[IDENTITY].itertuples(index=False, name=None)]
    pending = read[~np.array(same, dtype=bool)].sort_values(["path", "id"], ignore_index=True)
    vanished = sorted(set(stored["id"]) - set(read["id"]))
    return Plan(pending, vanished, int(sum(same)))


def numbered(
    documents: pd.DataFrame, stored: pd.DataFrame, fresh: pd.DataFrame, pending: set[str]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Number all chunks from 0, by the path of their document and their place in it.

    Gives the fresh chunks with their short_id, and a frame (id, short_id) of the stored chunks
    whose number changes. Stored chunks of pending documents, which still stand in the file until
    their document is written, are numbered after all others.
    """
    ranks = {id_: rank for rank, id_ in enumerate(documents.sort_values(["path", "id"])["id"])}
    stored = stored[stored["document_id"].isin(ranks)]
    leaving = stored["document_id"].isin(pending)
    parts = [
        stored[~leaving].assign(part=0),
        fresh[["id", "document_id", "chunk_index"]].assign(part=1),
        stored[leaving].assign(part=2),
    ]
    rows = pd.concat(parts, ignore_index=True)
    rows = rows.assign(rank=rows["document_id"].map(ranks), last=rows["part"] == 2)
    rows = rows.sort_values(["last", "rank", "chunk_index"], ignore_index=True)
    rows["number"] = np.arange(len(rows))
    numbers = rows.loc[rows["part"] == 1].set_index("id")["number"]
    fresh = fresh.assign(short_id=fresh["id"].map(numbers).astype("int64"))
    moved = rows[(rows["part"] != 1) & (rows["number"] != rows.get("short_id"))]
    return fresh, moved[["id", "number"]].rename(columns={"number": "short_id"})


def batches(documents: pd.DataFrame, chunks: pd.DataFrame) -> list[list[str]]:
    """Give the ids of documents in groups of about BATCH_CHUNKS chunks, in the documents' order.

    The rule looks at nothing but the order and the chunk counts: what is left after a batch is
    cut as if nothing had been broken off, so a vector's neighbours in its batch are the same.
    """
    counts = chunks["document_id"].value_counts()
    groups: list[list[str]] = [[]]
    held = 0
    for id_ in documents["id"]:
        count = int(counts.get(id_, 0))
        if groups[-1] and held + count > BATCH_CHUNKS:
            groups.append([])
            held = 0
        groups[-1].append(id_)
        held += count
    return [group for group in groups if group]
