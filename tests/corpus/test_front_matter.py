"""Front matter is YAML between two lines of dashes, and nothing else is."""

from __future__ import annotations

import pytest

from workbench.corpus.front_matter import LIMIT, front_matter


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("---\ntitle: A\ntags: [x, y]\n---\n# B", {"title": "A", "tags": ["x", "y"]}),
        ("---\ntitle: A: b\n---\n", {"title": "A: b"}),
        ("---\n---\n# B", {}),
        ("---\na: 1\n...\n", {"a": 1}),
    ],
)
def test_front_matter(text: str, values: dict[str, object]) -> None:
    end, found = front_matter(text)
    assert found == values
    assert text[:end].endswith(("---", "..."))


@pytest.mark.parametrize(
    "text",
    [
        "# A\n---\n",
        "---\nA sentence between rules.\n---\n",
        "---\n- a\n- list\n---\n",
        "---\ntitle: never closed\n",
        " ---\na: 1\n---\n",
        "---\n" + "[" * 5_000 + "\n---\n",
        "---\na: 1\n" + "b\n" * LIMIT + "---\n",
    ],
)
def test_no_front_matter(text: str) -> None:
    assert front_matter(text) == (0, {})


def test_aliases_are_not_expanded() -> None:
    text = "---\na: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n---\n"
    assert front_matter(text)[1] == {"a": "&a [x, x]", "b": "&b [*a, *a]", "c": "[*b, *b]"}
