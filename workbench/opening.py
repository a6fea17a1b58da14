"""The first parameters of a notebook in, the run to look at out, made when it is not there yet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from workbench.paths import resolve_corpus, root

if TYPE_CHECKING:
    from workbench.run import Run


def open_run(
    store_path: str | Path = "reports/handbook.duckdb",
    corpus_dir: str | Path = "data/handbook",
    mode: str = "heuristic",
    llm: str = "none",
    run: str | None = None,
) -> Run:
    """Open the run of a store; index the corpus first where that is missing.

    `run` is named after `mode` unless told. `llm` is the model of the modes that ask one; a
    relative `replay/FILE` is one of the project's files when it is not there as given.

    A relative `store_path` lies under `root()`, so that a notebook finds the same file wherever it
    is run from. Nothing is done when corpus and parameters are those of the last time.
    """
    from workbench.extraction.modes import ASKING
    from workbench.index import index
    from workbench.store import Store

    path = root() / Path(store_path).expanduser()
    path.parent.mkdir(parents=True, exist_ok=True)
    kind, _, name = llm.partition("/")
    model = f"replay/{resolve_corpus(name)}" if kind == "replay" and name else llm
    return index(
        resolve_corpus(corpus_dir),
        Store(path),
        mode=mode,
        run=run or mode,
        llm=model if mode in ASKING else None,  # the heuristic mode asks none
    )
