"""The rules that each committed notebook keeps, read from the file without running it."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from workbench.study.normalise import normalised, read_notebook
from workbench.study.notebook_parameters import declared

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SHARED = ["store_path", "corpus_dir", "mode", "seed", "llm"]
LONGEST_CELL = 7

pytestmark = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code(path: Path) -> list:
    return [cell for cell in read_notebook(path).cells if cell.cell_type == "code"]


def prose(path: Path) -> list[str]:
    return [cell.source for cell in read_notebook(path).cells if cell.cell_type == "markdown"]


def test_one_parameters_cell_shared_names_first(path: Path) -> None:
    tagged = [cell for cell in code(path) if "parameters" in cell.metadata.get("tags", [])]
    assert tagged == code(path)[:1]
    parameters = declared(path)
    assert list(parameters)[:5] == SHARED
    assert 5 <= len(parameters) <= 10
    assert all(entry["help"] for entry in parameters.values())
    assert json.dumps([entry["value"] for entry in parameters.values()])
    statements = ast.parse(tagged[0].source).body
    assert all(isinstance(statement, ast.AnnAssign) for statement in statements)


def test_one_import_cell_after_the_parameters(path: Path) -> None:
    cells = code(path)
    assert cells[1].source.startswith("import workbench as wb")
    for cell in cells[2:]:
        nodes = ast.walk(ast.parse(cell.source))
        assert not [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def test_cells_are_short_and_define_nothing(path: Path) -> None:
    for cell in code(path)[1:]:
        assert len(cell.source.splitlines()) <= LONGEST_CELL, cell.source
        nodes = list(ast.walk(ast.parse(cell.source)))
        assert not [n for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef | ast.For)]


def test_every_cell_was_run_and_shows_something_or_asserts(path: Path) -> None:
    cells = code(path)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    for cell in cells[2:]:
        assert cell.outputs or "assert" in cell.source, cell.source
        kinds = {output.output_type for output in cell.outputs}
        assert "error" not in kinds and "stream" not in kinds, cell.source


def test_the_file_is_small_and_normalised(path: Path) -> None:
    assert path.stat().st_size < 1_000_000
    notebook = read_notebook(path)
    assert normalised(read_notebook(path)) == notebook
    assert notebook.metadata.kernelspec.name == "python3"
    assert not path.read_bytes().endswith(b"\n\n")


def test_it_fails_on_purpose_and_checks_by_hand(path: Path) -> None:
    sources = [cell.source for cell in code(path)]
    assert [source for source in sources if "wb.show_error(" in source]
    assert [source for source in sources if source.startswith("assert") or "\nassert" in source]


def test_the_prose_has_its_parts_and_its_links_resolve(path: Path) -> None:
    text = "\n\n".join(prose(path))
    assert text.startswith("# ")
    for part in ("**In:**", "**Out:**", "**Time:**", "**LLM calls:**"):
        assert part in text.split("## ")[0], part
    assert "## What to doubt" in text and "## Check yourself" in text
    targets = [target for target in re.findall(r"\]\(([^)#]+)", text) if "://" not in target]
    assert targets
    for target in targets:
        assert (FOLDER / target).exists(), target


def test_neighbours_are_linked(path: Path) -> None:
    place = NOTEBOOKS.index(path)
    for neighbour in NOTEBOOKS[max(place - 1, 0) : place] + NOTEBOOKS[place + 1 : place + 2]:
        assert f"]({neighbour.name})" in prose(path)[-1]


def test_outputs_ask_no_other_host_and_hold_no_path_of_this_machine(path: Path) -> None:
    outputs = json.dumps([cell.outputs for cell in code(path)])
    assert not re.search(r"""(?:src|href)=\\?["']https?://""", outputs)
    assert str(FOLDER.parent) not in outputs
