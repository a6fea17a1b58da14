"""A trace in, what a notebook or a page shows of it out: HTML that acts on nothing, and plain text.

All styles stand in the elements, since a notebook that is not trusted drops `<style>`; colours are
the page's own with some transparency over them, so that it reads in light and in dark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pandas as pd

from workbench.query.trace import LAST, Prompt, Step, Trace
from workbench.show.tables import table
from workbench.show.text import count_of, escaped, visible
from workbench.show.theme import BLUE, GREEN, ORANGE, PURPLE, RED, SKY

LIMIT = 300_000  # bytes of a view, however large the trace
ROOMS = ((20, 60, 6_000), (10, 40, 3_000), (5, 30, 1_000), (2, 15, 300))  # rows, steps, characters
ANSWER = 20_000  # characters of an answer that are shown
PROMPTS = 8  # prompts that are shown
SOURCES = {
    "extractive": "extractive: sentences of the documents, no model",
    "model": "written by {}",
    "replay": "recorded reply of {}",
}
_BOX = "border:1px solid rgba(128,128,128,.4);border-radius:4px;padding:8px 12px;margin:4px 0"
_MARK = "font-size:85%;border-radius:3px;padding:0 3px;background:rgba(86,180,233,.3)"
_FLAGGED = "font-size:85%;border-radius:3px;padding:0 3px;background:rgba(213,94,0,.45)"
_MUTED = "opacity:.75;font-size:90%"
_COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, RED)
_TRACK = "display:inline-block;height:12px;vertical-align:middle;background:rgba(128,128,128,.25)"
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }}
body {{ max-width: 1100px; margin: 1.5rem auto; padding: 0 1rem; }}
table {{ border-collapse: collapse; font-size: 85%; }}
th, td {{ padding: 2px 8px; text-align: right; border-bottom: 1px solid rgba(128,128,128,.25); }}
</style></head>
<body>
{body}
</body></html>
"""


def trace_html(trace: Trace) -> str:
    """Give the trace as one HTML block of at most LIMIT bytes; what is left out is said."""
    for rows, steps, characters in ROOMS:
        html = "\n".join(_blocks(trace, rows, steps, characters))
        if len(html.encode()) <= LIMIT:
            break
    return html


def trace_page(trace: Trace) -> str:
    """Give the trace as a page of its own."""
    return _PAGE.format(title=escaped(trace.question, 80) or "trace", body=trace_html(trace))


def trace_text(trace: Trace) -> str:
    """Give question, answer, notes and budget as plain text."""
    parts = [
        f"{visible(trace.question, 200)}\n({trace_heading(trace)})",
        visible_lines(trace.answer.text),
    ]
    parts += [f"Note: {visible(note)}" for note in trace.notes]
    budget = trace.budget
    if len(budget):
        shown = budget.assign(section=budget["section"].map(visible))
        parts.append(shown.to_string(index=False))
    parts.append("steps: " + ", ".join(visible(step.name) for step in trace.steps))
    return "\n\n".join(parts)


def visible_lines(text: str) -> str:
    """Give text whose line feeds stay and whose hidden signs are spelt out."""
    return "\n".join(visible(line) for line in text.splitlines())


def trace_heading(trace: Trace) -> str:
    """Say in one line how the question was answered."""
    method = trace.method
    if trace.params.get("method") == "auto":
        method += ", chosen by auto"
    source = SOURCES.get(trace.answer.source, trace.answer.source)
    return f"{method}; {source.format(trace.params.get('llm', 'a model'))}; run {trace.run}"


def _blocks(trace: Trace, rows: int, steps: int, characters: int) -> Iterator[str]:
    yield f'<div style="{_BOX}">'
    yield f'<div dir="auto" style="font-weight:bold">{escaped(trace.question, 1_000)}</div>'
    yield f'<div style="{_MUTED}">{escaped(trace_heading(trace))}</div>'
    yield f'<div dir="auto" style="margin:8px 0">{_answer(trace)}</div>'
    for note in trace.notes:
        yield f'<div style="{_MUTED}">⚠ {escaped(note, 1_000)}</div>'
    yield _budget(trace)
    if len(trace.answer.citations):
        yield _details("citations", _shown(trace.answer.citations, "cited records", rows))
    for step in trace.steps[:steps]:
        yield _step(step, rows)
    if len(trace.steps) > steps:
        yield f"<div>… and {count_of(len(trace.steps) - steps, 'more step')}</div>"
    for prompt in trace.prompts[:PROMPTS]:
        yield _prompt(prompt, characters)
    if len(trace.prompts) > PROMPTS:
        yield f"<div>… and {count_of(len(trace.prompts) - PROMPTS, 'more prompt')}</div>"
    yield "</div>"


