"""A run's relationships and the gold in, precision, recall and F1 of pairs and triples out."""

from __future__ import annotations

from typing import Any

import pandas as pd

from workbench.ids import normalize_name
from workbench.study.gold import Gold
from workbench.study.matching import holders, match, rates, spellings
from workbench.study.score import gold_spellings, score_entities


def score_run(run: Any, gold: Gold) -> dict[str, Any]:
    """Score a Run's entities and relationships: `{"entities": …, "relationships": …}`."""
    entities, aliases = run.entities, run.entity_aliases
    return {
        "entities": score_entities(entities, aliases, gold),
        "relationships": score_relationships(run.relationships, entities, aliases, gold),
    }


def score_relationships(
    relationships: pd.DataFrame, entities: pd.DataFrame, aliases: pd.DataFrame, gold: Gold
) -> dict[str, Any]:
    """Score relationships (source_id, target_id, type) as pairs, and as typed, directed triples.

    A pair is found when some relationship joins the entities that stand for its ends, in either
    direction. Said are only pairs whose ends both stand for gold entities; the gold does not list
    every true relationship, so `precision` is a lower bound. Gives precision, recall, f1, right,
    said, gold for pairs; the same under `typed`; and the frame `missed` (source, target, type).
    """
    wanted, said = gold_spellings(gold), spellings(entities, aliases)
    where = holders(wanted)
    of_row = {i: where[name][0] for i, names in enumerate(said) for name in names if name in where}
    of_row |= dict(match(said, wanted))
    gold_row = {entities["id"].iloc[i]: j for i, j in of_row.items()}
    truth = gold.relationships.assign(
        source=[_ends(name, where) for name in gold.relationships["source"]],
        target=[_ends(name, where) for name in gold.relationships["target"]],
    )
    ours = pd.DataFrame(
        {
            "source": relationships["source_id"].map(gold_row),
            "target": relationships["target_id"].map(gold_row),
            "type": relationships["type"],
        }
    ).dropna()
    ours = ours[ours["source"] != ours["target"]].astype({"source": int, "target": int})
    pairs, gold_pairs = _pairs(ours), _pairs(truth)
    triples = set(ours.itertuples(index=False, name=None))
    gold_triples = set(truth[["source", "target", "type"]].itertuples(index=False, name=None))
    found = [pair in pairs for pair in _pair_list(truth)]
    missed = gold.relationships.loc[[not hit for hit in found], ["source", "target", "type"]]
    return {
        **_rated(pairs, gold_pairs),
        "typed": _rated(triples, gold_triples),
        "missed": missed.reset_index(drop=True),
    }


def _ends(name: str, where: dict[str, list[int]]) -> int:
    """Give the gold row of a relationship's end; -1 where the gold entities lack it."""
    return where.get(normalize_name(name), [-1])[0]


def _pair_list(frame: pd.DataFrame) -> list[tuple[int, int]]:
    ends = zip(frame["source"], frame["target"], strict=True)
    return [(min(a, b), max(a, b)) for a, b in ends]


def _pairs(frame: pd.DataFrame) -> set[tuple[int, int]]:
    return set(_pair_list(frame))


def _rated(said: set[Any], gold: set[Any]) -> dict[str, Any]:
    right = len(said & gold)
    counts = {"right": right, "said": len(said), "gold": len(gold)}
    return {**rates(right, len(said), len(gold)), **counts}
