"""A small corpus, and models that say little or much, for the tests of estimates and ledgers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.extraction.answering import TaskModel, entity, relation, shown_text

SHIPS = """# Harbour

The Meridian left Port Ansel with Captain Ilse Varga. Varga signed for Halden Shipping.

Halden Shipping owns the Meridian. Ilse Varga knows Tomas Reyl.
"""
CREW = """# Crew

Tomas Reyl works for Halden Shipping. Port Ansel lies north of Cape Lorn.

The Meridian and the Corvina meet in Port Ansel. Captain Ilse Varga leads the Corvina.
"""
_NAME = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)*")


def write_ships(folder: Path) -> Path:
    folder.mkdir()
    (folder / "harbour.md").write_text(SHIPS, encoding="utf-8")
    (folder / "crew.md").write_text(CREW, encoding="utf-8")
    return folder


def silent_model(**options: Any) -> TaskModel:
    """Finds nothing."""
    nothing: dict[str, Any] = {"entities": []}
    tasks = {task: nothing for task in ("classify", "entities", "gleaning")}
    return TaskModel(
        {
            **tasks,
            "relationships": {"relationships": []},
            "claims": {"claims": []},
            "hybrid": {"entities": [], "relationships": []},
        },
        **options,
    )


def talkative_model(**options: Any) -> TaskModel:
    """Takes every capitalised word for an entity, told each time otherwise, and relates them."""
    told = iter(range(1_000_000))

    def entities(prompt: str) -> dict[str, Any]:
        names = dict.fromkeys(_NAME.findall(shown_text(prompt)))
        return {"entities": [entity(n, description=f"Told {next(told)}.") for n in names]}

    def relationships(prompt: str) -> dict[str, Any]:
        found = list(dict.fromkeys(_NAME.findall(shown_text(prompt))))
        pairs = zip(found, found[1:], strict=False)
        return {"relationships": [relation(a, "related_to", b) for a, b in pairs]}

    return TaskModel(
        {
            "classify": {"entities": []},
            "entities": entities,
            "gleaning": entities,
            "relationships": relationships,
            "description": lambda prompt: {"description": "In short."},
            "claims": {"claims": []},
            "hybrid": lambda prompt: {**entities(prompt), **relationships(prompt)},
        },
        **options,
    )
