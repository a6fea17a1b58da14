"""A folder of labels in, gold frames out: what a corpus really names, and what is kept apart."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from workbench.errors import InputError
from workbench.paths import resolve_corpus

_ENTITY_COLUMNS = ["name", "type", "aliases", "ambiguous", "documents"]
_RELATIONSHIP_COLUMNS = ["source", "target", "type", "document", "evidence"]


@dataclass(frozen=True)
class Gold:
    """Labels of one corpus.

    `entities`: name, type, aliases (list), ambiguous (list of aliases that could mean another
    entity too), documents (list of paths). `relationships`: source, target, type, document,
    evidence. `apart`: pairs of names that must not be merged. `not_entities`: strings that look
    like names and are none.
    """

    entities: pd.DataFrame
    relationships: pd.DataFrame
    apart: list[tuple[str, str]] = field(default_factory=list)
    not_entities: list[str] = field(default_factory=list)


def gold_of(
    entities: list[dict[str, Any]],
    relationships: list[dict[str, Any]] | None = None,
    apart: list[tuple[str, str]] | None = None,
    not_entities: list[str] | None = None,
) -> Gold:
    """Make a Gold from rows; lists that a row lacks are empty."""
    rows = [{"aliases": [], "ambiguous": [], "documents": [], **row} for row in entities]
    return Gold(
        pd.DataFrame(rows, columns=_ENTITY_COLUMNS),
        pd.DataFrame(relationships or [], columns=_RELATIONSHIP_COLUMNS),
        [(first, second) for first, second in apart or []],
        list(not_entities or []),
    )


def read_gold(corpus: str, folder: str | Path = "data/gold") -> Gold:
    """Read `<corpus>_entities.jsonl`, and `_relationships.jsonl` and `_apart.json` if they exist.

    Raises InputError when the entities are missing or a file is no JSON.
    """
    base = resolve_corpus(folder)
    if not (base / f"{corpus}_entities.jsonl").is_file():
        raise InputError(f"There is no gold {corpus!r} in {base}: give handbook or novella.")
    apart = _lines(base / f"{corpus}_apart.json", whole=True)
    listed = apart[0] if apart else {}
    return gold_of(
        _lines(base / f"{corpus}_entities.jsonl"),
        _lines(base / f"{corpus}_relationships.jsonl"),
        [tuple(pair) for pair in listed.get("pairs", [])],
        listed.get("not_entities", []),
    )


def _lines(path: Path, *, whole: bool = False) -> list[dict[str, Any]]:
    """Give the JSON value of each line, or of the whole file; nothing for a file that is absent."""
    if not path.is_file():
        return []
    text = path.read_text("utf-8")
    try:
        return [json.loads(line) for line in ([text] if whole else text.splitlines()) if line]
    except json.JSONDecodeError as error:
        raise InputError(f"{path} is no JSON ({error.msg}): mend the gold.") from error
