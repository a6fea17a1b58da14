"""A run and other people's gold in, recall and precision out: the protocols of two benchmarks."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from workbench.errors import InputError
from workbench.study.matching import holders, match, rates, spellings

_UNCOUNTED = ("TIME", "NUM")
_DULCE_TYPES = ("PERSON", "ORGANIZATION", "GEO")


def plain(name: str) -> str:
    """Give a name lower-cased, without punctuation, with single blanks.

    >>> plain("The  F.B.I.'s “X-Files”")
    'the fbis xfiles'
    """
    kept = "".join(c for c in name.lower() if unicodedata.category(c)[0] != "P")
    return " ".join(kept.split())


def entities_by_document(
    entities: pd.DataFrame, entity_mentions: pd.DataFrame, chunks: pd.DataFrame
) -> dict[str, list[int]]:
    """Give, for each document id, the rows of `entities` that a chunk of it mentions, rising."""
    row = pd.Series(range(len(entities)), index=entities["id"])
    document = chunks.set_index("id")["document_id"]
    pairs = pd.DataFrame(
        {
            "document": entity_mentions["chunk_id"].map(document),
            "row": entity_mentions["entity_id"].map(row),
        }
    ).dropna()
    return {
        name: sorted({int(value) for value in group})
        for name, group in pairs.groupby("document")["row"]
    }


def redocred_score(
    entities: pd.DataFrame,
    entity_aliases: pd.DataFrame,
    entity_mentions: pd.DataFrame,
    chunks: pd.DataFrame,
    documents: pd.DataFrame,
    gold_rows: Sequence[Mapping[str, Any]],
) -> tuple[dict[str, Any], pd.DataFrame]:
    """Score entities against Re-DocRED, document by document; give (figures, errors).

    Names are compared by `plain`. A gold entity other than TIME and NUM is found when a name or
    alias of an entity mentioned in its document is one of its mention strings, each entity serving
    one gold entity at most. Precision: the entities that serve a gold entity, over the entities
    said in the document, those that match a TIME or NUM (and nothing else) left out; a second
    entity for the same gold entity thus counts as wrong (`precision_any` counts it as right).
    Counts are summed over the documents. Documents are found by title; InputError names the first
    that is missing. `errors`: document, kind (missed, spurious, split), name, type.
    """
    rows = spellings(entities, entity_aliases, plain)
    said_in = entities_by_document(entities, entity_mentions, chunks)
    by_title = dict(zip(documents["title"], documents["id"], strict=True))
    counts = {"right": 0, "any": 0, "said": 0, "gold": 0}
    errors: list[dict[str, str]] = []
    for gold_row in gold_rows:
        title = gold_row["title"]
        if title not in by_title:
            raise InputError(f"Document {title!r} is not in the store: index redocred.jsonl whole.")
        here = said_in.get(by_title[title], [])
        found, wrong = _score_document([rows[row] for row in here], gold_row["entities"])
        for key, value in found.items():
            counts[key] += value
        for kind, name, type_, at in wrong:
            shown = name if at is None else entities["name"].iloc[here[at]]
            shown_type = type_ if at is None else entities["type"].iloc[here[at]]
            errors.append({"document": title, "kind": kind, "name": shown, "type": shown_type})
    figures = {
        **rates(counts["right"], counts["said"], counts["gold"]),
        "precision_any": counts["any"] / counts["said"] if counts["said"] else 0.0,
        "documents": len(gold_rows),
        **counts,
    }
    return figures, pd.DataFrame(errors, columns=["document", "kind", "name", "type"])


def _score_document(
    said: list[list[str]], gold: Sequence[Mapping[str, Any]]
) -> tuple[dict[str, int], list[tuple[str, str, str, int | None]]]:
    """Give the counts of one document and its errors (kind, gold name, gold type, said row)."""
    counted = [entity for entity in gold if entity["type"] not in _UNCOUNTED]
    names = [[plain(mention) for mention in entity["mentions"]] for entity in counted]
    names = [[name for name in mentions if name] or ["\0"] for mentions in names]
    pairs = match(said, names)
    served, serving = {j for _, j in pairs}, {i for i, _ in pairs}
    known = set(holders(names))
    numbers = {plain(m) for e in gold if e["type"] in _UNCOUNTED for m in e["mentions"]}
    right_any = {i for i, spelled in enumerate(said) if known.intersection(spelled)}
    left_out = {
        i for i, spelled in enumerate(said) if i not in right_any and numbers.intersection(spelled)
    }
    counts = {
        "right": len(pairs),
        "any": len(right_any),
        "said": len(said) - len(left_out),
        "gold": len(counted),
    }
    errors: list[tuple[str, str, str, int | None]] = [
        ("missed", counted[j]["mentions"][0], counted[j]["type"], None)
        for j in range(len(counted))
        if j not in served
    ]
    for i in range(len(said)):
        if i not in serving and i not in left_out:
            errors.append(("split" if i in right_any else "spurious", "", "", i))
    return counts, errors


def redocred(store: Any, run: str | Any, path: str | Path) -> dict[str, Any]:
    """Score a run over redocred.jsonl (indexed as a table) by `redocred_score`.

    `run` is a Run or its name. Gives the figures, with the frame `errors` beside them.
    """
    run = store.run(run) if isinstance(run, str) else run
    gold = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines() if line]
    figures, errors = redocred_score(
        run.entities,
        run.entity_aliases,
        run.entity_mentions,
        store.read("chunks"),
        store.read("documents"),
        gold,
    )
    return {**figures, "errors": errors}


def dulce_score(
    entities: pd.DataFrame, entity_aliases: pd.DataFrame, gold: pd.DataFrame
) -> dict[str, Any]:
    """Give the share of GPT-4's names that a run has as a name or alias, and the misses.

    `gold` needs name, type, text_unit_ids; counted are PERSON, ORGANIZATION and GEO that were
    named in two or more units. One of our entities may stand for several of GPT-4's, which kept
    ALEX and ALEX MERCER apart. Gives recall, found, gold, misses (frame name, type, units).
    """
    units = gold["text_unit_ids"].map(len)
    chosen = gold[gold["type"].isin(_DULCE_TYPES) & (units >= 2)].assign(units=units)
    known = holders(spellings(entities, entity_aliases, plain))
    hit = chosen["name"].map(lambda name: plain(name) in known).astype(bool)
    misses = chosen.loc[~hit, ["name", "type", "units"]].reset_index(drop=True)
    recall = float(hit.mean()) if len(hit) else 0.0
    return {"recall": recall, "found": int(hit.sum()), "gold": len(chosen), "misses": misses}


def dulce_names(store: Any, run: str | Any, folder: str | Path) -> dict[str, Any]:
    """Score a run over dulce-v0.3's text units by `dulce_score`; `folder` is that index."""
    run = store.run(run) if isinstance(run, str) else run
    gold = pd.read_parquet(
        Path(folder) / "create_final_entities.parquet", columns=["name", "type", "text_unit_ids"]
    )
    return dulce_score(run.entities, run.entity_aliases, gold)
