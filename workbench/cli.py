"""The command line: commands that take a store and print tables, or JSON for scripts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workbench import (
    cli_ask,
    cli_compare,
    cli_doctor,
    cli_evaluate,
    cli_interop,
    cli_models,
    cli_options,
    cli_paths,
    cli_report,
    cli_sweep,
)
from workbench.cli_options import DEFAULT_STORE, JsonOption, RunOption, StoreOption, given
from workbench.cli_output import print_output as _print
from workbench.cli_output import records_of as _records
from workbench.errors import WorkbenchError
from workbench.params import ChunkParams, ClusterParams, EmbedParams, validated

if TYPE_CHECKING:
    from workbench.store import Store

MESSAGE_LENGTH = 2000  # characters of a refusal: a name in it may be a whole document

app = typer.Typer(
    name="workbench",
    help="Open GraphRAG up: every table between a folder of documents and an answer.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
runs_app = typer.Typer(help="List the runs of a store, or delete one.", invoke_without_command=True)
app.add_typer(runs_app, name="runs")
cli_ask.register(app)
cli_models.register(app)
cli_paths.register(app)
cli_compare.register(app)
cli_doctor.register(app)
cli_evaluate.register(app)
cli_interop.register(app)
cli_sweep.register(app)
cli_report.register(app)


@app.callback()
def _root() -> None:
    """Open GraphRAG up: every table between a folder of documents and an answer."""


@app.command()
def index(
    corpus: Annotated[
        str | None, typer.Argument(help="Folder or table file; none: the chunks already stored.")
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    mode: Annotated[str, typer.Option(help="Extraction mode.")] = "heuristic",
    run: RunOption = None,
    chunker: Annotated[str | None, typer.Option(help="markdown (default) or tokens.")] = None,
    size: cli_options.SizeOption = None,
    overlap: cli_options.OverlapOption = None,
    embedder: Annotated[
        str | None, typer.Option(help="minilm (default), or a model's name or path.")
    ] = None,
    llm: cli_options.LlmOption = "none",
    record: cli_options.RecordOption = None,
    workers: cli_options.WorkersOption = None,
    classify: cli_options.ClassifyOption = False,
    candidates: cli_options.CandidatesOption = None,
    gleanings: cli_options.GleaningsOption = None,
    claims: cli_options.ClaimsOption = False,
    entity_types: cli_options.TypesOption = None,
    predicates: cli_options.PredicatesOption = None,
    templates: cli_options.TemplatesOption = None,
    engine: Annotated[str, typer.Option(help="leidenalg, igraph or graspologic.")] = "leidenalg",
    max_cluster_size: Annotated[
        int, typer.Option(help="Communities of this size or more are split again.")
    ] = 10,
    seed: Annotated[int, typer.Option(help="Seed of the clustering.")] = 0xDEADBEEF,
    jobs: Annotated[int | None, typer.Option(help="Processes for per-document work.")] = None,
    dask: cli_options.DaskOption = None,
    id_column: Annotated[str, typer.Option(help="Column of a table corpus with the id.")] = "id",
    title_column: Annotated[str, typer.Option(help="… with the title.")] = "title",
    text_column: Annotated[str, typer.Option(help="… with the text.")] = "text",
    force: Annotated[
        bool, typer.Option(help="Extract again; with other sizes, cut and embed all again.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Read documents, cut and embed them, extract a graph and its communities."""
    from workbench.dask_cluster import spread
    from workbench.index import index as build
    from workbench.models.language import load_model
    from workbench.models.record import recorded
    from workbench.store import Store

    with spread(dask):
        built = build(
            corpus,
            Store(store),
            mode=mode,
            run=run,
            chunk=given(ChunkParams, chunker=chunker, size=size, overlap=overlap),
            embed=given(EmbedParams, model=embedder),
            cluster=validated(
                ClusterParams, engine=engine, max_cluster_size=max_cluster_size, seed=seed
            ),
            llm=recorded(load_model(llm), record),
            language=cli_options.language_params(
                workers=workers,
                classify=classify,
                candidates=candidates,
                gleanings=gleanings,
                claims=claims,
                entity_types=entity_types,
                predicates=predicates,
                templates=templates,
            ),
            jobs=jobs,
            columns={"id": id_column, "title": title_column, "text": text_column},
            force=force,
            on_stage=lambda stage: typer.echo(f"{stage} …", err=True),
        )
    report = built.index_report
    typer.echo(
        f"{report.documents} documents ({report.unchanged} unchanged, {report.deleted} gone), "
        f"{report.skipped} files skipped, {report.embedded} chunks embedded, run {built.name} "
        f"{'written' if report.extracted else 'was there already'}.",
        err=True,
    )
    if report.skipped:
        reasons = built.store.read("skipped")["reason"].value_counts().sort_index()
        told = ", ".join(f"{count} {reason}" for reason, count in reasons.items())
        typer.echo(f"skipped: {told} (see the table skipped)", err=True)
    for warning in report.warnings:
        typer.echo(f"warning: {warning}", err=True)
    _print_counts(built.store, as_json)


