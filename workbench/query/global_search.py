"""A question in, an answer out from the reports on a run's communities.

Microsoft GraphRAG's global search: reports are weighed, shuffled and dealt out to batches; a model
names scored points from each (map), and writes the answer from the best points (reduce). Without a
model the answer is made of sentences of the reports nearest to the question, and of their chunks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pandas as pd

from workbench.models.requests import Outcome
from workbench.models.schemas import MapReply
from workbench.params import BasicParams, GlobalParams
from workbench.query import basic
from workbench.query.answering import SOURCES, written
from workbench.query.asking import Asking, context_room, send
from workbench.query.global_batches import Item
from workbench.query.global_plan import Plan, plan
from workbench.query.global_points import GAP, Point, Reduced, points_of, reduced
from workbench.query.global_prompts import history_section, laid_out, reply_length
from workbench.query.global_rating import rated_reports
from workbench.query.global_sentences import from_sentences, rank
from workbench.query.global_trace import record_plan, record_points, record_reduce
from workbench.query.methods import Method
from workbench.query.trace import Answer, Part

UNABLE = "The reports hold nothing that answers this question."
POINTS = 20  # a reply may hold so many


def answer(asking: Asking) -> Answer:
    """Answer from the reports; from basic's context where there are none, with a note."""
    params, record = asking.params, asking.record
    assert isinstance(params, GlobalParams)  # noqa: S101 (told by METHOD)
    if asking.index.reports.empty:
        return _degraded(asking, "The run has no reports: write some with `workbench reports`.")
    turns, used = history_section(asking)
    limit = params.max_context_tokens - (used if params.variant == "documented" else 0)
    ratings = rated_reports(asking) if params.dynamic else None
    with record.timed("context"):
        chosen = plan(asking.index, params, asking.count, limit, ratings)
    record_plan(record, chosen, asking.count)
    if turns.lines:
        record.step(
            "history",
            "earlier questions of this conversation; they stand before each batch",
            turns.step,
            section="history",
            allowed=turns.allowed,
            heading_tokens=turns.opening_tokens,
        )
    if not chosen.packed.batches:
        return _degraded(asking, _nothing_read(chosen))
    for sentence in _notes(asking, chosen):
        record.note(sentence)
    prompts = [
        ("map", laid_out(asking, "map", [*turns.parts(), *parts], params.map_words))
        for parts in _batch_parts(chosen)
    ]
    length = reply_length(asking, "map", POINTS)
    outcomes = send(asking, prompts, MapReply, length, "reading reports")
    if not outcomes:
        return from_sentences(asking, chosen)
    return _from_points(asking, chosen, outcomes)


def _from_points(asking: Asking, chosen: Plan, outcomes: Sequence[Outcome]) -> Answer:
    """Write the answer from what the model found in the batches."""
    params, record = asking.params, asking.record
    points: list[Point] = []
    for number, outcome in enumerate(outcomes, start=1):
        reply = outcome.reply if outcome.status == "ok" else None
        bare = reply is not None and reply.text.startswith("[")
        points += points_of(number, reply and reply.parsed, params.variant, bare)
        if reply is None:
            record.note(f"Batch {number} could not be read: {outcome.error}")
    length = reply_length(asking, "reduce")
    limit = params.data_max_tokens
    if asking.caller is not None:
        limit = min(limit, context_room(asking.caller.model.context_window))
    last = reduced(points, asking.count, limit, params.variant)
    shown = [{short for short, _ in _rows(chosen, at)} for at in range(len(outcomes))]
    record_points(record, points, last, shown, asking.count)
    record_reduce(record, last, limit, asking.count)
    if not any(outcome.status == "ok" for outcome in outcomes):
        record.note("No batch could be read, so sentences stand in place of an answer.")
        return from_sentences(asking, chosen)
    if not last.kept:
        why = (
            f"None of {len(last.points)} points fits into {limit} tokens"
            if last.points
            else ("The model found nothing in the reports that helps")
        )
        record.note(f"{why}, so nobody was asked for an answer.")
        return Answer(UNABLE, "extractive")
    parts: list[Part] = []
    for point in last.kept:
        parts += [Part("heading", "points", GAP)] if parts else []
        parts.append(Part("row", "points", point.line, point.id))
    prompt = laid_out(asking, "reduce", parts, params.reduce_words)
    [outcome] = send(asking, [("reduce", prompt)], None, length)
    return written(asking, outcome, _behind(chosen, last, shown))


def _behind(chosen: Plan, last: Reduced, shown: Sequence[set[int]]) -> pd.DataFrame:
    """Give the reports that the points in context cite; of one that cites none, its whole batch."""
    cited: set[int] = set()
    for point in last.kept:
        seen = shown[point.batch - 1]
        cited |= point.cites & seen or seen
    rows = [
        ("report", chosen.read["community_id"].iat[item.row], short)
        + (chosen.read["title"].iat[item.row], item.text)
        for at in range(len(chosen.packed.batches))
        for short, item in _rows(chosen, at)
        if short in cited
    ]
    return pd.DataFrame(rows, columns=list(SOURCES)).astype({"short_id": "int64"})


def _rows(chosen: Plan, at: int) -> list[tuple[int, Item]]:
    """Give a batch's items, each with its report's short id."""
    shorts = chosen.read["short_id"]
    return [(int(shorts.iat[item.row]), item) for item in chosen.packed.batches[at]]


def _batch_parts(chosen: Plan) -> list[list[Part]]:
    ids, opening = chosen.read["community_id"], chosen.packed.opening
    return [
        [
            Part("heading", "batches", opening),
            *(Part("row", "batches", item.text, ids.iat[item.row]) for item in batch),
        ]
        for batch in chosen.packed.batches
    ]


def _degraded(asking: Asking, why: str) -> Answer:
    asking.record.note(f"{why} Basic search answered.")
    shared = asking.params.model_dump(include={"max_context_tokens", "encoding", "variant"})
    return basic.answer(replace(asking, params=BasicParams(**shared)))


def _nothing_read(chosen: Plan) -> str:
    reasons = chosen.reports["reason"].replace("", "budget").value_counts()
    told = ", ".join(f"{count} for {reason}" for reason, count in sorted(reasons.items()))
    return f"Of {len(chosen.reports)} reports none is read ({told})."


def _notes(asking: Asking, chosen: Plan) -> Iterable[str]:
    """Say what the map calls cost, and which reports they do not hold whole."""
    packed = chosen.packed
    items = [item for batch in packed.batches for item in batch]
    if asking.caller is not None:
        tokens = sum(item.tokens for item in items)
        yield (
            f"{len(items)} reports of {tokens:,} tokens are read in {len(packed.batches)} calls; "
            "one more writes the answer."
        )
    if cut := [item for item in items if item.tokens < item.whole]:
        longest = max(cut, key=lambda item: item.whole)
        yield (
            f"{len(cut)} reports do not fit into {chosen.limit:,} tokens and are cut, the longest "
            f"from {longest.whole:,} to {longest.tokens:,}."
        )
    if packed.unfit:
        yield f"{len(packed.unfit)} reports do not fit into {chosen.limit:,} tokens at all."
    over = [
        size
        for batch in packed.batches
        if (size := packed.opening_tokens + sum(item.tokens for item in batch)) > chosen.limit
    ]
    if over:
        yield (
            f"As shipped, {len(over)} batches are larger than {chosen.limit:,} tokens, the largest "
            f"has {max(over):,}: quoting is not counted, and what is too long goes alone."
        )


METHOD = Method("global", GlobalParams, answer, rank)
