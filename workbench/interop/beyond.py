"""A run's tables in, what version 3 has no column for out as `workbench.json`; and back.

GraphRAG does not look at the file; an import of ours puts its values back in.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from workbench.errors import InputError

FILE = "workbench.json"
_COLUMNS = {
    "relationships": ("type", "description", "npmi", "evidence"),
    "communities": ("title",),
    "community_reports": ("source",),
}


def beyond(frames: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """Give table → column → values by the row's id, nulls left out."""
    found: dict[str, Any] = {}
    for table, columns in _COLUMNS.items():
        frame = frames[table].set_index(_key(table))
        found[table] = {name: frame[name].dropna().to_dict() for name in columns}
    return found


def restored(folder: Path, frames: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Give the frames with the values of the folder's file, if it is there."""
    path = folder / FILE
    if not path.is_file():
        return frames
    try:
        told = json.loads(path.read_text(encoding="utf-8"))["tables"]
        made = {}
        for table, columns in _COLUMNS.items():
            frame = frames[table].copy()
            for name in columns:
                values = frame[_key(table)].map(told[table][name])
                frame[name] = values.where(values.notna(), frame[name]).astype(frame[name].dtype)
            made[table] = frame
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{path} is damaged ({type(error).__name__}): remove it, and the index is read as any "
            "other of GraphRAG."
        ) from error
    return {**frames, **made}


def _key(table: str) -> str:
    return "community_id" if table == "community_reports" else "id"
