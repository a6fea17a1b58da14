from __future__ import annotations

import pytest

from workbench.extraction.acronyms import definitions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We use Reciprocal Rank Fusion (RRF) here.", [("RRF", "Reciprocal Rank Fusion")]),
        ("We use RRF (Reciprocal Rank Fusion) here.", [("RRF", "Reciprocal Rank Fusion")]),
        ("the Escuela Latinoamericana de Medicina ( ELAM ) ,",
         [("ELAM", "Escuela Latinoamericana de Medicina")]),
        ("under Serializable Snapshot Isolation (SSI).",
         [("SSI", "Serializable Snapshot Isolation")]),
        ("with Retrieval-Augmented Generation (RAG)", [("RAG", "Retrieval-Augmented Generation")]),
        ("Entity Framework Core (EF Core) maps", [("EF Core", "Entity Framework Core")]),
        ("written with AI (assisted drafting)", []),
        ("a container (see below) and a pod (Podman)", []),
        ("It costs money (USD 5)", []),
    ],
)  # fmt: skip
def test_definitions(text: str, expected: list[tuple[str, str]]):
    found = definitions(text, 0, len(text))
    assert [(d.short, d.long) for d in found] == expected
    for d in found:
        assert text[slice(*d.short_span)] == d.short
        assert text[slice(*d.long_span)] == d.long
