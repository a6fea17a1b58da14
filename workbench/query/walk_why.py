"""A run, a question and a chunk in, what brought the chunk its walk score out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.errors import InputError
from workbench.params import WalkParams
from workbench.query.question import read_question
from workbench.query.run_index import RunIndex, run_index
from workbench.query.search import embedder_of
from workbench.query.trace import Trace
from workbench.query.walk import Walk, walk
from workbench.query.walk_graph import described

if TYPE_CHECKING:
    from workbench.models.embedding import Embedder
    from workbench.store import Run


def why(
    run: Run,
    asked: str | Trace,
    chunk: str | int,
    *,
    k: int = 10,
    embedder: Embedder | None = None,
) -> pd.DataFrame:
    """Give where a chunk's walk score came from in the last step, the largest part first.

    `asked` is a question, or a trace of walk, which tells its parameters too; `chunk` is an id or a
    short id. Columns: kind, short_id, label (of the node the score came from; the chunk itself for
    what began there), seed (why that is one, if it is), score (what it had), share (which part of
    that went to the chunk), part (of the chunk's score, 0 to 1), source (the label of the node that
    had brought it most). InputError when the store has no such chunk.
    """
    index = run_index(run.store, run.name)
    params, text = WalkParams(), asked
    if isinstance(asked, Trace):
        given = WalkParams.model_fields.keys() & asked.params.keys()
        params = WalkParams(**{name: asked.params[name] for name in given})
        text = asked.question
    question = read_question(text, embedder_of(run.store, index.chunks, "basic", embedder))
    row = _chunk_row(index, chunk)
    found = walk(index, question, params)
    nodes, shares, brought = _inflow(found, len(found.graph.names) + row, params.damping)
    order = np.lexsort((nodes, -np.round(brought, 12)))[:k]
    order = order[brought[order] > 0]
    reasons: dict[int, list[str]] = {}
    for seed in found.seeds:
        reasons.setdefault(seed.node, []).append(seed.why)
    best = [_inflow(found, node, params.damping) for node in nodes[order]]
    givers = np.array([came[0][np.argmax(came[2])] for came in best], np.int64)
    return (
        described(index, found.graph, nodes[order])
        .drop(columns="id")
        .assign(
            seed=[", ".join(reasons.get(node, ())) for node in nodes[order].tolist()],
            score=found.scores[nodes[order]],
            share=shares[order],
            part=brought[order] / (brought.sum() or 1),
            source=described(index, found.graph, givers)["label"],
        )
    )


def _inflow(found: Walk, node: int, damping: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Give the nodes that bring a node its score, the share of theirs that goes there, and what
    that is; the node itself stands for what began there."""
    row = found.graph.step[node]
    nodes, shares = np.append(row.indices, node), np.append(row.data, np.nan)
    came = damping * row.data * found.scores[row.indices]
    return nodes, shares, np.append(came, (1 - damping) * found.start[node])


def _chunk_row(index: RunIndex, chunk: str | int) -> int:
    column = "short_id" if isinstance(chunk, int) else "id"
    rows = np.flatnonzero(index.chunks.chunks[column] == chunk)
    if not len(rows):
        raise InputError(f"Chunk {chunk!r} is not in the store: take an id of its chunks.")
    return int(rows[0])
