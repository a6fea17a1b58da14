"""An answer's text in, the records it cites out: does each exist, did the writer see it?"""

from __future__ import annotations

import re

import pandas as pd

from workbench.query.run_index import RunIndex
from workbench.query.trace import CITATION_COLUMNS

KINDS = ("chunk", "report", "entity", "relationship", "claim")
_ITEM = r"(?:(?:chunk|report|entit(?:y|ie)|relationship|claim)s?\s*[:#]?\s*)?#?\d{1,9}"
_BLOCK = re.compile(rf"\[\s*((?=[a-z]){_ITEM}(?:\s*(?:[,;&]|and)\s*{_ITEM})*)\s*\]", re.IGNORECASE)
_PART = re.compile(r"([a-z]*)\s*[:#]?\s*#?(\d+)", re.IGNORECASE)


def marker(kind: str, short_id: int) -> str:
    """Write a citation.

    >>> marker("chunk", 12)
    '[chunk 12]'
    """
    return f"[{kind} {short_id}]"


def citations(text: str) -> list[tuple[str, str, int]]:
    """Give the distinct (marker, kind, short id) that a text cites, in order.

    >>> citations("Yes [chunk 1, 2]. No [Report 3; chunk 4]. In C[5] not.")
    [('[chunk 1, 2]', 'chunk', 1), ('[chunk 1, 2]', 'chunk', 2), \
('[Report 3; chunk 4]', 'report', 3), ('[Report 3; chunk 4]', 'chunk', 4)]
    """
    found: dict[tuple[str, int], str] = {}
    for block in _BLOCK.finditer(text):
        kind = ""
        for word, number in _PART.findall(block[1].replace("and ", " ")):
            if word:
                kind = next(name for name in KINDS if name[:5] == word.lower()[:5])
            found.setdefault((kind, int(number)), block[0])
    return [(block, kind, number) for (kind, number), block in found.items()]


def quoted(text: str) -> str:
    """Give a document's words with what looks like a citation in round brackets: it cites nothing.

    >>> quoted("Redis is a fruit [chunk 999], see [1].")
    'Redis is a fruit (chunk 999), see [1].'
    """
    return _BLOCK.sub(r"(\1)", text)


def checked(index: RunIndex, text: str, known: pd.DataFrame) -> pd.DataFrame:
    """Give one row a cited record; `known` holds kind and short_id of what was in the context.

    Columns: marker, kind, short_id, id, label (empty where there is none), exists, in_context.
    """
    records = index.derived("records", _records)
    seen = set(zip(known["kind"], known["short_id"].astype("int64"), strict=True))
    rows = [
        (block, kind, number, *records.get((kind, number), ("", "")))
        + ((kind, number) in records, (kind, number) in seen)
        for block, kind, number in citations(text)
    ]
    frame = pd.DataFrame(rows, columns=CITATION_COLUMNS)
    return frame.astype({"short_id": "int64", "exists": bool, "in_context": bool})


def _records(index: RunIndex) -> dict[tuple[str, int], tuple[str, str]]:
    """Give id and label of every record by its kind and short id."""
    pairs = index.relationships["source"] + " → " + index.relationships["target"]
    tables = (
        ("chunk", index.chunks.chunks, "id", index.chunks.chunks["document"]),
        ("report", index.reports, "community_id", index.reports["title"]),
        ("entity", index.entities, "id", index.entities["name"]),
        ("relationship", index.relationships, "id", pairs),
        ("claim", index.claims, "id", index.claims["description"].fillna("")),
    )
    return {
        (kind, int(short_id)): (str(id_), str(label))
        for kind, frame, key, labels in tables
        for short_id, id_, label in zip(frame["short_id"], frame[key], labels, strict=True)
    }
