"""Records of a reply and the text they are about in, grounded readings and refusals out.

A reading is an entity that stands in the text, of a type of the run's list; a tie is a
relationship between two readings' names, with a predicate of the list.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from workbench.extraction.grounding import (
    Grounds,
    Refusal,
    Span,
    folded,
    only_function_words,
    raw_text,
)
from workbench.extraction.keys import key
from workbench.extraction.kinds import Kinds, Predicates, usual_type
from workbench.models.schemas import EntityRecord, JudgedEntity, RelationshipRecord

Refuse = Callable[[Refusal], None]
_CATCH_ALL = "concept"


class Occurrence(NamedTuple):
    """Characters of a unit's text where a name stands, and what gave it away there."""

    start: int
    end: int
    signals: tuple[str, ...]


class Reading(NamedTuple):
    """An entity as one reply gave it: its unit, key, type, description and places."""

    unit: int
    key: str
    type: str
    description: str
    places: tuple[Occurrence, ...]


class Tie(NamedTuple):
    """A relationship as one reply gave it, between keys; `chunks` are rows that show it."""

    unit: int
    source: str
    target: str
    predicate: str
    description: str
    strength: float
    evidence: Span | None
    chunks: tuple[int, ...]


@dataclass(frozen=True)
class Scope:
    """The text that a reply was about: its chunk's row, and where it begins in its unit's text."""

    unit: int
    grounds: Grounds
    offset: int = 0
    chunk: int | None = None
    stage: str = "entities"

    def refusal(self, item: str, rule: str, reason: str, record: object) -> Refusal:
        """Say that a record of this reply was not taken."""
        raw = raw_text(record) if hasattr(record, "model_dump") else str(record)
        return Refusal(self.stage, item, rule, reason, self.chunk, raw)

    def shifted(self, span: Span) -> Span:
        """Give characters of the unit for characters of this text."""
        return span[0] + self.offset, span[1] + self.offset


def read_entity(
    record: EntityRecord | JudgedEntity, scope: Scope, types: Kinds, refuse: Refuse, signal: str
) -> Reading | None:
    """Check an entity: it is a name, it stands in the text, and its type is one of the list."""
    name = record.name
    spans = scope.grounds.places(name)
    fault = _no_name(name, spans, scope.grounds)
    if fault:
        refuse(scope.refusal(name, "no_name", fault, record))
        return None
    if not spans:
        refuse(scope.refusal(name, "not_in_text", "it does not stand in the text", record))
        return None
    kind = types.of(record.type or _CATCH_ALL)
    if kind is None:
        reason = f"type {record.type!r} is not like any of {', '.join(types.names)}"
        refuse(scope.refusal(name, "unknown_type", reason, record))
        return None
    first = scope.grounds.text[slice(*spans[0])]
    places = tuple(Occurrence(*scope.shifted(span), (signal,)) for span in spans)
    return Reading(scope.unit, key(first), kind.name, record.description, places)


def _no_name(name: str, spans: Sequence[Span], grounds: Grounds) -> str:
    if not folded(name):
        return "it has no name"
    if only_function_words(name) and not any(grounds.capital_within(*span) for span in spans):
        return "it has only function words in it"
    if len(folded(name)) < 2:
        return "a single letter names nothing for sure"
    return ""


class Names:
    """The names by which a reply may call its ends: those of its own text, then of the run."""

    def __init__(self, readings: Iterable[Reading]) -> None:
        self._keys: dict[str, str] = {}
        self._people: set[str] = set()
        for reading in readings:
            form = folded(reading.key)
            self._keys[form] = reading.key
            if usual_type(reading.type) == "person":
                self._people.add(form)

    def find(self, name: str) -> str | None:
        """Give the key of a name as spelt, of its singular or plural, or of its one person.

        `Hayes` is `Dr. Hayes`, if that is the only person whose name it begins or ends.
        """
        wanted = folded(name)
        for form in (wanted, wanted.removesuffix("s"), f"{wanted}s"):
            if form and form in self._keys:
                return self._keys[form]
        whole = [
            person
            for person in self._people
            if len(wanted) > 2 and (person.startswith(wanted) or person.endswith(wanted))
        ]
        return self._keys[whole[0]] if len(whole) == 1 else None


def by_form(readings: Iterable[Reading]) -> dict[str, Reading]:
    """Give the first reading of each name, as `folded` has it."""
    found: dict[str, Reading] = {}
    for reading in readings:
        found.setdefault(folded(reading.key), reading)
    return found


@dataclass
class Finder:
    """Finds the key of a name in a reply: one of its own text's, or of the run's that stand in it.

    Of the latter it makes readings, in `more`. Names in `gone` were rejected for this text.
    """

    here: Names
    everywhere: Mapping[str, Reading]
    scope: Scope
    more: list[Reading]
    gone: Collection[str] = ()

    def __call__(self, name: str) -> str | None:
        """Give the key; None for a name that is not known."""
        known, form = self.here.find(name), folded(name)
        if known is not None or form in self.gone:
            return known
        elsewhere, spans = self.everywhere.get(form), self.scope.grounds.places(name)
        if elsewhere is None or not spans:
            return None
        places = tuple(Occurrence(*self.scope.shifted(span), ("model",)) for span in spans)
        self.more.append(Reading(self.scope.unit, elsewhere.key, elsewhere.type, "", places))
        return elsewhere.key


def read_relationship(
    record: RelationshipRecord,
    scope: Scope,
    predicates: Predicates,
    find: Callable[[str], str | None],
    refuse: Refuse,
) -> tuple[str, str, str] | None:
    """Check ends and predicate; give (source, target, predicate), turned round for an inverse."""
    item = f"{record.source} {record.predicate} {record.target}"
    ends = []
    for name in (record.source, record.target):
        found = find(name) if name else None
        if found is None:
            refuse(scope.refusal(item, "unknown_end", f"{name!r} is no known entity", record))
            return None
        ends.append(found)
    source, target = ends
    if source == target:
        refuse(scope.refusal(item, "self_loop", "both ends are one entity", record))
        return None
    kind = predicates.of(record.predicate)
    if kind is None:
        reason = f"{record.predicate!r} is not like any of {', '.join(predicates.names)}"
        refuse(scope.refusal(item, "unknown_predicate", reason, record))
        return None
    return (target, source, kind.name) if kind.swapped else (source, target, kind.name)


def strength_of(record: RelationshipRecord) -> float:
    """Give the strength, from 1 to 10; 1 where the model gave none.

    >>> strength_of(RelationshipRecord(strength="8/10")), strength_of(RelationshipRecord())
    (8.0, 1.0)
    """
    value = record.strength
    return 1.0 if value is None or value != value else min(max(float(value), 1.0), 10.0)


def without_repeats(texts: Sequence[str]) -> list[str]:
    """Give the texts that say something, each once, sorted (spec 2.4)."""
    return sorted({" ".join(text.split()) for text in texts} - {""})
