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
) -> Run:
    """Open the run named after `mode` in a store; index the corpus first where that is missing.

    A relative `store_path` lies under `root()`, so that a notebook finds the same file wherever it
    is run from. Nothing is done when corpus and parameters are those of the last time.
    """
    from workbench.index import index
    from workbench.store import Store

    path = root() / Path(store_path).expanduser()
    path.parent.mkdir(parents=True, exist_ok=True)
    return index(resolve_corpus(corpus_dir), Store(path), mode=mode, run=mode)
