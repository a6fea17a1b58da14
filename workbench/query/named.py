"""A run and a question in, the entities that the question names out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from workbench.corpus.words import words
from workbench.extraction.lexica import FUNCTION_WORDS
from workbench.query.run_index import RunIndex

LONGEST = 20  # words of a name that are looked up
Spellings = Mapping[str, Mapping[int, str]]  # words of a name → who is called so, as written there


class Named(NamedTuple):
    """A name found in a text: who is called so, how it is written there, how many words it has."""

    rows: list[int]
    written: str
    length: int


def named_entities(index: RunIndex, text: str) -> pd.DataFrame:
    """Give entity_row and spelling (as in the question) of each entity named, in order.

    Names and aliases are looked up word by word, the longest first, whatever their case; a name
    that is a function word (`Go`, `It`) must be written as in the name. Where one spelling is that
    of several entities, all of them are given, the most mentioned first.
    """
    names = names_in(text, index.derived("spellings", lambda index: spellings(called(index))))
    found = [(row, name.written) for name in names for row in name.rows]
    frame = pd.DataFrame(found, columns=["entity_row", "spelling"])
    return frame.drop_duplicates("entity_row").reset_index(drop=True)


def names_in(text: str, known: Spellings) -> Iterator[Named]:
    """Give the known names in a text, in order; a word belongs to the longest name it begins."""
    asked, at = words(text), 0
    keys = [word.text.casefold() for word in asked]
    while at < len(asked):
        for length in range(min(LONGEST, len(asked) - at), 0, -1):
            called_so = known.get(" ".join(keys[at : at + length]), {})
            written = text[asked[at].start : asked[at + length - 1].end]
            rows = [
                row
                for row, as_named in called_so.items()
                if length > 1 or keys[at] not in FUNCTION_WORDS or written == as_named
            ]
            if rows:
                yield Named(rows, written, length)
                at += length - 1
                break
        at += 1


def called(index: RunIndex) -> list[tuple[int, str]]:
    """Give (entity row, name) of all names, the most mentioned entity first, then of aliases."""
    order = index.entities["mention_count"].sort_values(ascending=False, kind="stable").index
    names = index.entities["name"].astype(str).tolist()
    known = index.entity_row_of
    return [(int(row), names[row]) for row in order] + [
        (known[entity], str(alias))
        for entity, alias in zip(index.aliases["entity_id"], index.aliases["alias"], strict=True)
        if entity in known
    ]


def spellings(names: Iterable[tuple[int, str]]) -> dict[str, dict[int, str]]:
    """Give, by the case-folded words of a name, the rows of those called so."""
    found: dict[str, dict[int, str]] = defaultdict(dict)
    for row, name in names:
        key = name_key(name)
        if key:
            found[key].setdefault(row, name)
    return dict(found)


def name_key(name: str) -> str:
    """Give the case-folded words of a name.

    >>> name_key("Docker's  Compose-File (v3)")
    'docker compose-file v3'
    """
    return " ".join(word.text.casefold() for word in words(name))
