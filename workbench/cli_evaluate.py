"""The command that measures what each method finds of the documents that answer questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from workbench.cli_options import DEFAULT_STORE, JsonOption, RunOption, StoreOption, listed
from workbench.cli_output import print_output


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(evaluate)


def evaluate(
    questions: Annotated[
        str, typer.Argument(help="JSONL with question and gold; or handbook, novella.")
    ],
    store: StoreOption = DEFAULT_STORE,
    run: RunOption = None,
    methods: Annotated[
        str, typer.Option(help="bm25, dense, basic, local, global, drift, walk, auto; commas.")
    ] = "bm25,dense,basic",
    k: Annotated[str, typer.Option(help="Cut-offs, joined by commas.")] = "5,8",
    evidence: Annotated[
        bool, typer.Option("--evidence", help="Also ask, and look for quotations in the context.")
    ] = False,
    against: Annotated[
        list[Path] | None,
        typer.Option(help="What a published system retrieved, as JSONL; repeatable."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure how many gold documents each method finds, in both halves, and against others."""
    from workbench.store import Store
    from workbench.study.evaluate import evaluate as measure

    result = measure(
        Store(store),
        questions,
        methods=listed(methods),
        k=_numbers("--k", k),
        run=run,
        evidence=evidence,
        against=against or (),
    )
    print_output(result, as_json, *_tables(result))
    if not as_json:
        for name, row in result.get("published", {}).items():
            typer.echo(
                f"{name}: {row['mapped']} titles that were cut off mapped back, {row['ambiguous']} "
                f"of them to several documents; {row['unknown']} unknown.",
                err=True,
            )


def _tables(result: dict[str, Any]) -> list[tuple[str, Any]]:
    import pandas as pd

    def table(figures: dict[str, Any]) -> pd.DataFrame:
        return pd.DataFrame(figures).T.rename_axis("method").reset_index()

    tables = [(f"{result['questions']} questions", table(result["methods"]))]
    for name in ("halves", "kinds"):
        for part, figures in result.get(name, {}).items():
            caption = f"{part}-numbered questions" if name == "halves" else f"kind {part}"
            tables.append((caption, table(figures)))
    if "choices" in result:
        chosen = result["choices"]
        frame = pd.DataFrame(chosen["confusion"]).T.rename_axis("suits").reset_index()
        caption = f"auto chooses the method that suits {chosen['accuracy']:.2f} of the questions"
        tables.append((caption, frame))
    if "published" in result:
        tables.append(("published", table(result["published"])))
        tables.append(("wins and losses, McNemar's p", pd.DataFrame(result["comparisons"])))
    return tables


def _numbers(option: str, text: str) -> list[int]:
    from workbench.errors import InputError

    try:
        return [int(name) for name in listed(text)]
    except ValueError as error:
        raise InputError(f"{option} is {text!r}: give whole numbers joined by commas.") from error
