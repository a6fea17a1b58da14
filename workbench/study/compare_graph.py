"""Runs in, how their graphs agree out: matches, ranks side by side, communities.

Runs go by a label here (`hybrid`, or `FILE:hybrid`), since they may come from several files, cut in
different ways. An entity of one run is that of another when they share a normalised spelling.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pandas as pd

from workbench.graph.partition import partition_at
from workbench.graph.shape import components
from workbench.study.matching import match, spellings
from workbench.study.overlap import Runs, things

if TYPE_CHECKING:
    from workbench.run import Run

_TOP = 3  # communities of the other run that a community is said to have gone into


def graph_statistics(runs: Runs) -> pd.DataFrame:
    """Give one row a run: what its graph is like, whatever it was made for.

    Columns: run, mode, llm, documents, chunks, entities, relationships, isolated (share of the
    entities without an edge), largest (share in the largest component), mean_degree, communities
    (level 0), rejected.
    """
    rows = []
    for label, run in runs.items():
        entities, edges, chunks = run.entities, run.relationships, run.read("chunks")
        count = max(len(entities), 1)
        parts = components(entities, edges)["entities"]
        rows.append(
            {
                "run": label,
                "mode": run.mode,
                "llm": run.llm or "none",
                "documents": chunks["document_id"].nunique(),
                "chunks": len(chunks),
                "entities": len(entities),
                "relationships": len(edges),
                "isolated": float((entities["degree"].fillna(0) == 0).sum() / count),
                "largest": float(parts.max() / count) if len(parts) else 0.0,
                "mean_degree": float(entities["degree"].fillna(0).mean()) if len(entities) else 0.0,
                "communities": int((run.communities["level"] == 0).sum()),
                "rejected": len(run.rejected),
            }
        )
    return pd.DataFrame(rows)


def matched_entities(runs: Runs) -> pd.DataFrame:
    """Give one row a pair of the same entity in two runs: first, second (runs), name, other, rule.

    The rule is `name` (both have the same normalised name) or the spelling that they share.
    """
    said = {label: _said(run) for label, run in runs.items()}
    rows = []
    for one, two in combinations(runs, 2):
        (names, left), (others, right) = said[one], said[two]
        for i, j in match(left, right):
            shared = sorted(set(left[i]) & set(right[j]))
            rule = "name" if left[i][0] == right[j][0] else f"alias {shared[0]}"
            rows.append((one, two, names[i], others[j], rule))
    frame = pd.DataFrame(rows, columns=["first", "second", "name", "other", "rule"])
    return frame.sort_values(["first", "second", "name"], kind="stable", ignore_index=True)


def entities_beside(runs: Runs) -> pd.DataFrame:
    """Give one row an entity that any run found: name, type, seen (runs), and by run its mentions
    (occurrences in the documents) and its degree; empty where the run has it not.

    Mentions compare also between runs over chunks of other sizes, counts of chunks do not.
    """
    rows, places = things(runs)
    for label, run in runs.items():
        entities = run.entities
        of_row = entities["id"].map(places[label])
        for column, source in (("mentions", "mention_count"), ("degree", "degree")):
            values = entities[source].fillna(0).groupby(of_row).sum()
            rows[f"{column} {label}"] = values.reindex(range(len(rows))).astype("Int64")
    counts = rows[[f"mentions {label}" for label in runs]]
    rows.insert(2, "seen", counts.notna().sum(axis=1))
    order = counts.max(axis=1).fillna(0).astype("int64")
    found = rows.assign(_most=order).sort_values(
        ["seen", "_most", "name"], ascending=[False, False, True]
    )
    return found.drop(columns="_most").reset_index(drop=True)


def rank_correlation(beside: pd.DataFrame, runs: Runs) -> pd.DataFrame:
    """Give Spearman's rho of mentions and of degree, over what both runs found.

    `beside` is what `entities_beside` gives for them. Columns: first, second, shared, mentions,
    degree; NaN for fewer than three shared ones, or where one run has the same value for all.
    """
    rows = []
    for one, two in combinations(runs, 2):
        both = beside.dropna(subset=[f"mentions {one}", f"mentions {two}"])
        rho = [_spearman(both[f"{what} {one}"], both[f"{what} {two}"]) for what in _RANKED]
        rows.append((one, two, len(both), *rho))
    return pd.DataFrame(rows, columns=["first", "second", "shared", *_RANKED])


_RANKED = ("mentions", "degree")


def community_agreement(runs: Runs, level: int = 0) -> pd.DataFrame:
    """Give how two runs' communities of a level agree on the entities that both have in one.

    Columns: first, second, shared, adjusted_rand (1 the same, 0 as chance would have it),
    mutual_information (normalised by the mean of both entropies, 0 to 1).
    """
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    labels = _community_of(runs, level)
    rows = []
    for one, two in combinations(runs, 2):
        both = labels[[one, two]].dropna()
        scores = [float("nan")] * 2
        if len(both):
            scores = [
                float(score(both[one], both[two]))
                for score in (adjusted_rand_score, normalized_mutual_info_score)
            ]
        rows.append((one, two, len(both), *scores))
    columns = ["first", "second", "shared", "adjusted_rand", "mutual_information"]
    return pd.DataFrame(rows, columns=columns)


def community_changes(runs: Runs, level: int = 0) -> pd.DataFrame:
    """Give where each community of a run went in another: kept, split, merged or both.

    Columns: first, second, community (title), size, shared (members that the other run has in a
    community), change, into (the largest parts with their members). A community is split when its
    shared members are in several of the other's, merged when the one that holds most of them holds
    as many or more from elsewhere. Largest first.
    """
    labels = _community_of(runs, level)
    titles = {label: run.communities.set_index("id")["title"] for label, run in runs.items()}
    rows = []
    for one, two in ((a, b) for a in runs for b in runs if a != b):
        both = labels[[one, two]].dropna()
        for community, group in both.groupby(one, sort=True):
            parts = group[two].value_counts()
            parts = parts.sort_index().sort_values(ascending=False, kind="stable")
            foreign = int((both[two] == parts.index[0]).sum()) - int(parts.iloc[0])
            split, merged = len(parts) > 1, foreign >= int(parts.iloc[0])
            change = {(0, 0): "kept", (1, 0): "split", (0, 1): "merged", (1, 1): "split and merged"}
            into = "; ".join(f"{titles[two][key]} ({n})" for key, n in parts.head(_TOP).items())
            size = int((labels[one] == community).sum())
            rows.append(
                (one, two, titles[one][community], size, len(group), change[split, merged], into)
            )
    columns = ["first", "second", "community", "size", "shared", "change", "into"]
    frame = pd.DataFrame(rows, columns=columns)
    order = ["first", "second", "size", "community"]
    return frame.sort_values(order, ascending=[True, True, False, True], ignore_index=True)


def _said(run: Run) -> tuple[list[str], list[list[str]]]:
    entities = run.entities
    return entities["name"].tolist(), spellings(entities, run.entity_aliases)


def _community_of(runs: Runs, level: int) -> pd.DataFrame:
    """Give each thing's community id by run; of an entity that a run split, that of its first."""
    rows, places = things(runs)
    columns = {}
    for label, run in runs.items():
        partition = partition_at(run.communities, run.community_members, level)
        of_row = partition.groupby(partition.index.map(places[label])).first()
        columns[label] = of_row.reindex(range(len(rows)))
    return pd.DataFrame(columns)


def _spearman(one: pd.Series, two: pd.Series) -> float:
    from scipy.stats import spearmanr

    if len(one) < 3 or one.nunique() == 1 or two.nunique() == 1:
        return float("nan")
    return float(spearmanr(one.astype(float), two.astype(float)).statistic)
