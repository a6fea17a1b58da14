"""Local search's context against what graphrag 3.3 gave for the same tables."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.query.local_golden import dulce_index, toy_index
from workbench.corpus.tokens import count_tokens
from workbench.params import LocalParams
from workbench.query.local_context import LocalContext, local_context
from workbench.query.local_select import nearest, select
from workbench.query.local_world import LocalWorld

TOY = [
    "L1_two_entities_topkrel1", "L2_topkrel10", "L3_single", "L4_reversed_hits", "L5_budget20",
    "L6_budget40", "L7_budget60", "L8_include_exclude", "L9_weight_rank_attr", "L10_drift_props",
    "L11_history_7_turns", "L12_empty_query",
]  # fmt: skip
NAMES = {
    "top_k_mapped_entities": "top_k_entities",
    "include_entity_names": "include",
    "exclude_entity_names": "exclude",
    "relationship_ranking_attribute": "relationship_ranking",
}
NOBODY = pd.DataFrame({"entity_row": [], "spelling": [], "cosine": []})


@pytest.fixture(scope="session")
def toy(shared) -> dict[str, Any]:
    return json.loads(shared("golden/toy_local.json").read_text(encoding="utf-8"))


def world(toy: dict[str, Any], variant: str = "as_shipped") -> LocalWorld:
    texts = [unit["text"] for unit in toy["input"]["text_units"]]
    return LocalWorld(
        toy_index(toy["input"]), lambda text: len(text.split()), variant, lambda: texts
    )


def case_of(toy: dict[str, Any], name: str) -> dict[str, Any]:
    return next(case for case in toy["cases"] if case["name"] == name)


def run_case(
    toy: dict[str, Any], name: str, variant: str = "as_shipped", **more: Any
) -> LocalContext:
    case = case_of(toy, name)
    given = {NAMES.get(key, key): value for key, value in case["params"].items() if key != "query"}
    # the harness's own defaults: one entity, one relationship an entity
    values = {"top_k_entities": 1, "top_k_relationships": 1, **given, "variant": variant, **more}
    params = LocalParams(**values)
    there = world(toy, variant)
    rows = np.array([there.index.entity_row_of[hit] for hit in case["vector_hits"]])
    found = None if case["query_embedded"] is None else (rows, np.linspace(0.9, 0.8, len(rows)))
    chosen = select(there, found, NOBODY, params).entities
    turns = [f"q{n}" for n in range(1, 8)] if "history" in name else []
    return local_context(there, chosen, params, turns)


def text_of(context: LocalContext) -> str:
    return "".join(part.text for part in context.parts)


@pytest.mark.parametrize("name", TOY)
def test_as_shipped_gives_the_toy_contexts_character_by_character(toy, name) -> None:
    assert text_of(run_case(toy, name)) == case_of(toy, name)["context"]


def test_the_toy_golden_has_no_other_cases(toy) -> None:
    assert [case["name"] for case in toy["cases"]] == TOY


@pytest.fixture(scope="session")
def dulce(shared) -> tuple[LocalWorld, list[dict[str, Any]]]:
    index, texts = dulce_index(Path(shared("dulce")))
    count = partial(count_tokens, encoding="cl100k_base")
    golden = shared("golden/local_context.dulce.json").read_text(encoding="utf-8")
    return LocalWorld(index, count, "as_shipped", lambda: texts), json.loads(golden)


@pytest.mark.parametrize("at", range(18))
def test_as_shipped_gives_the_dulce_contexts(dulce, at: int) -> None:
    there, cases = dulce
    case = cases[at]
    params = LocalParams(
        max_context_tokens=case["max_context_tokens"], level=case["level"], variant="as_shipped"
    )
    asked = there.names.tolist().index(case["query_entity"])
    found = nearest(there.index.entity_matrix, there.index.entity_matrix[asked], 30)
    context = local_context(there, select(there, found, NOBODY, params).entities, params)
    shown = {
        name: [section.lines.text(key).split("|")[0] for key in section.kept]
        for name, section in context.sections.items()
        if section.kept
    }
    wanted = {name: [row["id"] for row in rows] for name, rows in case["records"].items()}
    assert shown == wanted
    assert text_of(context) == case["context"]
