"""The counts of words in all documents in, what they say of a word out: case, noun or verb."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from workbench.extraction.signals import Signals


@dataclass
class Words:
    """Case counts over all documents, by lower-cased word (see `Signals`)."""

    lower: Counter[str] = field(default_factory=Counter)
    capital: Counter[str] = field(default_factory=Counter)
    shouted: Counter[str] = field(default_factory=Counter)
    initial: Counter[str] = field(default_factory=Counter)
    nouns: Counter[str] = field(default_factory=Counter)
    verbs: Counter[str] = field(default_factory=Counter)
    edges: set[str] = field(default_factory=set)  # first and last words of longer names

    def add(self, signals: Signals) -> None:
        """Add one document's counts."""
        for name in ("lower", "capital", "shouted", "initial", "nouns", "verbs"):
            getattr(self, name).update(getattr(signals, name))

    def is_noun(self, word: str) -> bool:
        """Say whether a word ends noun groups, and does so more often than it follows `to`."""
        return self.nouns[word] > 0 and self.nouns[word] >= self.verbs[word]

    def is_verb(self, word: str) -> bool:
        """Say whether a word follows `to`, `will`, `they` more often than it ends noun groups."""
        return self.verbs[word] > self.nouns[word]

    def capital_share(self, word: str) -> float:
        """Give the share of a word's occurrences inside sentences that have a capital."""
        capital = self.capital[word] + self.shouted[word]
        return capital / max(capital + self.lower[word], 1)
