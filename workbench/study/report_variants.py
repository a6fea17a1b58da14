"""A run's tables in, what the two variants of a report's context differ in out, and a report read.

`documented` is what Microsoft's papers and documentation say, `as_shipped` what the code does.
"""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, get_args

import pandas as pd

from workbench.errors import InputError
from workbench.graph.report_context import report_contexts
from workbench.graph.reports import by_model
from workbench.models.calls import Caller
from workbench.models.language import LanguageModel, load_model
from workbench.models.prompts import load_templates
from workbench.opening import model_choice
from workbench.params import ReportParams, Variant

if TYPE_CHECKING:
    from workbench.run import Run


def compare_variants(run: Run, reports: pd.DataFrame, limit: int) -> pd.DataFrame:
    """Give one row a variant over all communities at one limit of tokens.

    Columns: variant, communities, relationships (rows in the contexts), untrimmed_tokens, flagged
    (context_exceed_limit), fits, substituted, trimmed, tokens (of the contexts as used).
    """
    tables = [run.read(name) for name in ("entities", "relationships", "claims", "communities")]
    rows = []
    for variant in get_args(Variant):
        params = ReportParams(variant=variant, max_input_tokens=limit)
        made = report_contexts(*tables, run.community_members, params, reports=reports).contexts
        actions = made["context_action"].value_counts()
        rows.append(
            {"variant": variant, "communities": len(made)}
            | {"relationships": int(made["relationships"].sum())}
            | {"untrimmed_tokens": int(made["untrimmed_tokens"].sum())}
            | {"flagged": int(made["context_exceed_limit"].sum())}
            | {name: int(actions.get(name, 0)) for name in ("fits", "substituted", "trimmed")}
            | {"tokens": int(made["context_tokens"].sum())}
        )
    return pd.DataFrame(rows)


def report_again(
    run: Run, reports: pd.DataFrame, community: int, llm: str | LanguageModel
) -> pd.DataFrame:
    """Let another model write on one community (short_id), out of the context that `reports` had.

    Gives the row of `reports` with what it wrote; the run and its store stay as they are.
    """
    caller = Caller(load_model(model_choice(llm)) if isinstance(llm, str) else llm)
    ids = run.communities.loc[run.communities["short_id"] == community, "id"]
    row = reports[reports["community_id"].isin(ids)].copy()
    contexts = [SimpleNamespace(community_id=ids.iloc[0], text=row["context"].iloc[0])]
    template, params = load_templates()["report"], ReportParams()
    [(draft, source, error)] = by_model(caller, template, params, (), contexts, "report", ())
    told = {"source": source, "status": "ok" if draft else "failed", "error": error}
    if draft is not None:
        names = ("title", "summary", "rank", "rating_explanation")
        told |= {name: getattr(draft, name) for name in names}
        told["findings"] = json.dumps(draft.findings, ensure_ascii=False)
    return row.assign(**told)


def report_text(reports: pd.DataFrame, communities: pd.DataFrame, community: int) -> pd.DataFrame:
    """Give a report as rows to read: part (title, rank, summary, findings by number) and text.

    `community` is a short_id. Raises InputError for one that has no report.
    """
    ids = communities.loc[communities["short_id"] == community, "id"]
    found = reports[reports["community_id"].isin(ids)]
    if found.empty:
        raise InputError(f"Community {community} has no report: choose another short_id.")
    report = found.iloc[0]
    if report["status"] != "ok":
        return pd.DataFrame([("failed", report["error"])], columns=["part", "text"])
    rank = f"{report['rank']:g}: {report['rating_explanation']}"
    rows = [("title", report["title"]), ("rank", rank), ("summary", report["summary"])]
    rows += [
        (f"finding {number}", f"{one['summary'].rstrip('.')}. {one['explanation']}")
        for number, one in enumerate(json.loads(report["findings"]), start=1)
    ]
    return pd.DataFrame([("written by", report["source"]), *rows], columns=["part", "text"])
