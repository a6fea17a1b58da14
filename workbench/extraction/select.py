"""A candidate in, keep or the rule that drops it out: each rule has a name and a value.

No rule looks at rarity alone (most names occur in one passage) or at frequency alone (so do
words): what counts is how a candidate is written, where, and what else supports it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from workbench.extraction.candidates import Candidate
from workbench.extraction.lexica import (
    CALENDAR,
    FUNCTION_WORDS,
    PAGE_WORDS,
    PLAIN_ADJECTIVES,
    TITLES,
    UNITS,
)
from workbench.extraction.shape import CAP, LOWER, MIXED, NOCASE, NUMBER, UPPER, shape
from workbench.extraction.vocabulary import Words
from workbench.params import ExtractParams

# How much one occurrence with a signal speaks for a name; combined as independent witnesses.
WEIGHTS = {
    "acronym": 0.70,
    "shape": 0.60,
    "name": 0.50,
    "quoted": 0.50,
    "term": 0.40,
    "link": 0.45,
    "code": 0.40,
    "phrase": 0.25,
    "heading": 0.35,
    "emphasis": 0.30,
    "initial": 0.20,
    "label": 0.10,
}
LONGEST_NAME = 200  # characters; what is longer is a quotation, or no text at all
_MARKED = ("heading", "link", "label", "emphasis", "code")


class Verdict(NamedTuple):
    """Why a candidate was dropped: rule, the value it looked at, and words for people."""

    rule: str
    value: float
    reason: str


def confidence(candidate: Candidate) -> float:
    """Give 0 to 1: 1 minus the product of (1 - weight) over signals, repeats counting less."""
    doubt = 1.0
    for signal, count in candidate.signals.items():
        doubt *= (1 - WEIGHTS[signal]) ** min(1 + 0.5 * (count - 1), 3)
    return round(1 - doubt, 4)


def best_surface(candidate: Candidate) -> str:
    """Give the most frequent spelling with a capital in it, else the most frequent one."""

    def rank(surface: str) -> tuple[bool, int, int, str]:
        return (surface.islower(), -candidate.surfaces[surface], len(surface), surface)

    return min(candidate.surfaces, key=rank)


def verdict(candidate: Candidate, words: Words, params: ExtractParams) -> Verdict | None:
    """Give the first rule that drops a candidate, or None to keep it."""
    surface = best_surface(candidate)
    parts = [part for part in surface.replace("-", " ").split() if part]
    lowers = [part.lower().replace("’", "'") for part in parts]
    marked = sum(candidate.signals[signal] for signal in _MARKED)
    return (
        _by_form(candidate, surface, lowers, words)
        or (_single(candidate, surface, lowers[0], words, params) if len(parts) == 1 else None)
        or _by_evidence(candidate, surface, marked, words)
    )


def _by_form(candidate: Candidate, surface: str, lowers: list[str], words: Words) -> Verdict | None:
    if len(surface) > LONGEST_NAME:
        return Verdict("too_long", len(surface), f"a name has at most {LONGEST_NAME} characters")
    if all(shape(part) == NUMBER for part in surface.split()):
        return Verdict("number", len(surface), "it has no word in it")
    if len(candidate.key) < 2 and not (  # the language C
        candidate.signals["name"] >= 3 and len(candidate.documents) >= 2
    ):
        return Verdict("too_short", candidate.signals["name"], "a single letter, hardly used")
    if all(word in UNITS for word in lowers):
        return Verdict("unit", len(lowers), "it is a unit of measure")
    if all(word in FUNCTION_WORDS for word in lowers) and not (
        len(lowers) > 2 and candidate.signals["quoted"]  # `Here You Come Again`
    ):
        shouted = words.shouted[lowers[0]]
        if not (len(lowers) == 1 and surface.isupper() and shouted > words.lower[lowers[0]]):
            return Verdict("stop_word", len(lowers), "it has only function words in it")
    if all(word in CALENDAR for word in lowers):
        return Verdict("calendar", len(lowers), "it is a day or a month")
    if all(word in PAGE_WORDS or shape(word) == NUMBER for word in lowers):
        return Verdict("page_word", len(lowers), "it names a part of a page")
    if all(word.rstrip(".") in TITLES for word in lowers):
        return Verdict("title_alone", len(lowers), "a title without a name")
    return None


def _single(
    candidate: Candidate, surface: str, word: str, words: Words, params: ExtractParams
) -> Verdict | None:
    """Judge a single word: by its shape, else by the share of capitals inside sentences."""
    kind = shape(surface)
    signals = candidate.signals
    if kind in (MIXED, NOCASE):
        return None
    if kind == UPPER and not signals["code"]:
        small = words.lower[word] + words.capital[word]
        if small > 2 * words.shouted[word] and not signals["acronym"]:
            return Verdict("shouting", small, "its small spelling is the usual one: emphasis")
    if kind == UPPER:
        return None
    small = words.lower[word]
    if signals["code"] and small <= signals["code"] and (small == 0 or signals["code"] > 1):
        return None  # a word that only code knows
    share = words.capital_share(word) if words.capital[word] else float(not small)
    # A word that stands inside other names is a name word, though alone it only opens sentences.
    seen = signals["name"] or word in words.edges or (signals["quoted"] and not small)
    if share >= params.min_capital_share and seen and kind == CAP:
        weak = candidate.documents - candidate.strong_documents
        if weak and not candidate.strong_documents and not _supported(candidate):
            return Verdict("weak_case", share, "capitals say little in this language")
        return None
    repeated = signals["initial"] >= 2 and len(candidate.documents) >= 2 and not small
    if repeated and not word.endswith(("ing", "ed", "ly")):
        return None  # `Rust`, which happens to open two sentences
    if not (seen or small or _supported(candidate)):
        return Verdict("sentence_start", signals["initial"], "its capital only opens sentences")
    return _common_noun(candidate, word, words, share, params.min_residual_idf)


def residual_idf(candidate: Candidate) -> float:
    """Give how much more a word clusters than chance would have it, in bits (Church and Gale).

    Over windows of about 2,000 characters: log2 of the number of windows that a Poisson process
    would hit with its count, over those that it does stand in. Words about nothing score about 0.
    """
    total, hit = max(candidate.windows_total, 1), max(len(candidate.windows), 1)
    expected = total * (1 - math.exp(-candidate.count / total))
    return math.log2(expected / hit) if expected > 0 else 0.0


def _supported(candidate: Candidate) -> bool:
    """Say whether anything but a capital speaks for the name."""
    kinds = sum(
        candidate.signals[s] > 0
        for s in ("heading", "link", "emphasis", "code", "quoted", "phrase")
    )
    return kinds > 1 or candidate.signals["acronym"] > 0 or candidate.signals["link"] > 0


def _common_noun(
    candidate: Candidate, word: str, words: Words, share: float, floor: float
) -> Verdict | None:
    """Keep a common noun that the documents set apart and use as one (`container`)."""
    signals = candidate.signals
    places = signals["heading"] + signals["link"] + signals["label"] + signals["emphasis"]
    used = words.nouns[word] >= 3 and words.nouns[word] * 5 >= words.lower[word]
    marked = places >= 2 and used and words.is_noun(word) and not word.endswith("ing")
    if marked and word not in PLAIN_ADJECTIVES:
        clustering = residual_idf(candidate)
        if clustering >= floor:
            return None
        return Verdict("everywhere", clustering, "a common noun that clusters no more than chance")
    return Verdict("common_word", share, "mostly written small, and not set apart as a term")


def _by_evidence(candidate: Candidate, surface: str, marked: int, words: Words) -> Verdict | None:
    signals = candidate.signals
    kinds = {shape(part) for part in surface.split()}
    if any(signals[strong] for strong in ("acronym", "quoted", "phrase", "term", "code")):
        return None
    if MIXED in kinds and " " not in surface:
        return None
    if signals["name"]:
        weak = not candidate.strong_documents and kinds <= {LOWER, CAP} and " " in surface
        if weak and candidate.count < 2:
            return Verdict("weak_case", candidate.count, "capitals say little in this language")
        return None
    if signals["initial"] and " " in surface and not kinds <= {LOWER}:
        return None
    first = surface.split()[0].lower()
    if " " in surface and words.is_verb(first) and not signals["link"]:
        return Verdict("verb_first", words.verbs[first], "it begins with a verb")
    support = candidate.count + signals["code"]
    if support < 2:
        return Verdict("seen_once", support, "set apart once and never used again")
    if not signals["code"] and candidate.count <= marked and MIXED not in kinds:
        return Verdict(
            "title_only", candidate.count, "only in titles and labels, never in a sentence"
        )
    return None
