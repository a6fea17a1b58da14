"""Documents and text units of a GraphRAG index in, documents and chunks of the schema out."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd

from workbench import schema
from workbench.corpus.tokens import count_tokens
from workbench.errors import InputError
from workbench.frames import table_frame
from workbench.ids import content_hash
from workbench.interop.faults import Faults
from workbench.interop.graphrag_files import RawIndex

_MARKDOWN = (".md", ".markdown")


def unique(raw: RawIndex, table: str, telling: list[str], faults: Faults) -> pd.DataFrame:
    """Give a table's rows, each id once; rows of one id that tell the same are one.

    Raises InputError for a row without an id, and for an id whose rows differ in `telling`.
    """
    rows = raw.tables[table]
    none = rows["id"].isna() | (rows["id"] == "")
    if none.any():
        raise InputError(
            f"{raw.files[table]} has no id in row {int(np.flatnonzero(none)[0])}: give each row "
            "one, or make the index again."
        )
    again = rows["id"].duplicated()
    for id_, group in rows[rows["id"].isin(rows["id"][again])].groupby("id", sort=False):
        if len(group[telling].astype("str").drop_duplicates()) > 1:
            raise InputError(
                f"{raw.files[table]} has the id {id_!r} {len(group)} times, with different "
                f"{' or '.join(telling)}: give each row an id of its own, or make the index again."
            )
        reason = f"{len(group)} equal rows have this id, and are taken as one"
        faults.add("duplicate_id", id_, reason, table=table, id_=id_)
    return rows[~again].reset_index(drop=True)


_REFERENCES = {  # lists that say again what other tables say: nothing is read from them
    "documents": {"text_unit_ids": "text_units"},
    "text_units": {
        "entity_ids": "entities",
        "relationship_ids": "relationships",
        "covariate_ids": "covariates",
    },
    "communities": {"relationship_ids": "relationships", "text_unit_ids": "text_units"},
}


def known_pairs(
    pairs: pd.DataFrame, column: str, known: set[str], of: str, what: str, faults: Faults
) -> pd.DataFrame:
    """Give the pairs whose second id is known; the others are faults."""
    lost = ~pairs[column].isin(known)
    for owner, id_ in pairs[lost].itertuples(index=False, name=None):
        reason = f"{of} {owner} lead to it, but no {what} has this id"
        faults.add("points_nowhere", id_, reason, table=what, id_=owner)
    return pairs[~lost]


def lost_references(raw: RawIndex, faults: Faults) -> None:
    """Note each list of ids some of which no row has; one fault a list."""
    known = {name: set(table["id"]) for name, table in raw.tables.items()}
    for table, columns in _REFERENCES.items():
        rows = raw.tables.get(table, pd.DataFrame({"id": []}))
        for column, target in columns.items():
            for id_, cell in zip(rows["id"], rows.get(column, ()), strict=True):
                named = ",".join(cell).split(",") if cell else []  # version 0.3 joined them, too
                lost = sum(one not in known.get(target, ()) for one in named)
                if lost:
                    reason = f"{lost} of its {len(named)} {column} lead to no row of {target}"
                    faults.add("points_nowhere", id_, reason, table=table, id_=id_)


def read_corpus_tables(raw: RawIndex, faults: Faults) -> dict[str, pd.DataFrame]:
    """Give the frames documents and chunks; a chunk that its document does not hold has no span."""
    documents = _documents(unique(raw, "documents", ["text"], faults))
    units = unique(raw, "text_units", ["text"], faults)
    owners = _owners(units, set(documents["id"]))
    lost = {
        id_: owner
        for id_, owner in zip(units["id"], owners, strict=True)
        if owner not in set(documents["id"])
    }
    for id_, owner in lost.items():
        reason = f"text unit {id_} is of it, but no document has this id; it stands in its place"
        faults.add("points_nowhere", owner, reason, table="text_units", id_=id_)
    added = [_document(owner, owner, "", {}) for owner in dict.fromkeys(lost.values())]
    documents = pd.concat([documents, table_frame(schema.DOCUMENTS, added)], ignore_index=True)
    return {"documents": documents, "chunks": _chunks(units, owners, documents, faults)}


def _documents(rows: pd.DataFrame) -> pd.DataFrame:
    found = []
    for row in rows.itertuples(index=False):
        further = {"creation_date": row.creation_date, "raw_data": row.raw_data}
        title = row.title or row.id
        found.append(_document(row.id, title, row.text or "", further))
    return table_frame(schema.DOCUMENTS, found)


def _document(id_: str, title: str, text: str, further: dict[str, Any]) -> dict[str, Any]:
    kind = "markdown" if title.lower().endswith(_MARKDOWN) else "plain"
    told = {"format": kind, **{name: value for name, value in further.items() if value}}
    hashed = content_hash(text.encode("utf-8", "surrogatepass"))
    return {
        "id": id_,
        "path": title,
        "title": title,
        "text": text,
        "content_hash": hashed,
        "metadata": json.dumps(told, ensure_ascii=False),
    }


def _owners(units: pd.DataFrame, known: set[str]) -> list[str]:
    """Give the document of each text unit: of several (version 2 and older) the first known."""
    owners = []
    for one, several in zip(units["document_id"], units["document_ids"], strict=True):
        named = [name for name in (one, *(several or ())) if name]
        owners.append(next((name for name in named if name in known), (named or ["unknown"])[0]))
    return owners


def _chunks(
    units: pd.DataFrame, owners: list[str], documents: pd.DataFrame, faults: Faults
) -> pd.DataFrame:
    texts = dict(zip(documents["id"], documents["text"], strict=True))
    rows = units[["id"]].assign(document_id=owners, text=units["text"].fillna(""), heading_path="")
    starts: list[int | None] = []
    after: dict[str, int] = {}  # the search goes on behind the start of the chunk before
    for id_, document, text in zip(rows["id"], owners, rows["text"], strict=True):
        start = texts[document].find(text, after.get(document, 0))
        if start < 0:  # version 0.3 kept them in no order
            start = texts[document].find(text)
        starts.append(start if start >= 0 else None)
        after[document] = max(after.get(document, 0), start + 1)
        if start < 0:
            reason = f"the text of the unit does not stand in document {document!r}: no span"
            faults.add("text_not_found", id_, reason, table="text_units", id_=id_, chunk_id=id_)
    rows["start_char"] = pd.array(starts, dtype="Int64")
    rows["end_char"] = rows["start_char"] + rows["text"].str.len()
    counted = [count_tokens(text) for text in rows["text"][units["n_tokens"].isna()]]
    rows["token_count"] = units["n_tokens"]
    rows.loc[units["n_tokens"].isna(), "token_count"] = counted
    rows["chunk_index"] = _places(rows)
    numbers = units["human_readable_id"]
    clear = numbers.notna().all() and not numbers.duplicated().any()
    rows["short_id"] = numbers if clear else np.arange(len(rows))
    return table_frame(schema.CHUNKS, rows)


def _places(rows: pd.DataFrame) -> pd.Series:
    """Give each chunk its place in its document: by its span, or by its row where one has none."""
    placed = rows["start_char"].notna().groupby(rows["document_id"]).transform("all")
    key = rows["start_char"].where(placed, pd.Series(np.arange(len(rows)), dtype="Int64"))
    order = rows.assign(key=key).sort_values("key", kind="stable")
    return order.groupby("document_id").cumcount().reindex(rows.index)
