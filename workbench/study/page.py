"""A run in, the tables of a page about a corpus out, also where something was not given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from workbench.study.compare import compare
from workbench.study.evaluate import evaluate
from workbench.study.gold import read_gold
from workbench.study.side_by_side import score_table

if TYPE_CHECKING:
    from workbench.run import Run


def skipped_table(run: Run) -> pd.DataFrame:
    """Give how many files were not read, by reason: reason, files, example, detail."""
    skipped = run.read("skipped").sort_values(["reason", "path"])
    groups = skipped.groupby("reason")
    return groups.agg(
        files=("path", "size"), example=("path", "first"), detail=("detail", "first")
    ).reset_index()


def report_list(reports: pd.DataFrame) -> pd.DataFrame:
    """Give one row a report, the highest rank first: title, rank, source, tokens, action, summary.

    One that failed stands last, with its error as its summary.
    """
    frame = reports.assign(
        summary=reports["summary"].fillna(reports["error"]), tokens=reports["context_tokens"]
    ).sort_values(["rank", "title"], ascending=[False, True], na_position="last")
    columns = ["title", "rank", "source", "tokens", "context_action", "summary"]
    return frame[columns].reset_index(drop=True)


def gold_scores(run: Run, gold: str) -> pd.DataFrame:
    """Score a run against labels of `data/gold`, or a folder; with no name an empty table."""
    if not gold:
        return pd.DataFrame(columns=["of", "run", "precision", "recall", "f1"])
    return score_table({run.name: run}, read_gold(gold))


def retrieval_scores(run: Run, questions: str, methods: tuple[str, ...]) -> pd.DataFrame:
    """Measure how many gold documents each method finds; with no file an empty table."""
    columns = ["method", "recall@5", "all@5"]
    if not questions:
        return pd.DataFrame(columns=columns)
    from workbench.paths import resolve_corpus

    found = evaluate(run.store, resolve_corpus(questions), methods=methods, k=(5,), run=run.name)
    rows = [{"method": name, **figures} for name, figures in found["methods"].items()]
    return pd.DataFrame(rows)[columns]


def verdict_beside_others(run: Run) -> pd.DataFrame:
    """Compare a run with all others of its store; alone, say so in the verdict's form."""
    others = [name for name in run.store.runs()["name"] if name != run.name]
    if not others:
        told = f"{run.name} is the only run of {Path(run.store.path).name}: index another mode."
        row = ("Is another mode better here?", told, "needs two runs")
        return pd.DataFrame([row], columns=["question", "answer", "rule"])
    return compare([run, *(run.store.run(name) for name in others)]).verdict
