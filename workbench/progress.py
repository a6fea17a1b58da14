"""An iterable in, the same one out: a progress bar on stderr for people, silence for machines."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TypeVar

from tqdm import tqdm

T = TypeVar("T")


def quiet() -> bool:
    """Say whether bars are unwanted: CI, papermill, WORKBENCH_QUIET, or no terminal or kernel."""
    if os.environ.get("CI") or os.environ.get("PAPERMILL") or os.environ.get("WORKBENCH_QUIET"):
        return True
    return not (sys.stderr.isatty() or "ipykernel" in sys.modules)


def progress(
    items: Iterable[T], description: str, total: int | None = None, unit: str = "it"
) -> tqdm:
    """Wrap items in a bar with a description, a rate and the time left."""
    return tqdm(
        items, desc=description, total=total, unit=unit, disable=quiet(), leave=False, ncols=88
    )
