"""A store in, what its runs asked of language models out, by run and task, and beside an estimate.

The ledger is the table `llm_calls`, a row an attempt; what needed no call stands in `runs.usage`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from workbench.errors import InputError
from workbench.extraction.setting import Setting
from workbench.models.language import LanguageModel, load_model
from workbench.models.prompts import load_templates
from workbench.params import ClusterParams, ExtractParams, LanguageParams, ReportParams
from workbench.run import Run
from workbench.store import Store
from workbench.study.estimate import Estimate, priced, window_of
from workbench.study.ground import ground
from workbench.study.plans import Planner
from workbench.study.prices import load_prices, price_of
from workbench.study.workload import Ledgered

COLUMNS = (
    "run", "task", "model", "calls", "cached", "retried", "repaired", "failed", "prompt_tokens",
    "completion_tokens", "seconds",
)  # fmt: skip
_COUNTS = COLUMNS[3:-1]
_BY_TASK = """
    SELECT run, task, model, count(DISTINCT key) AS calls,
        count(*) - count(DISTINCT key) AS retried,
        coalesce(sum(prompt_tokens), 0) AS prompt_tokens,
        coalesce(sum(completion_tokens), 0) AS completion_tokens, sum(seconds) AS seconds
    FROM llm_calls GROUP BY ALL"""
_FAILED = """
    SELECT run, task, model, count(*) AS failed FROM (
        SELECT run, task, model, key, arg_max(status, attempt) AS last FROM llm_calls GROUP BY ALL
    ) WHERE last <> 'ok' GROUP BY ALL"""


def ledger(store: Store, run: str | None = None) -> pd.DataFrame:
    """Give one row a run and task: what was asked of the model, and what it took.

    `calls` are requests that were asked, however often; `cached` those that a reply in the ledger
    or an equal request answered when the run was last made; `retried` further attempts;
    `repaired` replies that were mended then; `failed` requests whose last attempt was not good.
    Tokens are as the model counted, and with the seconds summed over all attempts. A run that was
    deleted keeps its rows; the calls of `estimate --sample` stand under the run `estimate`.
    """
    with store.session():
        if run is not None:
            store.run(run)
        keys = ["run", "task", "model"]
        asked = store.sql(_BY_TASK).merge(store.sql(_FAILED), "left", on=keys)
        noted = _noted(store.runs())
    found = (
        asked.merge(noted, "outer", on=keys)
        if len(noted)
        else asked.reindex(columns=[*asked, "cached", "repaired"])
    )
    found = found if run is None else found[found["run"] == run]
    found = found[list(COLUMNS)].sort_values(keys, kind="stable").reset_index(drop=True)
    found[list(_COUNTS)] = found[list(_COUNTS)].fillna(0).astype("int64")
    return found.astype({"seconds": float}).fillna({"seconds": 0.0})


def _noted(runs: pd.DataFrame) -> pd.DataFrame:
    """Give what the runs' last callers served from the ledger, and mended."""
    rows = [
        {"run": row.name, "task": task, "model": row.llm}
        | {name: counts.get(name, 0) for name in ("cached", "repaired")}
        for row in runs.itertuples(index=False)
        if isinstance(row.usage, str)
        for task, counts in json.loads(row.usage).items()
    ]
    return pd.DataFrame(rows, columns=["run", "task", "model", "cached", "repaired"])


def with_costs(calls: pd.DataFrame, prices: str | Path | None = None) -> pd.DataFrame:
    """Add the column cost to a ledger, by the price table; null for models that it has not."""
    table = load_prices(prices)
    costs = []
    for row in calls.itertuples(index=False):
        price = price_of(str(row.model), table)
        costs.append(price.cost(row.prompt_tokens, row.completion_tokens) if price else None)
    return calls.assign(cost=pd.array(costs, dtype="Float64"))


def beside(estimated: Estimate, usage: pd.DataFrame) -> pd.DataFrame:
    """Put what a run took beside its estimate; `usage` is `Caller.usage()` or a run's ledger.

    Columns: task, exact, calls_low, calls_likely, calls_high (estimated), calls, within (whether
    they are in that range, requests served from the ledger counted), cached, retried, failed,
    prompt_tokens_likely and completion_tokens_likely (estimated), prompt_tokens,
    completion_tokens, seconds. A task that only one side has is a row, too, with 0 calls.
    """
    first = ["task", "exact", "calls_low", "calls_likely", "calls_high"]
    tokens = ["prompt_tokens", "completion_tokens"]
    likely = [f"{name}_likely" for name in tokens]
    actual = ["calls", "cached", "retried", "failed", *tokens, "seconds"]
    summed = usage.groupby("task", sort=False)[actual].sum().reset_index()
    table = estimated.tasks[[*first, *likely]].merge(summed, "outer", on="task")
    order = {task: n for n, task in enumerate([*estimated.tasks["task"], *summed["task"]][::-1])}
    table = table.sort_values("task", key=lambda names: -names.map(order), kind="stable")
    table["exact"] = table["exact"].fillna(value=False).astype(bool)
    table = table.fillna({name: 0 for name in table if name not in ("task", "exact")})
    table = table.astype({n: "int64" for n in table if n not in ("task", "exact", "seconds")})
    needed = table["calls"] + table["cached"]
    table["within"] = needed.ge(table["calls_low"]) & table["calls"].le(table["calls_high"])
    return table[
        [*first, "calls", "within", *actual[1:4], likely[0], tokens[0], likely[1], tokens[1]]
        + ["seconds"]
    ].reset_index(drop=True)


def estimate_of_run(
    run: Run,
    llm: LanguageModel | None = None,
    *,
    context_window: int | None = None,
    report: ReportParams | None = None,
    jobs: int | None = None,
) -> Estimate:
    """Estimate a run as it would have been before it was made: by its parameters and templates.

    `llm` is the run's model, if it was not loaded by its name, for its context window.
    """
    given: Any = run.params
    if "language" not in given:
        raise InputError(f"Run {run.name!r} asked no language model: there is nothing to compare.")
    language = LanguageParams(**given["language"])
    texts = {name: one["text"] for name, one in given["templates"].items()}
    name = run.llm or "none"
    if llm is None and not name.startswith("replay/"):  # of a replay the folder is not recorded
        llm = load_model(name)
    window, told = window_of(llm, name, context_window)
    here = ground(
        run.store,
        exact=run.mode != "llm",
        extract=ExtractParams(**given.get("extract", {})),
        cluster=ClusterParams(**given.get("cluster", {})),
        jobs=jobs,
    )
    setting = Setting(language, load_templates() | texts, window)
    planner = Planner(here, setting, Ledgered(llm, None), {}, report)
    return priced(planner, run.mode, name, told, None, price_of(name))
