"""One job of a sweep in, its folder out: notebook, page, parameters, tables, figures.

All is made in a folder of another name and renamed when whole, so that a worker that dies leaves
nothing that looks finished. `python -m workbench.study.sweep_job` takes a job as JSON on stdin and
gives its result on stdout.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from workbench.errors import WorkbenchError
from workbench.paths import root
from workbench.study.sweep import Job

if TYPE_CHECKING:
    from workbench.run import Run

PARTIAL = ".partial-"
RESULT, STORE = "result.json", "run.duckdb"
_TABLES = ("entities", "relationships", "communities", "community_reports", "rejected")
_TEXTS = (".ipynb", ".html", ".csv", ".yaml", ".json")


def run_job(job: Job) -> dict[str, Any]:
    """Run one job; give its result, which also stands in the folder: figures, or the error."""
    target = Path(job.folder)
    work = target.parent / f"{PARTIAL}{job.name}-{uuid.uuid4().hex[:8]}"
    work.mkdir(parents=True)
    result: dict[str, Any] = {"name": job.name, "fingerprint": job.fingerprint, "error": ""}
    try:
        result["figures"] = _made(job, work)
    except WorkbenchError as error:
        result["error"] = str(error)
    (work / "params.yaml").write_text(_said(job), encoding="utf-8")
    (work / RESULT).write_text(json.dumps(result, indent=1, ensure_ascii=False), encoding="utf-8")
    _rename(work, target)
    return result


def finished(job: Job) -> dict[str, Any] | None:
    """Give the result of a job that was done before with the same fingerprint, and did not fail."""
    try:
        result = json.loads((Path(job.folder) / RESULT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    same = result.get("fingerprint") == job.fingerprint and not result.get("error")
    return result if same else None


def _made(job: Job, work: Path) -> dict[str, Any]:
    from workbench.store import Store
    from workbench.study.notebooks import execute, write_page

    notebook, store = Path(job.notebook), work / STORE
    target = work / notebook.name
    parameters = {**job.parameters, "store_path": str(store)}
    failure = execute(notebook, target, parameters)
    write_page(target)
    if failure:
        raise WorkbenchError(failure)
    run = Store(store).run(job.mode)
    for name in _TABLES:
        table = run.read(name)
        table.to_csv(work / f"{name}.csv", index=False, lineterminator="\n")
    return figures(run, job)


def figures(run: Run, job: Job) -> dict[str, Any]:
    """Give what is compared of a run: its graph, scores where there is gold, evidence, calls."""
    from workbench.study.compare_graph import graph_statistics
    from workbench.study.evaluate import evaluate
    from workbench.study.gold import read_gold
    from workbench.study.side_by_side import cost_table, score_table

    one = {run.name: run}
    row = graph_statistics(one).iloc[0].drop(["run", "mode", "llm"]).to_dict()
    if job.gold:
        scores = score_table(one, read_gold(job.gold)).set_index("of")["f1"]
        row |= {f"f1_{kind}": scores[kind] for kind in scores.index}
    if job.evidence:
        found = evaluate(run.store, job.evidence, methods=tuple(job.methods), k=(5,), run=run.name)
        for method, values in found["methods"].items():
            row[f"recall@5_{method}"] = values["recall@5"]
    asked = cost_table(one)
    row |= {name: asked[name].sum() for name in ("calls", "prompt_tokens", "reply_tokens")}
    return {name: _plain(value) for name, value in row.items()}


def _plain(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    return round(value, 4) if isinstance(value, float) else value


def _said(job: Job) -> str:
    said = {
        "name": job.name,
        "corpus": job.corpus,
        "mode": job.mode,
        "notebook": Path(job.notebook).name,
        "parameters": {**job.parameters, "store_path": f"{job.folder}{os.sep}{STORE}"},
    }
    text = yaml.safe_dump(said, sort_keys=False, allow_unicode=True)
    return text.replace(f"{root()}{os.sep}", "")


def _rename(work: Path, target: Path) -> None:
    """Give the folder its name, also in the files that show it, and drop what was there before."""
    for file in work.iterdir():
        if file.suffix in _TEXTS:
            text = file.read_text(encoding="utf-8")
            text = text.replace(work.name, target.name).replace(f"{root()}{os.sep}", "")
            file.write_text(text, encoding="utf-8", newline="\n")
    if target.exists():
        shutil.rmtree(target)
    work.rename(target)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(run_job(Job(**json.loads(sys.stdin.read())))))
