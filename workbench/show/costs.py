"""An estimate in, the table and the data that people and scripts read out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from workbench.show.console import records

if TYPE_CHECKING:
    from workbench.study.estimate import Estimate


def estimate_payload(made: Estimate) -> dict[str, Any]:
    """Give an estimate as JSON-able data; what is unknown is null."""
    speed = made.speed and {
        "prompt_tokens_a_second": made.speed.prompt,
        "completion_tokens_a_second": made.speed.completion,
        "calls_measured": made.speed.calls,
    }
    total = {name: None if value != value else value for name, value in made.total.items()}
    return {
        "mode": made.mode,
        "llm": made.llm,
        "documents": made.documents,
        "chunks": made.chunks,
        "context_window": made.window,
        "context_window_told": made.window_told,
        "speed": speed,
        "currency": made.price.currency if made.price else None,
        "tasks": records(made.tasks),
        "total": total,
    }


def estimate_title(made: Estimate) -> str:
    """Give an estimate in one line: the mode, the model, what it stands on."""
    told = "" if made.window_told else " (assumed)"
    return (
        f"{made.mode} with {made.llm}: {made.documents} documents, {made.chunks} chunks, context "
        f"window {made.window:,}{told}; each figure: at least, likely, at most"
    )


def estimate_table(made: Estimate) -> pd.DataFrame:
    """Give an estimate's figures as text, a row a task and one for all, without what is unknown."""
    rows = [*made.tasks.to_dict("records"), {"task": "all", "exact": None, **made.total}]
    shown: dict[str, list[Any]] = {"task": [row["task"] for row in rows]}
    shown["exact"] = [row["exact"] for row in rows]
    for figure in ("calls", "prompt_tokens", "completion_tokens", "seconds", "cost"):
        bounds = [[row[f"{figure}_{bound}"] for bound in ("low", "likely", "high")] for row in rows]
        if all(one == one for row in bounds for one in row):  # NaN: no speed, no price
            shown[figure] = [_range(row, 2 if figure == "cost" else 0) for row in bounds]
    return pd.DataFrame(shown)


def _range(bounds: list[float], digits: int) -> str:
    texts = list(dict.fromkeys(f"{one:,.{digits}f}" for one in bounds))
    return " … ".join(texts)
