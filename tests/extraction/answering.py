"""Small corpora as frames, and models that answer by task: what tests of the modes are made of."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from tests.models.fakes import FunctionModel
from workbench import schema
from workbench.frames import table_frame
from workbench.models.calls import Caller
from workbench.models.language import Reply

Answer = Callable[[str], Any] | dict[str, Any] | str | Exception


def corpus(*documents: str | list[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Give documents and chunks: a text is one chunk, a list of texts so many, without gaps."""
    texts, chunks = [], []
    for n, parts in enumerate(documents):
        parts = [parts] if isinstance(parts, str) else parts
        start = 0
        for i, part in enumerate(parts):
            row = {"id": f"c{n}{i}", "short_id": len(chunks), "document_id": f"d{n}"}
            span = {"start_char": start, "end_char": start + len(part)}
            chunks.append({**row, "chunk_index": i, "text": part, **span, "token_count": 9})
            start += len(part)
        text = "".join(parts)
        texts.append({"id": f"d{n}", "path": f"d{n}.md", "title": f"d{n}", "text": text})
        texts[-1]["metadata"] = json.dumps({"format": "plain"})
    return table_frame(schema.DOCUMENTS, texts), table_frame(schema.CHUNKS, chunks)


class TaskModel(FunctionModel):
    """Answers by the task of the request: a value, or a function of the prompt; keeps the tasks."""

    def __init__(self, answers: Mapping[str, Answer], **options: Any) -> None:
        super().__init__(lambda prompt: "", **options)
        self.answers, self.tasks = answers, []
        self.hashes: list[str] = []

    def generate(self, prompt: str, **options: Any) -> Reply:
        request = options["request"]
        answer = self.answers[request.task]
        if callable(answer):
            answer = answer(prompt)
        if isinstance(answer, dict):
            answer = json.dumps(answer)
        with self._lock:
            self.tasks.append(request.task)
            self.hashes.append(request.content_hash)
        self.function = lambda prompt: answer
        return super().generate(prompt, **options)


def caller_of(model: FunctionModel, **options: Any) -> Caller:
    return Caller(model, **{"retries": 0, **options})


def shown_text(prompt: str) -> str:
    """Give the document's text in a prompt of the shipped templates."""
    return prompt.split("--------\n")[1].rsplit("\n", 1)[0]


def entity(name: str, type_: str = "technology", verdict: str = "keep", **more: str) -> dict:
    return {"name": name, "type": type_, "verdict": verdict, "description": "", **more}


def relation(source: str, predicate: str, target: str, evidence: str = "", strength=5) -> dict:
    ends = {"source": source, "predicate": predicate, "target": target}
    return {**ends, "description": "", "evidence": evidence, "strength": strength}


def names(frame: pd.DataFrame) -> list[str]:
    return sorted(frame["name"])


def triples(made: Any) -> set[tuple[str, str, str]]:
    """Give (source, type, target) by names."""
    name = dict(zip(made.entities["id"], made.entities["name"], strict=True))
    rows = made.relationships
    return {
        (name[s], t, name[o])
        for s, t, o in zip(rows["source_id"], rows["type"], rows["target_id"], strict=True)
    }


def refused(made: Any, stage: str | None = None) -> dict[str, str]:
    """Give the rule by the item that was dropped."""
    rows = made.rejected if stage is None else made.rejected[made.rejected["stage"] == stage]
    return dict(zip(rows["item"], rows["rule"], strict=True))
