"""A trace in, JSON out, and in again: the same trace, but for its timings."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd

from workbench.query.trace import Answer, Part, Prompt, Step, Trace

FORMAT = 1


def to_payload(trace: Trace) -> dict[str, Any]:
    """Give a trace as JSON-able values; `seconds` apart from all else.

    A table is `{"columns": {name: dtype}, "rows": [[…]]}`; what is missing or no finite number is
    null.
    """
    return {
        "format": FORMAT,
        "run": trace.run,
        "content": trace.content,
        "method": trace.method,
        "question": trace.question,
        "params": trace.params,
        "steps": [
            {
                "name": step.name,
                "meaning": step.meaning,
                "section": step.section,
                "allowed": step.allowed,
                "heading_tokens": step.heading_tokens,
                "table": _table(step.table),
            }
            for step in trace.steps
        ],
        "prompts": [
            {
                "task": prompt.task,
                "key": prompt.key,
                "status": prompt.status,
                "tokens": prompt.tokens,
                "parts": [[part.kind, part.section, part.text, part.id] for part in prompt.parts],
            }
            for prompt in trace.prompts
        ],
        "answer": {
            "text": trace.answer.text,
            "source": trace.answer.source,
            "citations": _table(trace.answer.citations),
        },
        "notes": list(trace.notes),
        "seconds": trace.seconds,
    }


def from_payload(payload: dict[str, Any]) -> Trace:
    """Give the trace that `to_payload` wrote."""
    answer = payload["answer"]
    return Trace(
        payload["run"],
        payload["method"],
        payload["question"],
        payload["params"],
        tuple(
            Step(
                step["name"],
                step["meaning"],
                _frame(step["table"]),
                step["section"],
                step["allowed"],
                step["heading_tokens"],
            )
            for step in payload["steps"]
        ),
        tuple(
            Prompt(
                prompt["task"],
                tuple(Part(*part) for part in prompt["parts"]),
                prompt["key"],
                prompt["status"],
                prompt["tokens"],
            )
            for prompt in payload["prompts"]
        ),
        Answer(answer["text"], answer["source"], _frame(answer["citations"])),
        tuple(payload["notes"]),
        payload["seconds"],
        payload["content"],
    )


def dumps(trace: Trace, seconds: bool = True) -> str:
    """Give a trace as JSON; without `seconds` two equal queries give the same text."""
    payload = to_payload(trace)
    if not seconds:
        del payload["seconds"]
    return json.dumps(payload, ensure_ascii=False, allow_nan=False, default=_plain)


def _table(frame: pd.DataFrame) -> dict[str, Any]:
    columns = {str(name): str(dtype) for name, dtype in frame.dtypes.items()}
    lists = [[_plain(value) for value in frame[name].tolist()] for name in frame]
    return {"columns": columns, "rows": [list(row) for row in zip(*lists, strict=True)]}


def _frame(table: dict[str, Any]) -> pd.DataFrame:
    frame = pd.DataFrame(table["rows"], columns=list(table["columns"]), dtype=object)
    return frame.astype({name: dtype for name, dtype in table["columns"].items()})


def _plain(value: Any) -> Any:
    """Give a value that JSON has: null for what is missing or infinite."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(item) for item in value]
    if hasattr(value, "item"):  # a numpy scalar
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return None if value is pd.NA or value is pd.NaT else value
