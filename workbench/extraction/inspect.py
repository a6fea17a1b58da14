"""A run's frames in, tables that show what was found and why out: what a notebook looks at."""

from __future__ import annotations

import json

import pandas as pd

from workbench import schema
from workbench.corpus.chunk import chunk_documents
from workbench.extraction.modes import extract
from workbench.extraction.result import Extraction
from workbench.frames import table_frame
from workbench.ids import content_hash, document_id, normalize_name


def extract_text(text: str, mode: str = "heuristic") -> Extraction:
    """Extract from one Markdown text, as from a corpus that holds nothing else.

    Spellings are merged by rule only, not by embedding. Raises InputError for an unknown mode.
    """
    row = {
        "id": document_id("text.md"),
        "path": "text.md",
        "title": "text",
        "text": text,
        "content_hash": content_hash(text.encode("utf-8", "surrogatepass")),
        "metadata": json.dumps({"format": "markdown"}),
    }
    documents = table_frame(schema.DOCUMENTS, [row])
    return extract(mode, documents, chunk_documents(documents), embedder=None)


def entity_table(
    entities: pd.DataFrame,
    entity_mentions: pd.DataFrame,
    entity_aliases: pd.DataFrame,
    chunks: pd.DataFrame,
) -> pd.DataFrame:
    """Give one row an entity, the most frequent first, with the reason it was taken for one.

    Columns: name, type, mention_count, chunk_count, documents, signals, aliases, confidence.
    `signals` lists what gave it away in any chunk, `aliases` its other spellings.
    """
    where = entity_mentions.merge(
        chunks[["id", "document_id"]], left_on="chunk_id", right_on="id", how="left"
    ).groupby("entity_id")
    documents = where["document_id"].nunique()
    signals = where["signals"].agg(_union)
    other = entity_aliases.groupby("entity_id")["alias"].agg(lambda names: ", ".join(sorted(names)))
    frame = entities.sort_values(["mention_count", "name"], ascending=[False, True])
    return pd.DataFrame(
        {
            "name": frame["name"],
            "type": frame["type"],
            "mention_count": frame["mention_count"],
            "chunk_count": frame["chunk_count"],
            "documents": frame["id"].map(documents).fillna(0).astype("int64"),
            "signals": frame["id"].map(signals).fillna(""),
            "aliases": frame["id"].map(other).fillna(""),
            "confidence": frame["confidence"],
        }
    ).reset_index(drop=True)


def mention_table(
    entities: pd.DataFrame,
    entity_mentions: pd.DataFrame,
    chunks: pd.DataFrame,
    documents: pd.DataFrame,
    around: int = 24,
) -> pd.DataFrame:
    """Give one row an entity in a chunk, in the order of the text, with its first place quoted.

    Columns: document, chunk (short_id), name, type, mention_count, signals, quote. `quote` has
    `around` characters on each side of the mention, which stands in brackets; it is empty for a
    mention without a place, such as that of a document in its own chunks.
    """
    frame = entity_mentions.merge(
        entities[["id", "name", "type"]].rename(columns={"id": "entity_id"}), on="entity_id"
    ).merge(
        chunks[["id", "short_id", "document_id"]].rename(
            columns={"id": "chunk_id", "short_id": "chunk"}
        ),
        on="chunk_id",
    )
    by_id = documents.set_index("id")
    frame["document"] = frame["document_id"].map(by_id["path"])
    frame["quote"] = [
        _quote(by_id.at[document, "text"], start, end, around)
        for document, start, end in zip(
            frame["document_id"], frame["start_char"], frame["end_char"], strict=True
        )
    ]
    frame = frame.sort_values(["chunk", "start_char", "name"], ignore_index=True)
    return frame[["document", "chunk", "name", "type", "mention_count", "signals", "quote"]]


def alias_table(entities: pd.DataFrame, entity_aliases: pd.DataFrame) -> pd.DataFrame:
    """Give one row a spelling that was merged: name, alias, rule, score; doubtful first."""
    named = entity_aliases.assign(
        name=entity_aliases["entity_id"].map(entities.set_index("id")["name"])
    )
    named = named.sort_values(["rule", "score", "name", "alias"], ignore_index=True)
    return named[["name", "alias", "rule", "score"]]


def idf_table(
    postings: pd.DataFrame,
    chunks: pd.DataFrame,
    entities: pd.DataFrame,
    entity_aliases: pd.DataFrame,
) -> pd.DataFrame:
    """Give one row a search term: name, mention_count, chunk_count, idf, kept; rising by idf.

    `idf` is ln(chunks / chunks that hold the term): 0 for a term in every chunk. `kept` says
    whether an entity goes by that term alone, under its name or an alias.
    """
    import numpy as np

    spellings = [*entities["normalized_name"], *entity_aliases["alias"].map(normalize_name)]
    frame = postings.groupby("term", as_index=False).agg(
        mention_count=("tf", "sum"), chunk_count=("chunk_id", "nunique")
    )
    frame["idf"] = np.log(len(chunks) / frame["chunk_count"])
    frame["kept"] = frame["term"].isin(set(spellings))
    frame = frame.rename(columns={"term": "name"})
    return frame.sort_values(["idf", "name"], ignore_index=True)


def rejected_by_rule(rejected: pd.DataFrame, examples: int = 4) -> pd.DataFrame:
    """Give one row a rule: stage, rule, reason, items, examples (the first names by alphabet)."""
    rows = []
    for (stage, rule), group in rejected.groupby(["stage", "rule"]):
        names = sorted(dict.fromkeys(group["item"]), key=lambda name: (name.casefold(), name))
        step = max(1, len(names) // examples)
        rows.append(
            {
                "stage": stage,
                "rule": rule,
                "reason": group["reason"].iloc[0],
                "items": len(group),
                "examples": " · ".join(names[::step][:examples]),
            }
        )
    frame = pd.DataFrame(rows, columns=["stage", "rule", "reason", "items", "examples"])
    return frame.sort_values(["items", "stage", "rule"], ascending=[False, True, True]).reset_index(
        drop=True
    )


def _union(signals: pd.Series) -> str:
    return ", ".join(sorted({one for text in signals.dropna() for one in text.split(",") if one}))


def _quote(text: str, start: int, end: int, around: int) -> str:
    if pd.isna(start):
        return ""
    before, after = text[max(0, start - around) : start], text[end : end + around]
    return " ".join(f"{before}[{text[start:end]}]{after}".split())
