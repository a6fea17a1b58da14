"""A run in, the list of its store's tables out: rows, meaning, and the notebook that explains."""

from __future__ import annotations

import importlib.metadata
import platform
from typing import TYPE_CHECKING

import pandas as pd

from workbench.schema import TABLES

if TYPE_CHECKING:
    from workbench.run import Run

EXPLAINED_IN = {
    "documents": "01_text_units",
    "skipped": "01_text_units",
    "chunks": "01_text_units",
    "postings": "02_heuristic_extraction",
    "entities": "02_heuristic_extraction",
    "entity_mentions": "02_heuristic_extraction",
    "rejected": "02_heuristic_extraction",
    "entity_aliases": "04_graph",
    "relationships": "04_graph",
    "relationship_mentions": "04_graph",
    "communities": "05_communities",
    "community_members": "05_communities",
}
_PACKAGES = (
    "graphrag-workbench",
    "duckdb",
    "pandas",
    "numpy",
    "sentence-transformers",
    "leidenalg",
)


def inventory(run: Run) -> pd.DataFrame:
    """Give one row a table of the run and its store: table, rows, meaning, notebook."""
    with run.store.session():
        rows = [
            {
                "table": table.name if table.scope == "main" else f"{run.name}.{table.name}",
                "rows": len(run.read(table.name)),
                "meaning": table.meaning,
                "notebook": EXPLAINED_IN.get(table.name, ""),
            }
            for table in TABLES
        ]
    return pd.DataFrame(rows)


def versions() -> pd.DataFrame:
    """Give one row a piece of software that results depend on: name, version."""
    rows = [("Python", platform.python_version())]
    rows += [(name, importlib.metadata.version(name)) for name in _PACKAGES]
    return pd.DataFrame(rows, columns=["software", "version"])
