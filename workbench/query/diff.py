"""Two traces in, what entered the context, what left it and what moved out, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from workbench.ids import normalize_name
from workbench.query.trace import FIRST, LAST, Trace

COLUMNS = ("section", "change", "kind", "id", "label", "from", "to", "why")
_CHANGES = ("entered", "left", "moved")
Row = dict[str, Any]


@dataclass(frozen=True)
class TraceDiff:
    """What differs between two queries.

    `settings`: name, one, other, of run, method, question and each parameter that differs.
    `table`: section, change (entered, left or moved), kind, id, label, from and to (the order in
    one and in the other; null where it was no candidate), why.
    """

    settings: pd.DataFrame
    table: pd.DataFrame

    def __repr__(self) -> str:
        return "\n\n".join(repr(shown) for shown in self._shown())

    def _repr_html_(self) -> str:
        return "\n".join(shown._repr_html_() for shown in self._shown())

    def _shown(self) -> tuple[Any, Any]:
        from workbench.show.tables import table

        columns = [name for name in COLUMNS if name != "id"]
        return (
            table(self.settings, "what differs between the queries", len(self.settings)),
            table(self.table, "what differs in context", 200, columns=columns),
        )


def diff(one: Trace, other: Trace) -> TraceDiff:
    """Compare what two queries took into their contexts, section by section.

    Records are the same by id; where an id is in one trace only, as between runs that type an
    entity differently, by kind and normalized label.
    """
    first, second = _rows(one), _rows(other)
    rows = [
        change
        for section in dict.fromkeys([*first, *second])
        for change in _changes(section, first.get(section, {}), second.get(section, {}))
    ]
    table = pd.DataFrame(rows, columns=COLUMNS)
    return TraceDiff(_settings(one, other), table.astype({"from": "Int64", "to": "Int64"}))


def _rows(trace: Trace) -> dict[str, dict[str, Row]]:
    """Give the candidates by section, then by id."""
    found: dict[str, dict[str, Row]] = {}
    for step in trace.steps:
        within = step.name.rpartition("/")[0]
        section = f"{within}/{step.section or step.name}".lstrip("/")
        for row in step.table.to_dict("records"):
            if row["kind"] != "action":
                found.setdefault(section, {}).setdefault(f"{row['kind']} {row['id']}", row)
    return found


def _changes(section: str, one: dict[str, Row], other: dict[str, Row]) -> Iterator[tuple]:
    """Yield the changes of a section: entered, then left, then moved, each by its order."""
    changes = []
    for before, after in _pairs(one, other):
        was, now = (bool(row and row["in_context"]) for row in (before, after))
        places = [None if row is None else row["order"] for row in (before, after)]
        if was == now and not (was and places[0] != places[1]):
            continue
        change = "moved" if was and now else "entered" if now else "left"
        row = after or before
        changes.append(
            (section, change, row["kind"], row["id"], row["label"], *places, _why(before, after))
        )
    last = max(len(one), len(other)) + 1
    yield from sorted(
        changes,
        key=lambda row: (_CHANGES.index(row[1]), row[6] or last, row[5] or last, str(row[4])),
    )


def _pairs(one: dict[str, Row], other: dict[str, Row]) -> Iterator[tuple[Row | None, Row | None]]:
    """Pair the candidates of both, by id, then by name; one without a counterpart is with None."""
    left = {_name(other[key]): key for key in reversed(other) if key not in one}
    for key, row in one.items():
        if key not in other:
            key = left.pop(_name(row), key)
        yield row, other.get(key)
    for key in left.values():
        yield None, other[key]


def _name(row: Row) -> tuple[str, str]:
    name = normalize_name(str(row["label"]))
    # A chunk's label is its document: of those in a document none is another's counterpart.
    return row["kind"], name if row["kind"] not in ("chunk", "sentence") else str(row["id"])


def _why(before: Row | None, after: Row | None) -> str:
    """Say why a record is no longer (or now) in the context, or what moved it."""
    if before is None or after is None:
        return "was no candidate" if before is None else "is no candidate"
    shared = [name for name in after if name in before and name not in (*FIRST, *LAST)]
    values = [(name, _number(before[name]), _number(after[name])) for name in shared]
    scores = [f"{name} {was} → {now}" for name, was, now in values if was != now]
    cut = ""
    if bool(before["in_context"]) != bool(after["in_context"]):
        cut = after["cut_reason"] or f"was cut: {before['cut_reason']}"
    return "; ".join(filter(None, [cut, *scores[:3]])) or "others moved"


def _number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return "" if value is None or value is pd.NA else str(value)


def _settings(one: Trace, other: Trace) -> pd.DataFrame:
    pairs = [(name, getattr(one, name), getattr(other, name)) for name in ("run", "question")]
    pairs.append(("answered by", one.method, other.method))
    names = dict.fromkeys([*one.params, *other.params])
    pairs += [(name, one.params.get(name), other.params.get(name)) for name in names]
    pairs.append(("what the run holds", one.content, other.content))
    pairs.append(("answer", one.answer.text, other.answer.text))
    rows = [(name, str(a), str(b)) for name, a, b in pairs if a != b]
    return pd.DataFrame(rows, columns=["setting", "one", "other"])
