"""The course in JupyterLab, as a person opens it: run, moved, reopened untrusted, exported."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.jupyter import Lab, jupyter_lab, notebook, outputs_over
from workbench.index import index
from workbench.reporting import report
from workbench.store import Store
from workbench.study.normalise import normalise
from workbench.study.notebooks import execute, write_page

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
STORE = re.compile(r'store_path: str = \\"[^"\\]*\\"')
HOSTILE = """# <img src=x onerror=document.title='stolen'>

**<img src=x onerror=document.title='stolen'>** meets **<!-- <script>** and **safe\u202egnp.exe**,
`</script><script>document.title='stolen'</script>`
and [javascript:alert(1)](javascript:document.title='stolen').
Judith Brandt wrote <img src=x onerror=document.title='stolen'> to Edwin Cray. Edwin Cray read
</script><script>document.title='stolen'</script> aloud to Judith Brandt.
"""
MEMORY = 1_500_000_000
OUTPUT = 2_000_000


@pytest.fixture(scope="module")
def lab(browser: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """JupyterLab over a folder with the notebooks, and a store of the handbook."""
    folder = tmp_path_factory.mktemp("lab")
    store = Store(folder / "handbook.duckdb")
    index(ROOT / "data" / "handbook", store)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        text = path.read_text("utf-8")
        said = f'store_path: str = \\"{store.path.as_posix()}\\"'
        (folder / path.name).write_text(STORE.sub(lambda _, said=said: said, text), "utf-8")
    with jupyter_lab(folder) as running:
        yield running


# These wait for a kernel that has the machine to itself, and fail where it has not.
PATIENT = os.environ.get("WORKBENCH_BROWSER") == "all"
NAMES = ["00_start_here", "05_communities", *(["07_local_search"] if PATIENT else [])]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_to_its_end(watched, lab: Lab, name: str) -> None:
    page = watched.page
    lab.open(page, f"{name}.ipynb")
    assert lab.run_all(page) == []
    frames = page.locator(".jp-OutputArea iframe")
    for number in range(frames.count()):
        frames.nth(number).scroll_into_view_if_needed()
        inside = frames.nth(number).content_frame
        inside.locator("#graph canvas").wait_for(timeout=15_000)
        page.wait_for_timeout(400)
        assert watched.colours_of(inside.locator("#graph")) > 60  # drawn, not only there
    lab.save(page)
    page.wait_for_timeout(500)
    assert outputs_over(lab.folder / f"{name}.ipynb", OUTPUT) == []
    assert 0 < lab.kernel_memory() < MEMORY
    assert watched.errors == [] and watched.requests == []


@pytest.fixture(scope="module")
def hostile(lab: Lab) -> Path:
    """A notebook of every view over documents whose names would like to run."""
    corpus = lab.folder / "trap"
    corpus.mkdir()
    for number in range(3):
        (corpus / f"{number}.md").write_text(HOSTILE + f"\nNumber {number}.\n", "utf-8")
    store = lab.folder / "trap.duckdb"
    report(index(corpus, Store(store)))
    setup = f'import workbench as wb\n\nrun = wb.Store("{store.as_posix()}").run()'
    views = [
        "wb.table(run.entities, run.entities['name'].iloc[0])",
        "wb.graph_view(run.entities, run.relationships)",
        "wb.corpus_explorer(run)",
        "wb.entity_explorer(run)",
        "wb.community_explorer(run)",
        "wb.extraction_explorer({'one': run, 'two': run})",
        "wb.query_explorer(run, '<img src=x onerror=alert(1)> Who wrote?', method='basic')",
        "wb.ask(run, 'Who wrote to Edwin Cray?', method='basic', save=False)",
    ]
    made = notebook(lab.folder / "trap.ipynb", [setup, *views])
    assert execute(made, made, {}) is None
    return made


def moves(page: Page, cell: int, *acts: Callable[[], object]) -> None:
    """Do one act after the other until what a cell shows is not what it was.

    A control that is not wired yet takes no notice, as on a busy machine.
    """
    shown = page.locator(".jp-CodeCell").nth(cell).locator(".jp-OutputArea")
    before, end = shown.inner_text(), time.monotonic() + 60
    for act in itertools.cycle(acts):
        act()
        for _ in range(30):
            page.wait_for_timeout(100)
            if shown.inner_text() != before:
                return
        assert time.monotonic() < end, "nothing changed"


@pytest.mark.slow
@pytest.mark.skipif(not PATIENT, reason="needs an idle machine: WORKBENCH_BROWSER=all runs it")
def test_explorers_move_and_hostile_names_do_nothing(watched, lab: Lab, hostile: Path) -> None:
    page = watched.page
    lab.open(page, hostile.name)
    assert lab.run_all(page) == []
    document = page.locator(".wb-document").first.get_by_role("combobox")
    moves(page, 3, lambda: document.select_option(index=1), lambda: document.select_option(index=2))
    field = page.locator(".wb-name").first.locator("input")
    field.fill("Nobody At All")
    field.press("Enter")
    page.get_by_text("No entity is called").wait_for()
    slider = page.locator(".wb-k").first.get_by_role("slider")
    moves(page, 7, lambda: slider.press("Home"), lambda: slider.press("ArrowRight"))
    lab.save(page)
    page.wait_for_timeout(1_000)
    assert "stolen" not in page.title()
    assert watched.errors == [] and watched.requests == []


@pytest.mark.slow
def test_reopened_untrusted_it_shows_pictures_and_tables(watched, lab: Lab, hostile: Path) -> None:
    copy = lab.folder / "untrusted.ipynb"
    shutil.copyfile(hostile, copy)
    normalise(copy)  # as it is committed: without widget views, and so without a signature
    page = watched.page
    lab.open(page, copy.name)
    cells = page.locator(".jp-CodeCell")
    assert "entities found in it" in cells.nth(3).inner_text()
    picture = cells.nth(2).locator(".jp-OutputArea img").first
    assert picture.evaluate("image => image.complete && image.naturalWidth > 500")
    assert page.locator(".jp-OutputArea iframe").count() == 0  # not trusted: no live graph
    assert "stolen" not in page.title()
    assert watched.errors == [] and watched.requests == []


@pytest.mark.slow
def test_exported_it_shows_graphs_and_tables(watched, hostile: Path) -> None:
    page = watched.page
    page.goto(write_page(hostile).as_uri())
    graph = page.locator("iframe").first.content_frame.locator("#graph")
    graph.locator("canvas").wait_for()
    page.wait_for_timeout(500)
    assert watched.colours_of(graph) > 30
    text = page.inner_text("body")
    assert "entities found in it" in text and "mentions, in the words" in text
    assert page.title() == "trap"
    assert watched.errors == [] and watched.requests == []
