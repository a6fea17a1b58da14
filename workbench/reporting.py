"""A run in, a report on each of its communities out, written to the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.asked import caller_for
from workbench.graph.reports import write_reports
from workbench.models.embedding import Embedder, load_embedder
from workbench.models.prompts import load_templates
from workbench.params import LanguageParams, ReportParams

if TYPE_CHECKING:
    from workbench.models.calls import Caller
    from workbench.models.language import LanguageModel
    from workbench.run import Run


def report(
    run: Run,
    *,
    llm: str | LanguageModel | Caller | None = None,
    params: ReportParams | None = None,
    language: LanguageParams | None = None,
) -> pd.DataFrame:
    """Write the run's community reports, in place of former ones, and give them.

    With a language model (or its name) each report is one call, deepest level first, and finished
    calls are kept whatever happens; without one reports are extractive and say so. A report that
    failed is a row with its error. Raises ModelUnavailable when no call can succeed.
    """
    store = run.store
    asked = caller_for(llm, store, run.name, run.mode, language)
    asked.check_if_new()
    with store.session():
        tables = {
            name: run.read(name)
            for name in (
                "entities",
                "relationships",
                "claims",
                "communities",
                "community_members",
                "chunks",
                "entity_mentions",
            )
        }
    chunks, mentions = tables.pop("chunks"), tables.pop("entity_mentions")
    reports = write_reports(
        **tables,
        params=params,
        caller=asked.caller,
        chunks=chunks,
        entity_mentions=mentions,
        templates=load_templates(asked.language.templates),
        options=(("temperature", asked.language.temperature), ("seed", asked.language.seed)),
    )
    embedder = load_embedder(store.embed_params())
    store.require_embedder(embedder)
    vectors = report_vectors(reports, embedder)
    store.replace_table(run.name, "community_reports", reports, vectors)
    if asked.caller is not None:
        store.add_usage(run.name, asked.caller.usage())
    return run.read("community_reports")


def report_vectors(reports: pd.DataFrame, embedder: Embedder) -> np.ndarray:
    """Give the vector of each report's full content, float32 (reports, dimension); failed: NaN."""
    vectors = np.full((len(reports), embedder.dimension), np.nan, dtype=np.float32)
    written = np.flatnonzero(reports["full_content"].notna().to_numpy())
    if len(written):
        texts = reports["full_content"].iloc[written].tolist()
        vectors[written] = embedder.encode(texts, "embedding reports")
    return vectors
