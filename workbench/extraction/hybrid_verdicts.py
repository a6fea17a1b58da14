"""Proposals and the replies about them in, readings, ties and refusals out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from workbench.extraction.grounding import Refusal, Span, folded, raw_text
from workbench.extraction.heuristic import Found
from workbench.extraction.hybrid_plan import Plan, Proposal, Task
from workbench.extraction.instructions import is_instruction
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
from workbench.extraction.setting import Setting
from workbench.models.calls import Outcome
from workbench.models.schemas import HybridReply, JudgedEntity, RelationshipRecord

STAGE = "hybrid"
_REJECTS = frozenset(("reject", "rejected", "remove", "drop", "discard", "no"))


class Said(NamedTuple):
    """A verdict on a proposal and the record that gave it; None: no window named it."""

    keep: bool
    record: JudgedEntity | None


@dataclass
class Judged:
    """Readings of all documents, why others were refused, and the documents that fell back.

    `named` counts the entities of all replies; `gone` holds by unit what was rejected there.
    """

    readings: list[Reading] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    fallen: frozenset[int] = frozenset()
    named: int = 0
    gone: dict[int, set[str]] = field(default_factory=dict)


def judge(found: Found, planned: Plan, outcomes: Sequence[Outcome], setting: Setting) -> Judged:
    """Take up the verdicts of each document, then let the others follow what was said elsewhere."""
    judged = Judged()
    by_unit: dict[int, list[tuple[Task, Outcome]]] = {}
    for task, outcome in zip(planned.tasks, outcomes, strict=True):
        by_unit.setdefault(task.unit, []).append((task, outcome))
    judged.fallen = frozenset(
        unit
        for unit, asked in by_unit.items()
        if any(outcome.status != "ok" for _, outcome in asked)
    )
    unjudged: dict[int, list[Proposal]] = {}
    for unit, asked in by_unit.items():
        _judge_unit(found, planned, unit, asked, setting, judged)
        limit = setting.params.candidates
        unjudged[unit] = [p for p in planned.proposals[unit][limit:] if p.kept]
    _follow(found, unjudged, judged, setting)
    return judged


def _judge_unit(
    found: Found,
    planned: Plan,
    unit: int,
    asked: Sequence[tuple[Task, Outcome]],
    setting: Setting,
    judged: Judged,
) -> None:
    scope = _scope(found, planned, unit)
    proposals = planned.proposals[unit][: setting.params.candidates]
    said: dict[int, Said] = {}
    for task, outcome in asked:
        if outcome.status != "ok" or not isinstance(outcome.parsed, HybridReply):
            judged.refusals.append(_fallback(found, scope, outcome))
            continue
        known = {spelling: i for i, p in enumerate(proposals) for spelling in p.spellings}
        known |= {p.name: i for i, p in enumerate(proposals)}
        for record in outcome.parsed.entities:
            judged.named += 1
            i = known.get(record.name, known.get(folded(record.name)))
            if i is not None:
                keep = record.verdict not in _REJECTS
                if i not in said or keep and not said[i].keep:
                    said[i] = Said(keep, record)
            elif record.verdict not in _REJECTS:
                reading = read_entity(record, scope, setting.types, judged.refusals.append, "model")
                judged.readings += [reading] if reading else []
        for proposal in task.proposals:
            said.setdefault(proposals.index(proposal), Said(False, None))
    fell = unit in judged.fallen
    for i, proposal in enumerate(proposals):
        verdict = said.get(i)
        if verdict is None or (fell and verdict.record is None):
            if fell and proposal.kept:
                judged.readings += _readings(unit, proposal, _heuristic_type(proposal, setting), "")
        else:
            _take(unit, proposal, verdict, scope, setting, judged)
    if fell:
        for proposal in planned.proposals[unit][setting.params.candidates :]:
            if proposal.kept:
                judged.readings += _readings(unit, proposal, _heuristic_type(proposal, setting), "")


def _take(
    unit: int,
    proposal: Proposal,
    verdict: Said,
    scope: Scope,
    setting: Setting,
    judged: Judged,
) -> None:
    """Keep a proposal as the model has it, or note why it is gone."""
    record = verdict.record
    raw = raw_text(record) if record else None
    rule, reason = "", ""
    if record is None:
        rule, reason = "not_named", "the model gave no verdict on it"
    elif not verdict.keep:
        rule, reason = "rejected", record.description or "the model rejected it"
    else:
        kind = setting.types.of(record.type or proposal.type or "concept")
        if kind is not None:
            judged.readings += _readings(unit, proposal, kind.name, record.description)
            return
        rule, reason = "unknown_type", f"type {record.type!r} is not like any of the run's list"
    judged.gone.setdefault(unit, set()).update(proposal.spellings)
    judged.refusals.append(
        Refusal(STAGE, proposal.name, rule, reason, scope.chunk, raw, proposal.confidence)
    )


def _readings(unit: int, proposal: Proposal, type_: str, description: str) -> Iterator[Reading]:
    for name, places in sorted(proposal.places.items()):
        yield Reading(unit, name, type_, description, places)


def _heuristic_type(proposal: Proposal, setting: Setting) -> str:
    kind = setting.types.of(proposal.type)
    return kind.name if kind else proposal.type


def _scope(found: Found, planned: Plan, unit: int) -> Scope:
    return Scope(unit, planned.grounds[unit], 0, found.units[unit].chunks[0][2], STAGE)


def _fallback(found: Found, scope: Scope, outcome: Outcome) -> Refusal:
    unit = found.units[scope.unit]
    name = unit.path or unit.document_id
    reason = f"no usable reply, the heuristic result stands: {outcome.error}"
    raw = outcome.reply.text if outcome.reply else None
    return Refusal(STAGE, name, "fallback", reason, scope.chunk, raw)


def _follow(
    found: Found, unjudged: dict[int, list[Proposal]], judged: Judged, setting: Setting
) -> None:
    """Keep what was not judged in one document where others keep it; the rest is gone."""
    types: dict[str, str] = {}
    for reading in judged.readings:
        types.setdefault(reading.key, reading.type)
    for unit, proposals in unjudged.items():
        if unit in judged.fallen:
            continue
        for proposal in proposals:
            type_ = next((types[name] for name in sorted(proposal.places) if name in types), None)
            if type_ is not None:
                judged.readings += _readings(unit, proposal, type_, "")
                continue
            limit = setting.params.candidates
            judged.refusals.append(
                Refusal(
                    STAGE,
                    proposal.name,
                    "not_judged",
                    f"not among the best {limit} of its document, nor kept in another",
                    found.units[unit].chunks[0][2],
                    value=proposal.confidence,
                )
            )


def relationships(
    found: Found,
    planned: Plan,
    outcomes: Sequence[Outcome],
    judged: Judged,
    setting: Setting,
    refuse: Refuse,
) -> tuple[list[Tie], list[Reading]]:
    """Give the relationships that the text bears out, and readings of ends known elsewhere."""
    by_unit: dict[int, list[Reading]] = {}
    for reading in judged.readings:
        by_unit.setdefault(reading.unit, []).append(reading)
    everywhere = by_form(judged.readings)
    ties: list[Tie] = []
    more: list[Reading] = []
    for task, outcome in zip(planned.tasks, outcomes, strict=True):
        if not isinstance(outcome.parsed, HybridReply):
            continue
        scope, gone = _scope(found, planned, task.unit), judged.gone.get(task.unit, set())
        find = Finder(Names(by_unit.get(task.unit, ())), everywhere, scope, more, gone)
        for record in outcome.parsed.relationships:
            tie = _tie(record, scope, found, setting, find, refuse)
            ties += [tie] if tie else []
    return ties, more


def _tie(
    record: RelationshipRecord,
    scope: Scope,
    found: Found,
    setting: Setting,
    find: Finder,
    refuse: Refuse,
) -> Tie | None:
    ends = read_relationship(record, scope, setting.predicates, find, refuse)
    if ends is None:
        return None
    item = f"{record.source} {record.predicate} {record.target}"
    evidence = scope.grounds.quote(record.evidence)
    if evidence is None or (fault := evidence_fault(record, evidence, scope)):
        missing = ("no_evidence", f"the text does not hold the words {record.evidence!r}")
        refuse(scope.refusal(item, *(missing if evidence is None else fault), record))
        return None
    chunks = tuple(found.units[scope.unit].chunks_at(*evidence))
    return Tie(scope.unit, *ends, record.description, strength_of(record), evidence, chunks)


def evidence_fault(
    record: RelationshipRecord, evidence: Span, scope: Scope
) -> tuple[str, str] | None:
    """Say what is wrong with evidence that the text holds, as rule and reason."""
    if is_instruction(scope.grounds.text, evidence):
        return "instruction", "its evidence tells the reader what to write, and states nothing"
    places = [*scope.grounds.places(record.source), *scope.grounds.places(record.target)]
    if not any(evidence[0] <= start and end <= evidence[1] for start, end in places):
        return "evidence_without_ends", "neither end stands in the words given as evidence"
    return None
