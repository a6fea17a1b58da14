"""A mode's name in, its extraction out: the registry of extraction modes."""

from __future__ import annotations

from typing import Protocol

import pandas as pd

from workbench.errors import InputError
from workbench.extraction.claims import with_claims
from workbench.extraction.classify import extract_classified
from workbench.extraction.heuristic import extract_heuristic
from workbench.extraction.hybrid import extract_hybrid
from workbench.extraction.llm import extract_llm
from workbench.extraction.parser import extract_parser
from workbench.extraction.result import Extraction
from workbench.extraction.setting import Setting
from workbench.models.calls import Caller
from workbench.models.embedding import Embedder
from workbench.params import ExtractParams, LanguageParams

# The templates that each mode fills; those of options come on top.
TASKS: dict[str, tuple[str, ...]] = {
    "heuristic": (),
    "parser": (),
    "hybrid": ("hybrid",),
    "llm": ("entities", "relationships", "description"),
}


class ModeFunction(Protocol):
    """What a mode that asks a language model has to be: documents and chunks in, Extraction out."""

    def __call__(
        self,
        documents: pd.DataFrame,
        chunks: pd.DataFrame,
        embedder: Embedder | None,
        params: ExtractParams,
        jobs: int | None = None,
        *,
        caller: Caller,
        language: LanguageParams,
    ) -> Extraction:
        """Extract; `jobs` as for joblib."""
        ...


PLAIN = {"heuristic": extract_heuristic, "parser": extract_parser}
ASKING: dict[str, ModeFunction] = {"hybrid": extract_hybrid, "llm": extract_llm}
MODES = (*PLAIN, *ASKING)


def extract(
    mode: str,
    documents: pd.DataFrame,
    chunks: pd.DataFrame,
    embedder: Embedder | None,
    params: ExtractParams | None = None,
    jobs: int | None = None,
    *,
    caller: Caller | None = None,
    language: LanguageParams | None = None,
) -> Extraction:
    """Run one mode; an unknown one, or one without the model it needs, raises InputError.

    With a caller, `language.classify` gives the heuristic mode its types, and `language.claims`
    any mode its claims.
    """
    language, params = language or LanguageParams(), params or ExtractParams()
    require(mode, language, caller is not None)
    given = documents, chunks, embedder, params, jobs
    asking = extract_classified if mode == "heuristic" and language.classify else ASKING.get(mode)
    if caller is None or asking is None:
        made = PLAIN[mode](*given)
    else:
        made = asking(*given, caller=caller, language=language)
    if caller is not None and language.claims:
        made = with_claims(made, chunks, caller, Setting.of(language, caller.model))
    return made


def require(mode: str, language: LanguageParams, has_model: bool) -> None:
    """Raise InputError for a mode that does not exist, or that needs a model and has none."""
    if mode not in MODES:
        raise InputError(f"Mode {mode!r} does not exist: choose one of {', '.join(MODES)}.")
    wish = next((name for name in ("classify", "claims") if getattr(language, name)), None)
    if not has_model and (mode in ASKING or wish):
        what = f"Mode {mode!r}" if mode in ASKING else f"Option {wish!r}"
        raise InputError(f"{what} asks a language model: choose one, like --llm ollama/NAME.")


def tasks(mode: str, language: LanguageParams) -> tuple[str, ...]:
    """Give the tasks that a mode may ask with these parameters."""
    options = {
        "classify": language.classify and mode == "heuristic",
        "gleaning": language.gleanings > 0 and mode == "llm",
        "claims": language.claims,
    }
    return (*TASKS[mode], *(name for name, wanted in options.items() if wanted))
