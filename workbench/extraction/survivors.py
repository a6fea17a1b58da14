"""Mentions and the resolution in, entities with names, types and aliases out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from workbench.extraction.candidates import Candidate
from workbench.extraction.description import Quote, quote
from workbench.extraction.keys import tidy
from workbench.extraction.mentions import Mention
from workbench.extraction.people import without_title
from workbench.extraction.resolve import Resolution
from workbench.extraction.select import best_surface, confidence
from workbench.extraction.units import Unit
from workbench.ids import entity_id, normalize_name


@dataclass
class Survivor:
    """An entity in the making; `aliases` maps a spelling to (rule, score)."""

    name: str
    type: str
    confidence: float
    aliases: dict[str, tuple[str, float]] = field(default_factory=dict)
    description: str = ""

    @property
    def id(self) -> str:
        """The entity's id, from its normalized name and type."""
        return entity_id(normalize_name(self.name), self.type)


def rules_of(resolution: Resolution) -> dict[int, tuple[str, float]]:
    """Give the rule and score by which a merged candidate went into its survivor."""
    rules: dict[int, tuple[str, float]] = {}
    for merge in resolution.merges:
        rules.setdefault(merge.loser, (merge.rule, merge.score))
    for (_, part), merge in sorted(resolution.local.items()):
        rules.setdefault(part, (merge.rule, merge.score))
    return rules


def survivors(
    candidates: Sequence[Candidate],
    types: Sequence[str],
    resolution: Resolution,
    mentions: Sequence[Mention],
    units: Sequence[Unit],
    sentences: Sequence[Sequence[tuple[int, int]]],
    document: Sequence[int],
) -> tuple[dict[int, Survivor], list[int]]:
    """Give the entities by their root candidate, and the root of each mention."""
    roots = [resolution.survivor(document[mention.unit], mention.candidate) for mention in mentions]
    rules = rules_of(resolution)
    found: dict[int, Survivor] = {}
    spelled: dict[int, Counter[tuple[str, int]]] = {}
    quotes: dict[int, Quote] = {}
    for order, (mention, root) in enumerate(zip(mentions, roots, strict=True)):
        text = units[mention.unit].text
        surface = " ".join(text[mention.start : mention.end].split())
        spelled.setdefault(root, Counter())[surface, mention.candidate] += 1
        bounds = sentences[mention.unit]
        if bounds and not mention.heading:
            best = quote(text, bounds[mention.sentence], mention.start, mention.end, order)
            if root not in quotes or best.rank < quotes[root].rank:
                quotes[root] = best
    for root, counts in spelled.items():
        candidate = candidates[root]
        name = tidy(best_surface(candidate))
        name = without_title(name) if types[root] == "person" else name
        survivor = Survivor(name, types[root], confidence(candidate))
        survivor.description = quotes[root].text if root in quotes else ""
        _add_aliases(survivor, root, counts, rules)
        found[root] = survivor
    return found, roots


def _add_aliases(
    survivor: Survivor,
    root: int,
    counts: Mapping[tuple[str, int], int],
    rules: Mapping[int, tuple[str, float]],
) -> None:
    """Note every other spelling with the rule that merged it; its own spellings: `normalized`."""
    for surface, candidate in sorted(counts):
        if surface == survivor.name:
            continue
        rule = (
            ("normalized", 1.0) if candidate == root else rules.get(candidate, ("normalized", 1.0))
        )
        survivor.aliases.setdefault(surface, rule)
