"""Runs over the same chunks in, what all, some or only one of them saw out.

An entity of one run is that of another when they share a normalised spelling, name or alias, each
serving one at most: an entity that one run split in two is in two rows. A relationship is a pair of
entities here, whatever its direction and type.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import pandas as pd

from workbench.errors import InputError
from workbench.study.matching import match, spellings

if TYPE_CHECKING:
    from workbench.run import Run

What = Literal["entities", "relationships"]
Runs = Mapping[str, "Run"]
_KEYS = {"entities": ["name", "type"], "relationships": ["source", "target"]}


def things(runs: Runs) -> tuple[pd.DataFrame, dict[str, dict[str, int]]]:
    """Give one row a thing that any run saw (name and type by the first run that saw it), and each
    run's row number by entity id.

    Runs are matched in their order, each against all before it (see `study.matching.match`).
    """
    rows: list[tuple[str, str]] = []
    known: list[list[str]] = []
    places: dict[str, dict[str, int]] = {}
    for run_name, run in runs.items():
        entities = run.entities.sort_values("short_id", ignore_index=True)
        said = spellings(entities, run.entity_aliases)
        row_of = dict(match(said, known))
        for number, names in enumerate(said):
            if number in row_of:
                old = known[row_of[number]]
                old += [name for name in names if name not in old]
            else:
                row_of[number] = len(known)
                known.append(list(names))
                rows.append((entities["name"].iloc[number], entities["type"].iloc[number]))
        places[run_name] = {id_: row_of[number] for number, id_ in enumerate(entities["id"])}
    return pd.DataFrame(rows, columns=_KEYS["entities"]), places


def seen_by(runs: Runs, what: What = "entities") -> pd.DataFrame:
    """Give one row a thing with one column a run that says whether it saw it.

    Columns: name, type (source, target for relationships), a bool a run, `size`: the most chunks
    that a run found it in (the largest weight). Largest first, then by name.
    """
    if what not in _KEYS:
        raise InputError(f"what is {what!r}: choose entities or relationships.")
    rows, places = things(runs)
    found: dict[tuple[int, ...], dict[str, float]] = {}
    for name, run in runs.items():
        for key, size in _sizes(run, places[name], what):
            sizes = found.setdefault(key, {})
            sizes[name] = max(size, sizes.get(name, 0.0))
    keys = _KEYS[what]
    table = [
        {
            **(dict(zip(keys, rows.iloc[key[0]], strict=True)) if what == "entities" else {}),
            **(dict(zip(keys, rows["name"].iloc[list(key)], strict=True)) if len(key) > 1 else {}),
            **{name: name in sizes for name in runs},
            "size": max(sizes.values()),
        }
        for key, sizes in found.items()
    ]
    frame = pd.DataFrame(table, columns=[*keys, *runs, "size"])
    frame = frame.astype(dict.fromkeys(runs, bool))
    return frame.sort_values(["size", *keys], ascending=[False, True, True], ignore_index=True)


def overlap_matrix(runs: Runs, what: What = "entities") -> pd.DataFrame:
    """Give the Jaccard index of each two runs: what both saw, over what either saw; square."""
    seen = seen_by(runs, what)
    values = {
        one: [_jaccard(seen[one], seen[other]) if one != other else 1.0 for other in runs]
        for one in runs
    }
    return pd.DataFrame(values, index=pd.Index(list(runs), name="run"))


def only_in(runs: Runs, run: str, what: What = "entities") -> pd.DataFrame:
    """Give what one run alone saw: the rows of `seen_by` without the columns of runs."""
    if run not in runs:
        raise InputError(f"There is no run {run!r} here: choose one of {', '.join(runs)}.")
    seen = seen_by(runs, what)
    alone = seen[run] & (seen[list(runs)].sum(axis=1) == 1)
    return seen.loc[alone, [*_KEYS[what], "size"]].reset_index(drop=True)


def intersections(runs: Runs, what: What = "entities") -> pd.DataFrame:
    """Give how many things exactly these runs saw: runs (joined by ' + '), a bool a run, count.

    Every combination has a row, also an empty one; the most runs first, then as `runs` has them.
    """
    seen = seen_by(runs, what)
    names = list(runs)
    rows = []
    for number in range(len(names), 0, -1):
        for chosen in combinations(names, number):
            wanted = pd.Series({name: name in chosen for name in names})
            count = int((seen[names] == wanted).all(axis=1).sum())
            rows.append({"runs": " + ".join(chosen), **wanted.to_dict(), "count": count})
    return pd.DataFrame(rows, columns=["runs", *names, "count"])


def _sizes(run: Run, place: Mapping[str, int], what: What) -> list[tuple[tuple[int, ...], float]]:
    """Give the key and the size of each of a run's rows.

    A relationship with itself is none, nor is one of an imported run that leads to no entity.
    """
    if what == "entities":
        entities = run.entities
        counts = zip(entities["id"], entities["chunk_count"], strict=True)
        return [((place[id_],), float(count)) for id_, count in counts]
    table = run.relationships
    ends = zip(table["source_id"], table["target_id"], table["weight"], strict=True)
    whole = ((place[a], place[b], weight) for a, b, weight in ends if a in place and b in place)
    return [(tuple(sorted((a, b))), float(weight)) for a, b, weight in whole if a != b]


def _jaccard(one: pd.Series, other: pd.Series) -> float:
    either = int((one | other).sum())
    return int((one & other).sum()) / either if either else 0.0
