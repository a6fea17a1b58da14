"""Reports and a model in, those it finds relevant out: dynamic community selection."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.models.schemas import RateReply
from workbench.query.asking import Asking, send
from workbench.query.global_batches import beginning
from workbench.query.global_plan import with_content
from workbench.query.global_prompts import laid_out, reply_length
from workbench.query.global_select import select_by_rating
from workbench.query.global_trace import record_ratings
from workbench.query.trace import Part

UNREADABLE = 1  # what a rating counts that cannot be read, as in Microsoft's


def rated_reports(asking: Asking) -> dict[int, str] | None:
    """Let the model rate reports down the tree; give why one is not read, by short id."""
    params, index = asking.params, asking.index
    if asking.caller is None:
        asking.record.note(
            "Dynamic selection asks a model to rate the reports: without one all of level "
            f"{params.level} were taken."
        )
        return None
    reports = with_content(index, params).set_index("short_id", drop=False)
    short_of = dict(zip(index.communities["id"], index.communities["short_id"], strict=True))
    above = dict(zip(index.communities["short_id"], index.communities["parent_id"], strict=True))
    parents = {short: short_of.get(above[short]) for short in reports.index}
    texts: dict[int, str] = {}

    def rate(queue: Sequence[int]) -> list[float]:
        prompts = []
        for short in queue:
            texts[short] = beginning(
                reports["content"][short],
                lambda part: asking.count(part) <= params.max_context_tokens,
            )
            row = Part("row", "ratings", texts[short], reports["community_id"][short])
            prompts.append(("rate", laid_out(asking, "rate", [row])))
        length = reply_length(asking, "rate")
        found = send(asking, prompts, RateReply, length, "rating reports")
        ratings = [getattr(outcome.parsed, "rating", None) for outcome in found]
        if unread := [short for short, one in zip(queue, ratings, strict=True) if one is None]:
            asking.record.note(
                f"The rating of {len(unread)} of {len(queue)} reports could not be read: it counts "
                f"as {UNREADABLE}."
            )
        return [UNREADABLE if one is None else min(5, max(0, one)) for one in ratings]

    rated = select_by_rating(
        dict(zip(reports["short_id"], reports["level"], strict=True)),
        parents,
        rate,
        threshold=params.dynamic_threshold,
        keep_parent=params.dynamic_keep_parent,
        max_level=params.level,
    )
    record_ratings(asking.record, rated, parents, reports, texts, asking.count)
    return {one.community: "" if one.selected else "rating" for one in rated}
