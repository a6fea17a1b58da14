"""Tokens in, repeated noun-like phrases out: word groups that hold together (C-value, NPMI).

A phrase is two or three content words in a row. Its bounds tell whether it is one: a phrase that
is a unit often stands between function words or punctuation, a slice of a longer one does not.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Protocol

from workbench.extraction.lexica import (
    CHINESE,
    DETERMINERS,
    FUNCTION_WORDS,
    PAGE_WORDS,
    PLAIN_ADJECTIVES,
)
from workbench.extraction.shape import CAP, LOWER, NOCASE, NUMBER
from workbench.extraction.tokens import JOIN, Tokens

Phrase = tuple[str, ...]


class Vocabulary(Protocol):
    """What is asked about words (see `vocabulary.Words`)."""

    lower: Counter[str]
    nouns: Counter[str]

    def is_noun(self, word: str) -> bool: ...  # noqa: D102
    def is_verb(self, word: str) -> bool: ...  # noqa: D102


Counts = dict[Phrase, list[int]]  # all, bounded on both sides, after a determiner
Contexts = dict[Phrase, set[tuple[str, str]]]  # the words before and after, as far as needed
MAX_WORDS = 3
MIN_CONTEXTS = 3  # a refrain, or a passage that chunks share, is not use


def _content(tokens: Tokens, i: int) -> bool:
    return (
        tokens.shapes[i] != NUMBER
        and len(tokens.words[i]) > 1
        and tokens.lowers[i] not in FUNCTION_WORDS
    )


def count_phrases(tokens: Tokens) -> tuple[Counts, Contexts]:
    """Count the groups of two and three content words, with the state of their bounds.

    Groups with a capital in them, but for a sentence's first word, are left to `names`.
    """
    counts: Counts = {}
    contexts: Contexts = {}
    i, total = 0, len(tokens)
    while i < total:
        if not _content(tokens, i):
            i += 1
            continue
        end = i + 1
        while end < total and tokens.gaps[end] == JOIN and _content(tokens, end):
            end += 1
        if end - i > 1:
            after_determiner = (
                i > 0 and tokens.gaps[i] == JOIN and tokens.lowers[i - 1] in DETERMINERS
            )
            _count_within(tokens, i, end, after_determiner, counts, contexts)
        i = end
    return counts, contexts


def _count_within(
    tokens: Tokens, begin: int, end: int, determined: bool, counts: Counts, contexts: Contexts
) -> None:
    for first in range(begin, end - 1):
        for last in range(first + 2, min(first + MAX_WORDS, end) + 1):
            if any(tokens.shapes[j] != LOWER for j in range(first + 1, last)):
                break
            if tokens.shapes[first] not in (LOWER, CAP):
                break
            phrase = tuple(tokens.lowers[first:last])
            entry = counts.get(phrase)
            if entry is None:
                entry = counts[phrase] = [0, 0, 0]
                contexts[phrase] = set()
            entry[0] += 1
            entry[1] += first == begin and last == end
            entry[2] += first == begin and determined
            if len(contexts[phrase]) < MIN_CONTEXTS:
                before = tokens.lowers[first - 1] if first else ""
                after = tokens.lowers[last] if last < len(tokens) else ""
                contexts[phrase].add((before, after))


def _noun_like(phrase: Phrase) -> bool:
    """Leave out what ends or begins as a verb or adverb does, and words of the page."""
    first, last = phrase[0], phrase[-1]
    if last.endswith(("ly", "ed")) or first.endswith("ly"):
        return False
    return last not in PAGE_WORDS and first not in PAGE_WORDS and first not in PLAIN_ADJECTIVES


def cohesive(
    counts: Mapping[Phrase, list[int]],
    contexts: Mapping[Phrase, set[tuple[str, str]]],
    words: Vocabulary,
    *,
    min_count: int,
    min_npmi: float,
) -> tuple[dict[Phrase, float], dict[Phrase, tuple[str, float]]]:
    """Give phrases with their C-value, and those dropped with (rule, value).

    C-value (Frantzi and Ananiadou, 2000): log2(words) times the count, less the mean count of the
    longer phrases around it. NPMI of a phrase is taken over its weakest split into two parts'
    words, against a text of `sum(words)` words. Phrases seen once are not reported as dropped.
    """
    total = max(sum(words.lower.values()), 1)
    frequent = {p: c for p, c in counts.items() if c[0] >= min_count and _noun_like(p)}
    around: dict[Phrase, list[int]] = {}
    for phrase, (count, *_) in frequent.items():
        if len(phrase) == MAX_WORDS:
            for part in (phrase[1:], phrase[:-1]):
                around.setdefault(part, []).append(count)
    kept: dict[Phrase, float] = {}
    dropped: dict[Phrase, tuple[str, float]] = {}
    for phrase in sorted(frequent):
        count, bounded, determined = frequent[phrase]
        longer = around.get(phrase, [])
        nested = sum(longer) / len(longer) if longer else 0.0
        c_value = math.log2(len(phrase)) * (count - nested)
        cohesion = npmi_of_words(phrase, count, words.lower, total)
        if c_value < min_count - 1:
            dropped[phrase] = ("c_value", c_value)
        elif cohesion < min_npmi:
            dropped[phrase] = ("npmi", cohesion)
        elif len(contexts[phrase]) < min(MIN_CONTEXTS, min_count):
            dropped[phrase] = ("same_context", len(contexts[phrase]))
        elif bounded + determined < max(2, 0.5 * count):
            dropped[phrase] = ("open_bounds", bounded / count)
        elif not words.is_noun(phrase[-1]) or any(words.is_verb(word) for word in phrase[:-1]):
            dropped[phrase] = ("no_noun_group", words.nouns[phrase[-1]])
        elif phrase[0].endswith("ing") and not determined:
            dropped[phrase] = ("verb_first", determined)
        elif phrase[-1].endswith("ing") and bounded < 0.7 * count:
            dropped[phrase] = ("verb_last", bounded / count)
        else:
            kept[phrase] = c_value
    return kept, dropped


def npmi_of_words(phrase: Phrase, count: int, words: Mapping[str, int], total: int) -> float:
    """Give log(p(xy) / product of p(x)) / (-(n-1) log p(xy)), at most 1, over a bag of words."""
    joint = math.log(count / total)
    if joint == 0:
        return 1.0
    apart = sum(math.log(max(words.get(word, 0), count) / total) for word in phrase)
    return min(1.0, (joint - apart) / (-(len(phrase) - 1) * joint))


def cjk_phrases(tokens: Tokens, min_count: int = 3) -> Counter[str]:
    """Count groups of two to five characters in runs of a script without blanks.

    A group inside a longer one with the same count is a slice of it and left out.
    """
    grams: Counter[str] = Counter()
    for i, word in enumerate(tokens.words):
        if tokens.shapes[i] == NOCASE and ord(word[0]) >= 0x2E80:
            for size in range(2, 6):
                for at in range(len(word) - size + 1):
                    grams[word[at : at + size]] += 1
    frequent = {gram: n for gram, n in grams.items() if n >= min_count and not _loose(gram)}
    around: Counter[str] = Counter()
    for gram, n in frequent.items():
        for part in (gram[1:], gram[:-1]):
            around[part] = max(around[part], n)
    return Counter({gram: n for gram, n in frequent.items() if n - around[gram] >= min_count})


def _loose(gram: str) -> bool:
    return any(character in CHINESE for character in gram)
