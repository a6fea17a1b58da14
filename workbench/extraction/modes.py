"""A mode's name in, its extraction out: the registry of extraction modes."""

from __future__ import annotations

from typing import Protocol

import pandas as pd

from workbench.errors import InputError
from workbench.extraction.heuristic import extract_heuristic
from workbench.extraction.result import Extraction
from workbench.models.embedding import Embedder
from workbench.params import ExtractParams


class ModeFunction(Protocol):
    """What a mode has to be: documents and chunks in, an Extraction out."""

    def __call__(
        self,
        documents: pd.DataFrame,
        chunks: pd.DataFrame,
        embedder: Embedder | None,
        params: ExtractParams,
        jobs: int | None = None,
    ) -> Extraction:
        """Extract; `jobs` as for joblib."""
        ...


MODES: dict[str, ModeFunction] = {"heuristic": extract_heuristic}


def extract(
    mode: str,
    documents: pd.DataFrame,
    chunks: pd.DataFrame,
    embedder: Embedder | None,
    params: ExtractParams | None = None,
    jobs: int | None = None,
) -> Extraction:
    """Run one mode; an unknown one raises InputError with those that exist."""
    if mode not in MODES:
        raise InputError(f"Mode {mode!r} does not exist: choose one of {', '.join(MODES)}.")
    return MODES[mode](documents, chunks, embedder, params or ExtractParams(), jobs)
