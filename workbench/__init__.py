"""The map: the public functions of the workbench, listed in the order in which data flows.

`import workbench as wb` costs milliseconds: a room is imported when one of its names is used.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_MAP: dict[str, tuple[str, ...]] = {
    "workbench.errors": ("WorkbenchError", "InputError", "StoreError", "ModelError"),
    "workbench.params": ("ChunkParams", "EmbedParams", "ClusterParams", "validated"),
    "workbench.paths": ("root", "shipped", "resolve_corpus"),
}
_HOME = {name: module for module, names in _MAP.items() for name in names}
__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    """Import the room that holds `name` when the name is first used (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module 'workbench' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
