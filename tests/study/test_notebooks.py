from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from workbench.errors import InputError, WorkbenchError
from workbench.study import notebooks
from workbench.study.normalise import read_notebook
from workbench.study.notebook_parameters import (
    cast,
    checked_parameters,
    declared,
    parameter_table,
    parse_parameters,
)

PARAMETERS = """seed: int = 7  # starts every random choice
rate: float = 0.5  # a share
flag: bool = True
sizes: list = [64, 128]  # tokens
name: str = "a"  # any text"""
LAST = """import os
assert name != "bad", f"name {name}"
(seed, rate, flag, sizes, name, os.environ["PAPERMILL"])"""


def write(path: Path, *sources: str) -> Path:
    new = nbformat.v4
    cells = [new.new_code_cell(source) for source in sources]
    cells[0].metadata["tags"] = ["parameters"]
    metadata = {
        "kernelspec": {"name": "a kernel of mine", "display_name": "x", "language": "python"}
    }
    nbformat.write(new.new_notebook(cells=cells, metadata=metadata), path)
    return path


@pytest.fixture(autouse=True)
def _own_signatures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is signed here out of the user's own signatures."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two small notebooks stand where the shipped ones would."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    write(folder / "00_first.ipynb", PARAMETERS, LAST)
    write(folder / "01_second.ipynb", "seed: int = 1  # another\nown: str = ''", "seed")
    monkeypatch.setattr(notebooks, "shipped", lambda name: tmp_path / name)
    return folder


def test_notebooks_are_found_by_name_number_and_file(shelf: Path) -> None:
    assert [path.stem for path in notebooks.notebook_paths()] == ["00_first", "01_second"]
    for name in ("01", "01_second", "01_second.ipynb", "notebooks/01_second.ipynb"):
        assert notebooks.notebook_paths([name]) == [shelf / "01_second.ipynb"]
    with pytest.raises(InputError, match=r"no notebook '01_secnd': did you mean '01_second'\?"):
        notebooks.notebook_paths(["01_secnd"])


def test_declared_parameters_carry_default_and_help(shelf: Path) -> None:
    found = declared(shelf / "00_first.ipynb")
    assert list(found) == ["seed", "rate", "flag", "sizes", "name"]
    assert found["sizes"] == {"value": [64, 128], "help": "tokens"}
    table = parameter_table(notebooks.notebook_paths())
    assert table.loc[0].to_list() == ["seed", "7", "starts every random choice", "00 01"]


def test_a_parameter_goes_to_those_that_have_it(shelf: Path) -> None:
    first, second = notebooks.notebook_paths()
    given = {"seed": "3", "own": "x"}
    assert checked_parameters([first, second], given) == {
        first: {"seed": 3},
        second: {"seed": 3, "own": "x"},
    }


@pytest.mark.parametrize(
    ("value", "default", "kept"),
    [
        ("7", 1, 7),
        ("1", 0.5, 1.0),
        (1, 0.5, 1.0),
        ("false", True, False),
        ("[1, 2]", [], [1, 2]),
        ("1.0", "text", "1.0"),
        ("x", None, "x"),
    ],
)
def test_values_are_read_as_the_type_of_the_default(value, default, kept) -> None:
    found = cast("a", value, default)
    assert found == kept and type(found) is type(kept)


@pytest.mark.parametrize(
    ("value", "default"),
    [
        ("x", 1),
        ("1.5", 1),
        (True, 1),
        ("maybe", True),
        (7, "text"),
        ("{}", [1]),
        (Path("a"), "text"),
        ("[1", [1]),
        ({1}, None),
    ],
)
def test_ill_typed_values_are_refused(value, default) -> None:
    with pytest.raises(InputError, match="Parameter 'a' is .*takes a value of type"):
        cast("a", value, default)


def test_unknown_names_are_refused_with_the_nearest(shelf: Path) -> None:
    with pytest.raises(InputError, match="'sed' in 00_first, 01_second: did you mean 'seed'\\?"):
        notebooks.run_notebooks([], {"sed": 1})


def test_pairs_are_split_at_the_first_sign() -> None:
    assert parse_parameters(["a=1", "b=x=y"]) == {"a": "1", "b": "x=y"}
    with pytest.raises(InputError, match="'a' is not of the form key=value"):
        parse_parameters(["a"])


def test_copies_never_overwrite(shelf: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    assert [path.name for path in notebooks.copy_notebooks(["00"], mine)] == ["00_first.ipynb"]
    with pytest.raises(InputError, match="exists: choose another folder"):
        notebooks.copy_notebooks([], mine)
    assert not (mine / "01_second.ipynb").exists()


@pytest.mark.slow
def test_a_run_writes_notebook_and_page_without_code(shelf: Path, tmp_path: Path) -> None:
    before = (shelf / "00_first.ipynb").read_bytes()
    [target] = notebooks.run_notebooks(["00"], {"seed": "9"}, tmp_path / "out")
    cells = read_notebook(target).cells
    assert cells[-1].outputs[0].data["text/plain"] == "(9, 0.5, True, [64, 128], 'a', '1')"
    assert [cell.metadata.get("tags") for cell in cells[:2]] == [
        ["parameters"],
        ["injected-parameters"],
    ]
    page = target.with_suffix(".html").read_text(encoding="utf-8")
    assert "[64, 128]" in page and "starts every random choice" not in page
    assert not re.search(
        r"""(?:src|href)=["']https?://|import\(["']https?:|from ["']https?:""", page
    )
    assert (shelf / "00_first.ipynb").read_bytes() == before
    assert NotebookNotary().check_signature(read_notebook(target))


@pytest.mark.slow
def test_a_failure_names_notebook_cell_and_line_and_the_others_run(
    shelf: Path, tmp_path: Path
) -> None:
    write(
        shelf / "00_first.ipynb", PARAMETERS, "def f():\n    raise ValueError('no')", "x = 1\nf()"
    )
    with pytest.raises(WorkbenchError) as caught:
        notebooks.run_notebooks([], {}, tmp_path / "out")
    assert "Notebook 00_first failed in cell [3] at 'f()': ValueError: no" in str(caught.value)
    assert (tmp_path / "out" / "00_first.html").exists()
    second = read_notebook(tmp_path / "out" / "01_second.ipynb")
    assert second.cells[-1].outputs[0].data["text/plain"] == "1"
