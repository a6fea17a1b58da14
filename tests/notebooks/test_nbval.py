"""Each notebook is run from its first to its last cell and compared with its committed outputs.

The copy that runs has a store of its own, so that no store of the user's is read or written, and
what is compared comes from the code as it is now.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))
STORE = re.compile(r'store_path: str = \\"[^"\\]*\\"')
SKIP_STDERR = """
def pytest_collectstart(collector):
    if hasattr(collector, "skip_compare"):
        collector.skip_compare += ("stderr",)
"""


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the settings of the inner pytest; all notebooks share the store in it."""
    folder = tmp_path_factory.mktemp("nbval")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (folder / "conftest.py").write_text(SKIP_STDERR, encoding="utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_rerun_gives_the_committed_outputs(path: Path, bench: Path) -> None:
    text, found = STORE.subn(
        lambda _: f'store_path: str = \\"{(bench / "handbook.duckdb").as_posix()}\\"',
        path.read_text(encoding="utf-8"),
    )
    assert found == 1, "the parameters cell sets store_path once"
    copy = bench / path.name
    copy.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider"]
    command += [
        "--nbval",
        "--nbval-current-env",
        "--nbval-sanitize-with",
        REPOSITORY / "tests/nbval.cfg",
    ]
    done = subprocess.run(
        [*command, copy],
        cwd=bench,
        env=os.environ | {"WORKBENCH_QUIET": "1", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
