"""Text in, token counts and token spans out: o200k_base and cl100k_base, for text of any size.

`bpe-openai` equals tiktoken and never raises on special strings such as `<|endoftext|>` (they are
text here), but it refuses 1,000,000 characters or 200,000 tokens at once. Text is therefore fed in
pieces cut where the tokenizer's own first step always cuts, so that no token crosses.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

import bpe_openai

FEED = 40_000  # characters a piece: at 4 bytes a character it stays below 200,000 tokens
_LOOK = 4_000  # how far back from the end of a piece a safe cut is looked for
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTINUATION = bytes(range(0x80, 0xC0))


@functools.cache
def encoder(encoding: str) -> bpe_openai.Encoding:
    """Load an encoding once per process (about 50 ms)."""
    return bpe_openai.get_encoding(encoding)


def is_safe_cut(text: str, at: int) -> bool:
    r"""Say whether no token can cross position `at` of the text.

    Both encodings first split text by a pattern. Between a letter or digit and a blank it always
    splits; so it does after the last line feed of a run of white space, unless a slash follows
    (o200k_base keeps `.\n/` together).
    """
    before, after = text[at - 1], text[at]
    if after == " ":
        return before.isalnum()
    return before == "\n" and after != "/" and not after.isspace()


def pieces(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Cut `text[start:end]` into spans of at most FEED characters, at safe cuts if possible.

    Only a run of 4,000 characters without one (a single word, say) is cut anywhere; there a count
    may be off by a token or two.
    """
    end = len(text) if end is None else end
    while end - start > FEED:
        cut = start + FEED
        stop = cut - _LOOK
        while cut > stop and not is_safe_cut(text, cut):
            cut -= 1
        if cut == stop:
            cut = start + FEED
        yield start, cut
        start = cut
    if start < end:
        yield start, end


def _encode(text: str, encoding: str) -> list[int]:
    try:
        return encoder(encoding).encode_ordinary(text)
    except UnicodeEncodeError:  # pragma: no cover - the library replaces surrogates itself today
        return encoder(encoding).encode_ordinary(_SURROGATE.sub("\ufffd", text))


def count_tokens(text: str, encoding: str = "o200k_base") -> int:
    """Count the tokens of a text.

    >>> count_tokens("Docker Compose starts containers."), count_tokens("<|endoftext|>")
    (5, 7)
    """
    if len(text) <= FEED:
        return len(_encode(text, encoding))
    return sum(len(_encode(text[a:b], encoding)) for a, b in pieces(text))


def token_offsets(text: str, encoding: str = "o200k_base") -> tuple[list[int], list[int]]:
    """Give the first character of each token and the character after its last one.

    A token that holds only some bytes of a character counts with the whole character, so spans of
    neighbouring tokens may share one: edges snap outward.

    >>> token_offsets("a 🦊")
    ([0, 1, 2, 2], [1, 3, 3, 3])
    """
    clean = _SURROGATE.sub("\ufffd", text)  # one for one: a pair must not become one character
    starts: list[int] = []
    ends: list[int] = []
    position = 0
    for first, last in pieces(clean):
        for data in encoder(encoding).decode_tokens_bytes(_encode(clean[first:last], encoding)):
            starts.append(position - (0x80 <= data[0] < 0xC0))
            position += len(data.translate(None, _CONTINUATION))
            ends.append(position)
    return starts, ends
