"""Chunks in, what a model says of each out: entities, gleanings, relationships, all grounded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from workbench.extraction.grounding import Grounds, Refusal
from workbench.extraction.hybrid_verdicts import evidence_fault
from workbench.extraction.readings import (
    Finder,
    Names,
    Reading,
    Refuse,
    Scope,
    Tie,
    by_form,
    read_entity,
    read_relationship,
    strength_of,
)
from workbench.extraction.setting import Setting, blanked, hash_of, listed, part_hash
from workbench.extraction.units import Unit
from workbench.ids import content_id
from workbench.models.calls import Caller, Outcome, Request
from workbench.models.schemas import EntitiesReply, RelationshipRecord, RelationshipsReply


@dataclass
class Piece:
    """A chunk, or a window of one too long for a prompt, with what was read in it so far.

    `named` counts the entities of its replies; `said` holds their names in order.
    """

    scope: Scope
    request: Request
    readings: list[Reading] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    named: int = 0
    error: str = ""
    raw: str | None = None
    gleaned: bool = True  # its last reply had something new in it

    @property
    def keys(self) -> list[str]:
        """The keys of its entities, in the order in which they were given."""
        return list(dict.fromkeys(reading.key for reading in self.readings))


def pieces_of(units: Sequence[Unit], setting: Setting) -> list[Piece]:
    """Give the pieces in the order of the chunks, each with its request for entities."""
    placed = sorted(
        (row, number, start, end)
        for number, unit in enumerate(units)
        for start, end, row in unit.chunks
    )
    pieces = []
    for row, number, start, end in placed:
        text = units[number].text[start:end]
        whole, shown = hash_of(text), blanked(text)
        items = setting.items(shown)
        for span in setting.windows("entities", shown, items):
            part = shown[slice(*span)]
            scope = Scope(number, Grounds(part), start + span[0], row)
            content = part_hash(whole, span, len(text))
            request = setting.request(
                "entities", EntitiesReply, content, setting.items(part), text=part
            )
            pieces.append(Piece(scope, request))
    return pieces


def ask_entities(
    pieces: Sequence[Piece], caller: Caller, setting: Setting, refuse: Refuse
) -> list[Outcome]:
    """Ask for the entities of each piece."""
    outcomes = caller.ask_all([piece.request for piece in pieces], "entities")
    for piece, outcome in zip(pieces, outcomes, strict=True):
        _read_entities(piece, outcome, setting, refuse)
        if outcome.status != "ok":
            piece.error, piece.raw = outcome.error, outcome.reply.text if outcome.reply else None
    return outcomes


def _read_entities(piece: Piece, outcome: Outcome, setting: Setting, refuse: Refuse) -> bool:
    """Take up the entities of a reply; say whether there were new ones."""
    if not isinstance(outcome.parsed, EntitiesReply):
        return False
    before = set(piece.keys)
    for record in outcome.parsed.entities:
        piece.named += 1
        piece.said.append(record.name)
        reading = read_entity(record, piece.scope, setting.types, refuse, "model")
        if reading is not None:
            piece.readings.append(reading)
    return bool(set(piece.keys) - before)


def glean(
    pieces: Sequence[Piece], number: int, caller: Caller, setting: Setting, refuse: Refuse
) -> int:
    """Ask once more for what was missed, where the last reply brought something; give how often.

    A reply is read by itself: its first record is not lost, as it is in the documented system.
    """
    open_ = [piece for piece in pieces if piece.gleaned and not piece.error]
    requests = [
        setting.request(
            "gleaning",
            EntitiesReply,
            content_id("gleaning", piece.request.content_hash, number),
            piece.request.items,
            names=listed(list(dict.fromkeys(piece.said))),
            text=piece.scope.grounds.text,
        )
        for piece in open_
    ]
    outcomes = caller.ask_all(requests, f"gleaning {number + 1}")
    for piece, outcome in zip(open_, outcomes, strict=True):
        piece.gleaned = _read_entities(piece, outcome, setting, refuse)
    return len(requests)


def ask_relationships(
    pieces: Sequence[Piece], caller: Caller, setting: Setting, refuse: Refuse
) -> tuple[list[Tie], list[Reading], list[Outcome]]:
    """Ask each piece with two entities or more how they are related.

    Gives the ties, readings of ends that are known from other chunks and stand in this one, and
    what became of the requests.
    """
    asked = [piece for piece in pieces if len(piece.keys) > 1]
    requests = [
        setting.request(
            "relationships",
            RelationshipsReply,
            piece.request.content_hash,
            piece.request.items,
            names=listed(_spellings(piece)),
            text=piece.scope.grounds.text,
        )
        for piece in asked
    ]
    outcomes = caller.ask_all(requests, "relationships")
    everywhere = by_form(reading for piece in pieces for reading in piece.readings)
    ties: list[Tie] = []
    more: list[Reading] = []
    for piece, outcome in zip(asked, outcomes, strict=True):
        scope = replace(piece.scope, stage="relationships")
        if not isinstance(outcome.parsed, RelationshipsReply):
            raw = outcome.reply.text if outcome.reply else None
            item = f"relationships of {len(piece.keys)} entities"
            refuse(Refusal("relationships", item, "failed", outcome.error, scope.chunk, raw))
            continue
        finder = Finder(Names(piece.readings), everywhere, scope, more)
        for record in outcome.parsed.relationships:
            tie = _tie(record, scope, setting, finder, refuse)
            ties += [tie] if tie else []
    return ties, more, outcomes


def _spellings(piece: Piece) -> list[str]:
    """Give the entities of a piece as its text spells them, each once."""
    spelled: dict[str, str] = {}
    for reading in piece.readings:
        start, end, _ = reading.places[0]
        text = piece.scope.grounds.text[start - piece.scope.offset : end - piece.scope.offset]
        spelled.setdefault(reading.key, text)
    return list(spelled.values())


def _tie(
    record: RelationshipRecord, scope: Scope, setting: Setting, find: Finder, refuse: Refuse
) -> Tie | None:
    """Check a relationship; without the model's evidence the sentence that names both ends is it.

    A relationship between entities that share no sentence stays, without evidence.
    """
    ends = read_relationship(record, scope, setting.predicates, find, refuse)
    if ends is None:
        return None
    evidence = scope.grounds.quote(record.evidence)
    fault = evidence_fault(record, evidence, scope) if evidence else None
    if evidence is None or (fault and fault[0] != "instruction"):
        places = (scope.grounds.places(name) for name in (record.source, record.target))
        evidence = scope.grounds.sentence(*places)
        fault = evidence_fault(record, evidence, scope) if evidence else None
    if fault and fault[0] == "instruction":
        item = f"{record.source} {record.predicate} {record.target}"
        refuse(scope.refusal(item, *fault, record))
        return None
    shifted = scope.shifted(evidence) if evidence else None
    strength = strength_of(record)
    chunks = (scope.chunk or 0,)
    return Tie(scope.unit, *ends, record.description, strength, shifted, chunks)
