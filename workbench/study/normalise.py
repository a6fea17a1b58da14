"""An executed notebook in, the same without what changes from run to run out.

As `nbstripout --keep-output --keep-count --extra-keys "metadata.papermill
cell.metadata.papermill cell.metadata.execution"`, and besides: widget views (blank without their
kernel; the static table beside them stays), stderr and the interpreter's version go. The counts
stay, since nbval takes a cell without one for one that was never run.

`python -m workbench.study.normalise notebooks/*.ipynb [--execute]` does it in place.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from nbformat import NotebookNode

_WIDGET = "application/vnd.jupyter.widget-view+json"
_NOTEBOOK_KEYS = ("papermill", "widgets", "signature")
_CELL_KEYS = (
    "papermill",
    "execution",
    "collapsed",
    "ExecuteTime",
    "heading_collapsed",
    "hidden",
    "scrolled",
)


def read_notebook(path: str | Path) -> NotebookNode:
    """Read a notebook file as format 4."""
    import nbformat

    return nbformat.read(str(path), as_version=4)


def normalised(notebook: NotebookNode) -> NotebookNode:
    """Take what changes from run to run out of a notebook; it is changed and given back."""
    for key in _NOTEBOOK_KEYS:
        notebook.metadata.pop(key, None)
    notebook.metadata.get("language_info", {}).pop("version", None)
    for number, cell in enumerate(notebook.cells):
        cell["id"] = str(number)
        for key in _CELL_KEYS:
            cell.metadata.pop(key, None)
        if cell.cell_type == "code":
            cell.outputs = [_output(output) for output in cell.outputs if not _noise(output)]
    return notebook


def write_notebook(notebook: NotebookNode, path: str | Path) -> None:
    """Write a notebook, normalised, with LF line ends."""
    import nbformat

    text = nbformat.writes(normalised(notebook))
    Path(path).write_text(text.rstrip("\n") + "\n", encoding="utf-8", newline="\n")


def normalise(path: str | Path) -> None:
    """Normalise a notebook file in place; doing it twice changes nothing more."""
    write_notebook(read_notebook(path), path)


def sign(path: str | Path) -> None:
    """Sign a notebook for this user, so that JupyterLab shows its live graphs.

    Where Jupyter's data folder cannot be written the notebook stays untrusted and shows pictures.
    """
    from nbformat.sign import NotebookNotary

    with contextlib.suppress(OSError):
        NotebookNotary().sign(read_notebook(path))


def main(arguments: Sequence[str] | None = None) -> None:
    """Normalise the named notebooks; with `--execute` run each first, with its defaults."""
    parser = argparse.ArgumentParser(prog="python -m workbench.study.normalise")
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--execute", action="store_true", help="run each with its defaults first")
    options = parser.parse_args(arguments)
    for path in options.paths:
        if options.execute:
            from workbench.study.notebooks import execute

            failure = execute(path, path, {})
            if failure:
                raise WorkbenchError(failure)
        else:
            normalise(path)


def _noise(output: NotebookNode) -> bool:
    return output.output_type == "stream" and output.name == "stderr"


def _output(output: NotebookNode) -> NotebookNode:
    if "data" in output:
        output.data.pop(_WIDGET, None)
    return output


if __name__ == "__main__":
    main()
