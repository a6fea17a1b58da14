"""JupyterLab on loopback with folders of its own, and a notebook in it as a person sees it.

Recipe: a token, no news pop-up, wait for an idle kernel, run all by command.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

TOKEN = "loopback"
_KERNEL = "window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel"
_IDLE = f"{_KERNEL}?.status === 'idle'"
_ERRORS = """() => {
  const cells = jupyterapp.shell.currentWidget.content.model.cells, found = [];
  for (let i = 0; i < cells.length; i++) {
    const outputs = cells.get(i).outputs;
    for (let j = 0; outputs && j < outputs.length; j++)
      if (outputs.get(j).type === 'error') found.push(cells.get(i).sharedModel.getSource());
  }
  return found;
}"""
_SETTINGS = '{"fetchNews": "false", "checkForUpdates": false}'


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab: its address, the folder it shows, its process."""

    url: str
    folder: Path
    process: subprocess.Popen

    def open(self, page: Page, name: str) -> None:
        """Open a notebook and wait until its kernel is idle."""
        page.goto(f"{self.url}/lab/tree/{name}?token={TOKEN}&reset")
        page.wait_for_function(_IDLE, timeout=60_000)

    def run_all(self, page: Page) -> list[str]:
        """Run all cells; give the sources of those that failed."""
        page.evaluate("() => jupyterapp.commands.execute('notebook:run-all-cells')")
        page.wait_for_function(_IDLE, timeout=120_000)
        return page.evaluate(_ERRORS)

    def save(self, page: Page) -> None:
        """Save the open notebook."""
        page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")

    def kernel_memory(self) -> int:
        """Give the most memory of a kernel, in bytes."""
        import psutil

        children = psutil.Process(self.process.pid).children(recursive=True)
        return max((child.memory_info().rss for child in children), default=0)


@contextlib.contextmanager
def jupyter_lab(folder: Path) -> Iterator[Lab]:
    """Start JupyterLab over a folder."""
    own = folder / ".jupyter"
    settings = own / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text(_SETTINGS, "utf-8")
    places = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "HOME")
    environment = os.environ | {name: str(own / name.lower()) for name in places}
    environment |= {"JUPYTERLAB_SETTINGS_DIR": str(own / "settings"), "WORKBENCH_QUIET": "1"}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyter", "lab", "--no-browser", "--ip=127.0.0.1"]
    command += [
        f"--port={port}",
        f"--IdentityProvider.token={TOKEN}",
        "--ServerApp.allow_root=True",
    ]
    command += ["--LabApp.expose_app_in_browser=True"]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait(f"{url}/api/status?token={TOKEN}", process)
        yield Lab(url, folder, process)
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait(address: str, process: subprocess.Popen) -> None:
    end = time.monotonic() + 60
    while True:
        assert process.poll() is None, "JupyterLab ended early"
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=2) as answer:  # noqa: S310
            if answer.status == 200:
                return
        assert time.monotonic() < end, "JupyterLab does not answer"
        time.sleep(0.2)


def notebook(path: Path, cells: list[str]) -> Path:
    """Write a notebook of code cells."""
    import nbformat

    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made = nbformat.v4.new_notebook(metadata={"kernelspec": kernel})
    made.cells = [nbformat.v4.new_code_cell(source) for source in cells]
    nbformat.write(made, path)
    return path


def outputs_over(path: Path, limit: int) -> list[int]:
    """Give the sizes of a saved notebook's outputs that are larger than a limit, in characters."""
    saved: dict[str, Any] = json.loads(path.read_text("utf-8"))
    sizes = [
        len(json.dumps(output)) for cell in saved["cells"] for output in cell.get("outputs", [])
    ]
    return [size for size in sizes if size > limit]
