"""What global search did in, the tables of its steps out: every report and point, and its fate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from workbench.graph.report_lines import Count, csv_row
from workbench.query.global_plan import Plan
from workbench.query.global_points import GAP, Point, Reduced
from workbench.query.global_select import Rated
from workbench.query.trace import FIRST, LAST, Recorder


def record_plan(record: Recorder, plan: Plan, count: Count) -> None:
    """Take down the steps `weights`, `shuffle` and `batches`."""
    record.step(
        "weights",
        "all reports: distinct chunks of their communities' entities, over the largest of those "
        "read; by level and rank some are not read",
        lambda: _weights(plan, count),
    )
    record.step(
        "shuffle",
        "the order in which reports are dealt out to batches (seeded), against the table's",
        lambda: _shuffle(plan),
    )
    packed = plan.packed
    record.step(
        "batches",
        "one call each, filled in shuffled order; inside the weightiest first, then by rank",
        lambda: _batches(plan),
        section="batches",
        allowed=plan.limit * len(packed.batches),
        heading_tokens=packed.opening_tokens * len(packed.batches),
    )


def record_ratings(
    record: Recorder, rated: Sequence[Rated], parents: Mapping[int, int | None],
    reports: pd.DataFrame, texts: Mapping[int, str], count: Count,
) -> None:  # fmt: skip
    """Take down the step `ratings`: the tree as far as it was walked; then those not rated."""
    record.step(
        "ratings",
        "reports as the model rated them (0 to 5), round by round down the tree of communities",
        lambda: _ratings(rated, parents, reports, texts, count),
    )


def record_points(
    record: Recorder, points: Sequence[Point], last: Reduced, shown: Sequence[set[int]],
    count: Count,
) -> None:  # fmt: skip
    """Take down the step `points`: all that the model named, in the order of its replies.

    `shown`: the short ids of the reports in each batch. What a point cites beside them is noted.
    """
    kept = {point.id for point in last.kept}
    wrong = {point.id: sorted(point.cites - shown[point.batch - 1]) for point in points}
    if any(wrong.values()):
        named = ", ".join(f"[report {n}]" for n in sorted(set().union(*wrong.values())))
        record.note(f"Points cite reports that their batch does not hold: {named}.")

    def table() -> pd.DataFrame:
        reasons = [point.reason or ("" if point.id in kept else "budget") for point in points]
        table = _points(points, reasons, [count(point.text) for point in points], text="text")
        for place, (name, found) in enumerate(
            {
                "cites": [sorted(point.cites) for point in points],
                "cites_wrongly": [wrong[point.id] for point in points],
            }.items()
        ):
            table.insert(6 + place, name, [", ".join(map(str, one)) for one in found])
        return table

    record.step("points", "what the model found in each batch, with its score", table)


def record_reduce(record: Recorder, last: Reduced, limit: int, count: Count) -> None:
    """Take down the step `reduce`: the points that count, by score, as far as they fit."""
    record.step(
        "reduce",
        "points by score, as many as fit into the last call",
        lambda: _points(last.points, last.reasons, last.tokens, text="line"),
        section="points",
        allowed=limit,
        heading_tokens=count(GAP) * max(0, len(last.kept) - 1),
    )


def _framed(reports: pd.DataFrame, scores: Mapping[str, object], last: Mapping[str, object]):
    """Put the columns of a step around its scores; `last` holds tokens, cut_reason, text."""
    frame = pd.DataFrame(
        {
            "kind": "report",
            "id": reports["community_id"].to_numpy(dtype=object),
            "short_id": reports["short_id"].to_numpy(),
            "label": reports["title"].to_numpy(dtype=object),
            **scores,
            "order": range(1, len(reports) + 1),
            **last,
        }
    )
    frame["in_context"] = frame["cut_reason"] == ""
    return frame[[*FIRST, *scores, *LAST]]


def _weights(plan: Plan, count: Count) -> pd.DataFrame:
    reports, packed = plan.reports, plan.packed
    shorts = plan.read["short_id"].tolist()
    items = {shorts[item.row]: item for batch in packed.batches for item in batch}
    unfit = {shorts[row] for row in packed.unfit}
    columns = reports[["short_id", "title", "weight", "content", "rank"]].astype(object)
    lines = columns.where(columns.notna(), None).itertuples(index=False, name=None)
    texts = [items[line[0]].text if line[0] in items else csv_row(line, "|") for line in lines]
    reasons = [
        reason or ("budget" if short in unfit else "")
        for short, reason in zip(reports["short_id"], reports["reason"], strict=True)
    ]
    return _framed(
        reports,
        {name: reports[name].to_numpy() for name in ("level", "chunks", "weight", "rank")},
        {"tokens": list(map(count, texts)), "cut_reason": reasons, "text": texts},
    )


def _shuffle(plan: Plan) -> pd.DataFrame:
    """Give the order of packing; the text of a row is that of the step `batches`."""
    packed = plan.packed
    reports = plan.read.iloc[packed.shuffled]
    items = {item.row: item for batch in packed.batches for item in batch}
    there = [items.get(row) for row in packed.shuffled]
    return _framed(
        reports,
        {"before": [row + 1 for row in packed.shuffled]},
        {
            "tokens": [item.tokens if item else 0 for item in there],
            "cut_reason": ["" if item else "budget" for item in there],
            "text": [item.text if item else "" for item in there],
        },
    )


def _batches(plan: Plan) -> pd.DataFrame:
    packed = plan.packed
    places = [
        (number, place, item)
        for number, batch in enumerate(packed.batches, start=1)
        for place, item in enumerate(batch, start=1)
    ]
    rows = [item.row for *_, item in places] + packed.unfit
    reports, gone = plan.read.iloc[rows], len(packed.unfit)
    dealt = {row: order for order, row in enumerate(packed.shuffled, start=1)}
    return _framed(
        reports,
        {
            "batch": pd.array([number for number, *_ in places] + [pd.NA] * gone, "Int64"),
            "place": pd.array([place for _, place, _ in places] + [pd.NA] * gone, "Int64"),
            "dealt": [dealt[row] for row in rows],
            "weight": reports["weight"].to_numpy(),
            "rank": reports["rank"].to_numpy(),
            "counted": [item.counted for *_, item in places] + [0] * gone,
            "whole_tokens": [item.whole for *_, item in places] + [0] * gone,
        },
        {
            "tokens": [item.tokens for *_, item in places] + [0] * gone,
            "cut_reason": [""] * len(places) + ["budget"] * gone,
            "text": [item.text for *_, item in places] + [""] * gone,
        },
    )


def _ratings(
    rated: Sequence[Rated], parents: Mapping[int, int | None], reports: pd.DataFrame,
    texts: Mapping[int, str], count: Count,
) -> pd.DataFrame:  # fmt: skip
    by_short = reports.set_index("short_id", drop=False)
    asked = [one.community for one in rated]
    rest = [short for short in sorted(by_short.index) if short not in set(asked)]
    shorts = asked + rest
    found = by_short.loc[shorts]
    shown = [texts.get(short, "") for short in shorts]
    unknown = [pd.NA] * len(rest)
    return _framed(
        found,
        {
            "level": found["level"].to_numpy(),
            "parent": pd.array([parents.get(short) for short in shorts], "Int64"),
            "round": pd.array([one.round for one in rated] + unknown, "Int64"),
            "rating": pd.array([one.rating for one in rated] + unknown, "Float64"),
            "selected": [one.selected for one in rated] + [False] * len(rest),
        },
        {
            "tokens": list(map(count, shown)),
            "cut_reason": [""] * len(asked) + ["unrated"] * len(rest),
            "text": shown,
        },
    )


def _points(
    points: Sequence[Point], reasons: Sequence[str], tokens: Sequence[int], text: str
) -> pd.DataFrame:
    """Give a table of points; `text` names what stands in the prompt for one: text or line."""
    return pd.DataFrame(
        {
            "kind": "point",
            "id": [point.id for point in points],
            "short_id": pd.array([None] * len(points), "Int64"),
            "label": [f"batch {point.batch}, point {point.number}" for point in points],
            "batch": [point.batch for point in points],
            "score": pd.array([point.score for point in points], "Int64"),
            "order": range(1, len(points) + 1),
            "tokens": pd.array(list(tokens), "int64"),
            "in_context": [not reason for reason in reasons],
            "cut_reason": list(reasons),
            "text": [getattr(point, text) for point in points],
        }
    )
