"""Jobs and their results in, `summary.csv` and `index.html` out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from workbench.show.text import escaped, formatted
from workbench.study.sweep import Job

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>{title}</title>
<body style="font:15px/1.5 system-ui,sans-serif;margin:2em;color-scheme:light dark">
<h1>{title}</h1><p>{told}</p>
<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead>
<tbody>{body}</tbody></table></body></html>
"""
_CELL = '<td style="padding:2px 10px;text-align:{}">{}</td>'


def summary(jobs: Sequence[Job], results: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """Give one row a job: run, corpus, mode, parameters, question, its figures, error.

    Nothing in it hangs on time or machine, so that a resumed sweep gives the same.
    """
    rows = []
    for job, result in zip(jobs, results, strict=True):
        said = {"run": job.name, "corpus": job.corpus, "mode": job.mode}
        said |= {"parameters": job.variant, "question": job.question}
        rows.append({**said, **(result.get("figures") or {}), "error": result["error"]})
    frame = pd.DataFrame(rows)
    return frame[[*(name for name in frame if name != "error"), "error"]]


def merge(jobs: Sequence[Job], results: Sequence[dict[str, Any]], folder: Path) -> pd.DataFrame:
    """Write both files over all jobs; give the summary."""
    table = summary(jobs, results)
    table.to_csv(folder / "summary.csv", index=False, lineterminator="\n")
    (folder / "index.html").write_text(_page(jobs, table, folder.name), encoding="utf-8")
    return table


def _page(jobs: Sequence[Job], table: pd.DataFrame, title: str) -> str:
    failed = int((table["error"] != "").sum())
    told = f"{len(table)} runs, {failed} failed; each name leads to its page."
    shown = table.drop(columns=["question"] if (table["question"] == "").all() else [])
    head = "".join(
        f'<th style="padding:2px 10px;text-align:left">{escaped(name)}</th>' for name in shown
    )
    body = []
    for job, row in zip(jobs, shown.itertuples(index=False), strict=True):
        page = f"{job.name}/{Path(job.notebook).stem}.html"
        cells = [_CELL.format("left", f'<a href="{escaped(page)}">{escaped(job.name)}</a>')]
        for value in row[1:]:
            side = "left" if isinstance(value, str) else "right"
            cells.append(_CELL.format(side, escaped(formatted(value))))
        body.append(f"<tr>{''.join(cells)}</tr>")
    return _PAGE.format(title=escaped(title), told=told, head=head, body="\n".join(body))
