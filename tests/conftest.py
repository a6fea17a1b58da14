"""Shared fixtures: where other people's data lies, and what happens when it does not."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


def _shared_root() -> Path:
    given = os.environ.get("WORKBENCH_SHARED")
    return Path(given) if given else REPOSITORY.parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Callable[[str], Path]:
    """Give the path of a file or folder below ../shared/data; skip where it is absent.

    With WORKBENCH_SHARED set (as in CI) absence is a failure: a golden test must not vanish.
    """

    def find(name: str) -> Path:
        path = _shared_root() / "data" / name
        if not path.exists():
            message = f"the shared data {path} is absent"
            if os.environ.get("WORKBENCH_SHARED"):
                pytest.fail(message)
            pytest.skip(message)
        return path

    return find
