"""`[[wiki links]]` are links: to a page by its file's name or its title, wherever it lies."""

from __future__ import annotations

from tests.extraction.reading import read
from workbench.corpus.markdown import parse


def test_forms_of_wiki_links() -> None:
    text = (
        "See [[Pier]], [[Harbour Office|the office]], [[Pier#Steps]] and `[[no]]`, ![[map.png]].\n"
    )
    links = [inline for inline in parse(text).inlines if inline.kind == "link"]
    assert [(link.text, link.target) for link in links] == [
        ("Pier", "./Pier"),
        ("the office", "./Harbour Office"),
        ("Pier", "./Pier"),
    ]
    assert [text[link.start : link.end] for link in links] == [
        "[[Pier]]", "[[Harbour Office|the office]]", "[[Pier#Steps]]",
    ]  # fmt: skip
    assert [text[link.text_start : link.text_end] for link in links] == [
        "Pier",
        "the office",
        "Pier",
    ]


def test_wiki_links_refer_to_documents_by_stem_and_by_title() -> None:
    tides = "# Tides\n\nSee [[harbour-office]] and [[The Old Pier|the pier]].\n"
    office = "# Harbour Office\n\nIt opens at noon.\n"
    pier = "# The Old Pier\n\nIt rots.\n"
    found = read(tides, office, pier, paths=["tides.md", "town/harbour-office.md", "town/pier.md"])
    name = found.entities.set_index("id")["name"]
    edges = {
        (name[row.source_id], name[row.target_id])
        for row in found.relationships.itertuples()
        if row.type == "references"
    }
    assert {("Tides", "Harbour Office"), ("Tides", "The Old Pier")} <= edges
