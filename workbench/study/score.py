"""A run's entities, their aliases and the gold in, precision, recall, F1 and errors out."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pandas as pd

from workbench.ids import normalize_name
from workbench.study.gold import Gold
from workbench.study.matching import holders, match, rates, spellings

_STRUCTURAL = ("document", "website")
Spelled = list[list[str]]


def score_entities(entities: pd.DataFrame, aliases: pd.DataFrame, gold: Gold) -> dict[str, Any]:
    """Score entities (id, name, type, mention_count) and their aliases (entity_id, alias).

    An entity is right when it shares a normalised spelling (`ids.normalize_name`) with a gold
    entity, each serving one at most; a second entity for the same gold one is wrong. Entities of
    type document or website count only where the gold has that type.

    Alias pairs: two spellings of one gold entity are `merged` when one entity has both, `unmerged`
    when two entities have them, `unseen` when one of them is nowhere. `wrongly_merged`: spellings
    of two gold entities, or a pair that must stay apart, in one entity. Spellings that several
    gold entities share are left out of both.

    Gives precision, recall, f1, type_accuracy (of the right ones), alias_precision, alias_recall,
    said, gold, right, merged, unmerged, unseen, wrongly_merged, and under `errors` the frames
    missed, spurious, wrongly_merged and unmerged.
    """
    kept = _counted(entities, gold)
    said, wanted = spellings(kept, aliases), gold_spellings(gold)
    pairs = match(said, wanted)
    types = [(kept["type"].iloc[i], gold.entities["type"].iloc[j]) for i, j in pairs]
    merges, unmerged = _alias_pairs(spellings(entities, aliases), wanted, gold, entities)
    wrong = _wrongly_merged(spellings(entities, aliases), wanted, gold, entities)
    merged = merges["merged"]
    return {
        **rates(len(pairs), len(kept), len(gold.entities)),
        "type_accuracy": sum(a == b for a, b in types) / len(types) if types else 0.0,
        "alias_precision": _share(merged, merged + len(wrong)),
        "alias_recall": _share(merged, merged + len(unmerged)),
        "right": len(pairs),
        "said": len(kept),
        "gold": len(gold.entities),
        **merges,
        "unmerged": len(unmerged),
        "wrongly_merged": len(wrong),
        "errors": {
            "missed": _missed(said, wanted, pairs, gold, kept),
            "spurious": _spurious(said, wanted, pairs, gold, kept),
            "wrongly_merged": wrong,
            "unmerged": unmerged,
        },
    }


def worst_errors(score: dict[str, Any], n: int = 10) -> pd.DataFrame:
    """Give the n worst errors of `score_entities`: kind, name, detail, weight.

    Weight: for a wrong merge 1,000 (it hides two entities at once), else how often a spurious
    entity is mentioned, or in how many documents a missed one stands. Largest first, then by kind
    and name.
    """
    errors = score["errors"]
    parts = [
        errors["wrongly_merged"].assign(
            kind="wrongly merged",
            weight=1000,
            detail=errors["wrongly_merged"]["first"]
            + " with "
            + errors["wrongly_merged"]["second"],
        ),
        errors["missed"].assign(
            kind="missed", weight=errors["missed"]["documents"], detail=errors["missed"]["type"]
        ),
        errors["spurious"].assign(
            kind="spurious",
            weight=errors["spurious"]["mention_count"],
            detail=errors["spurious"]["why"],
        ),
    ]
    columns = ["kind", "name", "detail", "weight"]
    frame = pd.concat(
        [part[columns] for part in parts if len(part)] or [pd.DataFrame(columns=columns)]
    )
    order = frame.sort_values(["weight", "kind", "name"], ascending=[False, True, True])
    return order.head(n).reset_index(drop=True)


def _counted(entities: pd.DataFrame, gold: Gold) -> pd.DataFrame:
    left_out = set(_STRUCTURAL) - set(gold.entities["type"])
    return entities[~entities["type"].isin(left_out)].reset_index(drop=True)


def gold_spellings(gold: Gold) -> Spelled:
    """Give the normalised spellings of each gold entity, its name first."""
    rows = []
    for name, alias_list in zip(gold.entities["name"], gold.entities["aliases"], strict=True):
        rows.append(list(dict.fromkeys(normalize_name(s) for s in (name, *alias_list))))
    return rows


def _own_spellings(wanted: Spelled, gold: Gold) -> dict[str, int]:
    """Give the gold row of each spelling that means one gold entity only."""
    listed = [name for names in gold.entities["ambiguous"] for name in names]
    ambiguous = {normalize_name(name) for name in listed}
    return {
        name: rows[0]
        for name, rows in holders(wanted).items()
        if len(rows) == 1 and name not in ambiguous
    }


def _alias_pairs(
    said: Spelled, wanted: Spelled, gold: Gold, entities: pd.DataFrame
) -> tuple[dict[str, int], pd.DataFrame]:
    own, where = _own_spellings(wanted, gold), holders(said)
    counts = {"merged": 0, "unseen": 0}
    unmerged = []
    for row, names in enumerate(wanted):
        for first, second in combinations([name for name in names if name in own], 2):
            a, b = where.get(first, []), where.get(second, [])
            if not a or not b:
                counts["unseen"] += 1
            elif set(a) & set(b):
                counts["merged"] += 1
            else:
                in_both = f"{entities['name'].iloc[a[0]]} | {entities['name'].iloc[b[0]]}"
                unmerged.append((gold.entities["name"].iloc[row], first, second, in_both))
    columns = ["name", "first", "second", "entities"]
    return counts, pd.DataFrame(unmerged, columns=columns)


def _wrongly_merged(
    said: Spelled, wanted: Spelled, gold: Gold, entities: pd.DataFrame
) -> pd.DataFrame:
    own = _own_spellings(wanted, gold)
    apart = {tuple(sorted(map(normalize_name, pair))) for pair in gold.apart}
    found = []
    for row, names in enumerate(said):
        owners: set[tuple[int, ...]] = set()
        for first, second in combinations(names, 2):
            a, b = own.get(first), own.get(second)
            differ = a is not None and b is not None and a != b
            if not differ and tuple(sorted((first, second))) not in apart:
                continue
            key = tuple(sorted((a, b))) if differ else (-1, len(found))
            if key not in owners:
                owners.add(key)
                found.append((entities["name"].iloc[row], first, second))
    return pd.DataFrame(found, columns=["name", "first", "second"])


def _missed(
    said: Spelled, wanted: Spelled, pairs: list[tuple[int, int]], gold: Gold, kept: pd.DataFrame
) -> pd.DataFrame:
    """Give name, type, documents (their number) and inside (the entity that swallowed it)."""
    served, where = {j for _, j in pairs}, holders(said)
    rows = []
    for j, names in enumerate(wanted):
        if j not in served:
            inside = sorted({i for name in names for i in where.get(name, ())})
            entity = gold.entities.iloc[j]
            swallowed = kept["name"].iloc[inside[0]] if inside else ""
            rows.append((entity["name"], entity["type"], len(entity["documents"]), swallowed))
    frame = pd.DataFrame(rows, columns=["name", "type", "documents", "inside"])
    order = frame.sort_values(["documents", "name"], ascending=[False, True])
    return order.reset_index(drop=True)


def _spurious(
    said: Spelled, wanted: Spelled, pairs: list[tuple[int, int]], gold: Gold, kept: pd.DataFrame
) -> pd.DataFrame:
    """Give name, type, mention_count and why: split off another one, known to be none, or not in
    the gold.
    """
    serving, where = {i for i, _ in pairs}, holders(wanted)
    none = {normalize_name(name) for name in gold.not_entities}
    rows = []
    for i, names in enumerate(said):
        if i in serving:
            continue
        split = [gold.entities["name"].iloc[where[name][0]] for name in names if name in where]
        why = "no entity" if none & set(names) else "not in the gold"
        why = f"split off {split[0]}" if split else why
        rows.append(
            (kept["name"].iloc[i], kept["type"].iloc[i], kept["mention_count"].iloc[i], why)
        )
    frame = pd.DataFrame(rows, columns=["name", "type", "mention_count", "why"])
    order = frame.sort_values(["mention_count", "name"], ascending=[False, True])
    return order.reset_index(drop=True)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