@app.command()
def stats(store: StoreOption = DEFAULT_STORE, as_json: JsonOption = False) -> None:
    """Count what a store holds."""
    _print_counts(_open(store), as_json)


@runs_app.callback()
def runs(
    context: typer.Context, store: StoreOption = DEFAULT_STORE, as_json: JsonOption = False
) -> None:
    """List the runs of a store."""
    context.obj = store
    if context.invoked_subcommand is None:
        frame = _open(store).runs()
        _print({"runs": _records(frame)}, as_json, ("runs", frame))


@runs_app.command("delete")
def runs_delete(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Run to delete.")],
    store: Annotated[Path | None, typer.Option("--store", help="The .duckdb file.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Delete a run and its tables; the chunks and other runs stay."""
    opened = _open(store or context.obj)
    opened.delete_run(name)
    _print_counts(opened, as_json)


@app.command()
def search(
    text: Annotated[str, typer.Argument(help="What to look for.")],
    store: StoreOption = DEFAULT_STORE,
    run: RunOption = None,
    k: Annotated[int, typer.Option(help="How many chunks.", min=1)] = 10,
    method: Annotated[str, typer.Option(help="basic, bm25 or dense.")] = "basic",
    hnsw: Annotated[bool, typer.Option("--hnsw", help="Near vectors by index, not all.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Rank chunks by BM25, by vectors and by both, and show each part of the score."""
    from workbench.query.search import search as find

    index = "hnsw" if hnsw else "exact"
    frame = find(_open(store), text, k=k, run=run, method=method, index=index)
    shown = frame.drop(columns=["chunk_id"], errors="ignore")
    _print({"results": _records(frame)}, as_json, (f"{method}: {text}", shown))


@app.command()
def entity(
    name: Annotated[str, typer.Argument(help="Name or alias of an entity.")],
    store: StoreOption = DEFAULT_STORE,
    run: RunOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show an entity's aliases, mentions, neighbours and communities."""
    from dataclasses import asdict

    import pandas as pd

    from workbench.query.entity import entity_card

    card = asdict(entity_card(_open(store).run(run), name))
    payload = {
        key: _records(part) if isinstance(part, pd.DataFrame) else _records(pd.DataFrame([part]))[0]
        for key, part in card.items()
    }
    tables = [(key, part) for key, part in card.items() if isinstance(part, pd.DataFrame)]
    _print(payload, as_json, ("entity", pd.DataFrame([card["entity"]])), *tables)


@app.command()
def check(store: StoreOption = DEFAULT_STORE, as_json: JsonOption = False) -> None:
    """Look for orphan rows, stale spans and missing vectors; exit with 1 when there are any."""
    problems = _open(store).check()
    _print({"problems": _records(problems)}, as_json, ("problems", problems))
    raise typer.Exit(0 if problems.empty else 1)


@app.command()
def notebooks(
    names: Annotated[list[str] | None, typer.Argument(help="Names; none: all of them.")] = None,
    parameter: Annotated[
        list[str] | None, typer.Option("-p", "--parameter", help="key=value, repeatable.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the executed notebooks.")] = None,
    copy: Annotated[Path | None, typer.Option(help="Copy the notebooks there; run none.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Run the shipped notebooks with papermill, or copy them."""
    from workbench.study.notebooks import copy_notebooks, parse_parameters, run_notebooks

    if copy is not None:
        files = copy_notebooks(names or [], copy)
    else:
        files = run_notebooks(names or [], parse_parameters(parameter or []), out=out)
    _print_files(files, as_json)


@app.command()
def demo(
    out: Annotated[Path | None, typer.Option(help="Folder of what is made.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Index the shipped handbook, count, search, and run the notebooks into reports/demo."""
    from workbench.demo import run_demo

    run_demo(out, lambda payload, *tables: _print(payload, as_json, *tables))


def main() -> None:
    """Run the command line; a WorkbenchError is one sentence on stderr and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that lacks a sign gets its escape
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except WorkbenchError as error:
        from workbench.show.console import visible

        typer.echo(f"workbench: {visible(error, MESSAGE_LENGTH)}", err=True)
        sys.exit(2)


def _open(path: Path) -> Store:
    from workbench.store import Store

    return Store(path)


def _print_counts(store: Store, as_json: bool) -> None:
    from workbench.show.console import counts_tables

    counts = store.counts()
    _print(counts, as_json, *counts_tables(counts))


def _print_files(files: list[Path], as_json: bool) -> None:
    import pandas as pd

    paths = [str(path) for path in files]
    _print({"files": paths}, as_json, ("files", pd.DataFrame({"file": paths})))
