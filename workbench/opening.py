"""The first parameters of a notebook in, the run to look at out, made when it is not there yet.

So with a union of runs, and with the reports of a run's communities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from workbench.params import ChunkParams, LanguageParams, validated
from workbench.paths import resolve_corpus, root, user_path

if TYPE_CHECKING:
    from workbench.run import Run


def open_run(
    store_path: str | Path = "reports/handbook.duckdb",
    corpus_dir: str | Path = "data/handbook",
    mode: str = "heuristic",
    llm: str = "none",
    run: str | None = None,
    chunk: Mapping[str, Any] | None = None,
    **language: Any,
) -> Run:
    """Open the run of a store; index the corpus first where that is missing.

    `run` is named after `mode` unless told. `llm` is the model of the modes that ask one, and
    `language` what it is asked for otherwise than usual, like `gleanings=1`; a relative
    `replay/FILE` is one of the project's files when it is not there as given. `chunk` says how a
    new store is cut (`{"size": 256}`).

    A relative `store_path` is the file of that name where the caller stands, as for every command;
    when there is none it lies under `root()`, so that a notebook finds the same file wherever it is
    run from. Nothing is done when corpus and parameters are those of the last time.
    """
    from workbench.extraction.modes import ASKING
    from workbench.index import index
    from workbench.store import Store

    given = user_path(store_path, "The store")
    path = given.absolute() if given.exists() else root() / given
    path.parent.mkdir(parents=True, exist_ok=True)
    return index(
        resolve_corpus(corpus_dir),
        Store(path),
        mode=mode,
        run=run or mode,
        chunk=validated(ChunkParams, **chunk) if chunk else None,
        llm=model_choice(llm) if mode in ASKING else None,  # the heuristic mode asks none
        language=validated(LanguageParams, **language) if language else None,
    )


def open_union(runs: Sequence[Run], name: str = "union") -> Run:
    """Open the union of runs of one store: all that they found, resolved together.

    No model is asked. It is made when it is not there, or older than one of them.
    """
    from workbench.recorded import union_runs

    store, parts = runs[0].store, [run.name for run in runs]
    finished = store.runs().set_index("name")["finished_at"]
    if name in finished.index and finished[name] >= finished[parts].max():
        made = store.run(name)
        if made.status == "complete" and made.params.get("union") == parts:
            return made
    return union_runs(store, parts, name)


def open_reports(run: Run, llm: str = "none") -> pd.DataFrame:
    """Give a run's community reports; write them first where it has none of this kind.

    The kind is extractive for `none`, else replay or model: reports by another model of the same
    kind stay until `report` is called.
    """
    from workbench.reporting import report

    found = run.read("community_reports")
    source = {"none": "extractive", "replay": "replay"}.get(llm.partition("/")[0], "model")
    whole = set(found["community_id"]) == set(run.communities["id"])
    if whole and (found["source"] == source).all():
        return found
    return report(run, llm=model_choice(llm))


def model_choice(llm: str) -> str:
    """Give a model's name with the file of a replay found as `open_run` says."""
    kind, _, name = llm.partition("/")
    return f"replay/{resolve_corpus(name)}" if kind == "replay" and name else llm
