"""The shipped handbook in, the first real run out: a store, a search, executed notebooks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from workbench.paths import made_folder, root, shipped

QUESTION = "How are BM25 and vector search combined?"
Print = Callable[..., None]


def run_demo(out: Path | None, emit: Print) -> list[Path]:
    """Index the handbook under `out` (default reports/demo), search it and run the notebooks.

    `emit(payload, *captioned_frames)` prints one step; returns the executed notebooks' paths.
    """
    from workbench.index import index
    from workbench.query.search import search
    from workbench.show.console import counts_tables, records
    from workbench.store import Store
    from workbench.study.notebooks import run_notebooks

    folder = made_folder(out or root() / "reports" / "demo", "The folder")
    store = Store(folder / "handbook.duckdb")
    index(shipped("data/handbook"), store, mode="heuristic")
    counts = store.counts()
    found = search(store, QUESTION, k=5, run="heuristic")
    files = run_notebooks([], {"store_path": str(store.path)}, out=folder)
    payload = {
        "store": str(store.path),
        **counts,
        "question": QUESTION,
        "results": records(found),
        "files": [str(path) for path in files],
    }
    shown = found.drop(columns=["chunk_id"], errors="ignore")
    listing = pd.DataFrame({"file": payload["files"]})
    emit(payload, *counts_tables(counts), (QUESTION, shown), ("notebooks", listing))
    return files
