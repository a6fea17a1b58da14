"""A corpus or a store in, its chunks and their heuristic graph out: what an estimate stands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from workbench.corpus.chunk import chunk_documents
from workbench.corpus.read import read_corpus
from workbench.extraction.heuristic import Found, find_entities
from workbench.extraction.result import Extraction
from workbench.extraction.tables import assemble
from workbench.graph.communities import Communities, cluster
from workbench.graph.degrees import with_degrees
from workbench.params import ChunkParams, ClusterParams, EmbedParams, ExtractParams
from workbench.store import Store

if TYPE_CHECKING:
    from workbench.models.embedding import Embedder


class LateEmbedder:
    """An embedder that is loaded when the first text is to be embedded, and not before."""

    def __init__(self, params: EmbedParams) -> None:
        self._params = params

    def encode(self, texts: Sequence[str], description: str = "embedding") -> np.ndarray:
        """Give one vector a text; see `Embedder.encode`."""
        from workbench.models.embedding import load_embedder

        return load_embedder(self._params).encode(texts, description)


@dataclass
class Ground:
    """Documents and chunks, and what the heuristic mode makes of them, computed when asked for.

    `exact` merges names as a run does, which may load the embedder; without it names that only
    vectors would merge stay apart, which is near enough for a guess.
    """

    documents: pd.DataFrame
    chunks: pd.DataFrame
    embedder: Embedder | None
    extract: ExtractParams
    cluster: ClusterParams
    embed: EmbedParams
    jobs: int | None = None

    @cached_property
    def found(self) -> Found:
        """The names, as a run finds them."""
        return find_entities(self.documents, self.chunks, self.embedder, self.extract, self.jobs)

    @cached_property
    def made(self) -> Extraction:
        """The tables of the heuristic mode, without vectors."""
        made = assemble(self.found, self.chunks, None, self.extract)
        entities, relationships = with_degrees(
            made.entities, made.relationships, self.cluster.variant
        )
        return replace(made, entities=entities, relationships=relationships)

    @cached_property
    def communities(self) -> Communities:
        """The communities of the heuristic graph."""
        return cluster(self.made.entities, self.made.relationships, self.cluster)


def ground(
    corpus: str | Path | Store,
    *,
    exact: bool,
    chunk: ChunkParams | None = None,
    extract: ExtractParams | None = None,
    cluster: ClusterParams | None = None,
    columns: Mapping[str, str] | None = None,
    jobs: int | None = None,
) -> Ground:
    """Read a corpus and cut it, or take what a store holds."""
    embed = EmbedParams()
    if isinstance(corpus, Store):
        with corpus.session():
            documents, chunks = corpus.read("documents"), corpus.read("chunks")
        embed = corpus.embed_params()
    else:
        names = {f"{key}_column": name for key, name in (columns or {}).items()}
        documents = read_corpus(corpus, **names).documents
        chunks = chunk_documents(documents, chunk, jobs=jobs)
    embedder: Any = LateEmbedder(embed) if exact else None
    extract, cluster = extract or ExtractParams(), cluster or ClusterParams()
    return Ground(documents, chunks, embedder, extract, cluster, embed, jobs)
