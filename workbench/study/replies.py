"""A file of recorded replies and runs in, the replies that none of them asks for any more out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from workbench.extraction.modes import extract
from workbench.graph.communities import cluster
from workbench.graph.degrees import with_degrees
from workbench.graph.reports import write_reports
from workbench.models.calls import Caller
from workbench.models.embedding import load_embedder
from workbench.models.language import ReplayMiss, Reply, ReplyFailed
from workbench.models.prompts import load_templates
from workbench.models.replay import ReplayModel
from workbench.params import ClusterParams, ExtractParams, LanguageParams
from workbench.store import Store
from workbench.study.ground import ground


class _Patient(ReplayModel):
    """Answers nothing where no reply is recorded, notes it, and lets the run go on."""

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self.missed: list[str] = []

    def generate(self, prompt: str, **options: Any) -> Reply:
        try:
            return super().generate(prompt, **options)
        except (ReplayMiss, ReplyFailed) as miss:
            self.missed.append(str(miss))
            return Reply("")


@dataclass(frozen=True)
class Unused:
    """`stale`: entries that nothing found (line, task, content_hash, prompt_hash, reply);
    `missed`: what was asked for and is not in the file."""

    stale: pd.DataFrame
    missed: list[str] = field(default_factory=list)


def unused_replies(
    file: str | Path,
    runs: Sequence[tuple[str | Path | Store, str]],
    *,
    language: LanguageParams | None = None,
    reports: bool = True,
    jobs: int | None = None,
) -> Unused:
    """Make runs, each a corpus or store and a mode, out of the file alone; nothing is written.

    What depends on replies is asked for, too: relationships, descriptions, reports.
    """
    model = _Patient(str(file))
    language = language or LanguageParams()
    for corpus, mode in runs:
        caller = Caller(model, retries=0, templates=load_templates(language.templates))
        _make(corpus, mode, caller, language, reports, jobs)
    return Unused(model.unused(), model.missed)


def _make(
    corpus: str | Path | Store,
    mode: str,
    caller: Caller,
    language: LanguageParams,
    reports: bool,
    jobs: int | None,
) -> None:
    here = ground(corpus, exact=True, jobs=jobs)
    embedder = load_embedder(here.embed)
    made = extract(
        mode,
        here.documents,
        here.chunks,
        embedder,
        ExtractParams(),
        jobs,
        caller=caller,
        language=language,
    )
    if not reports:
        return
    entities, relationships = with_degrees(made.entities, made.relationships)
    found = cluster(entities, relationships, ClusterParams())
    write_reports(
        entities,
        relationships,
        made.claims,
        found.communities,
        found.community_members,
        caller=caller,
        templates=load_templates(language.templates),
    )
