"""Chunks in, postings out: how often each chunk holds each term; BM25 and IDF are SQL over it."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from workbench import schema
from workbench.corpus.clean import embed_text
from workbench.corpus.words import terms
from workbench.frames import table_frame


def postings(chunks: pd.DataFrame) -> pd.DataFrame:
    """Count the terms of each chunk's text, inline comments left out, sorted by term and chunk.

    `chunks` needs the columns id and text; the frame is that of the table `postings`.
    """
    rows = [
        (term, chunk, count)
        for chunk, text in zip(chunks["id"], chunks["text"], strict=True)
        for term, count in Counter(terms(embed_text(text))).items()
    ]
    rows.sort()
    return table_frame(schema.POSTINGS, pd.DataFrame(rows, columns=schema.POSTINGS.names))
