"""An index with a model that notes each call in a file, and can kill its process in one."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path
from typing import Any

from tests.extraction.answering import TaskModel, entity, relation, shown_text
from tests.storage.builders import StandIn
from workbench import index as indexing
from workbench.models.language import Reply
from workbench.params import ChunkParams, LanguageParams

CHUNK = ChunkParams(size=64, overlap=8)
_START = re.compile(r"We run (\w+) beside (\w+)")


class NotingModel(TaskModel):
    """Answers for the documents of `write_corpus`; dies in its n-th call of this process."""

    def __init__(self, log: Path, die_in: int = 0, seconds: float = 0.0) -> None:
        super().__init__(
            {
                "hybrid": _hybrid,
                "entities": _entities,
                "relationships": _relationships,
                "description": {"description": "A tool, in short."},
                "claims": {"claims": []},
            },
            name="fake/noting",
        )
        self._log, self._die_in, self._seconds = log, die_in, seconds

    def generate(self, prompt: str, **options: Any) -> Reply:
        time.sleep(self._seconds)
        if len(self.tasks) + 1 == self._die_in:
            time.sleep(2)  # on a crowded machine writing what is finished takes a while
            os.kill(os.getpid(), signal.SIGKILL)
        request = options["request"]
        reply = super().generate(prompt, **options)
        with self._log.open("a") as stream:
            stream.write(f"{request.task} {request.content_hash}\n")
        return reply


def _hybrid(prompt: str) -> dict[str, Any]:
    text = shown_text(prompt)
    first, second = _START.search(text).groups()  # type: ignore[union-attr]
    evidence = f"We run {first} beside {second}"
    return {
        "entities": [entity(first, description="One."), entity(second)],
        "relationships": [relation(first, "uses", second, evidence, 3)],
    }


def _entities(prompt: str) -> dict[str, Any]:
    found = _START.search(shown_text(prompt))
    records = [entity(name, description=f"In {name}.") for name in found.groups()] if found else []
    return {"entities": records}


def _relationships(prompt: str) -> dict[str, Any]:
    first, second = _START.search(shown_text(prompt)).groups()  # type: ignore[union-attr]
    return {"relationships": [relation(first, "uses", second, f"We run {first} beside {second}")]}


def index_by_model(
    corpus: Path, path: Path, log: Path, mode: str = "hybrid", die_in: int = 0, **options: Any
) -> Any:
    """Index with the stand-in embedder and this model; `seconds` is how long a call takes."""
    indexing.load_embedder = lambda params: StandIn()
    model = NotingModel(log, die_in, options.pop("seconds", 0.0))
    language = options.pop("language", LanguageParams())
    return indexing.index(
        corpus, path, mode=mode, llm=model, chunk=CHUNK, language=language, **options
    )


def index_and_die(corpus: Path, path: Path, log: Path, mode: str, die_in: int) -> None:
    """Run in a process of its own."""
    index_by_model(corpus, path, log, mode, die_in, seconds=0.15)
