"""Content in, ids out: the same content has the same id on every machine and in every run."""

from __future__ import annotations

import hashlib
import re
import unicodedata

ID_LENGTH = 16
_SEPARATOR = "\x1f"  # cannot occur in a path or a name, so ("a", "bc") and ("ab", "c") differ
_QUOTES = str.maketrans("", "", "'\"`´’‘“”")


def content_id(*parts: object) -> str:
    """Give 16 lower-case hex digits of SHA-256 over the parts, joined by a unit separator."""
    joined = _SEPARATOR.join(str(part) for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]


def content_hash(data: bytes) -> str:
    """Give the full SHA-256 hex digest of bytes: a document's identity across renames."""
    return hashlib.sha256(data).hexdigest()


def normalize_name(name: str) -> str:
    """Give the key by which names of runs are matched: NFKC, case-folded, no quotes, one blank.

    Signs that carry meaning in names of software (`# + . -`) stay, so `C`, `C#` and `C++` differ.
    """
    text = unicodedata.normalize("NFKC", name).translate(_QUOTES)
    return re.sub(r"\s+", " ", text).strip().casefold()


def document_id(path: str) -> str:
    """Give a document's id from its path relative to the corpus, with `/` between the parts."""
    return content_id("document", path)


def chunk_id(document: str, start: int, end: int) -> str:
    """Give a chunk's id from its document's id and its span in characters."""
    return content_id("chunk", document, start, end)


def entity_id(normalized_name: str, type_: str) -> str:
    """Give an entity's id from its normalized name and its type."""
    return content_id("entity", normalized_name, type_)


def relationship_id(source: str, target: str, type_: str, *, directed: bool) -> str:
    """Give a relationship's id; an undirected one is the same from either end."""
    ends = (source, target) if directed else tuple(sorted((source, target)))
    return content_id("relationship", *ends, type_)


def community_id(level: int, members: list[str]) -> str:
    """Give a community's id from its level and the ids of its members, in any order."""
    return content_id("community", level, *sorted(members))
