from __future__ import annotations

from tests.extraction.reading import OneVector
from workbench.extraction.acronyms import Definition
from workbench.extraction.keys import key
from workbench.extraction.people import Partial
from workbench.extraction.resolve import Named, Resolution, resolve


def run(*items: tuple[str, str, int], definitions=(), partials=(), embedder=None) -> tuple:
    named = sorted(
        Named(key(surface), surface, type_, count, frozenset({0}))
        for surface, type_, count in items
    )
    index = {item.surface: i for i, item in enumerate(named)}
    spans = ((0, 0), (0, 0))
    defined = [[Definition(short, long, *spans) for short, long in definitions]]
    parts = [Partial(0, index[a], index[b], "last_name", 0.9) for a, b in partials]
    found = resolve(named, defined, parts, embedder, 0.85)
    return found, named, index


def merged(found: Resolution, named: list[Named]) -> set[tuple[str, str, str]]:
    return {(named[m.loser].surface, named[m.winner].surface, m.rule) for m in found.merges}


def test_plurals_but_never_of_a_capitals_word_and_never_of_a_person():
    found, named, _ = run(
        ("container", "concept", 9), ("containers", "concept", 3), ("GPU", "technology", 5),
        ("GPUs", "technology", 2), ("DNS", "technology", 4), ("DN", "technology", 4),
        ("Adam", "person", 2), ("Adams", "person", 2),
    )  # fmt: skip
    assert merged(found, named) == {
        ("containers", "container", "plural"),
        ("GPUs", "GPU", "plural"),
    }


def test_a_defined_acronym_goes_to_the_more_frequent_spelling():
    items = [("Reciprocal Rank Fusion", "concept", 2), ("RRF", "technology", 9)]
    found, named, _ = run(*items, definitions=[("RRF", "Reciprocal Rank Fusion")])
    assert merged(found, named) == {("Reciprocal Rank Fusion", "RRF", "acronym")}


def test_an_acronym_with_two_meanings_is_merged_only_where_it_is_defined():
    items = [("CMS", "technology", 2), ("Content Management System", "concept", 2),
             ("Color Management System", "concept", 1)]  # fmt: skip
    found, named, index = run(
        *items,
        definitions=[("CMS", "Content Management System"), ("CMS", "Color Management System")],
    )
    assert found.merges == []
    assert found.survivor(0, index["CMS"]) != index["CMS"]
    assert found.survivor(1, index["CMS"]) == index["CMS"]


def test_initials_beside_their_name():
    found, named, _ = run(
        ("Hierarchical Navigable Small World", "concept", 1), ("HNSW", "technology", 5),
        ("Entity Framework Core", "technology", 3), ("EF Core", "technology", 5),
        ("Virtual Machine", "concept", 1), ("VM", "technology", 1),
    )  # fmt: skip
    assert merged(found, named) == {
        ("Hierarchical Navigable Small World", "HNSW", "initials"),
        ("Entity Framework Core", "EF Core", "initials"),
    }


def test_numeronyms():
    found, named, _ = run(("Kubernetes", "technology", 3), ("k8s", "technology", 9))
    assert merged(found, named) == {("k8s", "Kubernetes", "numeronym")}


def test_partial_names_hold_within_their_document_only():
    found, _, index = run(("Alex Mercer", "person", 3), ("Mercer", "person", 2),
                          partials=[("Mercer", "Alex Mercer")])  # fmt: skip
    assert found.survivor(0, index["Mercer"]) == index["Alex Mercer"]
    assert found.survivor(1, index["Mercer"]) == index["Mercer"]


def test_titles_meet_the_bare_name():
    found, named, _ = run(("William McKinley", "person", 1), ("Dr. William McKinley", "person", 1))
    assert merged(found, named) == {("Dr. William McKinley", "William McKinley", "title")}


def test_vectors_come_last_and_only_behind_the_letters():
    apart = [("Python 3.11", "technology", 1), ("Python 3.12", "technology", 1),
             ("Watch", "technology", 1), ("Match", "technology", 1), ("HTTP", "technology", 1),
             ("HTTPS", "technology", 1), ("C#", "technology", 1),
             ("C++", "technology", 1)]  # fmt: skip
    found, named, _ = run(
        *apart, ("Postgres", "technology", 1), ("PostgreSQL", "technology", 2), embedder=OneVector()
    )
    assert merged(found, named) == {("Postgres", "PostgreSQL", "embedding")}


def test_differing_numbers_stop_every_rule():
    found, named, _ = run(
        ("SHA256", "technology", 1), ("SHA512", "technology", 1),
        definitions=[("SHA256", "SHA512")], embedder=OneVector(),
    )  # fmt: skip
    assert found.merges == []
