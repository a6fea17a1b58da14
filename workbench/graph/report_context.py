"""Graph tables and the reports so far in, one context a community out, as two tables.

The table of contexts says what was done to each one; the table of records says which rows went in,
in order, with the tokens so far and the reason why the others did not: the cut line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

import pandas as pd

from workbench.corpus.tokens import count_tokens
from workbench.graph.report_budget import Context, cumulative_tokens, fit
from workbench.graph.report_lines import HEADINGS, Count
from workbench.graph.report_local import Local, Records, local_contexts, records_of
from workbench.params import ReportParams

CONTEXT_COLUMNS = [
    "community_id", "short_id", "level", "size", "entities", "claims", "relationships", "reports",
    "untrimmed_tokens", "limit", "context_exceed_limit", "context_action", "replaced",
    "context_tokens", "context",
]  # fmt: skip
RECORD_COLUMNS = [
    "community_id", "position", "section", "record_id", "short_id", "text", "tokens", "cumulative",
    "in_context", "cut_reason",
]  # fmt: skip


@dataclass(frozen=True)
class ReportContexts:
    """`contexts`: one row a community, deepest level first. `records`: one row a record of it.

    contexts: community_id, short_id, level, size (members), entities, claims, relationships,
    reports (rows that went in), untrimmed_tokens, limit, context_exceed_limit, context_action,
    replaced (short ids of the communities that their report stands for), context_tokens, context.
    records: community_id, position, section, record_id, short_id, text (CSV row), tokens (of it),
    cumulative (tokens of the context up to it; beyond the cut: what it would have come to; null
    for what a report replaced), in_context, cut_reason (empty when in the context).
    """

    contexts: pd.DataFrame
    records: pd.DataFrame


class ContextBuilder:
    """Holds the untrimmed contexts of all levels and fits one at a time below the limit."""

    def __init__(
        self,
        entities: pd.DataFrame,
        relationships: pd.DataFrame,
        claims: pd.DataFrame | None,
        communities: pd.DataFrame,
        community_members: pd.DataFrame,
        params: ReportParams,
        count: Count | None = None,
    ) -> None:
        self.params = params
        counted = count or partial(count_tokens, encoding=params.encoding)
        self.count: Count = lru_cache(maxsize=None)(counted)  # rows recur on every level
        self.communities = communities.sort_values(["level", "short_id"], ascending=[False, True])
        self.records: Records = records_of(entities, relationships, claims, params.variant)
        self.local: dict[str, Local] = local_contexts(
            self.records, self.communities, community_members, params.variant, self.count
        )
        parted = self.communities.dropna(subset=["parent_id"]).groupby("parent_id")["id"]
        self.children: dict[str, list[str]] = {parent: list(ids) for parent, ids in parted}

    def context(
        self, community_id: str, reports: Mapping[str, str], limit: int | None = None
    ) -> Context:
        """Fit one community's context; `reports` holds the full_content of finished ones by id."""
        return fit(
            self.records,
            self.local[community_id],
            [self.local[child] for child in self.children.get(community_id, ())],
            reports,
            self.params.max_input_tokens if limit is None else limit,
            self.params.variant,
            self.count,
        )

    def tables(self, contexts: Iterable[Context]) -> ReportContexts:
        """Lay contexts out as the two tables."""
        found = list(contexts)
        rows = self.communities.set_index("id")[["short_id", "level", "size"]].to_dict("index")
        table = [_row(context, rows[context.community_id]) for context in found]
        records = [row for context in found for row in _records(context, self.count)]
        return ReportContexts(
            pd.DataFrame(table, columns=CONTEXT_COLUMNS),
            pd.DataFrame(records, columns=RECORD_COLUMNS).astype({"cumulative": "Int64"}),
        )


def report_contexts(
    entities: pd.DataFrame,
    relationships: pd.DataFrame,
    claims: pd.DataFrame | None,
    communities: pd.DataFrame,
    community_members: pd.DataFrame,
    params: ReportParams | None = None,
    *,
    reports: pd.DataFrame | None = None,
    count: Count | None = None,
) -> ReportContexts:
    """Build the context of every community, deepest level first.

    `reports` (of the schema; failed ones are no reports) stand for sub-communities where a context
    is too long; without them it is trimmed. `count` gives the tokens of a text (by default in
    `params.encoding`); it must not shrink as rows are added. Algorithm: Microsoft GraphRAG v0.3.6,
    or 3.3 with `variant="as_shipped"` (which has no claims and never substitutes).
    """
    builder = ContextBuilder(
        entities, relationships, claims, communities, community_members,
        params or ReportParams(), count,
    )  # fmt: skip
    written = finished(reports)
    return builder.tables(builder.context(name, written) for name in builder.communities["id"])


def finished(reports: pd.DataFrame | None) -> dict[str, str]:
    """Give the full_content of the reports that did not fail, by community id."""
    if reports is None:
        return {}
    good = reports[(reports["status"] == "ok") & reports["full_content"].notna()]
    return dict(zip(good["community_id"], good["full_content"], strict=True))


def _row(context: Context, community: Mapping[str, object]) -> dict[str, object]:
    sizes = Counter(line.section for line in context.lines)
    return {
        "community_id": context.community_id,
        **community,
        **{section.lower(): sizes[section] for section in HEADINGS},
        "untrimmed_tokens": context.untrimmed_tokens,
        "limit": context.limit,
        "context_exceed_limit": context.exceeds,
        "context_action": context.action,
        "replaced": ", ".join(map(str, context.replaced)),
        "context_tokens": context.tokens,
        "context": context.text,
    }


def _records(context: Context, count: Count) -> Iterable[tuple]:
    """Yield the rows of one context: what is in, then what is not, each in its own order."""
    lines = [(line, "") for line in context.lines] + list(context.left_out)
    sums: list[int | None] = list(
        cumulative_tokens([line for line, _ in lines], count, context.headed)
    )
    if context.action == "substituted":
        sums[len(context.lines) :] = [None] * len(context.left_out)
    for position, ((line, reason), so_far) in enumerate(zip(lines, sums, strict=True)):
        yield (
            context.community_id, position, line.section, line.id, line.short_id, line.text,
            count(line.text), so_far, not reason, reason,
        )  # fmt: skip
