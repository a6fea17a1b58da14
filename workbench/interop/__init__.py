"""Foreign files in, frames of the schema out: Microsoft GraphRAG parquet."""
