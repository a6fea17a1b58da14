"""A run and a question in, the answer and the trace of all that led to it out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from workbench.corpus.decode import clean
from workbench.ids import content_id
from workbench.models.calls import Caller
from workbench.models.language import LanguageModel, load_model
from workbench.models.prompts import load_templates
from workbench.params import Params, validated
from workbench.query.asking import Asking, Turn, context_room
from workbench.query.language import language_of
from workbench.query.methods import Method
from workbench.query.methods import method as method_named
from workbench.query.question import Question, read_question
from workbench.query.run_index import RunIndex, run_index
from workbench.query.saved import save_trace
from workbench.query.search import embedder_of
from workbench.query.trace import Answer, Recorder, Trace
from workbench.store import Run, Store

if TYPE_CHECKING:
    from workbench.models.embedding import Embedder

UNASKED = "Nothing was asked."


def ask(
    run: Run | Store,
    question: str,
    *,
    method: str = "auto",
    llm: str | LanguageModel | Caller | None = None,
    params: Params | Mapping[str, Any] | None = None,
    history: Sequence[Turn | tuple[str, str]] = (),
    save: bool = True,
    embedder: Embedder | None = None,
    record: bool = True,
    templates: str | None = None,
    **settings: Any,
) -> Trace:
    """Answer a question, and give the trace of all that led to the answer.

    `run` is a Run, or a Store that has one run only. `method` is basic, local, global, drift, walk
    or auto, which chooses. `params` are the method's, or set them by keyword (`k=5`). `llm` is a
    model or its name; without one the answer is made of sentences of the documents. `history` holds
    earlier (question, answer) pairs, oldest first. With `save` the trace is kept in the store;
    without, nothing is written. Raises InputError for an unknown method or parameter, ModelError
    when the model cannot be asked at all; a single reply that fails gives way to sentences.
    """
    store, name = (run, None) if isinstance(run, Store) else (run.store, run.name)
    text = clean(question)
    recorder = Recorder(record)
    with store.session(), recorder.timed("whole"):
        with recorder.timed("index"):
            index = run_index(store, name)
        caller = _caller(llm, store, index.run.name, save, templates)
        asking = Asking(
            index,
            Question(text, []),
            Params(),
            recorder,
            load_templates(templates),
            caller,
            tuple(Turn(*turn) if isinstance(turn, tuple) else turn for turn in history),
            language_of(text),
        )
        chosen = _chosen(asking, method)
        asking = replace(asking, params=_params(asking, chosen, params, settings, method == "auto"))
        answer = _answer(asking, chosen, embedder)
    trace = _trace(asking, chosen, answer, method)
    if save:
        save_trace(store, trace)
    return trace


def _answer(asking: Asking, chosen: Method, embedder: Embedder | None) -> Answer:
    """Answer by the method; an empty question has an answer, too."""
    text = asking.question.text
    if not text.strip():
        asking.record.note("The question is empty, so nothing was looked for.")
        return Answer(UNASKED, "extractive")
    index, record = asking.index, asking.record
    embedder = embedder_of(index.run.store, index.chunks, "basic", embedder)
    with record.timed("question"):
        question = read_question(text, embedder)
    with record.timed("method"):
        return chosen.answer(replace(asking, question=question, embedder=embedder))


def _chosen(asking: Asking, name: str) -> Method:
    """Give the method of that name; `auto` chooses one and takes down why."""
    if name != "auto":
        return method_named(name)
    from workbench.query.auto import choose

    return method_named(choose(asking))


class _Unwritten:
    """What a caller needs of a store, in which it looks for replies and writes none."""

    def __init__(self, store: Store) -> None:
        self.sql = store.sql

    def put(self, table: str, frame: pd.DataFrame) -> None:
        """Keep nothing."""


def _caller(
    llm: str | LanguageModel | Caller | None,
    store: Store,
    run: str,
    save: bool,
    templates: str | None,
) -> Caller | None:
    """Make the caller; one that may not write still knows the replies in the store."""
    if isinstance(llm, Caller):
        return llm
    model = load_model(llm) if isinstance(llm, str) else llm
    if model is None:
        return None
    return Caller(
        model, store if save else _Unwritten(store), run, templates=load_templates(templates)
    )


def _params(
    asking: Asking,
    chosen: Method,
    params: Params | Mapping[str, Any] | None,
    settings: Mapping[str, Any],
    lenient: bool,
) -> Params:
    """Build the method's parameters, so that a context fits into the model's window.

    `lenient`: of a method that was chosen, parameters it does not have are left out, with a note.
    """
    given = dict(
        params.model_dump(exclude_unset=True) if isinstance(params, Params) else params or {}
    )
    given.update(settings)
    unknown = sorted(given.keys() - chosen.params.model_fields.keys())
    if lenient and unknown:
        asking.record.note(f"{chosen.name} has no parameter {', '.join(unknown)}: left out.")
        given = {name: value for name, value in given.items() if name not in unknown}
    built = validated(chosen.params, **given)
    most = getattr(built, "max_context_tokens", None)
    if asking.caller is None or most is None:
        return built
    window = asking.caller.model.context_window
    room = context_room(window)
    if most <= room:
        return built
    asking.record.note(
        f"The model reads {window:,} tokens at most: the context has {room:,}, not {most:,}."
    )
    return validated(chosen.params, **given | {"max_context_tokens": room})


def _trace(asking: Asking, chosen: Method, answer: Answer, asked: str) -> Trace:
    record = asking.record
    settings = asking.params.model_dump(mode="json")
    settings["llm"] = asking.caller.model.name if asking.caller else "none"
    settings |= {"language": asking.language, "method": asked}
    if asking.history:
        settings["history"] = [[turn.question, turn.answer] for turn in asking.history]
    return Trace(
        asking.index.run.name,
        chosen.name,
        asking.question.text,
        settings,
        tuple(record.steps),
        tuple(record.prompts),
        answer,
        tuple(record.notes),
        record.seconds,
        asking.index.derived("content", _content),
    )


def _content(index: RunIndex) -> str:
    """Give a hash of what a run holds; it is the same wherever and whenever the run was made."""
    relationships, reports = index.relationships, index.reports
    columns: list[Iterable[object]] = [
        index.chunks.chunks["id"],
        index.entities["id"],
        relationships["id"],
        relationships["weight"],
        index.communities["id"],
        reports["full_content"],
    ]
    return content_id("content", *("\n".join(map(str, column)) for column in columns))
