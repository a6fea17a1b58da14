"""Names in, pairs out that may be spellings of one name by their letters: what vectors may judge.

Alone, vectors merge `Python 3.11` with `Python 3.12`, and edit distance merges `Watch` with
`Match`; a pair has to pass both.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from workbench.extraction.shape import digits

_WORD = re.compile(r"[^\W_]+(?:[+#]+)?")
_STEM = 5


def alike(names: Sequence[str]) -> list[tuple[int, int]]:
    """Give pairs (i < j) that differ in one word, where one is the start of the other.

    Linear in the names: `Heading 1` to `Heading 9999` share all words but one. All-capitals words
    have to be equal (`HTTP`, `HTTPS`), and so have numbers.
    """
    buckets: dict[tuple[object, ...], dict[str, list[int]]] = {}
    longer: list[tuple[int, str, tuple[object, ...]]] = []
    for i, name in enumerate(names):
        parts = _WORD.findall(name)
        lowers = [part.lower() for part in parts]
        for at, part in enumerate(parts):
            if len(part) >= _STEM and not part.isupper():
                bucket = (*lowers[:at], None, *lowers[at + 1 :])
                buckets.setdefault(bucket, {}).setdefault(lowers[at], []).append(i)
                longer.append((i, part, bucket))
    pairs = {
        (min(i, j), max(i, j))
        for i, word, bucket in longer
        for start in _starts(word)
        for j in buckets[bucket].get(start, ())
    }
    return sorted((i, j) for i, j in pairs if digits(names[i]) == digits(names[j]))


def _starts(word: str) -> list[str]:
    """Give what a word may abbreviate when two or more capitals are added: `PostgreSQL`.

    Small letters at the end make another word: Islam and Islamic, Cloudflare and cloudflared.
    """
    shortest = max(_STEM, math.ceil(0.6 * len(word)))
    ends = range(shortest, len(word) - 1)
    return [word[:end].lower() for end in ends if word[end:].isupper()]
