"""An extraction and its chunks in, claims about its entities out: one call a chunk that names one.

Spec 5 as documented: every reply's claims count, none is made of an empty one, and a claim is
about an entity of the run, by its id.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from workbench import schema
from workbench.extraction.grounding import Grounds, Refusal, folded, raw_text
from workbench.extraction.kinds import slug
from workbench.extraction.result import Extraction
from workbench.extraction.setting import Setting, blanked, hash_of, listed
from workbench.extraction.tables import with_rejected
from workbench.frames import table_frame
from workbench.ids import content_id
from workbench.models.calls import Caller, Request
from workbench.models.schemas import ClaimRecord, ClaimsReply

_STATUSES = ("TRUE", "FALSE", "SUSPECTED")
_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?(?=$|T)")

Refuse = Callable[[Refusal], None]


def with_claims(
    made: Extraction, chunks: pd.DataFrame, caller: Caller, setting: Setting
) -> Extraction:
    """Ask for the claims and add them, and the refused ones, to an extraction."""
    texts, ids = chunks["text"].tolist(), chunks["id"].tolist()
    here = entities_by_chunk(made, ids)
    names = dict(zip(made.entities["id"], made.entities["name"], strict=True))
    requests = claim_requests(texts, here, setting, names)
    refusals: list[Refusal] = []
    rows: dict[str, dict[str, Any]] = {}
    for (chunk, entities), outcome in zip(
        here.items(), caller.ask_all(requests, "claims"), strict=True
    ):
        if not isinstance(outcome.parsed, ClaimsReply):
            raw = outcome.reply.text if outcome.reply else None
            item = f"claims about {len(entities)} entities"
            refusals.append(Refusal("claims", item, "failed", outcome.error, chunk, raw))
            continue
        known = _names(made, entities)
        grounds = Grounds(blanked(texts[chunk]))
        for record in outcome.parsed.claims:
            row = _claim(record, known, grounds, chunk, ids[chunk], refusals.append)
            if row is not None:
                rows.setdefault(row["id"], row)
    claims = table_frame(
        schema.CLAIMS, [{**row, "short_id": n} for n, row in enumerate(rows.values())]
    )
    made = with_rejected(made, [refusal.row(ids) for refusal in refusals])
    return replace(made, claims=claims)


def entities_by_chunk(made: Extraction, chunk_ids: Sequence[str]) -> dict[int, list[str]]:
    """Give the ids of the entities of each chunk's row, by their short ids; chunks rising."""
    row = {id_: n for n, id_ in enumerate(chunk_ids)}
    place = {id_: n for n, id_ in enumerate(made.entities["id"])}
    linked = set(made.entities.loc[made.entities["type"].isin(("document", "website")), "id"])
    found: dict[int, list[str]] = {}
    mentions = made.entity_mentions
    for entity, chunk in zip(mentions["entity_id"], mentions["chunk_id"], strict=True):
        if entity not in linked:
            found.setdefault(row[chunk], []).append(entity)
    return {chunk: sorted(found[chunk], key=place.__getitem__) for chunk in sorted(found)}


def claim_requests(
    texts: Sequence[str], here: dict[int, list[str]], setting: Setting, names: dict[str, str]
) -> list[Request]:
    """Give one request for each chunk that names an entity."""
    return [
        setting.request(
            "claims",
            ClaimsReply,
            hash_of(texts[chunk]),
            setting.items(texts[chunk]),
            names=listed([names[id_] for id_ in entities]),
            claims=setting.params.claim_description,
            text=blanked(texts[chunk]),
        )
        for chunk, entities in here.items()
    ]


def _names(made: Extraction, entities: Sequence[str]) -> dict[str, str]:
    """Give the ids by name and alias, as `folded` has them; names before aliases."""
    wanted = set(entities)
    aliases = made.entity_aliases
    known = {
        folded(alias): id_
        for id_, alias in zip(aliases["entity_id"], aliases["alias"], strict=True)
        if id_ in wanted
    }
    names = zip(made.entities["id"], made.entities["name"], strict=True)
    return known | {folded(name): id_ for id_, name in names if id_ in wanted}


def _claim(
    record: ClaimRecord,
    known: dict[str, str],
    grounds: Grounds,
    chunk: int,
    chunk_id: str,
    refuse: Refuse,
) -> dict[str, Any] | None:
    """Check a claim and give its row without number."""
    fault = None
    subject = known.get(folded(record.subject))
    span = grounds.quote(record.source_text)
    if subject is None:
        fault = ("unknown_subject", f"{record.subject!r} is no entity of the chunk")
    elif span is None:
        fault = ("no_evidence", f"the chunk does not hold the words {record.source_text!r}")
    elif record.status not in _STATUSES:
        fault = ("unknown_status", f"{record.status!r} is not TRUE, FALSE or SUSPECTED")
    if fault or span is None:
        item = f"{record.subject}: {record.type}"
        refuse(Refusal("claims", item, *(fault or ("", "")), chunk, raw_text(record)))
        return None
    content = {
        "subject_id": subject,
        "object_id": known.get(folded(record.object)),
        "type": slug(record.type).upper() or "CLAIM",
        "status": record.status,
        "start_date": _date(record.start_date),
        "end_date": _date(record.end_date),
        "description": record.description,
        "source_text": grounds.text[slice(*span)],
        "chunk_id": chunk_id,
    }
    return {"id": content_id("claim", *content.values()), **content}


def _date(said: str) -> str | None:
    """Give an ISO date, or its year or month; None for anything else.

    >>> _date("2024-05-06T00:00:00"), _date("1843"), _date("NONE")
    ('2024-05-06', '1843', None)
    """
    found = _DATE.match(said)
    return found.group() if found else None
