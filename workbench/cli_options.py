"""The options that several commands share, and what they say as parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from workbench.params import LanguageParams, P, validated

LlmOption = Annotated[
    str, typer.Option("--llm", help="ollama/NAME, openai/NAME, llamacpp/NAME, replay/FILE, none.")
]
ClassifyOption = Annotated[
    bool, typer.Option("--classify", help="heuristic: ask for the types of the names.")
]
CandidatesOption = Annotated[
    int | None, typer.Option(help="hybrid: names of a document that are judged (30).")
]
GleaningsOption = Annotated[
    int | None, typer.Option(help="llm: how often to ask for what was missed (0).")
]
ClaimsOption = Annotated[bool, typer.Option("--claims", help="Ask each chunk for claims.")]
TypesOption = Annotated[
    str | None, typer.Option("--entity-types", help="Types of entities, joined by commas.")
]
PredicatesOption = Annotated[str | None, typer.Option(help="Predicates, joined by commas.")]
TemplatesOption = Annotated[
    str | None, typer.Option(help="Folder of prompts that replace shipped ones.")
]
RecordOption = Annotated[
    Path | None,
    typer.Option("--record", help="Append the model's replies to this file, for replay."),
]
SizeOption = Annotated[int | None, typer.Option(help="Chunk size in tokens (512).")]
OverlapOption = Annotated[int | None, typer.Option(help="Tokens neighbours share (50).")]
RunOption = Annotated[str | None, typer.Option("--run", help="Name of the run.")]
WorkersOption = Annotated[int | None, typer.Option(help="Calls at once.")]
StoreOption = Annotated[
    Path,
    typer.Option("--store", envvar="WORKBENCH_STORE", help="The .duckdb file to read or write."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
DaskOption = Annotated[
    str | None, typer.Option(help="Address of a Dask scheduler, like tcp://host:8786.")
]
PricesOption = Annotated[
    Path | None, typer.Option(envvar="WORKBENCH_PRICES", help="A price table (see prices.yaml).")
]
WindowOption = Annotated[
    int | None, typer.Option("--context-window", help="Tokens of prompt and reply; else asked.")
]
DEFAULT_STORE = Path("workbench.duckdb")


def listed(text: str) -> list[str]:
    """Give the words that commas join, without those that are empty."""
    return [word.strip() for word in text.split(",") if word.strip()]


def given(kind: type[P], **options: object) -> P | None:
    """Build parameters from the options that were given; None when none was."""
    values = {name: value for name, value in options.items() if value is not None}
    return validated(kind, **values) if values else None


def language_params(**options: Any) -> LanguageParams:
    """Build parameters from the options that were given; lists are joined by commas."""
    for name in ("entity_types", "predicates"):
        if options.get(name) is not None:
            options[name] = tuple(listed(options[name]))
    return given(LanguageParams, **options) or LanguageParams()
