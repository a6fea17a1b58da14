"""Recorded entities and triples in, an extraction over the same chunks out.

The file is HippoRAG's: one JSON object a line with doc_id, entities (names) and triples (subject,
predicate, object). Its names are grounded in their documents like a live model's, its predicates
are kept as they are, and its types, which it lacks, are those of the heuristic mode's rules.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from joblib import Parallel, delayed

from workbench.errors import InputError
from workbench.extraction.acronyms import Definition
from workbench.extraction.candidates import Candidate
from workbench.extraction.cast import cast_of
from workbench.extraction.grounding import Grounds, Refusal
from workbench.extraction.heuristic import document_numbers
from workbench.extraction.kinds import Kinds, slug
from workbench.extraction.merging import merge, relate
from workbench.extraction.readings import Names, Reading, Scope, Tie, read_entity
from workbench.extraction.result import Extraction
from workbench.extraction.scan import Scanned, build_lexicon, scan
from workbench.extraction.select import best_surface
from workbench.extraction.setting import readable
from workbench.extraction.signals import Signals, document_signals
from workbench.extraction.tables import frames
from workbench.extraction.types import type_of
from workbench.extraction.units import Unit, units_of
from workbench.extraction.vocabulary import Words
from workbench.models.embedding import Embedder
from workbench.models.schemas import EntityRecord
from workbench.params import ExtractParams

_ANY = Kinds(("concept",))


@dataclass(frozen=True)
class Recorded:
    """What was recorded of a document: names, and triples of names."""

    document: str
    entities: tuple[str, ...]
    triples: tuple[tuple[str, str, str], ...]
    faulty: tuple[str, ...] = ()  # triples that are none, as JSON


def read_openie(file: str | Path) -> list[Recorded]:
    """Read a JSONL file of recorded extractions; InputError names the line that is none."""
    path = Path(file).expanduser()
    found = []
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The extractions {path} cannot be read ({error}): check it.") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                found.append(_recorded(json.loads(line)))
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(
                    f"Line {number} of {path} is no extraction ({type(error).__name__}: {error}): "
                    "it needs doc_id, entities and triples."
                ) from error
    return found


def _recorded(row: dict[str, Any]) -> Recorded:
    names, triples = row["entities"], row["triples"]
    whole = [t for t in triples if isinstance(t, list) and len(t) == 3 and all(t)]
    return Recorded(
        str(row["doc_id"]),
        tuple(str(name) for name in names),
        tuple((str(a), str(b), str(c)) for a, b, c in whole),
        tuple(json.dumps(t, ensure_ascii=False) for t in triples if t not in whole),
    )


def extract_openie(
    documents: pd.DataFrame,
    chunks: pd.DataFrame,
    embedder: Embedder | None,
    params: ExtractParams,
    recorded: Sequence[Recorded],
    jobs: int | None = None,
) -> Extraction:
    """Make an extraction of what was recorded; documents are matched by their ids."""
    units = units_of(documents, chunks)
    by_document = {unit.document_id: n for n, unit in enumerate(units)}
    refusals: list[Refusal] = []
    readings: list[Reading] = []
    ties: list[Tie] = []
    for record in recorded:
        unit = by_document.get(record.document)
        if unit is None:
            reason = "the corpus has no document with this id"
            refusals.append(Refusal("openie", record.document, "unknown_document", reason))
            continue
        here, more = _read(record, unit, units[unit], refusals)
        readings += here
        ties += more
    if recorded and not readings:
        raise InputError(
            f"None of {len(recorded)} recorded extractions fits a document of the store (first "
            f"doc_id: {recorded[0].document}): import them into the corpus they are about."
        )
    parallel = Parallel(n_jobs=jobs)
    signals = parallel(delayed(document_signals)(unit.text, unit.format) for unit in units)
    readings, sentences = _typed(readings, units, signals, parallel)
    merged = merge(
        readings, units, _definitions(units, signals), embedder, params, sentences=sentences
    )
    cast = cast_of(merged.found)
    merged.describe(cast)
    relations, _ = relate(ties, merged, cast, refusals.append)
    ids = chunks["id"].tolist()
    return frames(merged.found, cast, relations, [r.row(ids) for r in refusals], chunks, embedder)


def _read(
    record: Recorded, number: int, unit: Unit, refusals: list[Refusal]
) -> tuple[list[Reading], list[Tie]]:
    """Ground one document's names, and the triples between them."""
    grounds = Grounds(readable(unit))
    scope = Scope(number, grounds, 0, unit.chunks[0][2], "openie")
    entities = [EntityRecord(name=name) for name in record.entities]
    found = (read_entity(one, scope, _ANY, refusals.append, "openie") for one in entities)
    readings = [reading for reading in found if reading is not None]
    names, ties = Names(readings), []
    for triple in record.faulty:
        refusals.append(scope.refusal(triple, "no_triple", "it has not three parts", triple))
    for triple in record.triples:
        source, predicate, target = triple
        ends = [names.find(source), names.find(target)]
        raw = json.dumps(triple, ensure_ascii=False)
        if ends[0] is None or ends[1] is None:
            missing = source if ends[0] is None else target
            reason = f"{missing!r} is no known entity"
            refusals.append(scope.refusal(" ".join(triple), "unknown_end", reason, raw))
        elif ends[0] == ends[1]:
            reason = "both ends are one entity"
            refusals.append(scope.refusal(" ".join(triple), "self_loop", reason, raw))
        else:
            sentence = grounds.sentence(grounds.places(source), grounds.places(target))
            first = grounds.places(source)
            at = sentence or (first[0] if first else readings[0].places[0][:2])
            rows = tuple(unit.chunks_at(*at))
            type_ = slug(predicate) or "related_to"
            ties.append(Tie(number, ends[0], ends[1], type_, "", 1.0, sentence, rows))
    return readings, ties


def _definitions(units: list[Unit], signals: Sequence[Signals]) -> list[list[Definition]]:
    numbers = document_numbers(units)
    found: list[list[Definition]] = [[] for _ in range(max(numbers, default=-1) + 1)]
    for number, seen in zip(numbers, signals, strict=True):
        found[number] += seen.definitions
    return found


def _typed(
    readings: Sequence[Reading], units: Sequence[Unit], signals: Sequence[Signals], parallel: Any
) -> tuple[list[Reading], list[list[tuple[int, int]]]]:
    """Give the readings the types that the heuristic mode's rules see in how names are used.

    The sentences of each unit come with them.
    """
    words = Words()
    for seen in signals:
        words.add(seen)
    candidates: dict[str, Candidate] = {}
    for reading in readings:
        candidate = candidates.setdefault(reading.key, Candidate(reading.key))
        candidate.documents.add(reading.unit)
        for start, end, _ in reading.places:
            candidate.surfaces[" ".join(units[reading.unit].text[start:end].split())] += 1
            candidate.signals["name"] += 1
    everyone = list(candidates.values())
    lexicon = build_lexicon({i: one.surfaces for i, one in enumerate(everyone)}, ())
    scanned: list[Scanned] = parallel(
        delayed(scan)(unit.text, seen.spans, lexicon)
        for unit, seen in zip(units, signals, strict=True)
    )
    for found in scanned:
        for place in found.places:
            everyone[place.candidate].count += 1
            if place.cue:
                everyone[place.candidate].cues[place.cue] += 1
    types = {}
    for one in everyone:
        technical = sum(signals[unit].technical for unit in one.documents) / len(one.documents)
        types[one.key] = type_of(one, best_surface(one), technical, words)
    typed = [reading._replace(type=types[reading.key]) for reading in readings]
    return typed, [found.sentences for found in scanned]
