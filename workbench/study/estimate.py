"""A corpus, a mode and a model in, what a run will cost out: calls, tokens, time and money.

Exact for classification, hybrid and entities, whose requests are made by the code of the run
itself; a bounded range, with a guess in it, for what depends on replies. Retries are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from workbench.errors import ModelError
from workbench.extraction.modes import require
from workbench.extraction.setting import Setting
from workbench.models.calls import Caller
from workbench.models.language import LanguageModel, load_model
from workbench.models.prompts import load_templates
from workbench.params import (
    ChunkParams,
    ClusterParams,
    ExtractParams,
    LanguageParams,
    ReportParams,
)
from workbench.store import Store
from workbench.study.ground import Ground, ground
from workbench.study.plans import Planner
from workbench.study.prices import Price, load_prices, price_of
from workbench.study.speed import Speed, ledger_speed, outcome_speed
from workbench.study.workload import Ledgered, Load, Work

BOUNDS = ("low", "likely", "high")
FIGURES = ("calls", "prompt_tokens", "completion_tokens", "seconds", "cost")
# The window that is assumed when nobody tells: what the backend uses at most, or unless told.
_UNTOLD = {"ollama": 16_384, "replay": 16_384}
_WINDOW = 8_192


@dataclass(frozen=True)
class Estimate:
    """What a run will cost. `tasks` has one row a task, in the order in which a run asks.

    tasks: task, exact (its calls and prompts are known), cached (requests that the ledger or an
    equal request answers), then calls, prompt_tokens (of o200k_base), completion_tokens, seconds
    (of calls one after the other; null without a speed) and cost (null without a price), each as
    _low, _likely and _high, and note. `window` is the model's context window in tokens;
    `window_told` is False when nobody told it and it is assumed.
    """

    mode: str
    llm: str
    documents: int
    chunks: int
    tasks: pd.DataFrame
    window: int
    window_told: bool
    speed: Speed | None = None
    price: Price | None = None

    @property
    def total(self) -> dict[str, float]:
        """The sums over all tasks, by the names of the columns; NaN where one is unknown."""
        names = [f"{figure}_{bound}" for figure in FIGURES for bound in BOUNDS]
        return {
            name: float(self.tasks[name].sum(skipna=False)) if len(self.tasks) else 0.0
            for name in names
        }


def estimate(
    corpus: str | Path | Store | Ground,
    mode: str = "heuristic",
    llm: str | LanguageModel | None = None,
    *,
    store: Store | None = None,
    language: LanguageParams | None = None,
    report: ReportParams | None = ReportParams(),  # noqa: B008 (frozen)
    chunk: ChunkParams | None = None,
    extract: ExtractParams | None = None,
    cluster: ClusterParams | None = None,
    columns: Mapping[str, str] | None = None,
    context_window: int | None = None,
    speed: Speed | None = None,
    sample: int = 0,
    prices: str | Path | None = None,
    jobs: int | None = None,
) -> Estimate:
    """Estimate a run over a corpus, or over the chunks of a store, or over what is read already.

    `report` None: no reports are written. Replies that the ledger of `store` holds (of `corpus`,
    if that is one) cost nothing; past calls of the model there tell its speed, unless `speed` does,
    and a corpus is cut as that store is, unless `chunk` tells how. `sample` asks so many
    of the run's requests for real, to measure; with a store they are kept and need not be made
    again. The window is `context_window`, else the model's; of a server that does not answer it is
    assumed, and `window_told` is False. Raises InputError for an unknown mode or model, and
    ModelError when a sample cannot be had.
    """
    language = language or LanguageParams()
    require(mode, language, has_model=True)
    model = load_model(llm) if isinstance(llm, str) else llm
    here = corpus
    store = corpus if isinstance(corpus, Store) else store
    if store is not None and not isinstance(corpus, Store):
        chunk = chunk or store.chunk_params()
    if not isinstance(here, Ground):
        cut = {"chunk": chunk, "extract": extract, "cluster": cluster, "columns": columns}
        here = ground(here, exact=mode != "llm", jobs=jobs, **cut)
    name = model.name if model is not None else "none"
    window, told = window_of(model, name, context_window)
    setting = Setting(language, load_templates(language.templates), window)
    planner = Planner(here, setting, Ledgered(model, store), {}, report)
    if sample and model is not None:
        speed = _sampled(planner, mode, model, store, sample) or speed
    if speed is None and model is not None and store is not None:
        speed = ledger_speed(store, model.name)
    return priced(planner, mode, name, told, speed, price_of(name, load_prices(prices)))


def priced(
    planner: Planner, mode: str, llm: str, told: bool, speed: Speed | None, price: Price | None
) -> Estimate:
    """Plan a mode and put time and money to it."""
    planner.replies = speed.replies if speed else {}
    here: Ground = planner.ground
    return Estimate(
        mode,
        llm,
        len(here.documents),
        len(here.chunks),
        _frame(planner.works(mode), speed, price),
        planner.setting.context_window,
        told,
        speed,
        price,
    )


def window_of(model: LanguageModel | None, name: str, given: int | None) -> tuple[int, bool]:
    """Give the context window of a model, and whether somebody told it."""
    if given is not None:
        return given, True
    try:
        if model is not None:
            return model.context_window, True
    except ModelError:
        pass  # no server answers; what it would say is assumed below
    return _UNTOLD.get(name.partition("/")[0], _WINDOW), False


def _sampled(
    planner: Planner, mode: str, model: LanguageModel, store: Store | None, number: int
) -> Speed | None:
    """Ask some of the requests, spread evenly from the shortest to the longest, and measure."""
    asked = [request for known in planner.requests(mode).values() for request in known]
    asked = sorted(planner.ledgered.left(asked), key=lambda request: len(request.prompt))
    chosen = asked[:: max(1, -(-len(asked) // number))]
    caller = Caller(model, store, "estimate", planner.setting.params.workers)
    measured = outcome_speed(caller.ask_all(chosen, "sample"))
    known = ledger_speed(store, model.name) if store is not None else None
    return known or measured


def _frame(works: list[Work], speed: Speed | None, price: Price | None) -> pd.DataFrame:
    rows = []
    for work in works:
        row: dict[str, Any] = {"task": work.task, "exact": work.exact, "cached": work.cached}
        loads = {bound: getattr(work, bound) for bound in BOUNDS}
        figures = {bound: _figures(load, speed, price) for bound, load in loads.items()}
        row |= {f"{name}_{bound}": figures[bound][name] for name in FIGURES for bound in BOUNDS}
        rows.append({**row, "note": work.note})
    names = [f"{name}_{bound}" for name in FIGURES for bound in BOUNDS]
    return pd.DataFrame(rows, columns=["task", "exact", "cached", *names, "note"])


def _figures(load: Load, speed: Speed | None, price: Price | None) -> dict[str, float]:
    sent = load.prompt * (speed.ratio if speed else 1.0)
    return {
        "calls": load.calls,
        "prompt_tokens": round(load.prompt),
        "completion_tokens": round(load.completion),
        "seconds": speed.seconds(load.prompt, load.completion) if speed else float("nan"),
        "cost": price.cost(sent, load.completion) if price else float("nan"),
    }
