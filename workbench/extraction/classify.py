"""The heuristic mode's names in, types by a language model out: one call per 50 names.

Documents and websites, which are made of links, have their type already.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pandas as pd

from workbench.extraction.cast import Cast, cast_of
from workbench.extraction.grounding import Refusal, folded, raw_text
from workbench.extraction.heuristic import Found, find_entities
from workbench.extraction.result import Extraction
from workbench.extraction.setting import Setting
from workbench.extraction.tables import assemble, with_rejected
from workbench.ids import content_id
from workbench.models.calls import Caller, Request
from workbench.models.embedding import Embedder
from workbench.models.schemas import ClassifyReply
from workbench.params import ExtractParams, LanguageParams

BATCH = 50  # names a call
_LINKED = ("document", "website")


def extract_classified(
    documents: pd.DataFrame,
    chunks: pd.DataFrame,
    embedder: Embedder | None,
    params: ExtractParams,
    jobs: int | None = None,
    *,
    caller: Caller,
    language: LanguageParams,
) -> Extraction:
    """Extract as the heuristic mode does, with types by the model."""
    found = find_entities(documents, chunks, embedder, params, jobs)
    refusals: list[Refusal] = []
    asked = classify(found, caller, Setting.of(language, caller.model), refusals.append)
    made = assemble(found, chunks, embedder, params)
    failed = sum(refusal.rule == "fallback" for refusal in refusals)
    calls = {"requests": asked, "usable": asked - failed, "windows": 0, "fallback": failed}
    ids = chunks["id"].tolist()
    return replace(with_rejected(made, [r.row(ids) for r in refusals]), calls=calls)


def classify(
    found: Found, caller: Caller, setting: Setting, refuse: Callable[[Refusal], None]
) -> int:
    """Set the types of `found` to what the model says; give how many calls were asked for.

    Names that a reply leaves out, and those whose type is not of the run's list, keep theirs.
    """
    cast = cast_of(found)
    roots = named_roots(cast)
    requests = classify_requests(cast, roots, setting)
    outcomes = caller.ask_all(requests, "types")
    row = cast.row_of
    for n, outcome in enumerate(outcomes):
        batch = roots[n * BATCH : (n + 1) * BATCH]
        by_name = {folded(cast.everyone[row[root]].name): root for root in batch}
        if not isinstance(outcome.parsed, ClassifyReply):
            raw = outcome.reply.text if outcome.reply else None
            reason = f"they keep their types: {outcome.error}"
            refuse(Refusal("classify", f"{len(batch)} names", "fallback", reason, raw=raw))
            continue
        for record in outcome.parsed.entities:
            root, kind = by_name.get(folded(record.name)), setting.types.of(record.type)
            if root is None or kind is None:
                rule = "unknown_name" if root is None else "unknown_type"
                reason = f"type {record.type!r}" if root is not None else "it was not asked about"
                refuse(Refusal("classify", record.name, rule, reason, raw=raw_text(record)))
                continue
            found.types[root] = kind.name
    return len(requests)


def named_roots(cast: Cast) -> list[int]:
    """Give the candidates that are asked about, in the order of the entities, each entity once."""
    by_row: dict[int, int] = {}
    for name, row in cast.row_of.items():
        if isinstance(name, int) and cast.everyone[row].type not in _LINKED:
            by_row[row] = min(name, by_row.get(row, name))
    return [by_row[row] for row in sorted(by_row)]


def classify_requests(cast: Cast, roots: list[int], setting: Setting) -> list[Request]:
    """Give exactly the requests that are made: ceil(names / 50)."""
    requests = []
    for n in range(0, len(roots), BATCH):
        batch = [cast.everyone[cast.row_of[root]] for root in roots[n : n + BATCH]]
        lines = [
            f"- {one.name}: “{one.description}”" if one.description else f"- {one.name}"
            for one in batch
        ]
        content = content_id("names", *(one.name for one in batch))
        names = "\n".join(lines)
        requests.append(
            setting.request("classify", ClassifyReply, content, len(batch), names=names)
        )
    return requests
