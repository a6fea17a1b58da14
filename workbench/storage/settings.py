"""Parameters and an embedder in, the rows of `meta` out; and whether a file agrees with others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from workbench.errors import StoreError
from workbench.params import ChunkParams, EmbedParams
from workbench.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    from workbench.models.embedding import Embedder

_KEYS = ("corpus_status", "tokenizer", "embedder_name", "embedder_revision", "embedder_dtype")
_REMEDY = "give another --store FILE, or --force to cut and embed all again in this one"


def rows(chunk: ChunkParams, embed: EmbedParams, embedder: Embedder) -> dict[str, str]:
    """Give the rows of `meta` for a file made with these."""
    return {
        "schema_version": str(SCHEMA_VERSION),
        "tokenizer": chunk.encoding,
        "chunk_params": chunk.model_dump_json(),
        "embed_params": embed.model_dump_json(),
        **_identity(embedder),
        "corpus_status": "partial",
    }


def read(connection: duckdb.DuckDBPyConnection, path: Path) -> dict[str, str]:
    """Give the settings of the file; StoreError when one is gone or cannot be read."""
    rows = connection.execute("SELECT key, value FROM wb.main.meta ORDER BY key").fetchall()
    meta = dict(rows)
    wrong = [key for key in _KEYS if not meta.get(key)]
    for key, parse in (("chunk_params", chunk_params), ("embed_params", embed_params)):
        try:
            parse(meta)
        except (KeyError, ValueError):
            wrong.append(key)
    if not str(meta.get("embedder_dimension")).isdecimal():
        wrong.append("embedder_dimension")
    if wrong:
        raise StoreError(
            f"The store {path} has lost its setting {wrong[0]!r} in the table meta: restore a "
            f"copy, or delete it and make it anew with `workbench index CORPUS --store {path}`."
        )
    return meta


def chunk_params(meta: dict[str, str]) -> ChunkParams:
    """Give how the chunks were cut."""
    return ChunkParams.model_validate_json(meta["chunk_params"])


def embed_params(meta: dict[str, str]) -> EmbedParams:
    """Give how the chunks were embedded."""
    return EmbedParams.model_validate_json(meta["embed_params"])


def parsed(run: str, params: str, path: Path) -> dict[str, Any]:
    """Give the parameters of a run; StoreError when they are no JSON."""
    try:
        return json.loads(params)
    except ValueError as error:
        raise StoreError(
            f"The parameters of run {run!r} in {path} are no JSON ({error}): delete the run, or "
            "restore a copy of the file."
        ) from error


def require_params(
    meta: dict[str, str], chunk: ChunkParams | None, embed: EmbedParams | None, path: Path
) -> None:
    """Raise StoreError when parameters were given that are not those of the file."""
    for given, own, what in (
        (chunk, chunk_params(meta), "cut"),
        (embed, embed_params(meta), "embedded"),
    ):
        if given is not None and given != own:
            raise StoreError(f"The store {path} was {what} with {own!r}, not {given!r}: {_REMEDY}.")


def require_embedder(meta: dict[str, str], embedder: Embedder, path: Path) -> None:
    """Raise StoreError unless the embedder is the one that the file's vectors come from."""
    own = {key: meta[key] for key in _identity(embedder)}
    if own != _identity(embedder):
        raise StoreError(
            f"The store {path} was embedded by {_shown(own)}, not by "
            f"{_shown(_identity(embedder))}, and their vectors cannot be compared: {_REMEDY}."
        )


def _identity(embedder: Embedder) -> dict[str, str]:
    return {
        "embedder_name": embedder.name,
        "embedder_revision": embedder.revision,
        "embedder_dtype": embedder.dtype,
        "embedder_dimension": str(embedder.dimension),
    }


def _shown(identity: dict[str, str]) -> str:
    name, revision, dtype, dimension = identity.values()
    return f"{name} ({revision}, {dtype}, {dimension} dimensions)"
