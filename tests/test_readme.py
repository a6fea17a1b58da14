"""The README, held to what it says: its commands, Python, links, tables and numbers."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pandas as pd
import pytest
import typer
from markdown_it import MarkdownIt
from markdown_it.token import Token
from typer.testing import CliRunner

from workbench import opening
from workbench.cli import app

REPOSITORY = Path(__file__).resolve().parents[1]
TEXT = (REPOSITORY / "README.md").read_text(encoding="utf-8")
TOKENS = MarkdownIt("commonmark").enable("table").parse(TEXT)
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
GROUP = typer.main.get_command(app)
NUMBERS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]


def fences(language: str) -> list[str]:
    return [token.content for token in TOKENS if token.type == "fence" and token.info == language]


def inlines() -> Iterator[Token]:
    for token in TOKENS:
        yield from token.children or []


def commands() -> list[list[str]]:
    """Every command of the README as words: halves of `sh` lines, code spans that are one."""
    lines = [line for block in fences("sh") for line in block.splitlines()]
    lines += [token.content for token in inlines() if token.type == "code_inline"]
    halves = [half for line in lines for half in line.split("&&")]
    return [shlex.split(half) for half in halves if half.strip() and '"' not in half.split()[0]]


OURS = [words[1:] for words in commands() if words[0] == "workbench" and words[1:]]


def parsed(words: list[str]) -> list[str]:
    """Parse words as the command line would, run nothing; give the names of the commands."""
    group, names, rest = GROUP, [], words
    while hasattr(group, "resolve_command"):
        context = group.make_context("workbench", [*rest], resilient_parsing=False)
        rest = [*context._protected_args, *context.args]
        if not rest:
            break
        name, command, rest = group.resolve_command(context, rest)
        assert command is not None, f"{name} is no command"
        names.append(name)
        group = command
    else:
        group.make_context(names[-1], rest)
    return names


@pytest.mark.parametrize("words", OURS, ids=" ".join)
def test_every_workbench_command_exists_with_its_options_and_has_help(words: list[str]) -> None:
    names = parsed(words)
    assert names
    shown = CliRunner().invoke(app, [*names, "--help"], terminal_width=200, color=False)
    assert shown.exit_code == 0
    for option in (word for word in words if word.startswith("-")):
        assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", shown.output), option


@pytest.mark.parametrize("words", [["serch", "x"], ["search", "x", "--stoer", "y"], ["entity"]])
def test_a_command_that_does_not_exist_would_be_seen(words: list[str]) -> None:
    with pytest.raises((click.UsageError, *typer_errors())):
        parsed(words)


def typer_errors() -> tuple[type[Exception], ...]:
    """Newer typers carry a click of their own, whose errors are no errors of click."""
    carried = getattr(typer, "_click", None)
    return (carried.exceptions.UsageError,) if carried else ()


def test_the_two_commands_are_there_as_blocks_of_one_line() -> None:
    blocks = [block.strip() for block in fences("sh")]
    assert "pip install -e . && workbench demo" in blocks
    assert 'pip install -e ".[test]" && pytest' in blocks


def test_options_extras_and_variables_named_in_prose_exist() -> None:
    spans = [token.content for token in inlines() if token.type == "code_inline"]
    options = {word for span in spans for word in span.split() if word.startswith("--")}
    known = {
        o for c in every_command(GROUP) for p in c.params for o in [*p.opts, *p.secondary_opts]
    }
    assert options <= known | {"--index-url"}
    extras = {name for span in [*spans, *fences("sh")] for name in re.findall(r"\[(\w+)\]", span)}
    assert extras <= set(PROJECT["optional-dependencies"])
    variables = {span for span in spans if re.fullmatch(r"WORKBENCH_[A-Z_]+", span)}
    assert variables <= {str(p.envvar) for c in every_command(GROUP) for p in c.params} | {
        name for name in variables if used_in_package(name)
    }


def every_command(command: Any) -> Iterator[Any]:
    yield command
    for child in getattr(command, "commands", {}).values():
        yield from every_command(child)


def used_in_package(name: str) -> bool:
    files = (REPOSITORY / "workbench").rglob("*.py")
    return any(name in path.read_text(encoding="utf-8") for path in files)


@pytest.mark.parametrize("code", fences("python"), ids=lambda code: code.splitlines()[0])
def test_python_runs_and_its_last_line_gives_rows(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As printed, in a folder of its own that holds one chapter of the handbook."""
    shutil.copytree(REPOSITORY / "data/handbook/search", tmp_path / "data/handbook")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(opening, "root", lambda: tmp_path)
    frames = [value for value in values_of(code) if isinstance(value, pd.DataFrame)]
    assert frames and not any(frame.empty for frame in frames)
    assert (tmp_path / "reports/handbook.duckdb").is_file()


