"""Graph views as people see them: drawn, searched, clicked, in the dark, with hostile names."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from workbench.show.graph import graph_view

HOSTILE = [
    "<img src=x onerror=document.title='stolen'>",
    "</script><script>document.title='stolen'</script>",
    "<!-- <script>",
    "javascript:alert(1)",
    "safe\u202egnp.exe",
]


def view(names: list[str], roles: bool = False):
    count = len(names)
    entities = pd.DataFrame(
        {
            "id": [f"e{n}" for n in range(count)],
            "name": names,
            "type": names if not roles else "person",
            "degree": range(count, 0, -1),
            "description": [f"about {name}" for name in names],
        }
    )
    lines = pd.DataFrame(
        {
            "source_id": [f"e{n}" for n in range(count - 1)],
            "target_id": [f"e{n + 1}" for n in range(count - 1)],
            "weight": 2.0,
        }
    )
    if roles:
        entities["role"] = ["selected", "out-network", "cut"][:count]
        lines["role"] = ["in-network", "out-network"][: count - 1]
    return graph_view(entities, lines, colour_by="role" if roles else "type", title=names[0])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_graph_is_drawn_searched_and_read(watched, tmp_path: Path, scheme: str) -> None:
    path = view(["Skerrow", "Judith Brandt", "Edwin Cray"], roles=True).save(tmp_path / "g.html")
    watched.page.emulate_media(color_scheme=scheme)
    watched.page.goto(path.as_uri())
    watched.page.wait_for_selector("#graph canvas")
    watched.page.wait_for_timeout(300)
    assert watched.colours("#graph") > 60  # three points, two kinds of line, names
    watched.page.fill("#find", "cray")
    assert watched.page.inner_text("#about") == "Edwin Cray\nperson, degree 1\nabout Edwin Cray"
    watched.page.fill("#find", "nobody")
    assert watched.page.inner_text("#about") == ""
    assert watched.errors == [] and watched.requests == []


def test_hostile_names_are_text(watched, tmp_path: Path) -> None:
    shown = view(HOSTILE)
    block = shown._repr_mimebundle_()["text/html"]
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><meta charset=utf-8><title>calm</title>{block}", "utf-8")
    for path in (notebook, shown.save(tmp_path / "page.html")):
        watched.page.goto(path.as_uri())
        title = watched.page.title()
        watched.page.wait_for_timeout(1_500)
        assert watched.page.title() == title
        assert watched.errors == [] and watched.requests == []
    watched.page.fill("#find", "img")
    assert HOSTILE[0] in watched.page.inner_text("#about")
    watched.page.fill("#find", "safe")
    assert "safe⟨U+202E⟩gnp.exe" in watched.page.inner_text("#about")