def _answer(trace: Trace) -> str:
    """Give the answer's text, each citation marked: what is cited, or what is wrong with it."""
    text = trace.answer.text
    cited: dict[str, list[tuple[str, str]]] = {}
    for row in trace.answer.citations.itertuples(index=False):
        fault = "" if row.exists and row.in_context else "not in the context"
        fault = fault if row.exists else "does not exist"
        cited.setdefault(row.marker, []).append((row.label, fault))
    pattern = re.compile("|".join(map(re.escape, cited)) or r"(?!)")
    pieces, end = [], 0
    for match in pattern.finditer(text[:ANSWER]):
        pieces.append(_lines(text[end : match.start()]))
        labels = "; ".join(fault or label for label, fault in cited[match[0]])
        faults = [fault for _, fault in cited[match[0]] if fault]
        style = _FLAGGED if faults else _MARK
        wrong = f" ⚠ {'; '.join(dict.fromkeys(faults))}" if faults else ""
        shown = f"{escaped(match[0])}{wrong}"
        pieces.append(f'<span style="{style}" title="{escaped(labels, 200)}">{shown}</span>')
        end = match.end()
    pieces.append(_lines(text[end:ANSWER]))
    if len(text) > ANSWER:
        pieces.append(f"<br>… ({len(text) - ANSWER:,} characters more)")
    return "".join(pieces)


def _lines(text: str) -> str:
    return "<br>".join(escaped(line) for line in text.split("\n"))


def _budget(trace: Trace) -> str:
    """Draw one bar a section: its share of the budget, and how much of that is used."""
    budget = trace.budget
    if budget.empty:
        return ""
    sizes = budget["allowed"].fillna(budget["used"]).astype("int64").clip(lower=1)
    lines = []
    for place, (row, size) in enumerate(zip(budget.itertuples(), sizes, strict=True)):
        used = min(1.0, row.used / size)
        colour = _COLOURS[place % len(_COLOURS)]
        fill = f"display:block;height:12px;width:{100 * used:.1f}%;background:{colour}"
        track = f"{_TRACK};width:{max(1, round(100 * size / sizes.max()))}%"
        allowed = "" if pd.isna(row.allowed) else f" of {row.allowed:,}"
        cut = f"; {count_of(row.rows_cut, 'row')} cut ({row.cut:,})" if row.rows_cut else ""
        lines.append(
            '<tr><td style="text-align:left;white-space:nowrap">'
            f'{escaped(row.section, 40)}</td><td style="width:45%;text-align:left">'
            f'<span style="{track}"><span style="{fill}"></span></span></td>'
            f'<td style="text-align:left">{row.used:,}{allowed} tokens, '
            f"{count_of(row.rows, 'row')}{cut}</td></tr>"
        )
        if place == 11 and len(budget) > 12:
            more = count_of(len(budget) - 12, "more section")
            lines.append(f'<tr><td colspan="3" style="text-align:left">… and {more}</td></tr>')
            break
    return f'<table style="width:100%;border-collapse:collapse">{"".join(lines)}</table>'


def _step(step: Step, rows: int) -> str:
    frame = step.table
    inside = int(frame["in_context"].astype(bool).sum())
    caption = f"{step.name}: {step.meaning}"
    kept = f"{inside:,} of {count_of(len(frame), 'candidate')}"
    depth = step.name.count("/")
    columns = [
        name
        for name in frame.columns
        if name not in ("id", "kind") and not (name in LAST and (frame[name] == "").all())
    ]
    shown = _shown(frame[columns], step.name, rows)
    return _details(f"{caption} ({kept})", shown, depth)


def _shown(frame: pd.DataFrame, caption: str, rows: int) -> str:
    shown = table(frame, caption, rows, width=60)._repr_html_()
    return f'<div style="overflow-x:auto;white-space:nowrap">{shown}</div>'


def _prompt(prompt: Prompt, characters: int) -> str:
    """Show a prompt's beginning and end; candidates' rows stand on a tint of their own."""
    left = characters
    pieces = []
    for part in prompt.parts:
        text = part.text if part.kind in ("template", "question") else part.text[: max(0, left)]
        left -= len(part.text)
        if part.kind == "row" and text:
            pieces.append(f'<span style="background:rgba(86,180,233,.18)">{_kept(text)}</span>')
        elif text:
            pieces.append(_kept(text[:4_000]))
    if left < 0:
        pieces.append(f"\n… ({-left:,} characters more between the rows shown and the end)")
    task = f"context (no model was asked), {prompt.tokens:,} tokens"
    if prompt.task != "context":
        task = f"prompt {prompt.task}, {prompt.tokens:,} tokens, {prompt.status}, call {prompt.key}"
    style = "white-space:pre-wrap;overflow-wrap:anywhere;font-size:85%;margin:4px 0"
    return _details(task, f'<pre dir="auto" style="{style}">{"".join(pieces)}</pre>')


def _kept(text: str) -> str:
    return "\n".join(escaped(line) for line in text.split("\n"))


def _details(summary: str, body: str, depth: int = 0) -> str:
    style = f"margin:2px 0 2px {depth}em"
    return (
        f'<details style="{style}"><summary style="cursor:pointer">{escaped(summary, 300)}'
        f"</summary>\n{body}</details>"
    )
