"""A part of the handbook, indexed, with extractive reports; and a model that answers by shape."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.models.embedding import load_embedder
from workbench.models.language import Reply, reply_of
from workbench.reporting import report
from workbench.run import Run


@pytest.fixture(scope="session")
def handbook(tmp_path_factory: pytest.TempPathFactory) -> Run:
    from workbench.index import index

    store = wb.Store(tmp_path_factory.mktemp("handbook") / "handbook.duckdb")
    run = index(wb.resolve_corpus("data/handbook/databases"), store)
    report(run)
    return run


class Remembering:
    """The embedder of a run's store, which embeds the same texts once."""

    def __init__(self, run: Run) -> None:
        self._real = load_embedder(run.store.embed_params())
        self._known: dict[tuple[str, ...], np.ndarray] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def encode(self, texts: Sequence[str], description: str = "") -> np.ndarray:
        key = tuple(texts)
        if key not in self._known:
            self._known[key] = self._real.encode(texts, description)
        return self._known[key]


class Scripted:
    """Answers any schema with the least that fits it, and prose with two citations, one false."""

    name, context_window, workers = "fake/scripted", 128_000, 2

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def check(self) -> None:
        pass

    def generate(
        self, prompt: str, *, schema: Any = None, max_tokens: int, **options: Any
    ) -> Reply:
        self.prompts.append(prompt)
        seen = re.search(r"^(\d+)\|", prompt.partition("Sources")[2], re.MULTILINE)
        text = f"It is so [chunk {seen[1] if seen else 0}]. It is not [chunk 99999]."
        if schema is not None:
            import json

            text = json.dumps(_fitting(schema, schema.get("$defs", {})))
        return reply_of(
            text, schema, prompt_tokens=1, completion_tokens=1, seconds=0.0, finish_reason="stop"
        )


def _fitting(schema: dict[str, Any], kinds: dict[str, Any]) -> Any:
    """Give the least value that a JSON schema admits; numbers are 50 where that is allowed."""
    if "$ref" in schema:
        return _fitting(kinds[schema["$ref"].rpartition("/")[2]], kinds)
    if "enum" in schema:
        return schema["enum"][0]
    for choice in ("anyOf", "allOf", "oneOf"):
        if choice in schema:
            return _fitting(schema[choice][0], kinds)
    kind = schema.get("type")
    if kind == "object":
        return {name: _fitting(part, kinds) for name, part in schema["properties"].items()}
    if kind == "array":
        return [_fitting(schema["items"], kinds)] * max(1, schema.get("minItems", 1))
    if kind in ("integer", "number"):
        return min(max(50, schema.get("minimum", 0)), schema.get("maximum", 100))
    return {"boolean": True, "null": None}.get(kind, "What PostgreSQL uses [report 1]")
