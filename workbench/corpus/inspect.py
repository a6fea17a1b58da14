"""Documents and chunks in, tables that show how the text was cut out: what a notebook looks at."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Literal

import pandas as pd

from workbench.corpus.chunk import chunk_documents
from workbench.corpus.tokens import count_tokens
from workbench.errors import InputError
from workbench.params import ChunkParams, validated


def chunk_table(documents: pd.DataFrame, chunks: pd.DataFrame, width: int = 60) -> pd.DataFrame:
    """Give one row a chunk: short_id, document, chunk_index, heading_path, token_count, begins.

    `document` is its path, `begins` the first `width` characters of its text.
    """
    table = chunks.assign(
        document=chunks["document_id"].map(documents.set_index("id")["path"]),
        begins=chunks["text"].str.strip().str.slice(0, width),
    )
    columns = ["short_id", "document", "chunk_index", "heading_path", "token_count", "begins"]
    return table[columns].sort_values("short_id", ignore_index=True)


def document_path(documents: pd.DataFrame, path: str = "") -> str:
    """Give the path of a document: as given, or that of the longest one when it is empty.

    Raises InputError with the nearest path when there is no such document.
    """
    if not path:
        order = documents.assign(length=documents["text"].str.len())
        order = order.sort_values(["length", "path"], ascending=[False, True])
        return str(order["path"].iloc[0])
    known = documents["path"].to_list()
    if path not in known:
        close = difflib.get_close_matches(path, known, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]!r}?" if close else f"the first is {known[0]!r}."
        raise InputError(f"There is no document {path!r}: {hint}")
    return path


def of_document(documents: pd.DataFrame, chunks: pd.DataFrame, path: str) -> pd.DataFrame:
    """Give the chunks of the document at `path`, in order."""
    wanted = documents.loc[documents["path"] == path, "id"]
    return chunks[chunks["document_id"].isin(wanted)].sort_values("chunk_index", ignore_index=True)


def coverage(documents: pd.DataFrame, chunks: pd.DataFrame) -> pd.DataFrame:
    """Give one row a document: path, chunks, characters, covered, repeated, left_out.

    `covered` counts the characters in at least one chunk, `repeated` those counted once more
    because of overlap; `left_out` is the rest: front matter, comments and blank space.
    """
    rows = []
    for document in documents.sort_values("path").itertuples():
        spans = chunks[chunks["document_id"] == document.id].sort_values("start_char")
        covered, reached, repeated = 0, 0, 0
        placed = spans.dropna(subset=["start_char"])  # of an imported index some have no place
        for start, end in zip(placed["start_char"], placed["end_char"], strict=True):
            covered += max(0, end - max(start, reached))
            repeated += max(0, min(reached, end) - start)
            reached = max(reached, end)
        rows.append(
            {
                "document": document.path,
                "chunks": len(spans),
                "characters": len(document.text),
                "covered": covered,
                "repeated": repeated,
                "left_out": len(document.text) - covered,
            }
        )
    columns = ["document", "chunks", "characters", "covered", "repeated", "left_out"]
    return pd.DataFrame(rows, columns=columns)


def sweep(
    documents: pd.DataFrame,
    sizes: Sequence[int],
    overlaps: Sequence[int],
    chunker: Literal["markdown", "tokens"] = "markdown",
) -> pd.DataFrame:
    """Cut the documents once for each pair of size and overlap, in tokens; stack the chunks.

    Gives the columns of `chunks`, led by `size` and `overlap`. Pairs whose overlap is more than
    half of the size cannot be cut and are left out.
    """
    frames = []
    for size in sizes:
        for overlap in overlaps:
            if overlap * 2 > size:
                continue
            params = validated(ChunkParams, chunker=chunker, size=size, overlap=overlap)
            chunks = chunk_documents(documents, params)
            chunks.insert(0, "overlap", overlap)
            chunks.insert(0, "size", size)
            frames.append(chunks)
    return pd.concat(frames, ignore_index=True)


def sweep_table(swept: pd.DataFrame) -> pd.DataFrame:
    """Give one row a pair of size and overlap: chunks, mean_tokens, max_tokens, repeated_share.

    `repeated_tokens` are those of the text that two neighbours share; `repeated_share` is their
    part of all tokens that are embedded.
    """
    rows = []
    for (size, overlap), chunks in swept.groupby(["size", "overlap"]):
        repeated = sum(count_tokens(text) for text in _shared_texts(chunks))
        tokens = int(chunks["token_count"].sum())
        rows.append(
            {
                "size": size,
                "overlap": overlap,
                "chunks": len(chunks),
                "mean_tokens": chunks["token_count"].mean(),
                "max_tokens": int(chunks["token_count"].max()),
                "repeated_tokens": repeated,
                "repeated_share": repeated / tokens if tokens else 0.0,
            }
        )
    return pd.DataFrame(rows)


def _shared_texts(chunks: pd.DataFrame) -> list[str]:
    ordered = chunks.sort_values(["document_id", "chunk_index"])
    following = ordered.shift(-1)
    same = ordered["document_id"] == following["document_id"]
    lengths = (ordered["end_char"] - following["start_char"]).where(same, 0).clip(lower=0)
    return [
        text[len(text) - int(length) :]
        for text, length in zip(ordered["text"], lengths, strict=True)
        if length > 0
    ]
