"""A text and a number of tokens in, spans of at most so many out: all of it, nothing twice."""

from __future__ import annotations

from workbench.corpus.tokens import count_tokens, token_offsets

_BREAKS = ("\n\n", "\n", ". ", " ")


def windows(text: str, tokens: int) -> list[tuple[int, int]]:
    """Give spans that follow each other from the first character to the last.

    They end after a paragraph where one ends in their last quarter, else after a line, a sentence
    or a word.

    >>> text = "One two three.\\n\\nFour five six."
    >>> [text[a:b] for a, b in windows(text, 6)]
    ['One two three.\\n\\nFour five', ' six.']
    """
    tokens = max(tokens, 1)
    if count_tokens(text) <= tokens:
        return [(0, len(text))]
    starts, _ = token_offsets(text)
    spans, first = [], 0
    while first < len(starts):
        begin = starts[first] if first else 0
        if first + tokens >= len(starts):
            spans.append((begin, len(text)))
            break
        last = first + tokens
        end = _break(text, starts[first + tokens * 3 // 4], starts[last])
        while starts[last - 1] >= end and last - 1 > first:
            last -= 1
        spans.append((begin, starts[last]))
        first = last
    return spans


def _break(text: str, low: int, high: int) -> int:
    """Give where to end between two characters: after the last of the best kind of break."""
    for sign in _BREAKS:
        at = text.rfind(sign, low, high)
        if at >= 0:
            return at + len(sign)
    return high
