"""A community's own context and its sub-communities' reports in, the context that fits out.

As documented, a context over the limit is rebuilt from the sub-communities, the largest replaced by
their reports first; without such reports it is trimmed. As shipped it is trimmed at once, and
whether it exceeds the limit is asked after the cut: true only when the first step is too long.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from workbench.graph.report_lines import (
    Count,
    Line,
    opening_tokens,
    render,
    render_plain,
    report_line,
)
from workbench.graph.report_local import Local, Records, Step, steps_of
from workbench.params import Variant


@dataclass(frozen=True)
class Context:
    """What a report is written from: its text, sizes in tokens, what went in, what did not and why.

    `action` is fits, substituted or trimmed; `replaced` are the short ids of the communities whose
    reports stand for their records.
    """

    community_id: str
    text: str
    tokens: int
    untrimmed_tokens: int
    limit: int
    exceeds: bool
    action: str
    lines: tuple[Line, ...]
    left_out: tuple[tuple[Line, str], ...] = ()
    replaced: tuple[int, ...] = ()

    @property
    def headed(self) -> bool:
        """Whether its sections have headings: one made of nothing but reports has none."""
        return not self.text.startswith(render_plain([]))


def fit(
    records: Records,
    local: Local,
    children: Sequence[Local],
    reports: Mapping[str, str],
    limit: int,
    variant: Variant,
    count: Count,
) -> Context:
    """Bring one context below `limit` tokens; `reports` holds full_content by community id.

    The result is over the limit only when it was trimmed to its first step and even that is too
    long (the over-long text is given, as in Microsoft's code); as documented, the claims of that
    step are cut first, so that an entity with hundreds of claims does not fail its report.
    """
    if variant == "documented" and local.tokens > limit:
        mixed = _substituted(records, local, children, reports, limit, count)
        if mixed is not None:
            return mixed
    return _trimmed(local, limit, variant, count)


def cumulative_tokens(lines: Sequence[Line], count: Count, headed: bool = True) -> list[int]:
    """Give the tokens after each record: rows counted one by one, with a heading at its first row.

    Equal to the count of the whole text as long as no token crosses a line: so it is with words,
    and with cl100k_base where rows end in a number (claims and reports may differ by a token).
    """
    costs = opening_tokens(count) if headed else {"Reports": count(render_plain([]))}
    sizes = [count(line.text) + costs.pop(line.section, 0) for line in lines]
    return list(accumulate(sizes))


def _trimmed(local: Local, limit: int, variant: Variant, count: Count) -> Context:
    kept = _steps_within(local.steps, local.tokens, limit, count)
    lines = tuple(line for step in local.steps[:kept] for line in step)
    cut: tuple[Line, ...] = ()
    if kept == 1 and variant == "documented":
        lines, cut = _without_claims(lines, limit, count)
    left_out = tuple((line, "over the limit") for line in cut) + tuple(
        (line, "over the limit" if number == kept and not cut else "after the cut")
        for number, step in enumerate(local.steps[kept:], kept)
        for line in step
    )
    text = render(lines)
    tokens = count(text)
    exceeds = (tokens if variant == "as_shipped" else local.tokens) > limit
    return Context(
        local.community_id,
        text,
        tokens,
        local.tokens,
        limit,
        exceeds,
        "trimmed" if left_out or exceeds else "fits",
        lines,
        left_out,
    )


def _steps_within(steps: Sequence[Step], whole: int, limit: int, count: Count) -> int:
    """Give how many steps fit, at least one: a guess from single rows, then exact counts."""
    if whole <= limit or len(steps) < 2:
        return len(steps)
    lines = [line for step in steps for line in step]
    sums = cumulative_tokens(lines, count)
    ends = list(accumulate(len(step) for step in steps))
    kept = max(1, sum(sums[end - 1] <= limit for end in ends))
    while kept > 1 and count(render(lines[: ends[kept - 1]])) > limit:
        kept -= 1
    while kept < len(steps) and count(render(lines[: ends[kept]])) <= limit:
        kept += 1
    return kept


def _without_claims(
    lines: tuple[Line, ...], limit: int, count: Count
) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """Cut the last claims of a single step until it fits; give what stays and what goes."""
    claims = [line for line in lines if line.section == "Claims"]

    def kept(number: int) -> tuple[Line, ...]:
        gone = {line.id for line in claims[number:]}
        return tuple(line for line in lines if line.section != "Claims" or line.id not in gone)

    numbers = range(len(claims) + 1)
    fits = max(bisect_right(numbers, limit, key=lambda n: count(render(kept(n)))) - 1, 0)
    return kept(fits), tuple(claims[fits:])


def _substituted(
    records: Records,
    local: Local,
    children: Sequence[Local],
    reports: Mapping[str, str],
    limit: int,
    count: Count,
) -> Context | None:
    """Replace sub-communities by their reports until the rest fits; None when none has a report
    or not even one report fits."""
    order = sorted(children, key=lambda child: (-child.tokens, child.short_id))
    if not any(child.community_id in reports for child in order):
        return None
    taken: list[Line] = []
    kept: list[Local] = []
    for place, child in enumerate(order):
        if child.community_id not in reports:
            kept.append(child)
            continue
        taken.append(_report(child, reports))
        lines = taken + _mixed_lines(records, [*order[place + 1 :], *kept])
        if sum(count(line.text) for line in lines) > limit + len(lines):
            continue  # far above: no need to build and count the text
        text = render(lines)
        if (tokens := count(text)) <= limit:
            return _mixed(local, order, lines, reports, text, tokens, limit)
    return _reports_only(local, order, reports, limit, count)


def _mixed_lines(records: Records, parts: Sequence[Local]) -> list[Line]:
    members = [member for part in parts for member in part.members]
    edges = sorted({number for part in parts for number in part.edges})
    return [line for step in steps_of(records, members, edges) for line in step]


def _reports_only(
    local: Local, order: Sequence[Local], reports: Mapping[str, str], limit: int, count: Count
) -> Context | None:
    """Give the reports alone, as many as fit; the row of one that is missing is empty."""
    lines: list[Line] = []
    text, tokens = "", 0
    for child in order:
        longer = [*lines, _report(child, reports)]
        attempt = render_plain(longer)
        if (size := count(attempt)) > limit:
            break
        lines, text, tokens = longer, attempt, size
    if not any(line.id in reports for line in lines):
        return None
    rest = [_report(child, reports) for child in order[len(lines) :]]
    context = _mixed(local, order, lines, reports, text, tokens, limit)
    over = tuple((line, "over the limit") for line in rest)
    return replace(context, left_out=over + context.left_out)


def _report(child: Local, reports: Mapping[str, str]) -> Line:
    return report_line(child.community_id, child.short_id, reports.get(child.community_id))


def _mixed(
    local: Local,
    order: Sequence[Local],
    lines: Sequence[Line],
    reports: Mapping[str, str],
    text: str,
    tokens: int,
    limit: int,
) -> Context:
    replaced = tuple(line.short_id for line in lines if line.id in reports)
    inside = {line.key for line in lines}
    reason = f"replaced by the report of {', '.join(map(str, replaced))}"
    own = {line.key: line for part in (local, *order) for line in part.lines}
    left_out = tuple((line, reason) for key, line in own.items() if key not in inside)
    return Context(
        local.community_id,
        text,
        tokens,
        local.tokens,
        limit,
        True,
        "substituted",
        tuple(lines),
        left_out,
        replaced,
    )
