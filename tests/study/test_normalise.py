from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from workbench.study.normalise import main, normalise, read_notebook

KEYS = "metadata.papermill cell.metadata.papermill cell.metadata.execution"


@pytest.fixture(autouse=True)
def _own_signatures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is signed here out of the user's own signatures."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))


def executed(path: Path) -> Path:
    """Write a notebook as papermill leaves it."""
    new = nbformat.v4
    html = new.new_output("execute_result", {"text/html": "<b>1</b>"}, execution_count=3)
    cells = [
        new.new_markdown_cell("# Title"),
        new.new_code_cell(
            "seed: int = 7",
            execution_count=2,
            metadata={
                "tags": ["parameters"],
                "papermill": {"duration": 0.01},
                "execution": {"iopub.execute_input": "2026-01-01"},
            },
        ),
        new.new_code_cell("1", execution_count=3, outputs=[html]),
    ]
    notebook = new.new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    notebook.metadata["papermill"] = {"version": "2"}
    nbformat.write(notebook, path)
    return path


def test_it_does_what_nbstripout_does(tmp_path: Path) -> None:
    ours, theirs = executed(tmp_path / "ours.ipynb"), executed(tmp_path / "theirs.ipynb")
    normalise(ours)
    strip = [sys.executable, "-m", "nbstripout", "--keep-output", "--keep-count", "--extra-keys"]
    subprocess.run([*strip, KEYS, str(theirs)], check=True)
    assert json.loads(ours.read_text()) == json.loads(theirs.read_text())
    cell = read_notebook(ours).cells[1]
    assert cell.metadata == {"tags": ["parameters"]}
    assert (cell.id, cell.execution_count) == ("1", 2)


def test_widgets_stderr_and_the_python_version_go(tmp_path: Path) -> None:
    path = executed(tmp_path / "a.ipynb")
    notebook = read_notebook(path)
    notebook.metadata["language_info"] = {"name": "python", "version": "3.11.2"}
    notebook.metadata["widgets"] = {"state": {}}
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "a"}, "text/html": "<p>"}
    new = nbformat.v4
    notebook.cells[2].outputs += [
        new.new_output("display_data", view),
        new.new_output("stream", name="stderr", text="warning"),
        new.new_output("stream", name="stdout", text="said"),
    ]
    nbformat.write(notebook, path)
    normalise(path)
    left = read_notebook(path)
    assert left.metadata["language_info"] == {"name": "python"}
    assert "widgets" not in left.metadata
    outputs = left.cells[2].outputs
    assert [output.output_type for output in outputs] == [
        "execute_result",
        "display_data",
        "stream",
    ]
    assert list(outputs[1].data) == ["text/html"]


def test_twice_is_once(tmp_path: Path) -> None:
    path = executed(tmp_path / "a.ipynb")
    normalise(path)
    once = path.read_bytes()
    main([str(path)])
    assert path.read_bytes() == once
    assert once.endswith(b"}\n") and b"\r" not in once


@pytest.mark.slow
def test_executing_in_place_gives_the_same_bytes_each_time(tmp_path: Path) -> None:
    path = executed(tmp_path / "a.ipynb")
    main([str(path), "--execute"])
    once = path.read_bytes()
    main([str(path), "--execute"])
    assert path.read_bytes() == once
    assert [cell.execution_count for cell in read_notebook(path).cells[1:]] == [1, 2]
