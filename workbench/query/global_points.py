"""A model's replies to batches of reports in, scored points and the context of the last call out.

As shipped: one score that is no number, or a list in place of the object, loses the whole batch;
points end before the first that does not fit. Documented: such a point is rejected alone, with its
reason; those that do not fit are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.graph.report_lines import Count
from workbench.params import Variant

GAP = "\n\n"  # between points
_CITED = re.compile(r"\[\s*reports?\s+([\d,;\s]+)\]", re.IGNORECASE)


@dataclass(frozen=True)
class Point:
    """A point of a batch (both from 1); `reason` tells why it does not count, "" when it does."""

    batch: int
    number: int
    text: str
    score: int | None
    reason: str = ""

    @property
    def id(self) -> str:
        """What it is called in the trace: batch and number."""
        return f"{self.batch}.{self.number}"

    @property
    def line(self) -> str:
        """The point as the last call sees it."""
        score = "" if self.score is None else self.score
        return f"----Analyst {self.batch}----\nImportance Score: {score}\n{self.text}"

    @property
    def cites(self) -> set[int]:
        """The short ids of the reports it cites."""
        return {int(n) for found in _CITED.findall(self.text) for n in re.findall(r"\d+", found)}


def points_of(
    batch: int, reply: Mapping[str, Any] | None, variant: Variant, bare_list: bool = False
) -> list[Point]:
    """Give the points of a reply's JSON object (None: it could not be read), each with its fate."""
    records = (reply or {}).get("points")
    records = records if isinstance(records, list) else []
    shipped = variant == "as_shipped"
    if shipped and bare_list:
        return [_point(batch, n, one, "the reply is a list") for n, one in enumerate(records, 1)]
    points = [_point(batch, number, one, "") for number, one in enumerate(records, 1)]
    if shipped and any(point.reason.startswith("score is no") for point in points):
        lost = "a score of the batch is no number"
        return [_point(batch, number, one, lost) for number, one in enumerate(records, 1)]
    return points


def _point(batch: int, number: int, record: Any, reason: str) -> Point:
    if not isinstance(record, Mapping):
        return Point(batch, number, str(record), None, reason or "no record")
    text = record.get("description")
    text, raw = "" if text is None else str(text).strip(), record.get("score")
    score = _whole(raw)
    if not text:
        reason = reason or "no description"
    elif raw is None:
        reason = reason or "no score"
    elif score is None:
        reason = reason or f"score is no number: {str(raw)[:40]!r}"
    elif score <= 0:
        reason = reason or "score is 0"
    elif score > 100:
        reason = reason or "score is above 100"
    return Point(batch, number, text, score, reason)


def _whole(value: Any) -> int | None:
    """Read a number without its decimals; None for what is no finite number."""
    try:
        return int(float(value))
    except (TypeError, ValueError, OverflowError):
        return None


@dataclass(frozen=True)
class Reduced:
    """Points by score, each with why it is not in the last call's context ("" when it is)."""

    points: list[Point]
    reasons: list[str]
    tokens: list[int]

    @property
    def kept(self) -> list[Point]:
        """The points in context."""
        return [point for point, why in zip(self.points, self.reasons, strict=True) if not why]


def reduced(points: Sequence[Point], count: Count, limit: int, variant: Variant) -> Reduced:
    """Take the points that count, the highest scores first, as far as they fit into `limit` tokens.

    Equal scores stand in the order of batches. The gaps between points are counted in `documented`.
    """
    order = sorted(
        (point for point in points if not point.reason), key=lambda point: -(point.score or 0)
    )
    tokens = [count(point.line) for point in order]
    gap = 0 if variant == "as_shipped" else count(GAP)
    reasons: list[str] = []
    used, full = 0, False
    for size in tokens:
        more = size + (gap if "" in reasons else 0)
        fits = not full and used + more <= limit
        reasons.append("" if fits else "budget")
        used += more if fits else 0
        full = full or (variant == "as_shipped" and not fits)
    return Reduced(order, reasons, tokens)
