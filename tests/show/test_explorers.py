"""Explorers over ten small documents: what they show, what moves, what stands without a kernel."""

from __future__ import annotations

import pytest

from tests.storage.corpora import write_corpus
from workbench.index import index
from workbench.run import Run
from workbench.show.explorers import (
    community_explorer,
    corpus_explorer,
    entity_explorer,
    extraction_explorer,
    query_explorer,
)
from workbench.store import Store

HOSTILE = "# Trap\n\n`<img_src=x>` and <script>steal()</script> are named by Judith Brandt.\n"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("explorers")
    corpus = write_corpus(folder / "ten")
    (corpus / "aa_trap.md").write_text(HOSTILE, "utf-8")
    return index(corpus, Store(folder / "ten.duckdb"))


def shown(explorer) -> str:
    return explorer._repr_mimebundle_()["text/html"]


def test_a_chunk_is_read_with_its_mentions_marked(run: Run) -> None:
    explorer = corpus_explorer(run)
    first = shown(explorer)
    assert "&lt;script&gt;steal()" in first and "<script>" not in first
    explorer.controls["document"].index = 2
    second = explorer._page.value
    assert "<mark " in second and second != first
    assert second == explorer.html()  # what stands in an exported page is what the widget shows


def test_an_entity_by_name_and_a_name_that_nobody_has(run: Run) -> None:
    explorer = entity_explorer(run)
    name = explorer.controls["name"].value
    assert name in shown(explorer) and "neighbours" in shown(explorer)
    explorer.set(name="<b>nobody</b>")
    assert "No entity is called &#x27;&lt;b&gt;nobody" in explorer._page.value


def test_communities_and_modes(run: Run) -> None:
    communities = community_explorer(run)
    assert "members of" in shown(communities)
    modes = extraction_explorer({"first": run, "second": run})
    assert "first: entities" in shown(modes) and "second: relationships" in shown(modes)
    before = modes._page.value
    modes.set(chunk=3)
    assert modes._page.value != before


def test_a_query_by_budget_and_beside_another_method(run: Run) -> None:
    names = run.entities.sort_values(["mention_count", "name"], ascending=[False, True])["name"]
    explorer = query_explorer(run, f"What is said of {names.iloc[0]}?", method="basic")
    whole = explorer.html()
    explorer.set(budget=500, k=1)
    assert explorer.html() != whole
    explorer.set(beside="local")
    assert "what differs between the queries" in explorer.html()
    assert run.store.read("traces").empty  # looking saves nothing


def test_controls_have_names_and_a_view_beside_the_table(run: Run) -> None:
    explorer = query_explorer(run, "Who?", method="basic")
    bundle = explorer._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert all(control.description for control in explorer.controls.values())
    assert explorer.controls["budget"]._dom_classes == ("wb-budget",)
