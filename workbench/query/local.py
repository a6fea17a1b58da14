"""A question in, an answer out from the entities it is about and what lies around them.

Microsoft GraphRAG's local search ("mixed context"): the question's entities by the vectors of their
descriptions and by name; then, within shares of one budget, the reports of their communities, the
entities themselves with relationships and claims, and the chunks that mention them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from workbench.corpus.tokens import count_tokens
from workbench.errors import InputError
from workbench.params import BasicParams, LocalParams
from workbench.query import basic
from workbench.query.answering import respond
from workbench.query.asking import Asking, Turn
from workbench.query.dense import cosines
from workbench.query.local_context import LocalContext, local_context
from workbench.query.local_select import OVERSAMPLE, Selection, candidates, select
from workbench.query.local_shipped import with_dangling
from workbench.query.local_trace import context_rows, record_local
from workbench.query.local_world import LocalWorld
from workbench.query.methods import Method
from workbench.query.named import named_entities
from workbench.query.question import Question
from workbench.query.run_index import RunIndex, run_index
from workbench.query.trace import Answer

if TYPE_CHECKING:
    from workbench.models.embedding import Embedder
    from workbench.store import Store


def answer(asking: Asking) -> Answer:
    """Answer from the local context; from basic's where no entity matches, with a note."""
    params, record = asking.params, asking.record
    assert isinstance(params, LocalParams)  # noqa: S101 (told by METHOD)
    world = local_world(asking.index, params)
    with record.timed("entities"):
        vector = _vector(asking.question, asking.history, asking.embedder, params)
        selection = selected(world, asking.question.text, vector, params)
    if not selection.entities:
        record.note(_no_match(world, params))
        shared = {"max_context_tokens", "encoding", "variant"}
        return basic.answer(
            replace(asking, params=BasicParams(**params.model_dump(include=shared)))
        )
    with record.timed("context"):
        turns = [turn.question for turn in asking.history]
        context = local_context(world, selection.entities, params, turns)
    record_local(record, world, selection, context)
    for sentence in _notes(world, context, params):
        record.note(sentence)
    return respond(asking, context.parts, context_rows(world, context))


def local_world(index: RunIndex, params: LocalParams) -> LocalWorld:
    """Give a run as local search sees it, kept with its index."""

    def make(index: RunIndex) -> LocalWorld:
        if params.variant == "as_shipped":
            run = index.run
            index = with_dangling(index, run.relationships, run.relationship_mentions)
        return LocalWorld(index, partial(count_tokens, encoding=params.encoding), params.variant)

    return index.derived(f"local {params.encoding} {params.variant}", make)


def selected(
    world: LocalWorld, text: str, vector: np.ndarray | None, params: LocalParams
) -> Selection:
    """Choose the entities of a question, by vector and by name.

    The vector may be one of the model that imported vectors come from: whose cosines mean what is
    not known, so there is no floor then unless it was asked for.
    """
    if params.vector is not None and "min_similarity" not in params.model_fields_set:
        params = params.model_copy(update={"min_similarity": -1.0})
    named = named_entities(world.index, text)
    matrix = world.index.entity_matrix
    if vector is not None and len(vector) != matrix.shape[1]:
        matrix = world.index.derived("imported entity vectors", _imported)
        if len(vector) != matrix.shape[1]:
            raise InputError(
                f"The vector has {len(vector)} numbers: those of this run's entities have "
                f"{world.index.entity_matrix.shape[1]}, and imported ones {matrix.shape[1]}."
            )
    rows = named["entity_row"].to_numpy(np.int64)
    near = np.full(len(rows), np.nan)
    if vector is not None:
        near = np.round(cosines(matrix[rows], vector), 6)
        near[~matrix[rows].any(axis=1)] = np.nan
    named["cosine"] = near
    return select(world, candidates(matrix, vector, params), named, params)


def rank(store: Store, run: str | None, question: Question, k: int) -> list[str]:
    """Rank documents by the order of local search's chunks, then by basic search's."""
    index, params = run_index(store, run), LocalParams()
    world = local_world(index, params)
    chosen = selected(world, question.text, question.vector, params)
    context = local_context(world, chosen.entities, params)
    documents = index.chunks.chunks["document_id"].to_numpy()[context.sources[:, 0]]
    found = list(dict.fromkeys(documents))
    if len(found) < k:
        found = list(dict.fromkeys([*found, *basic.METHOD.rank(store, run, question, k)]))
    return found


METHOD = Method("local", LocalParams, answer, rank)


def _vector(
    question: Question, history: Sequence[Turn], embedder: Embedder | None, params: LocalParams
) -> np.ndarray | None:
    """Give the vector to look with: of the question and the last turns, the latest first."""
    if params.vector is not None:
        given = np.array(params.vector, np.float32)
        return given / (np.linalg.norm(given) or 1)
    turns = [turn.question for turn in reversed(history)][: params.conversation_history_max_turns]
    if not turns or embedder is None:
        return question.vector
    return embedder.encode(["\n".join([question.text, *turns])], description="question")[0]


def _imported(index: RunIndex) -> np.ndarray:
    """Give the imported description vectors as unit rows of the entities, zeros without one."""
    frame = index.run.store.sql(
        "SELECT id, vector FROM imported_vectors WHERE kind = 'entity_description' ORDER BY id"
    )
    length = max(map(len, frame["vector"]), default=0)
    matrix = np.zeros((len(index.entities), length), np.float32)
    for id_, vector in zip(frame["id"], frame["vector"], strict=True):
        if id_ in index.entity_row_of and len(vector) == length:
            matrix[index.entity_row_of[id_]] = vector / (np.linalg.norm(vector) or 1)
    return matrix


def _no_match(world: LocalWorld, params: LocalParams) -> str:
    if not len(world.names):
        return "The run has no entities, so basic search answered."
    return (
        "No entity matches: none is named in the question, and no description is as similar as "
        f"{params.min_similarity}, so basic search answered."
    )


def _notes(world: LocalWorld, context: LocalContext, params: LocalParams) -> list[str]:
    """Say what a reader would look for in vain."""
    reports, table = context.sections["reports"], context.sections["entities"]
    notes = []
    if not world.report_of:
        notes.append("The run has no reports: write some with `workbench reports`.")
    elif context.matches and not reports.kept:
        least = min(reports.lines.tokens((row,)) for row in context.matches)
        notes.append(
            f"None of {len(context.matches)} reports fits into {reports.allowed} tokens: the "
            f"shortest has {least}; raise community_prop or max_context_tokens."
        )
    if len(table.kept) < len(table.entries):
        notes.append(
            f"Of {len(table.entries)} selected entities {len(table.kept)} fit into "
            f"{table.allowed} tokens."
        )
    if context.near.rows.size and not context.sections["relationships"].kept:
        notes.append(
            f"No relationships fit beside the entities in {table.allowed} tokens: lower "
            "text_unit_prop or top_k_entities."
        )
    if params.variant == "as_shipped" and len(context.entities) > params.top_k_entities:
        notes.append(
            f"As shipped, up to {OVERSAMPLE * params.top_k_entities} entities are selected for a "
            f"top_k_entities of {params.top_k_entities}."
        )
    return notes
