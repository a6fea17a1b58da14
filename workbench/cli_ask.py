"""Commands that ask: a question answered with its trace, and traces that were kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.cli_options import (
    DEFAULT_STORE,
    JsonOption,
    LlmOption,
    RecordOption,
    RunOption,
    StoreOption,
    TemplatesOption,
)
from workbench.cli_output import print_output, records_of
from workbench.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from workbench.query.trace import Trace
    from workbench.run import Run

_TOP = {"local": "top_k_entities", "drift": "top_k_entities"}  # what --k sets where there is no k
_LEFT_OUT = ("kind", "id", "text")  # columns of a step that a terminal has no room for
_ROWS = 30  # of a step's table


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command("ask")(ask)
    app.command("query", help="The same as `ask`.")(ask)
    app.command("trace")(trace)


def ask(
    question: Annotated[str, typer.Argument(help="What to ask.")],
    store: StoreOption = DEFAULT_STORE,
    run: RunOption = None,
    method: Annotated[
        str, typer.Option(help="basic, local, global, drift, walk, or auto, which chooses.")
    ] = "auto",
    llm: LlmOption = "none",
    k: Annotated[
        int | None, typer.Option(help="How many chunks, or for local entities.", min=1)
    ] = None,
    max_context_tokens: Annotated[
        int | None, typer.Option(help="Tokens that the context may have.", min=0)
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="Another parameter, name=value; repeatable."),
    ] = None,
    history: Annotated[
        Path | None, typer.Option(help="Earlier turns: JSONL with question and answer.")
    ] = None,
    record: RecordOption = None,
    templates: TemplatesOption = None,
    save: Annotated[bool, typer.Option(help="Keep the trace in the store.")] = True,
    html: Annotated[Path | None, typer.Option(help="Write answer and trace as a page.")] = None,
    show_trace: Annotated[bool, typer.Option("--trace", help="Print each step's table.")] = False,
    cost: Annotated[
        bool, typer.Option(help="Print what global search would send, by level; ask nobody.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Answer a question from a run, and keep the trace of all that led to the answer."""
    from workbench.models.language import load_model
    from workbench.models.record import recorded
    from workbench.query.ask import ask as answer
    from workbench.store import Store

    settings = {_TOP.get(method, "k"): k, "max_context_tokens": max_context_tokens}
    settings = {name: value for name, value in settings.items() if value is not None}
    settings |= _settings(set_ or [])
    asked, model = Store(store).run(run), recorded(load_model(llm), record)
    if cost or (method == "global" and model is not None):
        window = model.context_window if model is not None else None
        _print_cost(asked, settings, window, cost, as_json)
    if cost:
        return
    trace = answer(
        asked,
        question,
        method=method,
        llm=model,
        params=settings,
        history=_turns(history),
        templates=templates,
        save=save,
    )
    _write_page(trace, html)
    _print_trace(trace, show_trace, as_json)


def trace(
    what: Annotated[list[str] | None, typer.Argument(help="list, ID, or diff ID ID.")] = None,
    store: StoreOption = DEFAULT_STORE,
    html: Annotated[Path | None, typer.Option(help="Write the trace as a page.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the traces kept in a store, show one by its ID, or compare two: diff ID ID."""
    from workbench.query.diff import diff
    from workbench.query.saved import load_trace, traces
    from workbench.store import Store

    opened, words = Store(store), what or ["list"]
    if words == ["list"]:
        frame = traces(opened)
        print_output({"traces": records_of(frame)}, as_json, ("traces", frame))
    elif words[0] == "diff" and len(words) == 3:
        found = diff(*(load_trace(opened, id_) for id_ in words[1:]))
        parts = {"settings": found.settings, "changes": found.table}
        payload = {name: records_of(part) for name, part in parts.items()}
        parts["changes"] = found.table.drop(columns=["id"])
        print_output(payload, as_json, *parts.items())
    elif len(words) == 1 and words[0]:
        loaded = load_trace(opened, words[0])
        _write_page(loaded, html)
        _print_trace(loaded, True, as_json)
    else:
        raise InputError(f"trace {' '.join(words)[:80]!r} is unknown: list, ID, or diff ID ID.")


def _print_cost(
    run: Run, settings: dict[str, Any], window: int | None, only: bool, as_json: bool
) -> None:
    """Print what global search sends a model, by level; before it does, to stderr."""
    from workbench.query.global_plan import global_cost

    frame = global_cost(run, context_window=window, **settings)
    if only:
        print_output({"cost": records_of(frame)}, as_json, ("cost of global search", frame))
        return
    for row in frame.itertuples():
        typer.echo(
            f"level {row.level}: {row.reports} reports in {row.batches} batches, {row.calls} calls "
            f"with at most {row.prompt_tokens:,} prompt tokens",
            err=True,
        )


def _settings(pairs: list[str]) -> dict[str, Any]:
    """Give the values of name=value pairs; what reads as JSON is that, all else is text."""
    from workbench.study.notebook_parameters import parse_parameters

    found: dict[str, Any] = {}
    for name, text in parse_parameters(pairs).items():
        try:
            found[name] = json.loads(text)
        except ValueError:
            found[name] = text
    return found


def _turns(file: Path | None) -> list[tuple[str, str]]:
    """Read earlier turns, one JSON object a line with `question` and `answer`."""
    if file is None:
        return []
    turns = []
    try:
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.strip():
                turn = json.loads(line)
                turns.append((str(turn["question"]), str(turn["answer"])))
    except OSError as error:
        raise InputError(f"The history {file} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"Turn {len(turns) + 1} of {file} is no JSON object with question and answer."
        ) from error
    return turns


def _write_page(trace: Trace, file: Path | None) -> None:
    if file is None:
        return
    from workbench.show.trace_view import trace_page

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(trace_page(trace), encoding="utf-8")
    except OSError as error:
        raise InputError(f"The page {file} cannot be written: {error.strerror}.") from error
    typer.echo(f"{file} written", err=True)


def _print_trace(trace: Trace, steps: bool, as_json: bool) -> None:
    """Print the answer, or all of it as JSON; with `steps` the tables of the trace, too."""
    from workbench.query.trace_json import to_payload

    tables = [("budget in tokens", trace.budget), ("citations", trace.answer.citations)]
    if as_json:
        payload = to_payload(trace)
        payload |= {"id": trace.id, "answer": trace.answer.text, "source": trace.answer.source}
        payload |= {name.split()[0]: records_of(frame) for name, frame in tables}
        if not steps:
            del payload["steps"], payload["prompts"]
        print_output(payload, True)
        return
    from workbench.show.trace_view import trace_heading, visible_lines

    typer.echo(visible_lines(trace.answer.text))
    typer.echo(f"\n{trace_heading(trace)}; trace {trace.id}")
    for note in trace.notes:
        typer.echo(f"note: {note}")
    shown = [(_caption(step), _columns(step.table)) for step in trace.steps] if steps else []
    print_output(None, False, *shown, *tables)


def _caption(step: Any) -> str:
    rows = len(step.table)
    more = f" ({_ROWS} of {rows} rows)" if rows > _ROWS else ""
    return f"{step.name}{more}: {step.meaning}"


def _columns(table: pd.DataFrame) -> pd.DataFrame:
    return table.drop(columns=[*_LEFT_OUT], errors="ignore").head(_ROWS)
