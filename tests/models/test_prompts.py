"""Templates: markers are filled once, a document's own braces and markers are text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import InputError
from workbench.models import prompts
from workbench.models.prompts import fill, load_templates, recorded_templates, reply_tokens

TASKS = {
    "again",
    "claims",
    "classify",
    "description",
    "entities",
    "gleaning",
    "hybrid",
    "relationships",
    "report",
}


@given(st.text())
def test_values_are_never_read_as_templates(text: str) -> None:
    assert fill("a <<text>> b", text=text) == f"a {text} b"
    assert fill("<<text>><<types>>", text=text + "<<types>>", types="T") == text + "<<types>>T"


def test_documents_braces_and_markers_stay() -> None:
    text = "{0} {x!r} %s $y <<types>> \\1 {{}} --------"
    filled = fill(load_templates()["entities"], text=text, types="person")
    assert text in filled
    assert "types: person" in filled


def test_every_task_has_a_template_that_asks_for_json_and_a_reply_length() -> None:
    templates = load_templates()
    assert set(templates) >= TASKS
    for task, template in templates.items():
        markers = set(re.findall(r"<<(\w+)>>", template))
        assert markers & prompts._NEEDED
        assert fill(template, **dict.fromkeys(markers, "X")).count("<<") == 0
        assert "JSON" in template or task not in TASKS  # an answer is prose
    assert set(prompts.REPLY_TOKENS) >= TASKS - {"again"}
    # 50 names of 25 tokens each: the C# system's 512 cut them
    assert reply_tokens("classify", 50) > 50 * 25


def test_marker_without_value_is_a_fault() -> None:
    with pytest.raises(KeyError, match="types"):
        fill("<<text>> <<types>>", text="x")


def test_own_templates_take_the_place_of_shipped_ones(tmp_path: Path) -> None:
    (tmp_path / "entities.txt").write_text("\ufeffNames in <<text>>?\n", encoding="utf-8")
    (tmp_path / "notes.md").write_text("not a template")
    templates = load_templates(tmp_path)
    assert templates["entities"] == "Names in <<text>>?"
    assert templates["report"] == load_templates()["report"]
    record = recorded_templates(templates)
    assert record["entities"]["text"] == "Names in <<text>>?"
    assert record["entities"]["hash"] != recorded_templates(load_templates())["entities"]["hash"]
    assert record["report"] == recorded_templates(load_templates())["report"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("entitys.txt", "<<text>>", "No task has a template 'entitys.txt'"),
        ("entities.txt", "<<text>> <<kinds>>", "marker <<kinds>>, which nothing fills"),
        ("entities.txt", "List entities: <<types>>", "lacks <<text>>"),
    ],
)
def test_faulty_templates_are_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        load_templates(tmp_path)
    with pytest.raises(InputError, match="no folder of templates"):
        load_templates(tmp_path / "absent")
