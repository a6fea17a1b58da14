"""A run and local search's traces or budgets in, an ego graph and a sweep of shares out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from workbench.params import LocalParams, validated
from workbench.query.local import local_world, selected
from workbench.query.local_context import local_context
from workbench.query.question import read_question
from workbench.query.run_index import run_index
from workbench.query.search import embedder_of
from workbench.query.trace import Trace
from workbench.run import Run

ROLES = ("selected", "in-network", "out-network", "cut")


def ego_graph(run: Run, trace: Trace) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Give what a trace of local search looked at as entities and relationships, with their role.

    Entities (columns of the run's): `selected`, else `out-network` where a relationship in context
    leads to them, else `cut`; they are those of the trace's relationships, and the selected ones.
    Relationships: `in-network` or `out-network` when in the context, else `cut`; with links, order
    and cut_reason of the trace. Both can be given to `graph_view` with colour_by="role".
    """
    index = run_index(run.store, run.name)
    table, chosen = trace.step("relationships"), trace.step("entities")
    columns = ["id", "network", "links", "order", "in_context", "cut_reason"]
    edges = table[columns].merge(index.relationships, on="id", how="left", sort=False)
    edges["role"] = np.where(edges["in_context"], edges.pop("network") + "-network", "cut")
    inside = edges[edges["in_context"]]
    reached = {*inside["source_id"], *inside["target_id"]}
    picked = set(chosen["id"][chosen["selected"].astype(bool)])
    around = {*edges["source_id"], *edges["target_id"], *picked}
    nodes = index.entities[index.entities["id"].isin(around)].reset_index(drop=True)
    nodes["role"] = [
        "selected" if id_ in picked else "out-network" if id_ in reached else "cut"
        for id_ in nodes["id"]
    ]
    return nodes, edges


def sweep_budget(
    run: Run,
    question: str,
    text_unit_props: Sequence[float] = (0.1, 0.3, 0.5, 0.7, 0.9),
    community_props: Sequence[float] = (0.0, 0.15, 0.3, 0.5),
    **settings: object,
) -> pd.DataFrame:
    """Build the local context of a question for each pair of shares that makes no more than 1.

    Columns: text_unit_prop, community_prop, section, allowed, tokens, rows (in context),
    candidates. `settings` are other LocalParams. A question that matches nothing gives no rows.
    """
    index = run_index(run.store, run.name)
    params = validated(LocalParams, **settings)
    world = local_world(index, params)
    asked = read_question(question, embedder_of(run.store, index.chunks, "local"))
    chosen = selected(world, asked.text, asked.vector, params).entities
    rows = []
    for text_unit_prop in text_unit_props:
        for community_prop in community_props:
            if not chosen or text_unit_prop + community_prop > 1:
                continue
            shares = {"text_unit_prop": text_unit_prop, "community_prop": community_prop}
            context = local_context(world, chosen, params.model_copy(update=shares))
            rows += [
                {**shares, "section": name, "allowed": section.allowed}
                | {"tokens": section.tokens, "rows": len(section.kept)}
                | {"candidates": len(section.entries)}
                for name, section in context.sections.items()
                if name != "history"
            ]
    names = ["text_unit_prop", "community_prop", "section", "allowed", "tokens", "rows"]
    return pd.DataFrame(rows, columns=[*names, "candidates"])
