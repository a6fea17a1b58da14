"""A run and a question in, the entities that the question names out."""

from __future__ import annotations

from collections import defaultdict

import pandas as pd

from workbench.corpus.words import words
from workbench.extraction.lexica import FUNCTION_WORDS
from workbench.query.run_index import RunIndex

LONGEST = 8  # words of a name that are looked up


def named_entities(index: RunIndex, text: str) -> pd.DataFrame:
    """Give entity_row and spelling (as in the question) of each entity named, in order.

    Names and aliases are looked up word by word, the longest first, whatever their case; a name
    that is a function word (`Go`, `It`) must be written as in the name. Where one spelling is that
    of several entities, all of them are given, the most mentioned first.
    """
    spellings = index.derived("spellings", _spellings)
    found, at = [], 0
    asked = words(text)
    while at < len(asked):
        for length in range(min(LONGEST, len(asked) - at), 0, -1):
            span = asked[at : at + length]
            written = text[span[0].start : span[-1].end]
            rows = spellings.get(" ".join(word.text.casefold() for word in span), {})
            rows = [
                row
                for row, as_named in rows.items()
                if length > 1 or written.casefold() not in FUNCTION_WORDS or written == as_named
            ]
            if rows:
                found += [(row, written) for row in rows]
                at += length - 1
                break
        at += 1
    frame = pd.DataFrame(found, columns=["entity_row", "spelling"])
    return frame.drop_duplicates("entity_row").reset_index(drop=True)


def _spellings(index: RunIndex) -> dict[str, dict[int, str]]:
    """Give, by the case-folded words of a name or alias, the rows of those called so."""
    order = index.entities["mention_count"].sort_values(ascending=False, kind="stable").index
    rows = [(int(row), str(index.entities["name"].iat[row])) for row in order]
    known = index.entity_row_of
    rows += [
        (known[entity], str(alias))
        for entity, alias in zip(index.aliases["entity_id"], index.aliases["alias"], strict=True)
        if entity in known
    ]
    spellings: dict[str, dict[int, str]] = defaultdict(dict)
    for row, name in rows:
        key = " ".join(word.text.casefold() for word in words(name))
        if key:
            spellings[key].setdefault(row, name)
    return dict(spellings)
