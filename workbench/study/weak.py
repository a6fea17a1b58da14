"""A small packaged model in, its replies to what notebooks 03 and 06 ask out: `smollm2.jsonl`.

`python -m workbench.study.weak` records what the file lacks, over half an hour of one core: the
novella's first chapters in hybrid and llm, with lists of at most `ITEMS` records, since this model
ends none by itself, and a report on one community of the handbook.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import typer

from workbench.index import index
from workbench.models.language import load_model
from workbench.models.record import recorded
from workbench.opening import open_reports, open_run
from workbench.params import LanguageParams
from workbench.paths import root
from workbench.store import Store
from workbench.study.reference import CHAPTERS
from workbench.study.report_variants import report_again
from workbench.study.side_by_side import part_of

if TYPE_CHECKING:
    from workbench.run import Run

ITEMS = 6
_SHORT = 2_500  # tokens of a context that a small window holds


def worth_telling(run: Run, reports: pd.DataFrame) -> int:
    """Choose the community (short_id) of the highest rank among those with a short context."""
    short = reports[reports["context_tokens"] < _SHORT]
    top = short.sort_values(["rank", "title"], ascending=[False, True])["community_id"].iloc[0]
    return int(run.communities.set_index("id").loc[top, "short_id"])


def record(
    llm: str = "llamacpp/smollm2",
    file: Path | None = None,
    reference: str = "replay/data/replies/reference.jsonl",
    stores: Path | None = None,
) -> None:
    """Record; `stores` keeps the ledgers, so that a recording that broke off goes on."""
    model = recorded(load_model(llm), file or root() / "data" / "replies" / "smollm2.jsonl")
    with tempfile.TemporaryDirectory() as other:
        folder = stores or Path(other)
        handbook = open_run(folder / "handbook.duckdb", "data/handbook", "hybrid", reference)
        reports = open_reports(handbook, reference)
        report_again(handbook, reports, worth_telling(handbook, reports), model)
        part = part_of("data/novella", CHAPTERS, folder / "novella.duckdb")
        for mode in ("hybrid", "llm"):
            language = LanguageParams(max_items=ITEMS)
            index(part, Store(f"{part}.duckdb"), mode=mode, llm=model, language=language)


if __name__ == "__main__":
    typer.run(record)
