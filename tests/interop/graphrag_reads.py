"""Run inside a virtual environment that holds graphrag 3.3.0: reads an export as GraphRAG does.

Arguments: the folder, a JSON file with a question's vector, a scratch folder. Prints one JSON
object: rows by table as GraphRAG's own loaders read them, and what its context builders put into
their contexts. Nothing of the workbench is imported here.
"""

from __future__ import annotations

import asyncio
import json
import sys
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import networkx as nx
import pandas as pd
from graphrag.data_model.data_reader import DataReader
from graphrag.query import indexer_adapters as adapters
from graphrag.query.structured_search.global_search.community_context import (
    GlobalCommunityContext,
)
from graphrag.query.structured_search.local_search.mixed_context import LocalSearchMixedContext
from graphrag.tokenizer.get_tokenizer import get_tokenizer
from graphrag_storage import StorageConfig, create_storage
from graphrag_storage.tables.table_provider_config import TableProviderConfig
from graphrag_storage.tables.table_provider_factory import create_table_provider
from graphrag_vectors import VectorStoreDocument
from graphrag_vectors.lancedb import LanceDBVectorStore

TABLES = ("documents", "text_units", "entities", "relationships")
TABLES += ("communities", "community_reports", "covariates")


def vector_store(folder: Path, kind: str, scratch: Path) -> LanceDBVectorStore:
    """Load the exported vectors of a kind as `graphrag index` would have stored them."""
    rows = pd.read_parquet(folder / f"embeddings.{kind}.parquet")
    size = len(rows["embedding"].iloc[0])
    store = LanceDBVectorStore(db_uri=str(scratch), index_name=kind, vector_size=size)
    store.connect()
    store.create_index()
    store.load_documents(
        [
            VectorStoreDocument(id=id_, vector=vector.tolist())
            for id_, vector in zip(rows["id"], rows["embedding"], strict=True)
        ]
    )
    return store


def main() -> None:
    folder, vector, scratch = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    question = json.loads(Path(vector).read_text())
    storage = create_storage(StorageConfig(type="file", base_dir=str(folder)))
    reader = DataReader(create_table_provider(TableProviderConfig(type="parquet"), storage=storage))
    frames = {name: asyncio.run(getattr(reader, name)()) for name in TABLES}
    communities, raw_reports = frames["communities"], frames["community_reports"]
    entities = adapters.read_indexer_entities(frames["entities"], communities, None)
    reports = adapters.read_indexer_reports(raw_reports, communities, None)
    covariates = adapters.read_indexer_covariates(frames["covariates"])
    read = {
        "entities": entities,
        "relationships": adapters.read_indexer_relationships(frames["relationships"]),
        "text_units": adapters.read_indexer_text_units(frames["text_units"]),
        "reports": reports,
        "communities": adapters.read_indexer_communities(communities, raw_reports),
        "covariates": covariates,
    }
    store = vector_store(folder, "entity_description", scratch)
    reply = SimpleNamespace(first_embedding=question)
    tokenizer = get_tokenizer(encoding_model="cl100k_base")
    local = LocalSearchMixedContext(
        entities=entities,
        entity_text_embeddings=store,
        text_embedder=SimpleNamespace(embedding=lambda input: reply),
        text_units=read["text_units"],
        community_reports=reports,
        relationships=read["relationships"],
        covariates={"claims": covariates},
        tokenizer=tokenizer,
    ).build_context(
        query="?", max_context_tokens=12000, text_unit_prop=0.5, community_prop=0.15,
        top_k_mapped_entities=10, top_k_relationships=10, include_entity_rank=True,
        include_relationship_weight=True,
    )  # fmt: skip
    builder = GlobalCommunityContext(
        community_reports=reports, communities=read["communities"], entities=entities,
        tokenizer=tokenizer,
    )  # fmt: skip
    batches = asyncio.run(
        builder.build_context(query="?", max_context_tokens=12000, shuffle_data=False)
    ).context_chunks
    found = adapters.read_indexer_report_embeddings(
        reports, vector_store(folder, "community_full_content", scratch)
    )
    assert found is None
    graph = nx.read_graphml(folder / "graph.graphml")
    nearest = store.similarity_search_by_vector(question, k=20)
    sys.stdout.write(
        json.dumps(
            {
                "version": metadata.version("graphrag"),
                "frames": {name: len(frame) for name, frame in frames.items()},
                "columns": {name: list(frame.columns) for name, frame in frames.items()},
                "read": {name: len(rows) for name, rows in read.items()},
                "nearest": [result.document.id for result in nearest],
                "local": {name: len(rows) for name, rows in local.context_records.items()},
                "entities": local.context_records["entities"]["entity"].tolist(),
                "local_tokens": len(tokenizer.encode(local.context_chunks)),
                "batches": [len(tokenizer.encode(batch)) for batch in batches],
                "with_vectors": sum(one.full_content_embedding is not None for one in reports),
                "graph": [graph.number_of_nodes(), graph.number_of_edges()],
            }
        )
    )


main()
