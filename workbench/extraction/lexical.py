"""Names in, pairs out that may be spellings of one name by their letters: what vectors may judge.

Alone, vectors merge `Python 3.11` with `Python 3.12`, and edit distance merges `Watch` with
`Match`; a pair has to pass both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.extraction.shape import digits

_WORD = re.compile(r"[^\W_]+(?:[+#]+)?")
_STEM = 5


def alike(names: Sequence[str]) -> list[tuple[int, int]]:
    """Give pairs (i < j) that differ in one word, where one is the start of the other.

    Linear but for names that share all other words and five first letters. All-capitals words
    have to be equal (`HTTP`, `HTTPS`), and so have numbers.
    """
    buckets: dict[tuple[object, ...], list[int]] = {}
    words = [_WORD.findall(name) for name in names]
    for i, parts in enumerate(words):
        lowers = [part.lower() for part in parts]
        for at, part in enumerate(parts):
            if len(part) >= _STEM and not part.isupper():
                bucket = (*lowers[:at], None, *lowers[at + 1 :], part[:_STEM].lower())
                buckets.setdefault(bucket, []).append(i)
    pairs = set()
    for members in buckets.values():
        for n, i in enumerate(members):
            for j in members[n + 1 :]:
                if i != j and _one_starts_the_other(words[i], words[j]):
                    pairs.add((min(i, j), max(i, j)))
    return sorted((i, j) for i, j in pairs if digits(names[i]) == digits(names[j]))


def _one_starts_the_other(one: list[str], other: list[str]) -> bool:
    """Say whether one word differs, and the longer adds an abbreviation: `Postgres`, `PostgreSQL`.

    Small letters at the end make another word: Islam and Islamic, Cloudflare and cloudflared.
    """
    differ = [(a, b) for a, b in zip(one, other, strict=True) if a.lower() != b.lower()]
    if len(differ) != 1:
        return False
    short, long = sorted(differ[0], key=len)
    added = long[len(short) :]
    return (
        long.lower().startswith(short.lower())
        and len(short) >= 0.6 * len(long)
        and len(added) > 1
        and added.isupper()
        and not long.isupper()
    )
