"""The command that makes one page about a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from workbench.cli_options import JsonOption, LlmOption, SizeOption
from workbench.cli_output import print_output

NOTEBOOK = "10_your_corpus"


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(report)


def report(
    corpus: Annotated[str, typer.Argument(help="Folder or table file.")],
    store: Annotated[
        Path | None,
        typer.Option(envvar="WORKBENCH_STORE", help="The .duckdb file; else a new one."),
    ] = None,
    mode: Annotated[str, typer.Option(help="Extraction mode.")] = "heuristic",
    llm: LlmOption = "none",
    question: Annotated[str | None, typer.Option(help="What is asked on the page.")] = None,
    method: Annotated[str | None, typer.Option(help="How it is asked; else auto.")] = None,
    gold: Annotated[str | None, typer.Option(help="Labels to score against.")] = None,
    questions: Annotated[Path | None, typer.Option(help="JSONL with gold documents.")] = None,
    size: SizeOption = None,
    out: Annotated[Path | None, typer.Option(help="Folder; else reports/<corpus>.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Make one page about a corpus: read, found, clustered, asked, scored (notebook 10)."""
    import pandas as pd

    from workbench.paths import made_folder, resolve_corpus, root
    from workbench.study.notebooks import run_notebooks

    source = resolve_corpus(corpus).resolve()
    folder = made_folder(out or root() / "reports" / source.stem, "The folder").resolve()
    given = {
        "store_path": str((store or folder / f"{source.stem}.duckdb").resolve()),
        "corpus_dir": str(source),
        "mode": mode,
        "llm": llm,
        "question": question or f"What is {source.stem.replace('_', ' ')} about?",
        "method": method,
        "gold": gold,
        "questions": None if questions is None else str(questions.resolve()),
        "size": size,
    }
    files = run_notebooks(
        [NOTEBOOK], {name: value for name, value in given.items() if value is not None}, out=folder
    )
    paths = [str(file) for made in files for file in (made.with_suffix(".html"), made)]
    paths.append(given["store_path"])
    print_output({"files": paths}, as_json, ("page", pd.DataFrame({"file": paths})))
