"""Runs over the same chunks in, what each says of a chunk, how right it is, its price out."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pandas as pd

from workbench.corpus.read import read_corpus
from workbench.corpus.tokens import count_tokens
from workbench.errors import InputError
from workbench.models.replay import read_replies
from workbench.paths import resolve_corpus, root
from workbench.study.gold import Gold
from workbench.study.ledger import ledger
from workbench.study.overlap import Runs, things
from workbench.study.score_relationships import score_run


def part_of(corpus_dir: str | Path, documents: int, beside: str | Path) -> Path:
    """Copy the first documents of a folder, by path, into a folder beside a store; give it.

    A relative `beside` lies under `root()`, as for `open_run`. Raises InputError for fewer than one
    document.
    """
    if documents < 1:
        raise InputError(f"A part of {documents} documents is none: give 1 or more.")
    source = resolve_corpus(corpus_dir)
    part = (root() / beside).parent / f"{source.name}_{documents}"
    for path in sorted(read_corpus(source).documents["path"])[:documents]:
        (part / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / path, part / path)
    return part


def gold_within(gold: Gold, documents: pd.DataFrame) -> Gold:
    """Give the labels that occur in these documents (path); what must stay apart is kept whole."""
    paths = set(documents["path"])
    entities = gold.entities[[bool(paths & set(here)) for here in gold.entities["documents"]]]
    relationships = gold.relationships[gold.relationships["document"].isin(paths)]
    return replace(
        gold,
        entities=entities.reset_index(drop=True),
        relationships=relationships.reset_index(drop=True),
    )


def names_in(runs: Runs, chunk: int) -> pd.DataFrame:
    """Give one row a thing that any run saw in a chunk (short_id): name, and its type by run.

    The cell of a run that did not see it there is empty. Most runs first, then by name.
    """
    rows, places = things(runs)
    table: dict[int, dict[str, str]] = {}
    for name, run in runs.items():
        chunks, mentions = run.read("chunks"), run.entity_mentions
        ids = chunks.loc[chunks["short_id"] == chunk, "id"]
        if ids.empty:
            raise InputError(f"There is no chunk {chunk} (short_id: 0 to {len(chunks) - 1}).")
        types = run.entities.set_index("id")["type"]
        for entity in mentions.loc[mentions["chunk_id"].isin(ids), "entity_id"]:
            table.setdefault(places[name][entity], {})[name] = types[entity]
    found = [
        {"name": rows["name"].iloc[number], **{run: seen.get(run, "") for run in runs}}
        for number, seen in table.items()
    ]
    frame = pd.DataFrame(found, columns=["name", *runs])
    order = (frame[list(runs)] != "").sum(axis=1)
    frame = frame.assign(_seen=order).sort_values(["_seen", "name"], ascending=[False, True])
    return frame.drop(columns="_seen").reset_index(drop=True)


def by_chunk(runs: Runs) -> pd.DataFrame:
    """Give one row a chunk, in the order of the text: how many entities each run saw in it.

    Columns: chunk (short_id), document, tokens, one a run, shared (seen there by all runs).
    """
    _, places = things(runs)
    seen: dict[str, dict[str, set[int]]] = {}
    for name, run in runs.items():
        seen[name] = {}
        mentions = run.entity_mentions
        for entity, chunk in zip(mentions["entity_id"], mentions["chunk_id"], strict=True):
            seen[name].setdefault(chunk, set()).add(places[name][entity])
    first = next(iter(runs.values()))
    path = first.read("documents").set_index("id")["path"]
    rows = []
    for chunk in first.read("chunks").sort_values("short_id").itertuples(index=False):
        here = {name: seen[name].get(chunk.id, set()) for name in runs}
        rows.append(
            {"chunk": chunk.short_id, "document": path[chunk.document_id]}
            | {"tokens": chunk.token_count}
            | {name: len(found) for name, found in here.items()}
            | {"shared": len(set.intersection(*here.values()))}
        )
    return pd.DataFrame(rows, columns=["chunk", "document", "tokens", *runs, "shared"])


def growth(runs: Runs) -> pd.DataFrame:
    """Give how many distinct entities each run knows after so many tokens of text: run, tokens,
    entities; a row a chunk, in the order of the text.
    """
    parts = []
    for name, run in runs.items():
        chunks = run.read("chunks").sort_values("short_id")
        place = pd.Series(range(len(chunks)), index=chunks["id"])
        mentions = run.entity_mentions
        first = mentions["chunk_id"].map(place).groupby(mentions["entity_id"]).min()
        new = first.value_counts().reindex(range(len(chunks)), fill_value=0).sort_index()
        sums = {"tokens": chunks["token_count"].cumsum().to_numpy(), "entities": new.cumsum()}
        parts.append(pd.DataFrame({"run": name, **sums}))
    return pd.concat(parts, ignore_index=True)


def score_table(runs: Runs, gold: Gold) -> pd.DataFrame:
    """Score runs against labels: one row a run and kind (entities, pairs, typed relationships).

    Columns: of, run, precision, recall, f1, right, said, gold (see `score_run`).
    """
    keys = ["precision", "recall", "f1", "right", "said", "gold"]
    rows = []
    for name, run in runs.items():
        score = score_run(run, gold)
        pairs = score["relationships"]
        kinds = {"entities": score["entities"], "pairs": pairs, "typed": pairs["typed"]}
        rows += [
            {"of": kind, "run": name, **{key: values[key] for key in keys}}
            for kind, values in kinds.items()
        ]
    frame = pd.DataFrame(rows, columns=["of", "run", *keys])
    return frame.sort_values("of", kind="stable", ignore_index=True)


def cost_table(runs: Runs) -> pd.DataFrame:
    """Give one row a run and task: run, task, model, calls, failed, prompt_tokens, reply_tokens,
    tokens_a_chunk, rejected (records of that task that did not hold). A run that asked nothing: 0.
    Calls for reports are left out: they come after a run is made.

    Tokens are counted here, in `o200k_base`, so that recordings without counts can be compared.
    """
    rows = []
    for name, run in runs.items():
        asked = ledger(run.store, run.name).query("task != 'report'")
        texts = run.store.sql(
            "SELECT task, prompt, reply FROM llm_calls WHERE run = ? ORDER BY key, attempt",
            [run.name],
        )
        chunks, refused = len(run.read("chunks")), run.rejected["stage"]
        for row in asked.itertuples(index=False):
            mine = texts[texts["task"] == row.task]
            sent, got = (sum(map(_tokens, mine[column])) for column in ("prompt", "reply"))
            rows.append(
                (name, row.task, row.model, row.calls, row.failed, sent, got)
                + ((sent + got) / chunks, int((refused == row.task).sum()))
            )
        if asked.empty:
            rows.append((name, "none", "none", 0, 0, 0, 0, 0.0, 0))
    columns = ["run", "task", "model", "calls", "failed", "prompt_tokens", "reply_tokens"]
    return pd.DataFrame(rows, columns=[*columns, "tokens_a_chunk", "rejected"])


def reply_files(*files: str | Path) -> pd.DataFrame:
    """Give what files of recorded replies say of themselves: file, written_by, model,
    quantisation, date, replies (by task); one that is not there is `absent`.
    """
    rows = []
    for name in files:
        path = root() / str(name).removeprefix("replay/")
        row = {"file": path.name, "written_by": "absent"}
        if path.is_file():
            header, entries = read_replies(path)
            row |= {key: header.get(key, "") for key in ("written_by", "model", "date")}
            counts = pd.Series([entry.task for entry in entries]).value_counts().sort_index()
            row["quantisation"] = header.get("quantisation", "")
            row["replies"] = ", ".join(f"{n} {task}" for task, n in counts.items())
        rows.append(row)
    columns = ["file", "written_by", "model", "quantisation", "date", "replies"]
    return pd.DataFrame(rows, columns=columns).fillna("")


@lru_cache(maxsize=4_096)
def _tokens(text: str | None) -> int:
    return count_tokens(text) if text else 0
