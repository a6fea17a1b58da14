"""A question in, an answer out from reports, a tree of local searches, and connection paths.

Microsoft GraphRAG's DRIFT: a made-up answer finds reports ("HyDE"), the reports give a first answer
and follow-up queries (the primer), each of which is answered by a local search and may lead to
more, and one last call makes an answer of all. Where a question names two things or more, the
shortest paths between them stand in that last context. Where Microsoft raises an error (no report,
no vector, no follow-up query), this goes on with what there is, and says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from workbench.models.prompts import reply_tokens
from workbench.models.schemas import FollowUpReply
from workbench.params import BasicParams, DriftParams, validated
from workbench.query import basic, local
from workbench.query.answering import fence, respond
from workbench.query.asking import Asking, send
from workbench.query.citing import checked
from workbench.query.drift_paths import Paths, found_paths
from workbench.query.drift_primer import (
    QUERIES,
    folds_of,
    hyde,
    near_reports,
    prime,
    report_table,
)
from workbench.query.drift_tree import Action, Answers, Tree
from workbench.query.local import local_world, selected
from workbench.query.local_context import LocalContext, local_context
from workbench.query.local_select import Selection, candidates, select
from workbench.query.local_trace import context_rows, record_local
from workbench.query.local_world import LocalWorld
from workbench.query.methods import Method
from workbench.query.question import Question
from workbench.query.run_index import run_index
from workbench.query.trace import Answer, Part

if TYPE_CHECKING:
    from workbench.run import Run
    from workbench.store import Store

NO_REPORTS = "No report has a vector, so there is no primer: make some with `workbench report`."


def answer(asking: Asking) -> Answer:
    """Answer by the primer, the tree and the paths; without a model by sentences of those."""
    params: DriftParams = asking.params
    world, paths = local_world(asking.index, params), Paths(asking, asking.question.text)
    if not world.index.report_matrix.any():
        asking.record.note(NO_REPORTS)
    if asking.caller is None:
        return _without_model(asking, world, paths)
    tree, known = Tree(asking.question.text, params), [paths.sources()]
    left = params.max_calls - 1  # the last call is kept
    if world.index.report_matrix.any():
        read, calls = prime(asking, world, hyde(asking, world), tree)
        known.append(report_table(world, read))
        left -= 1 + calls
    if not tree.actions or tree.root.score == 0:
        tree.ask_itself()
        asking.record.note("No follow-up query helps, so the question itself is searched for.")
    known += _grow(asking, world, tree, left)
    answers = Answers(asking, tree, params.max_context_tokens - paths.used)
    asking.record.step(
        "actions",
        "The tree: each query with its parent, its answer's score, and whether it is told.",
        answers.table,
        section="answers",
        allowed=answers.allowed,
        heading_tokens=answers.opening,
    )
    if not answers.kept:
        errors = [one.error for one in (tree.root, *tree.actions.values()) if one.error]
        asking.record.note(f"No query was answered, so no model wrote this: {' '.join(errors[:1])}")
        with asking.record.within("without a model"):
            return _without_model(replace(asking, caller=None), world, paths)
    parts = _joined(paths.parts(), answers.parts())
    return _with_paths(asking, parts, _distinct(known), paths, "drift")


def drift_cost(run: Run, **settings: Any) -> pd.DataFrame:
    """Give how many calls a question to a run can take: stage, calls, unlimited, prompt_tokens.

    `calls` is the most that max_calls admits, `unlimited` the most without it; `prompt_tokens` the
    most that the contexts of those calls hold. `settings` are DriftParams. No model is asked.
    """
    params = validated(DriftParams, **settings)
    index = run_index(run.store, run.name)
    read = min(params.drift_k_followups, int(index.report_matrix.any(axis=1).sum()))
    primer = len(folds_of(np.arange(read), params.primer_folds))
    folds = min(primer, params.max_calls - 2)
    tree = params.n_depth * params.drift_k_followups
    left = params.max_calls - 1 - (1 + folds if read else 0)
    rows = [("hyde", int(read > 0), int(read > 0)), ("primer", folds, primer)]
    rows += [("follow_up", min(tree, left), tree), ("drift", 1, 1)]
    frame = pd.DataFrame(rows, columns=["stage", "calls", "unlimited"])
    return frame.assign(prompt_tokens=frame["calls"] * params.max_context_tokens)


def rank(store: Store, run: str | None, question: Question, k: int) -> list[str]:
    """Rank documents: those of the shortest paths, then local search's, then basic search's."""
    index = run_index(store, run)
    hops = found_paths(index, question.text, DriftParams())
    lengths = hops.groupby("path")["hop"].transform("max")
    shortest = hops[lengths == lengths.groupby(hops["pair"]).transform("min")]
    of_chunk = index.chunks.chunks["document_id"]
    first = [of_chunk.iat[index.chunks.row_of[id_]] for id_ in shortest["chunk_id"].dropna()]
    return list(dict.fromkeys([*first, *local.METHOD.rank(store, run, question, k)]))


METHOD = Method("drift", DriftParams, answer, rank)


def _grow(asking: Asking, world: LocalWorld, tree: Tree, left: int) -> list[pd.DataFrame]:
    """Ask the tree's queries round by round; give what their contexts showed, as sources."""
    params: DriftParams = asking.params
    shown = []
    for number in range(1, params.n_depth + 1):
        batch = tree.next(left)
        asked, prompts = [], []
        for action, vector in zip(batch, _vectors(asking, batch), strict=True):
            action.asked = number
            with asking.record.within(f"round {number}/{action.name}"):
                context = _searched(asking, world, action.query, vector)
            if context is None:
                action.status = "no match"
                continue
            asked.append(action)
            prompts.append(("follow_up", _laid_out(asking, action.query, context.parts)))
            shown.append(context_rows(world, context))
        left -= len(asked)
        tokens = reply_tokens("follow_up", QUERIES)
        outcomes = send(asking, prompts, FollowUpReply, tokens, f"following up, round {number}")
        for action, outcome in zip(asked, outcomes, strict=True):
            tree.settle(action, outcome)
    waiting = len(tree.next(params.drift_k_followups))
    if waiting:
        limit = "max_calls" if left == 0 else "n_depth"
        asking.record.note(
            f"{limit} {getattr(params, limit)} ends the tree: follow-up queries are left unasked."
        )
    return shown


