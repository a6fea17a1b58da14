"""Postings count the terms of the text that is searched."""

from __future__ import annotations

import pandas as pd

from workbench import schema
from workbench.corpus.clean import embed_text
from workbench.corpus.postings import postings


def test_postings_are_sorted_and_leave_comments_out() -> None:
    chunks = pd.DataFrame(
        {"id": ["b", "a"], "text": ["Docker runs docker-compose", "docker <!-- Compose --> C#"]}
    )
    found = postings(chunks)
    assert list(found.columns) == schema.POSTINGS.names
    assert list(found.itertuples(index=False, name=None)) == [
        ("c#", "a", 1),
        ("compose", "b", 1),
        ("docker", "a", 1),
        ("docker", "b", 2),
        ("docker-compose", "b", 1),
        ("run", "b", 1),
    ]


def test_no_chunks_give_no_postings() -> None:
    found = postings(pd.DataFrame({"id": [], "text": []}))
    assert len(found) == 0 and list(found.columns) == schema.POSTINGS.names


def test_embed_text_leaves_comments_out_and_nothing_else() -> None:
    assert embed_text("a <!-- b --> c <!-- d\n--> e <!-- open") == "a  c  e <!-- open"
    assert embed_text("<!--" * 3) == "<!--" * 3
