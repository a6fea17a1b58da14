"""A run in, what global search would read of it out: reports, weights, batches; and its cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from workbench.corpus.tokens import count_tokens
from workbench.graph.report_lines import Count
from workbench.models.prompts import fill, load_templates
from workbench.params import GlobalParams, validated
from workbench.query.asking import context_room
from workbench.query.global_batches import Packed, pack
from workbench.query.global_select import chunk_counts, left_out, low_ranked, occurrence_weights
from workbench.query.run_index import RunIndex, run_index
from workbench.run import Run


@dataclass(frozen=True)
class Plan:
    """`reports`: all of the run, in the order of packing before the shuffle; `read`: rows of those.

    reports has the columns of RunIndex.reports, and content, row (in the index), chunks, weight
    (null where it is not read for its level) and reason (why it is not read, or ""). `packed`
    numbers rows of `read`.
    """

    reports: pd.DataFrame
    read: pd.DataFrame
    packed: Packed
    limit: int


def plan(
    index: RunIndex,
    params: GlobalParams,
    count: Count,
    limit: int,
    ratings: Mapping[int, str] | None = None,
) -> Plan:
    """Choose the reports, weigh them, and deal them out to batches of at most `limit` tokens.

    `ratings`: why the report of a community (by short id) is not read, "" where it is; in place of
    level and roll-up.
    """
    reports = with_content(index, params)
    counts = index.derived("community chunks", _chunk_counts)
    reports["chunks"] = counts[reports["community_row"]]
    if ratings is None:
        reasons = left_out(reports, index.members, params)
    else:
        rated = [ratings.get(short, "unrated") for short in reports["short_id"]]
        low = low_ranked(reports, params)
        reasons = [why or rank for why, rank in zip(rated, low, strict=True)]
    reports["reason"] = pd.Series(reasons, dtype=object)
    given = reports["reason"].isin(["", "rank"])  # rank is looked at after the weights are made
    reports["weight"] = np.nan
    weights = occurrence_weights(reports["chunks"][given].tolist(), params.normalise_weight)
    reports.loc[given, "weight"] = weights
    read = reports[reports["reason"] == ""].reset_index(drop=True)
    packed = pack(read, params, count, limit)
    return Plan(reports, read, packed, limit)


def with_content(index: RunIndex, params: GlobalParams) -> pd.DataFrame:
    """Give the reports with what is read of them, in the order of Microsoft's table if shipped."""
    text = index.reports["summary" if params.use_summary else "full_content"].fillna("")
    reports = index.reports.assign(content=text, row=range(len(index.reports)))
    if params.variant == "as_shipped":
        reports = reports.sort_values(["level", "short_id"], ascending=[False, True])
    return reports.reset_index(drop=True)


def _chunk_counts(index: RunIndex) -> np.ndarray:
    return chunk_counts(len(index.communities), index.members, index.mentions)


def global_cost(
    run: Run,
    params: GlobalParams | None = None,
    *,
    context_window: int | None = None,
    **settings: object,
) -> pd.DataFrame:
    """Count what global search would send a model, for each level; nobody is asked.

    `context_window`: that of the model, if contexts have to fit into one.

    Columns: level, reports, batches, map_tokens (with the template; a question's own come on top),
    reduce_tokens (at most), prompt_tokens (both), calls. Without reports there are no rows.
    """
    params = params or validated(GlobalParams, **settings)
    if context_window is not None:
        room, names = context_room(context_window), ("max_context_tokens", "data_max_tokens")
        params = params.model_copy(
            update={name: min(room, getattr(params, name)) for name in names}
        )
    index = run_index(run.store, run.name)
    count = partial(count_tokens, encoding=params.encoding)
    templates = load_templates()
    around = {
        task: count(fill(templates[task], fence="-" * 8, context="", question="", words="1000"))
        for task in ("map", "reduce")
    }
    rows = []
    for level in sorted(index.reports["level"].unique().tolist()):
        chosen = plan(
            index, params.model_copy(update={"level": level}), count, params.max_context_tokens
        )
        batches = chosen.packed.batches
        sizes = [sum(item.tokens for item in batch) for batch in batches]
        sent = sum(sizes) + len(batches) * (chosen.packed.opening_tokens + around["map"])
        last = params.data_max_tokens + around["reduce"] if batches else 0
        number = sum(map(len, batches))
        rows.append((level, number, len(batches), sent, last, sent + last, len(batches) + 1))
    names = ["level", "reports", "batches", "map_tokens", "reduce_tokens", "prompt_tokens", "calls"]
    return pd.DataFrame(rows, columns=names)