def values_of(code: str) -> list[Any]:
    """Run code line by line as a notebook would; give the values of its expressions."""
    names: dict[str, Any] = {}
    values = []
    for statement in ast.parse(code).body:
        source = ast.unparse(statement)
        if isinstance(statement, ast.Expr):
            values.append(eval(source, names))
        else:
            exec(source, names)
    return values


def test_links_and_pictures_lead_somewhere() -> None:
    targets = [str(t.attrs.get("href", t.attrs.get("src", ""))) for t in inlines() if t.attrs]
    local = [target.split("#")[0] for target in targets if "://" not in target]
    assert [t for t in local if t and not (REPOSITORY / t).exists()] == []
    assert "reports/example/handbook_graph.png" in local


@pytest.mark.parametrize(
    ("name", "most"), [("handbook_graph.png", 150_000), ("notebook.png", 250_000)]
)
def test_the_pictures_are_pictures_and_small(name: str, most: int) -> None:
    from PIL import Image

    path = REPOSITORY / "reports" / "example" / name
    assert path.stat().st_size <= most
    with Image.open(path) as image:
        image.verify()
        assert max(image.size) >= 800


def test_the_table_of_notebooks_is_the_folder_of_notebooks() -> None:
    rows = dict(re.findall(r"^\| `(\d\d_\w+)` \| (.+?) \|", TEXT, re.MULTILINE))
    files = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))
    assert list(rows) == [path.stem for path in files]
    counted = re.search(r"(\w+) executed notebooks", TEXT)
    assert counted and NUMBERS.index(counted.group(1)) == len(files)


def test_files_that_commands_and_prose_name_exist() -> None:
    spans = [token.content for token in inlines() if token.type == "code_inline"]
    words = [word for span in [*spans, *fences("sh")] for word in span.split()]
    named = {word for word in words if re.match(r"(workbench|notebooks|data|tests)/", word)}
    assert [word for word in named if not list(REPOSITORY.glob(word.rstrip("/")))] == []


def test_the_map_names_what_there_is_and_every_room() -> None:
    (drawn,) = (block for block in fences("text") if block.startswith("workbench/"))
    named, folder = set(), Path()
    for line in drawn.splitlines():
        name = line.split()[0]
        if not line.startswith(" "):
            folder = Path(name)
            named.add(folder)
        else:
            named.add(folder / name)
    assert [str(path) for path in named if not (REPOSITORY / path).exists()] == []
    rooms = {path.parent.name for path in (REPOSITORY / "workbench").glob("*/__init__.py")}
    assert rooms - {path.name for path in named} <= {"storage"}  # it is behind store.py


def test_numbers_and_pins_are_those_of_the_project() -> None:
    count = re.search(r"handbook \((\d+) documents\)", TEXT)
    assert count and int(count.group(1)) == len(list((REPOSITORY / "data/handbook").rglob("*.md")))
    version = re.search(r"Python (3\.\d+) or newer", TEXT)
    assert version and PROJECT["requires-python"] == f">={version.group(1)}"
    pins = [one.split(",")[-1] for one in PROJECT["dependencies"] if one.startswith("torch>")]
    assert [f"torch{pin}" for pin in pins] == sorted(set(re.findall(r'"(torch[<>=.\d]+)"', TEXT)))