def _vectors(asking: Asking, batch: list[Action]) -> list[np.ndarray | None]:
    if asking.embedder is None or not batch:
        return [None] * len(batch)
    return list(asking.embedder.encode([one.query for one in batch], description="follow-ups"))


def _searched(
    asking: Asking, world: LocalWorld, query: str, vector: np.ndarray | None
) -> LocalContext | None:
    """Build and take down the local context of a query; None where no entity matches."""
    selection = selected(world, query, vector, asking.params)
    if not selection.entities:
        return None
    context = local_context(world, selection.entities, asking.params)
    record_local(asking.record, world, selection, context)
    return context


def _laid_out(asking: Asking, query: str, context: tuple[Part, ...]) -> tuple[Part, ...]:
    question = asking.question.text
    line = fence("".join(part.text for part in context) + question + query)
    asked = [Part("question", "", query)]
    return asking.laid_out("follow_up", fence=line, context=context, question=question, query=asked)


def _without_model(asking: Asking, world: LocalWorld, paths: Paths) -> Answer:
    """Answer by the paths' evidence, then by sentences around the entities of near reports."""
    params: DriftParams = asking.params
    rows, cosines = near_reports(world, asking.question.vector, params)
    top = rows[: params.drift_k_followups]
    selection = _selection(asking, world, top)
    if not selection.entities:
        asking.record.note("No entity matches, so basic search answered.")
        shared = params.model_dump(include={"max_context_tokens", "encoding", "variant"})
        return basic.answer(replace(asking, params=BasicParams(**shared)))
    room = params.model_copy(update={"max_context_tokens": params.max_context_tokens - paths.used})
    context = local_context(world, selection.entities, room)
    shown, matched = {key[0] for key in context.sections["reports"].kept}, context.matches
    reasons = ["" if row in shown else "budget" if row in matched else "entities" for row in rows]
    reasons[len(top) :] = [reason and "top_k" for reason in reasons[len(top) :]]
    asking.record.step(
        "primer",
        f"Reports by cosine with the question; the entities of the {len(top)} nearest are used.",
        lambda: report_table(world, rows.tolist(), reasons, cosine=cosines),
    )
    with asking.record.within("local"):
        record_local(asking.record, world, selection, context)
    sources = _distinct([paths.sources(), context_rows(world, context)])
    return _with_paths(asking, _joined(paths.parts(), context.parts), sources, paths, "answer")


def _selection(asking: Asking, world: LocalWorld, reports: np.ndarray) -> Selection:
    """Choose entities: those named, and the nearest in these reports' communities; else of all."""
    index, vector, params = world.index, asking.question.vector, asking.params
    everywhere = selected(world, asking.question.text, vector, params)
    inside = index.members["community_row"].isin(index.reports["community_row"].iloc[reports])
    members = np.zeros((len(index.entities), 1), np.float32)
    members[index.members["entity_row"][inside]] = 1
    if vector is None or not members.any():
        return everywhere
    named = everywhere.candidates[everywhere.candidates["matched_by"] == "named"]
    found = candidates(index.entity_matrix * members, vector, params)
    chosen = select(world, found, named[["entity_row", "spelling", "cosine"]], params)
    return chosen if chosen.entities else everywhere


def _with_paths(
    asking: Asking, parts: list[Part], sources: pd.DataFrame, paths: Paths, task: str
) -> Answer:
    """Answer from a context; where no model does, the paths' evidence comes first."""
    written = respond(asking, parts, sources, task)
    told = paths.told()
    if written.source != "extractive" or not told:
        return written
    rest = [line for line in written.text.splitlines() if not any(line in one for one in told)]
    text = "\n".join([*told, *(rest if len(written.citations) else [])])
    return Answer(text, "extractive", checked(asking.index, text, sources))


def _joined(*sections: Iterable[Part]) -> list[Part]:
    """Put sections below each other, with a blank line between them."""
    parts: list[Part] = []
    for section in map(list, sections):
        if parts and section:
            parts.append(Part("heading", "", "\n"))
        parts += section
    return parts


def _distinct(sources: list[pd.DataFrame]) -> pd.DataFrame:
    """Give all sources, each once."""
    columns = ["kind", "id", "short_id", "label", "text"]
    frame = pd.concat([part[columns] for part in sources], ignore_index=True)
    return frame.drop_duplicates(["kind", "id"], ignore_index=True).astype({"short_id": "Int64"})
