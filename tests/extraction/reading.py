"""Small corpora for the tests of extraction: texts in, an extraction out."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pandas as pd

from workbench import schema
from workbench.corpus.tree import Span
from workbench.extraction.heuristic import extract_heuristic
from workbench.extraction.result import Extraction
from workbench.extraction.tokens import Tokens, tokenize
from workbench.frames import table_frame
from workbench.params import ExtractParams


class OneVector:
    """An embedder to which all texts are the same: only the lexical check stands in the way."""

    name, revision, dtype, dimension = "one-vector", "0", "float32", 4

    def encode(self, texts: Sequence[str], description: str = "embedding") -> np.ndarray:
        return np.tile(np.array([1, 0, 0, 0], np.float32), (len(texts), 1))


def world(
    *texts: str, format_: str = "markdown", paths: Sequence[str] = (), cut: int = 10**9
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Give documents and chunks; each document is cut every `cut` characters."""
    documents, chunks = [], []
    for i, text in enumerate(texts):
        path = paths[i] if paths else f"{i:03d}.md"
        title = text.partition("\n")[0].lstrip("# ") if format_ == "markdown" else path
        meta = json.dumps({"format": format_})
        documents.append({"id": f"d{i:03d}", "path": path, "title": title, "text": text,
                          "content_hash": "", "metadata": meta})  # fmt: skip
        for start in range(0, max(len(text), 1), cut):
            end = min(start + cut, len(text))
            chunks.append({"id": f"c{len(chunks):04d}", "short_id": len(chunks),
                           "document_id": f"d{i:03d}", "chunk_index": start // cut,
                           "text": text[start:end], "heading_path": "", "start_char": start,
                           "end_char": end, "token_count": 1})  # fmt: skip
    return table_frame(schema.DOCUMENTS, documents), table_frame(schema.CHUNKS, chunks)


def read(*texts: str, embedder: object | None = None, jobs: int | None = None, **how) -> Extraction:
    return extract_heuristic(*world(*texts, **how), embedder, ExtractParams(), jobs)


def names(found: Extraction) -> set[str]:
    return set(found.entities["name"])


def types(found: Extraction) -> dict[str, str]:
    return dict(zip(found.entities["name"], found.entities["type"], strict=True))


def aliases(found: Extraction) -> dict[str, dict[str, str]]:
    """Give {name: {alias: rule}}."""
    name = dict(zip(found.entities["id"], found.entities["name"], strict=True))
    result: dict[str, dict[str, str]] = {}
    for row in found.entity_aliases.itertuples():
        result.setdefault(name[row.entity_id], {})[row.alias] = row.rule
    return result


def rejected(found: Extraction) -> dict[str, str]:
    """Give {item: rule}."""
    return dict(zip(found.rejected["item"], found.rejected["rule"], strict=True))


def tokens_of(text: str) -> Tokens:
    return tokenize(text, [Span(0, len(text), "paragraph", (), 0)])
