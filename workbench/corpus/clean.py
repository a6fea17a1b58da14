"""A chunk's text in, what is embedded and searched out: the slice without HTML comments."""

from __future__ import annotations

from collections.abc import Iterator


def comments(text: str) -> Iterator[tuple[int, int]]:
    """Give the span of each `<!-- … -->`; one that never ends is text. Time is linear."""
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start + 4)
        if end < 0:
            return
        yield start, end + 3
        start = text.find("<!--", end + 3)


def embed_text(chunk_text: str) -> str:
    """Leave the HTML comments out of a text, and nothing else.

    >>> embed_text("Docker <!-- todo --> starts.")
    'Docker  starts.'
    """
    if "<!--" not in chunk_text:
        return chunk_text
    kept, position = [], 0
    for start, end in comments(chunk_text):
        kept.append(chunk_text[position:start])
        position = end
    return "".join([*kept, chunk_text[position:]])
