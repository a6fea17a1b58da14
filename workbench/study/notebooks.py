"""Notebook names and parameters in, executed notebooks and HTML pages without code out.

papermill only logs a warning for an unknown parameter and runs on with the defaults, and it takes
any value for any type; here both are refused before anything runs.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.errors import InputError, WorkbenchError
from workbench.paths import made_folder, root, shipped, user_path
from workbench.progress import progress
from workbench.study.normalise import read_notebook, sign, write_notebook
from workbench.study.notebook_parameters import (
    checked_parameters,
    nearest,
    parse_parameters,
)

if TYPE_CHECKING:
    from traitlets.config import Config

__all__ = ["copy_notebooks", "execute", "notebook_paths", "parse_parameters", "run_notebooks"]
KERNEL = "python3"  # always the kernel of this environment, whatever a notebook has stored


def notebook_paths(names: Sequence[str] = ()) -> list[Path]:
    """Give the shipped notebooks of these names (`04_graph`, or its number `04`); none: all.

    Raises InputError with the nearest name for one that is not there.
    """
    known = {path.stem: path for path in sorted(shipped("notebooks").glob("*.ipynb"))}
    numbers = {stem.split("_")[0]: stem for stem in known}
    found = []
    for name in names or list(known):
        stem = Path(name).name.removesuffix(".ipynb")
        stem = numbers.get(stem, stem)
        if stem not in known:
            raise InputError(f"There is no notebook {name!r}{nearest(stem, known)}")
        found.append(known[stem])
    return found


def copy_notebooks(names: Sequence[str], destination: str | Path) -> list[Path]:
    """Copy shipped notebooks into a folder of one's own; give the copies.

    Raises InputError when one is there already, so that no work of the user's is overwritten.
    """
    folder = user_path(destination, "The folder")
    sources = notebook_paths(names)
    present = [path.name for path in sources if (folder / path.name).exists()]
    if present:
        raise InputError(f"{folder / present[0]} exists: choose another folder or move it away.")
    made_folder(folder, "The folder")
    return [Path(shutil.copyfile(path, folder / path.name)) for path in sources]


def run_notebooks(
    names: Sequence[str] = (),
    parameters: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
) -> list[Path]:
    """Run notebooks with papermill; give the executed copies, each with a page beside it.

    A parameter goes to every chosen notebook that has it. `out` defaults to `reports/notebooks`.
    One that fails is kept as far as it came and the others still run; then WorkbenchError names
    the notebook, the cell and its last line. Raises InputError for an unknown or ill-typed
    parameter before anything runs.
    """
    sources = notebook_paths(names)
    chosen = checked_parameters(sources, parameters or {})
    default = root() / "reports" / "notebooks"
    folder = made_folder(default if out is None else out, "The folder")
    done, failures = [], []
    bar = progress(sources, "notebooks", unit="notebook")
    for source in bar:
        bar.set_postfix_str(source.stem)
        target = folder / source.name
        failure = execute(source, target, chosen[source])
        write_page(target)
        done.append(target)
        failures += [failure] if failure else []
    if failures:
        more = f" ({len(failures) - 1} more failed too)" if len(failures) > 1 else ""
        raise WorkbenchError(f"{failures[0]}{more} What ran is in {folder}.")
    return done


def execute(source: Path, target: Path, parameters: Mapping[str, Any]) -> str | None:
    """Run one notebook into `target`, normalised; give None, or where and why it failed."""
    import papermill
    from papermill.exceptions import PapermillExecutionError

    failure = None
    with _quiet_kernel(), _own_sockets() as config:
        try:
            papermill.execute_notebook(
                str(source),
                str(target),
                parameters=dict(parameters) or None,
                kernel_name=KERNEL,
                progress_bar=False,
                config=config,
                extra_arguments=["--IPKernelApp.log_level=50"],  # its end is no error to report
            )
        except PapermillExecutionError as error:
            failure = _where(source, error)
    notebook = read_notebook(target)
    write_notebook(notebook, target)
    if failure is None:
        sign(target)  # the user has just run it: its live graphs may show
    return failure


@contextmanager
def _own_sockets() -> Iterator[Config]:
    """Let a kernel talk through sockets of its own: no port to clash over, no warning about TCP.

    Jupyter names them `kernel-ipc` in the working folder, where two kernels would share them.
    """
    from traitlets.config import Config

    config = Config()
    with tempfile.TemporaryDirectory(prefix="wb-") as folder:
        if sys.platform != "win32":
            for manager in (config.KernelManager, config.AsyncKernelManager):
                manager.transport, manager.ip = "ipc", f"{folder}/kernel"
        yield config


def write_page(path: Path) -> Path:
    """Write an executed notebook as HTML without its code, which asks no other host; give it."""
    from nbconvert import HTMLExporter

    exporter = HTMLExporter(
        exclude_input=True,
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        mathjax_url="",
        require_js_url="",
        jquery_url="",
        mermaid_js_url="",
    )
    page, _ = exporter.from_notebook_node(
        read_notebook(path), resources={"metadata": {"name": path.stem}}
    )
    target = path.with_suffix(".html")
    target.write_text(page, encoding="utf-8", newline="\n")
    return target


def _where(source: Path, error: Any) -> str:
    last = [line for line in error.source.splitlines() if line.strip()][-1:] or [""]
    return (
        f"Notebook {source.stem} failed in cell [{error.exec_count}] at {last[0].strip()!r}: "
        f"{error.ename}: {error.evalue}"
    )


@contextmanager
def _quiet_kernel() -> Iterator[None]:
    """Let kernels that start meanwhile draw no progress bars into their outputs."""
    before = os.environ.get("PAPERMILL")
    os.environ["PAPERMILL"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PAPERMILL"]
        else:
            os.environ["PAPERMILL"] = before
