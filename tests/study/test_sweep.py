"""A grid of a small notebook: refused, run, killed and resumed, here and on a cluster."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pandas as pd
import psutil
import pytest
import yaml

from tests.clusters import dask_cluster, wait_for
from tests.storage.corpora import write_corpus
from workbench.errors import InputError
from workbench.study.sweep import jobs_of, read_sweep
from workbench.study.sweep_run import sweep_notebooks as sweep

PARAMETERS = """store_path: str = "x.duckdb"  # the store
corpus_dir: str = "data/handbook"  # the corpus
mode: str = "heuristic"  # the mode
llm: str = "none"  # the model
rows: int = 3  # rows shown"""
CELL = """import workbench as wb

run = wb.open_run(store_path, corpus_dir, mode, llm)
assert rows < 9, "too many"
run.entities.head(rows)"""
SUMMARY = "summary.csv"


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep file over ten small documents, with a parameter set that fails."""
    folder = tmp_path_factory.mktemp("sweep")
    write_corpus(folder / "ten")
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": kernel})
    tagged = nbformat.v4.new_code_cell(PARAMETERS, metadata={"tags": ["parameters"]})
    notebook.cells = [tagged, nbformat.v4.new_code_cell(CELL)]
    nbformat.write(notebook, folder / "small.ipynb")
    said = {
        "corpora": {"ten": str(folder / "ten")},
        "parameters": {"three": {}, "many": {"rows": 9}},
        "notebooks": [str(folder / "small.ipynb")],
    }
    return write(folder / "grid.yaml", said)


def write(path: Path, said: dict) -> Path:
    path.write_text(yaml.safe_dump(said), "utf-8")
    return path


@pytest.fixture(scope="module")
def whole(grid: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The grid run to its end, without interruption."""
    out = tmp_path_factory.mktemp("whole")
    sweep(grid, out=out, jobs=2)
    return out


def test_a_failed_run_is_told_and_the_others_go_on(whole: Path) -> None:
    table = pd.read_csv(whole / SUMMARY).set_index("parameters")
    assert pd.isna(table.loc["three", "error"])
    assert table.loc["three", "documents"] == 10
    assert "AssertionError: too many" in table.loc["many", "error"]
    made = whole / "ten-heuristic-three"
    assert {path.name for path in made.iterdir()} >= {
        "small.ipynb", "small.html", "params.yaml", "entities.csv", "run.duckdb",
    }  # fmt: skip
    assert len(pd.read_csv(made / "entities.csv")) == table.loc["three", "entities"]
    page = (whole / "index.html").read_text("utf-8")
    assert 'href="ten-heuristic-three/small.html"' in page and "2 runs, 1 failed" in page
    assert not list(whole.glob(".*"))  # nothing half made, no lock


def test_killed_and_resumed_it_gives_the_same(grid: Path, whole: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", _MAIN, "sweep", str(grid), "--out", str(tmp_path)]
    process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
    wait_for(lambda: list(tmp_path.glob(".partial-*")), process)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not (tmp_path / SUMMARY).exists()
    sweep(grid, out=tmp_path)
    assert (tmp_path / SUMMARY).read_bytes() == (whole / SUMMARY).read_bytes()
    before = (tmp_path / "ten-heuristic-three" / "result.json").stat().st_mtime_ns
    sweep(grid, out=tmp_path)  # only the one that failed is tried again
    assert (tmp_path / "ten-heuristic-three" / "result.json").stat().st_mtime_ns == before


def test_a_cluster_that_loses_a_worker_gives_the_same(
    grid: Path, whole: Path, tmp_path: Path, cluster: tuple[str, list[subprocess.Popen]]
) -> None:
    address, workers = cluster
    command = [sys.executable, "-c", _MAIN, "sweep", str(grid), "--out", str(tmp_path)]
    process = subprocess.Popen([*command, "--dask", address], stdout=subprocess.DEVNULL)
    wait_for(lambda: len(list(tmp_path.glob(".partial-*"))) == 2, process)
    workers[0].kill()
    for child in psutil.Process(workers[0].pid).children(recursive=True):
        child.kill()
    assert process.wait(timeout=240) == 1  # one run fails by itself
    assert (tmp_path / SUMMARY).read_bytes() == (whole / SUMMARY).read_bytes()


_MAIN = "import sys; from workbench.cli import main; sys.argv[0] = 'workbench'; main()"


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """A real scheduler and two workers."""
    with dask_cluster(tmp_path) as running:
        yield running


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"parameters": {"a": {"row": 3}}}, "No parameter 'row' in small: did you mean 'rows'?"),
        ({"parameters": {"a": {"rows": "x"}}}, "it takes a value of type int"),
        ({"parameters": {"a": {"mode": "llm"}}}, "'mode' is set by the sweep itself"),
        ({"modes": ["heuristik"]}, "There is no mode 'heuristik': did you mean 'heuristic'?"),
        ({"corpora": {"a/b": "x"}}, "'a/b' must be of letters, digits and _"),
        ({"corpus": {}}, "no setting 'corpus': did you mean 'corpora'?"),
        ({"gold": {"tin": "handbook"}}, "names the corpus 'tin': did you mean 'ten'?"),
        ({"notebooks": ["05_comunities"]}, "did you mean '05_communities'?"),
    ],
)
def test_mistakes_are_refused_before_anything_runs(
    grid: Path, tmp_path: Path, change: dict, said: str
) -> None:
    file = write(tmp_path / "wrong.yaml", {**yaml.safe_load(grid.read_text()), **change})
    with pytest.raises(InputError, match=None) as refused:
        jobs_of(read_sweep(file), tmp_path)
    assert said in str(refused.value)


def test_changed_parameters_are_run_again(grid: Path, tmp_path: Path) -> None:
    said = yaml.safe_load(grid.read_text())
    before = jobs_of(read_sweep(grid), tmp_path)
    again = jobs_of(read_sweep(grid), tmp_path)
    assert [job.fingerprint for job in before] == [job.fingerprint for job in again]
    changed = write(tmp_path / "c.yaml", {**said, "parameters": {"three": {"rows": 4}}})
    assert jobs_of(read_sweep(changed), tmp_path)[0].fingerprint != before[0].fingerprint


def test_no_scheduler_is_one_sentence(grid: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="the extra [dask] is not installed")
    with pytest.raises(InputError, match="No Dask scheduler answers at 'tcp://127.0.0.1:9'"):
        sweep(grid, out=tmp_path, dask="tcp://127.0.0.1:9")
