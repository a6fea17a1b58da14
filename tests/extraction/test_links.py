from __future__ import annotations

from tests.extraction.reading import aliases, names, read, types
from workbench.extraction.links import Directory
from workbench.extraction.units import Unit


def unit(path: str) -> Unit:
    return Unit(path, "text", "markdown", True, path, path)


def test_targets_are_found_by_path_stem_and_slug():
    directory = Directory(
        [unit("guide/compose.md"), unit("swarm.md"), unit("a/x.md"), unit("b/x.md")]
    )
    assert directory.find("guide/other.md", "compose.md#up") == 0
    assert directory.find("guide/other.md", "../swarm.md") == 1
    assert directory.find("guide/other.md", "/blog/swarm") == 1
    assert directory.find("swarm.md", "x") is None  # two documents of that stem
    assert directory.find("swarm.md", "#anchor") is None


A = """# Docker Swarm Guide

Docker Swarm builds on [Docker Compose](compose.md), see [the site](https://www.docker.com/a).
The source is at [Polly](https://github.com/App-vNext/Polly/issues) and runs in Docker Swarm.
"""
B = """# All about Compose

Docker Compose is a tool. It calls Polly in Docker Swarm.
"""


def test_links_make_documents_websites_and_repositories():
    found = read(A, B, paths=["swarm.md", "compose.md"])
    kinds = types(found)
    assert kinds["All about Compose"] == kinds["Docker Swarm Guide"] == "document"
    assert kinds["docker.com"] == kinds["github.com/App-vNext/Polly"] == "website"
    assert aliases(found)["docker.com"] == {"www.docker.com": "link"}
    name = found.entities.set_index("id")["name"]
    edges = {
        (name[r.source_id], r.type, name[r.target_id])
        for r in found.relationships.itertuples()
        if r.type != "co_occurs_with"
    }
    assert {
        ("Docker Swarm Guide", "references", "All about Compose"),
        ("All about Compose", "references", "Docker Compose"),
        ("Docker Swarm Guide", "links_to", "docker.com"),
        ("Polly", "links_to", "github.com/App-vNext/Polly"),
    } <= edges
    evidence = found.relationships[found.relationships["type"] == "links_to"]["evidence"]
    assert all(quote.startswith("[") and quote.endswith(")") for quote in evidence)


def test_documents_without_links_are_no_entities():
    assert names(read("# Some Title Here\n\nHere Docker runs.")) == {"Docker"}
