"""A store and a question in, ranked chunks out, with every component of their scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.errors import InputError
from workbench.models.embedding import Embedder, load_embedder
from workbench.params import FusionParams
from workbench.query.chunk_index import ChunkIndex, chunk_index
from workbench.query.dense import cosines
from workbench.query.fusion import fuse, ranks
from workbench.query.hnsw import near_cosines
from workbench.query.question import Question, read_question
from workbench.storage import settings

if TYPE_CHECKING:
    from workbench.store import Store

SEARCH_METHODS = ("basic", "bm25", "dense")


def score_chunks(
    index: ChunkIndex,
    question: Question,
    method: str,
    fusion: FusionParams,
    near: np.ndarray | None = None,
) -> pd.DataFrame:
    """Give one row a chunk, in chunk order, with bm25_score, cosine, fused_score and their ranks.

    Ranks count from 1; 0 means not ranked: by BM25, a chunk that holds no term of the question.
    `cosine` is NaN for method bm25, `fused_score` for all but basic. `rank` is the method's own.
    `near`: the cosines that an index found, in place of all; NaN for chunks it did not find.
    """
    unknown = np.full(len(index.chunks), np.nan)
    bm25 = index.bm25.scores(question.terms)
    frame = pd.DataFrame({"bm25_score": bm25, "bm25_rank": ranks(bm25, bm25 > 0)})
    if method == "bm25":
        dense = unknown
    else:
        dense = cosines(index.matrix, question.vector) if near is None else near
    frame["cosine"] = dense
    frame["dense_rank"] = ranks(dense, ~np.isnan(dense))
    frame["fused_score"] = unknown
    if method == "basic":
        frame["fused_score"] = fuse(bm25, np.nan_to_num(dense), fusion)
        frame["rank"] = ranks(frame["fused_score"].to_numpy())
    else:
        frame["rank"] = frame[f"{method}_rank"]
    return frame


def top_chunks(
    index: ChunkIndex,
    question: Question,
    k: int,
    method: str,
    fusion: FusionParams,
    near: np.ndarray | None = None,
) -> pd.DataFrame:
    """Give the best k rows of `score_chunks` by rank, with the columns of `index.chunks`."""
    scored = score_chunks(index, question, method, fusion, near)
    rank = scored["rank"].to_numpy()
    rows = np.flatnonzero((rank > 0) & (rank <= k))
    rows = rows[np.argsort(rank[rows])]
    return pd.concat([index.chunks.iloc[rows], scored.iloc[rows]], axis=1).rename_axis("row")


def search(
    store: Store,
    text: str,
    *,
    k: int = 10,
    run: str | None = None,
    method: str = "basic",
    fusion: FusionParams = FusionParams(),  # noqa: B008 (frozen)
    embedder: Embedder | None = None,
    index: str = "exact",
) -> pd.DataFrame:
    """Rank the store's chunks for a text by `basic` (both), `bm25` or `dense`; best first.

    Columns: chunk_id, short_id, document (path), heading_path, bm25_score, bm25_rank, terms (what
    each added to the BM25 score), cosine, dense_rank, fused_score, rank, entities (those that the
    run found in the chunk, most mentioned first), text. Equal scores stand in chunk order.
    `run` may be left out where the store has one run only; with several, `entities` stays empty.
    With `index="hnsw"` vectors are found through DuckDB's index (see `hnsw.py`), not exactly.
    Raises InputError for an empty text, a k below 1, an unknown method or index.
    """
    if method not in SEARCH_METHODS:
        raise InputError(f"Method {method!r} is unknown: use one of {', '.join(SEARCH_METHODS)}.")
    if k < 1:
        raise InputError(f"k is {k}: ask for at least 1 chunk.")
    if index not in ("exact", "hnsw"):
        raise InputError(f"Index {index!r} is unknown: use exact or hnsw.")
    with store.session():
        chunks = chunk_index(store)
        question = read_question(text, embedder_of(store, chunks, method, embedder))
        near = None
        if index == "hnsw" and question.vector is not None:
            near = near_cosines(store, chunks, question.vector, k)
        top = top_chunks(chunks, question, k, method, fusion, near)
        ids = list(top["id"])
        texts = store.sql("SELECT id, text FROM chunks WHERE id IN (SELECT unnest(?))", [ids])
        entities = chunk_entities(store, run, ids)
    added = chunks.bm25.contributions(question.terms, list(top.index))
    shares = added["term"] + " " + added["contribution"].map("{:.2f}".format)
    frame = top.rename(columns={"id": "chunk_id"}).assign(
        terms=_joined(shares, added["row"], top.index),
        entities=_joined(entities["name"], entities["chunk_id"], ids),
        text=top["id"].map(texts.set_index("id")["text"]),
    )
    names = ["chunk_id", "short_id", "document", "heading_path", "bm25_score", "bm25_rank", "terms"]
    names += ["cosine", "dense_rank", "fused_score", "rank", "entities", "text"]
    places = {name: frame[name].replace(0, pd.NA).astype("Int64") for name in _PLACES}
    return frame.assign(**places)[names].reset_index(drop=True)


_PLACES = ("bm25_rank", "dense_rank")


def term_contributions(store: Store, text: str, chunk_ids: list[str]) -> pd.DataFrame:
    """Give what each term of a text adds to the BM25 score of these chunks.

    Columns: chunk_id, term, tf, df, idf, contribution; a chunk's contributions sum up to its
    score. InputError names the first chunk that the store does not hold.
    """
    index = chunk_index(store)
    unknown = [chunk for chunk in chunk_ids if chunk not in index.row_of]
    if unknown:
        raise InputError(f"Chunk {unknown[0]!r} is not in the store: take ids from its chunks.")
    rows = [index.row_of[chunk] for chunk in chunk_ids]
    frame = index.bm25.contributions(read_question(text, None).terms, rows)
    frame.insert(0, "chunk_id", [index.chunks["id"].iloc[row] for row in frame.pop("row")])
    return frame


def chunk_entities(store: Store, run: str | None, chunk_ids: list[str]) -> pd.DataFrame:
    """Give the entities that a run found in chunks, by provenance, never by substring.

    Columns: chunk_id, entity_id, name, type, mention_count; per chunk the most mentioned first,
    then those in fewer chunks, then by name. Without `run`, that of the store's only run; empty
    when there is none or more than one.
    """
    runs = chunk_index(store).runs
    if run is None and len(runs) != 1:
        columns = ["chunk_id", "entity_id", "name", "type", "mention_count"]
        return pd.DataFrame(columns=columns)
    name = runs[0] if run is None else run
    if name not in runs:
        store.run(name)  # says which runs there are
    query = f"""
        SELECT m.chunk_id, m.entity_id, e.name, e.type, m.mention_count
        FROM "{name}".entity_mentions m JOIN "{name}".entities e ON e.id = m.entity_id
        WHERE m.chunk_id IN (SELECT unnest(?))
        ORDER BY m.chunk_id, m.mention_count DESC, e.chunk_count, e.name, e.id
    """  # noqa: S608 (the name of a run that exists)
    return store.sql(query, [chunk_ids])


def embedder_of(
    store: Store, index: ChunkIndex, method: str, given: Embedder | None = None
) -> Embedder | None:
    """Give the embedder that the store's vectors come from; None for bm25, which needs none."""
    if method == "bm25":
        return None
    embedder = given or load_embedder(settings.embed_params(index.meta))
    settings.require_embedder(index.meta, embedder, store.path)
    return embedder


def _joined(values: pd.Series, keys: pd.Series, order: pd.Index | list[str]) -> list[str]:
    """Give, for each key of `order`, its values joined by ', '."""
    parts: dict[object, list[str]] = {}
    for key, value in zip(keys, values, strict=True):
        parts.setdefault(key, []).append(value)
    return [", ".join(parts.get(key, ())) for key in order]
