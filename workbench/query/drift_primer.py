"""A question and a run's reports in, DRIFT's first answer and its first follow-up queries out."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pandas as pd

from workbench.models.prompts import reply_tokens
from workbench.models.schemas import PrimerReply
from workbench.params import DriftParams
from workbench.query.answering import fence
from workbench.query.asking import Asking, send
from workbench.query.drift_tree import Tree, mean_score
from workbench.query.local_lines import opening
from workbench.query.local_select import nearest
from workbench.query.local_world import LocalWorld
from workbench.query.trace import FIRST, LAST, Part

BELOW = 10  # reports shown below those that are read
QUERIES = 5  # follow-up queries of a reply


def near_reports(
    world: LocalWorld, vector: np.ndarray | None, params: DriftParams
) -> tuple[np.ndarray, np.ndarray]:
    """Give reports (rows) and their cosines, nearest first: those to read, and some below."""
    if vector is None or not len(world.index.reports):
        return np.zeros(0, np.int64), np.zeros(0, np.float32)
    return nearest(world.index.report_matrix, vector, params.drift_k_followups + BELOW)


def folds_of(rows: np.ndarray, folds: int) -> list[np.ndarray]:
    """Split reports evenly, in order; empty folds are left out.

    >>> [len(fold) for fold in folds_of(np.arange(7), 5)]
    [2, 2, 1, 1, 1]
    """
    return [fold for fold in np.array_split(rows, folds) if len(fold)]


def hyde(asking: Asking, world: LocalWorld) -> np.ndarray | None:
    """Let the model write what an answer could look like, and give its vector.

    The example is a report drawn by the seed among those that fit; when no text comes back, the
    vector is the question's.
    """
    params: DriftParams = asking.params
    lines, head = world.lines["reports"], opening("reports")
    room = params.max_context_tokens - asking.count(head)
    fit = [row for row in range(len(world.index.reports)) if lines.tokens((row,)) <= room]
    drawn = [random.Random(params.seed).choice(fit)] if fit else []  # noqa: S311 (no secret)
    meaning = f"An example of a report, drawn by seed {params.seed} from the {len(fit)} that fit."
    asking.record.step("hyde", meaning, lambda: report_table(world, drawn))
    outcome = send(
        asking,
        [("hyde", _laid_out(asking, "hyde", _parts(world, drawn)))],
        max_tokens=reply_tokens("hyde"),
        description="imagining an answer",
    )[0]
    text = outcome.reply.text if outcome.reply and outcome.status == "ok" else ""
    if not text or asking.embedder is None:
        asking.record.note(
            f"No hypothetical answer came back, so reports are compared with the question: "
            f"{outcome.error or 'there is no embedder.'}"
        )
        return asking.question.vector
    return asking.embedder.encode([text], description="hypothetical answer")[0]


def prime(
    asking: Asking, world: LocalWorld, vector: np.ndarray | None, tree: Tree
) -> tuple[list[int], int]:
    """Read the nearest reports in folds, set the root's answer, and propose first queries.

    Gives the reports (rows) that were read, and the number of calls. `tree.root` stays
    without an answer when none came.
    """
    params: DriftParams = asking.params
    rows, cosines = near_reports(world, vector, params)
    top = rows[: params.drift_k_followups]
    number = min(params.primer_folds, params.max_calls - 2)  # hyde and the last call
    folds = folds_of(top, number)
    head = opening("reports")
    kept = [_fitting(world, fold, params.max_context_tokens - asking.count(head)) for fold in folds]
    asking.record.step(
        "primer",
        f"Reports by cosine with the hypothetical answer; the {len(top)} nearest in {len(folds)} "
        "folds, one call each.",
        lambda: _primer_table(world, rows, cosines, folds, kept),
        section="primer",
        allowed=len(folds) * params.max_context_tokens,
        heading_tokens=sum(map(bool, kept)) * asking.count(head),
    )
    prompts = [("primer", _laid_out(asking, "primer", _parts(world, fold))) for fold in kept]
    outcomes = send(
        asking, prompts, PrimerReply, reply_tokens("primer", QUERIES), "reading reports"
    )
    replies = [outcome.parsed for outcome in outcomes]
    good = [reply for reply in replies if reply is not None and reply.intermediate_answer]
    root = tree.root
    root.answer = "\n\n".join(reply.intermediate_answer for reply in good)
    root.score = mean_score([reply.score for reply in good])
    root.status = "ok" if good else outcomes[0].status if outcomes else "open"
    root.error = next((outcome.error for outcome in outcomes if outcome.error), "")
    asking.record.step(
        "primer_answers",
        "What each fold answered; together they are the root of the tree.",
        lambda: _fold_table(outcomes),
    )
    if len(good) < len(outcomes):
        lost = len(outcomes) - len(good)
        asking.record.note(f"{lost} of {len(outcomes)} folds gave no answer: {root.error}")
    tree.propose(root, (query for reply in good for query in reply.follow_up_queries))
    return [row for fold in kept for row in fold], len(outcomes)


def _laid_out(asking: Asking, task: str, context: list[Part]) -> tuple[Part, ...]:
    question = asking.question.text
    line = fence("".join(part.text for part in context) + question)
    return asking.laid_out(task, fence=line, context=context, question=question)


def _fitting(world: LocalWorld, rows: np.ndarray, room: int) -> list[int]:
    """Take reports while they fit; one that does not is passed over."""
    kept = []
    for row in rows.tolist():
        tokens = world.lines["reports"].tokens((row,))
        if tokens <= room:
            room -= tokens
            kept.append(row)
    return kept


def _parts(world: LocalWorld, rows: list[int]) -> list[Part]:
    lines = world.lines["reports"]
    parts = [Part("row", "primer", lines.text((r,)), world.id_of("reports", (r,))) for r in rows]
    return [Part("heading", "primer", opening("reports")), *parts] if parts else []


def report_table(
    world: LocalWorld, rows: Sequence[int], reasons: Sequence[str] | None = None, **scores: object
) -> pd.DataFrame:
    """Give reports as the rows of a step; `reasons` say why one is not in context ("": it is)."""
    frame, lines = world.index.reports.iloc[rows], world.lines["reports"]
    reasons = list(reasons or [""] * len(rows))
    return pd.DataFrame(
        {
            "kind": "report",
            "id": frame["community_id"].to_numpy(),
            "short_id": frame["short_id"].to_numpy("int64"),
            "label": frame["title"].to_numpy(),
            **scores,
            "order": range(1, len(rows) + 1),
            "tokens": pd.array([lines.tokens((row,)) for row in rows], dtype="Int64"),
            "in_context": np.array([not reason for reason in reasons], bool),
            "cut_reason": reasons,
            "text": [lines.text((row,)) for row in rows],
        }
    )


def _primer_table(
    world: LocalWorld, rows: np.ndarray, cosines: np.ndarray, folds: list[np.ndarray],
    kept: list[list[int]],
) -> pd.DataFrame:  # fmt: skip
    shown = {row for fold in kept for row in fold}
    fold_of = {row: at for at, fold in enumerate(folds, start=1) for row in fold.tolist()}
    places = pd.array([fold_of.get(row) for row in rows.tolist()], dtype="Int64")
    reasons = [
        "" if row in shown else "budget" if row in fold_of else "top_k" for row in rows.tolist()
    ]
    return report_table(world, rows.tolist(), reasons, cosine=cosines, fold=places)


def _fold_table(outcomes: list) -> pd.DataFrame:
    rows = []
    for at, outcome in enumerate(outcomes, start=1):
        reply = outcome.parsed
        told = (None, 0, "")
        if reply is not None:
            told = reply.score, len(reply.follow_up_queries), reply.intermediate_answer
        rows.append(
            ("action", f"fold {at}", at, f"fold {at}", outcome.status, *told, outcome.error)
            + (at, 0, reply is not None, "" if reply else "no answer", "")
        )
    names = [*FIRST, "status", "score", "follow_ups", "answer", "error", *LAST]
    return pd.DataFrame(rows, columns=names).astype({"score": "float64"})
