"""Runs in, what tells them apart out: graphs, gold, retrieval, costs, and a verdict in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from workbench.errors import InputError
from workbench.study.compare_graph import (
    community_agreement,
    community_changes,
    entities_beside,
    graph_statistics,
    matched_entities,
    rank_correlation,
)
from workbench.study.evaluate import evaluate
from workbench.study.gold import Gold, read_gold
from workbench.study.ledger import ledger, with_costs
from workbench.study.overlap import intersections
from workbench.study.side_by_side import cost_table, score_table
from workbench.study.verdict import verdict

if TYPE_CHECKING:
    from workbench.models.embedding import Embedder
    from workbench.run import Run

CUT = 5  # documents looked at for evidence recall


@dataclass(frozen=True)
class Comparison:
    """Tables about several runs; a table that nothing was given for is empty.

    See `study.compare_graph` for statistics, entities, matches, correlation, communities and
    changes; `overlap` (of, runs, count), `gold` (`score_table`), `evidence` (run, method,
    recall@5, all@5), `costs` (run, calls, tokens, …), `verdict` (question, answer,
    rule).
    """

    verdict: pd.DataFrame
    statistics: pd.DataFrame
    overlap: pd.DataFrame
    entities: pd.DataFrame
    matches: pd.DataFrame
    correlation: pd.DataFrame
    communities: pd.DataFrame
    changes: pd.DataFrame
    gold: pd.DataFrame
    evidence: pd.DataFrame
    costs: pd.DataFrame

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the tables by name, the verdict first."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def _repr_html_(self) -> str:
        from workbench.show.compare_page import comparison_html

        return comparison_html(self)


def compare(
    runs: Sequence[Run],
    *,
    gold: Gold | str | None = None,
    questions: str | Path | None = None,
    methods: Sequence[str] = ("basic",),
    prices: str | Path | None = None,
    embedder: Embedder | None = None,
) -> Comparison:
    """Compare two or more runs, of one file or of several.

    `gold` are labels or the name of a corpus that has them (`handbook`); `questions` a JSONL file
    with gold documents, which every run's file must hold, asked by `methods`. Raises InputError for
    fewer than two runs, or the same run twice.
    """
    named = labelled(runs)
    truth = read_gold(gold) if isinstance(gold, str) else gold
    overlap = pd.concat(
        [
            intersections(named, what).assign(of=what)[["of", "runs", "count"]]
            for what in ("entities", "relationships")
        ],
        ignore_index=True,
    )
    beside = entities_beside(named)
    tables = {
        "statistics": graph_statistics(named),
        "overlap": overlap,
        "entities": beside,
        "matches": matched_entities(named),
        "correlation": rank_correlation(beside, named),
        "communities": community_agreement(named),
        "changes": community_changes(named),
        "gold": pd.DataFrame() if truth is None else score_table(named, truth),
        "evidence": pd.DataFrame()
        if questions is None
        else _evidence(named, questions, methods, embedder),
        "costs": _costs(named, prices),
    }
    return Comparison(verdict=verdict(tables), **tables)


def labelled(runs: Sequence[Run]) -> dict[str, Run]:
    """Give runs by label: the run's name, with its file's where one name comes twice."""
    if len(runs) < 2:
        raise InputError(f"There is nothing to compare with {len(runs)} run: name two or more.")
    names = [run.name for run in runs]
    labels = [
        name if names.count(name) == 1 else f"{run.store.path.stem}:{name}"
        for name, run in zip(names, runs, strict=True)
    ]
    twice = sorted({label for label in labels if labels.count(label) > 1})
    if twice:
        raise InputError(f"The run {twice[0]!r} is named twice: compare runs that differ.")
    return dict(zip(labels, runs, strict=True))


def _evidence(
    runs: dict[str, Run],
    questions: str | Path,
    methods: Sequence[str],
    embedder: Embedder | None,
) -> pd.DataFrame:
    rows = []
    for label, run in runs.items():
        found = evaluate(
            run.store, questions, methods=methods, k=(CUT,), run=run.name, embedder=embedder
        )
        for method, figures in found["methods"].items():
            shown = {name: figures[name] for name in (f"recall@{CUT}", f"all@{CUT}")}
            rows.append({"run": label, "method": method, **shown})
    return pd.DataFrame(rows)


def _costs(runs: dict[str, Run], prices: str | Path | None) -> pd.DataFrame:
    """Give what each run asked of its model; `cost` is null where the model has no price.

    `calls`, `failed` and tokens (counted here, in `o200k_base`) are those of making the run;
    `report_calls` came after. Seconds and cost are of both, as the model told.
    """
    told = cost_table(runs).groupby("run", sort=False)[_ASKED].sum()
    rows = []
    for label, run in runs.items():
        asked = with_costs(ledger(run.store, run.name), prices)
        reports = asked["task"] == "report"
        rows.append(
            {"run": label, **told.loc[label], "report_calls": int(asked["calls"][reports].sum())}
            | {"seconds": float(asked["seconds"].sum())}
            | {"cost": 0.0 if asked.empty else asked["cost"].sum(skipna=False)}
        )
    columns = ["run", *_ASKED, "report_calls", "seconds", "cost"]
    return pd.DataFrame(rows, columns=columns).astype({"cost": "Float64"})


_ASKED = ["calls", "failed", "prompt_tokens", "reply_tokens"]
