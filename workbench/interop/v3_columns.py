"""The columns of GraphRAG v3 tables in their order, with their Arrow types."""

from __future__ import annotations

import pyarrow as pa

_IDS = pa.list_(pa.string())
_NUMBERS = pa.list_(pa.int64())
_FINDINGS = pa.list_(pa.struct([("summary", pa.string()), ("explanation", pa.string())]))
_TYPES = {
    "human_readable_id": pa.int64(),
    "n_tokens": pa.int64(),
    "frequency": pa.int64(),
    "degree": pa.int64(),
    "combined_degree": pa.int64(),
    "community": pa.int64(),
    "level": pa.int64(),
    "parent": pa.int64(),
    "size": pa.int64(),
    "weight": pa.float64(),
    "rank": pa.float64(),
    "children": _NUMBERS,
    "findings": _FINDINGS,
}
_COMMUNITY = "id human_readable_id community level parent children title"
COLUMNS = {
    "documents": "id human_readable_id title text text_unit_ids creation_date raw_data",
    "text_units": "id human_readable_id text n_tokens document_id entity_ids relationship_ids "
    "covariate_ids",
    "entities": "id human_readable_id title type description text_unit_ids frequency degree",
    "relationships": "id human_readable_id source target description weight combined_degree "
    "text_unit_ids",
    "communities": f"{_COMMUNITY} entity_ids relationship_ids text_unit_ids period size",
    "community_reports": f"{_COMMUNITY} summary full_content rank rating_explanation findings "
    "full_content_json period size",
    "covariates": "id human_readable_id covariate_type type description subject_id object_id "
    "status start_date end_date source_text text_unit_id",
}


def arrow_schema(table: str) -> pa.Schema:
    """Give the Arrow schema of a table; a column of ids is a list of text, others are text."""
    kinds = []
    for name in COLUMNS[table].split():
        default = _IDS if name.endswith("_ids") else pa.string()
        kinds.append((name, _TYPES.get(name, default)))
    return pa.schema(kinds)
