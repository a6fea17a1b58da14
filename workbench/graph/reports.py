"""Graph tables in, the table community_reports out: written by a model, or extractive without one.

Levels go bottom-up, so that the reports of sub-communities exist when a community's own context is
too long for its prompt (as shipped, all contexts are made first and none is ever substituted).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from workbench import schema
from workbench.frames import table_frame
from workbench.graph.extractive_report import Draft, ExtractiveWriter
from workbench.graph.report_budget import Context
from workbench.graph.report_context import ContextBuilder
from workbench.graph.report_lines import Count
from workbench.models.prompts import fill, load_templates, reply_tokens
from workbench.params import ReportParams

if TYPE_CHECKING:
    from workbench.models.calls import Caller
    from workbench.models.requests import Outcome

SAFETY = 0.9  # of a model's window: its tokens are not ours


def write_reports(
    entities: pd.DataFrame,
    relationships: pd.DataFrame,
    claims: pd.DataFrame | None,
    communities: pd.DataFrame,
    community_members: pd.DataFrame,
    params: ReportParams | None = None,
    caller: Caller | None = None,
    *,
    chunks: pd.DataFrame | None = None,
    entity_mentions: pd.DataFrame | None = None,
    templates: dict[str, str] | None = None,
    options: tuple[tuple[str, Any], ...] = (),
) -> pd.DataFrame:
    """Write one report a community, deepest level first; the frame is in that order.

    With a caller all reports of a level are asked for at once; one that fails is a row with status
    `failed` and its error, and its community is not substituted above. Without one, reports are
    extractive and say so; `chunks` and `entity_mentions` give them sentences to quote. `templates`
    are those of `load_templates`, `options` (temperature, seed) those of a Request. The limit is
    `params.max_input_tokens`, or what the model's window leaves beside prompt and reply. Raises
    ModelUnavailable when no call can succeed.
    """
    params = params or ReportParams()
    builder = ContextBuilder(
        entities, relationships, claims, communities, community_members, params
    )
    if caller is None:
        writer = ExtractiveWriter(
            entities, relationships, community_members, chunks, entity_mentions
        )
        write, limit = partial(_extractive, writer, builder, params), params.max_input_tokens
    else:
        template = (templates or load_templates())["report"]
        write = partial(by_model, caller, template, params, options)
        limit = context_limit(caller, template, params, builder.count)
    titles = dict(zip(builder.communities["id"], builder.communities["title"], strict=True))
    written: dict[str, str] = {}
    rows: list[dict[str, Any]] = []
    for level, group in builder.communities.groupby("level", sort=False):
        contexts = [builder.context(name, written, limit) for name in group["id"]]
        found = write(contexts, f"reports of level {level}", rows)
        new = [_row(*pair, titles) for pair in zip(contexts, found, strict=True)]
        written |= {row["community_id"]: row["full_content"] for row in new if not row["error"]}
        rows += new
    return table_frame(schema.COMMUNITY_REPORTS, rows)


def context_limit(caller: Caller, template: str, params: ReportParams, count: Count) -> int:
    """Give the tokens a context may have: as asked for, or what the model's window leaves."""
    window = int(caller.model.context_window * SAFETY)
    room = window - _reply_length(caller, params) - count(fill(template, context=""))
    return max(1, min(params.max_input_tokens, room))


def _reply_length(caller: Caller, params: ReportParams) -> int:
    """Give the tokens a reply may take at first: half of a small window at most."""
    return min(reply_tokens("report", params.max_findings), caller.model.context_window // 2)


def full_content(title: str, summary: str, findings: Sequence[dict[str, str]]) -> str:
    """Write a report as Markdown: its title, its summary, and a section a finding.

    >>> full_content("Docker", "It runs.", [{"summary": "Compose", "explanation": "Starts it."}])
    '# Docker\\n\\nIt runs.\\n\\n## Compose\\n\\nStarts it.'
    """
    parts = [f"# {title}", summary]
    for finding in findings:
        parts += [f"## {finding['summary']}", finding["explanation"]]
    return "\n\n".join(parts)


def _extractive(
    writer: ExtractiveWriter,
    builder: ContextBuilder,
    params: ReportParams,
    contexts: Sequence[Context],
    description: str,
    finished: Sequence[dict[str, Any]],
) -> list[tuple[Draft | None, str, str]]:
    """Write the reports of one level without a model."""
    short_ids = {name: local.short_id for name, local in builder.local.items()}
    titles = {short_ids[row["community_id"]]: row["title"] for row in finished}
    local = builder.local
    return [
        (writer.write(local[c.community_id], c, titles, params.max_findings), "extractive", "")
        for c in contexts
    ]


def by_model(
    caller: Caller,
    template: str,
    params: ReportParams,
    options: tuple[tuple[str, Any], ...],
    contexts: Sequence[Context],
    description: str,
    finished: Sequence[dict[str, Any]],
) -> list[tuple[Draft | None, str, str]]:
    """Ask for reports on communities, one a context; the content of a request is its community.

    Gives for each what the model wrote (None: no usable report), who wrote it, and the error.
    """
    from workbench.models.requests import Request
    from workbench.models.schemas import ReportReply

    requests = [
        Request(
            "report",
            fill(template, context=context.text),
            ReportReply,
            context.community_id,
            _reply_length(caller, params),
            options,
            items=params.max_findings,
        )
        for context in contexts
    ]
    source = "replay" if caller.model.name.startswith("replay/") else "model"
    drafts = [_draft(o, params.max_findings) for o in caller.ask_all(requests, description)]
    return [(draft, source, error) for draft, error in drafts]


def _draft(outcome: Outcome, most: int) -> tuple[Draft | None, str]:
    """Read a reply; give what it says, or why it is none."""
    if outcome.status != "ok" or outcome.parsed is None:
        return None, outcome.error or f"the reply was {outcome.status}"
    reply: Any = outcome.parsed
    findings = [
        {"summary": finding.summary, "explanation": finding.explanation}
        for finding in reply.findings
        if finding.summary or finding.explanation
    ]
    if not reply.summary and not findings:
        return None, "the reply holds neither a summary nor a finding"
    why, rank = reply.rating_explanation, reply.rank
    if rank is not None and not 0 <= rank <= 10:
        rank = min(max(rank, 0.0), 10.0)
        why = f"{why} (The reply ranked it {reply.rank:g}.)".strip()
    return Draft(reply.title, reply.summary, rank, why, findings[:most]), ""


def _row(
    context: Context, found: tuple[Draft | None, str, str], titles: dict[str, str]
) -> dict[str, Any]:
    draft, source, error = found
    row = {
        "community_id": context.community_id,
        "title": titles[context.community_id],
        "context": context.text,
        "untrimmed_tokens": context.untrimmed_tokens,
        "context_tokens": context.tokens,
        "context_exceed_limit": context.exceeds,
        "context_action": context.action,
        "source": source,
        "status": "ok" if draft else "failed",
        "error": error,
        "full_content": None,
    }
    if draft is not None:
        title = draft.title or row["title"]
        row |= {
            "title": title,
            "summary": draft.summary,
            "rank": draft.rank,
            "rating_explanation": draft.rating_explanation,
            "findings": json.dumps(draft.findings, ensure_ascii=False),
            "full_content": full_content(title, draft.summary, draft.findings),
        }
    return row
