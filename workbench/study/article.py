"""The article's cost table of four systems from its formulae, and our own estimates beside it.

Article: "GraphRAG: Minimum Viable Implementation" on mostlylucid.net; formulae as read from it and
from its code in spec mostlylucid.md, 11 E.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas as pd

from workbench.params import ChunkParams, LanguageParams
from workbench.store import Store
from workbench.study.estimate import Estimate, estimate
from workbench.study.ground import Ground, ground

SYSTEMS = ("heuristic", "hybrid", "llm", "Microsoft GraphRAG")
BATCH = 50  # entities that one call classifies


def article_costs(
    documents: int = 100, chunks: int = 500, entities: int = 200, communities: int = 20
) -> pd.DataFrame:
    """Give the calls of four systems by the article's formulae; as given: his 100 posts.

    Heuristic: ceil(entities / 50) batches of classification; hybrid: one a document that has
    candidates (all, in his table); llm and Microsoft's: two a chunk (with two entities or more);
    and in each one a community. Columns: system, extraction, reports, calls.

    >>> article_costs()["calls"].tolist()
    [24, 120, 1020, 1020]
    """
    extraction = [math.ceil(entities / BATCH), documents, 2 * chunks, 2 * chunks]
    frame = pd.DataFrame({"system": SYSTEMS, "extraction": extraction, "reports": communities})
    return frame.assign(calls=frame["extraction"] + frame["reports"])


def beside_article(estimates: dict[str, Estimate]) -> pd.DataFrame:
    """Put estimates (by mode) of one corpus beside the article's table.

    Columns: system, article (calls at his 100 posts, by his assumed numbers), formula (the same
    formulae with this corpus's chunks, names and communities), calls_low, calls_likely,
    calls_high, prompt_tokens_likely (our estimates; null for Microsoft's system).
    """
    one = estimates["heuristic"]
    classify = one.tasks.set_index("task").loc["classify"]
    # Whole batches: the number of names itself plays no part in the formula.
    names = BATCH * int(classify["calls_likely"] + classify["cached"])
    report = one.tasks.set_index("task").loc["report"]
    own = article_costs(one.documents, one.chunks, names, int(report["calls_likely"]))
    rows: list[dict[str, Any]] = []
    for system in SYSTEMS:
        total = estimates[system].total if system in estimates else {}
        wanted = ("calls_low", "calls_likely", "calls_high", "prompt_tokens_likely")
        rows.append({"system": system, **{name: total.get(name) for name in wanted}})
    frame = pd.DataFrame(rows).astype(dict.fromkeys(rows[0].keys() - {"system"}, "Int64"))
    frame.insert(1, "article", article_costs()["calls"])
    frame.insert(2, "formula", own["calls"])
    return frame


def article_estimates(
    corpus: str | Path | Store | Ground,
    llm: str | None = None,
    *,
    language: LanguageParams | None = None,
    chunk: ChunkParams | None = None,
    **options: Any,
) -> dict[str, Estimate]:
    """Estimate the three modes as the article has them: names classified, reports in each.

    `options` are those of `estimate`. Gives the estimates by mode.
    """
    language = language or LanguageParams()
    classified = language.model_copy(update={"classify": True})
    here = corpus if isinstance(corpus, Ground) else ground(corpus, exact=True, chunk=chunk)
    return {
        mode: estimate(here, mode, llm, language=chosen, **options)
        for mode, chosen in zip(SYSTEMS, (classified, language, language), strict=False)
    }
