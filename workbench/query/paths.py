"""Entities of a run in, the shortest connection paths between them out, each hop with evidence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.errors import InputError
from workbench.query.entity import find_entity
from workbench.query.run_index import RunIndex, run_index

if TYPE_CHECKING:
    from workbench.store import Run

MOST_HOPS = 3
COLUMNS = ["pair", "path", "hop", "source", "target", "type", "reversed", "weight", "npmi"]
COLUMNS += ["strength", "path_score", "evidence", "chunk", "document"]
COLUMNS += ["source_id", "target_id", "relationship_id", "relationship", "chunk_id"]

# An edge is an undirected pair, as strong as its strongest relationship. Only what touches the ends
# is looked at, from both sides; the longest paths are two such edges and one between them.
_PATHS = """
WITH pairs AS (SELECT unnest($pair) AS pair, unnest($source) AS s, unnest($target) AS t),
ends AS (SELECT s AS id FROM pairs UNION SELECT t FROM pairs),
way AS NOT MATERIALIZED (
    SELECT source_id AS a, target_id AS b, id, short_id, false AS reversed,
        round((1 + coalesce(npmi, 0.5)) / 2 * coalesce(weight, 1) / (1 + coalesce(weight, 1)), 9)
        AS strength
    FROM "{run}".relationships WHERE source_id <> target_id
    UNION ALL
    SELECT target_id, source_id, id, short_id, true,
        round((1 + coalesce(npmi, 0.5)) / 2 * coalesce(weight, 1) / (1 + coalesce(weight, 1)), 9)
    FROM "{run}".relationships WHERE source_id <> target_id
),
near AS MATERIALIZED (  -- the neighbours of the ends, and what one is worth inside a path
    SELECT a, b, max(strength) AS strength, 1 / ln(1 + greatest(any_value(e.degree), 2)) AS worth
    FROM way JOIN "{run}".entities e ON e.id = b WHERE a IN (FROM ends) GROUP BY a, b
),
between_them AS MATERIALIZED (
    SELECT a, b, max(strength) AS strength FROM way
    WHERE $hops > 2 AND a IN (SELECT b FROM near) AND b IN (SELECT b FROM near) GROUP BY a, b
),
found AS (
    SELECT pair, [s, t] AS nodes, strength AS score
    FROM pairs JOIN near ON a = s AND b = t
    UNION ALL
    SELECT pair, [s, f.b, t], f.strength * l.strength * f.worth
    FROM pairs JOIN near f ON f.a = s JOIN near l ON l.a = t AND l.b = f.b WHERE $hops > 1
    UNION ALL
    SELECT pair, [s, f.b, l.b, t], f.strength * m.strength * l.strength * f.worth * l.worth
    FROM pairs JOIN near f ON f.a = s JOIN between_them m ON m.a = f.b
        JOIN near l ON l.a = t AND l.b = m.b
    WHERE f.b <> t AND l.b <> s
),
best AS (  -- names are looked up for few: all that could be among the first k
    SELECT pair, nodes, round(score, 9) AS score FROM found
    QUALIFY rank() OVER (PARTITION BY pair ORDER BY len(nodes), round(score, 9) DESC) <= $k
),
named AS (
    SELECT pair, nodes, score, list(e.name ORDER BY place) AS names FROM (
        SELECT *, unnest(nodes) AS node, generate_subscripts(nodes, 1) AS place FROM best
    ) JOIN "{run}".entities e ON e.id = node GROUP BY pair, nodes, score
),
kept AS (
    SELECT * FROM named QUALIFY row_number() OVER (
        PARTITION BY pair ORDER BY len(nodes), score DESC, names, nodes) <= $k
),
hops AS (
    SELECT pair, score, nodes, unnest(range(1, len(nodes))) AS hop,
        dense_rank() OVER (ORDER BY len(nodes), score DESC, names, nodes, pair) AS path
    FROM kept
)
SELECT pair, path, hop, way.a AS source_id, way.b AS target_id, id AS relationship_id, reversed,
    way.strength, score AS path_score
FROM hops JOIN way ON way.a = nodes[hop] AND way.b = nodes[hop + 1]
QUALIFY row_number() OVER (PARTITION BY path, hop ORDER BY way.strength DESC, short_id, id) = 1
ORDER BY path, hop
"""


def connection_paths(
    run: Run, sources: str | Sequence[str], targets: str | Sequence[str],
    max_hops: int = MOST_HOPS, k: int = 5,
) -> pd.DataFrame:  # fmt: skip
    """Give the k best paths of at most `max_hops` (1 to 3) hops between each source and target.

    `sources` and `targets` are names or aliases of entities. One row a hop: pair, path and hop
    (from 1), source and target as the path goes, type, reversed (the relationship runs the other
    way), weight, npmi, strength, path_score, evidence (a
    sentence, else the description), chunk (short id), document, and
    ids. Paths go by fewest hops, then by score, then by names. A hop is the strongest relationship
    of its ends: (1 + npmi) / 2 x weight / (1 + weight), where a missing npmi counts 0.5, so that a
    stated relationship is worth more than a common co-occurrence. A path's score is the product of
    its hops' strengths and of 1 / ln(1 + degree) of the entities inside it: what leads through a
    hub says little. `attrs["note"]` says so when nothing connects them. Raises InputError with the
    nearest names for an unknown one.
    """
    if not 1 <= max_hops <= MOST_HOPS or k < 1:
        raise InputError(
            f"max_hops is {max_hops} and k {k}: use 1 to {MOST_HOPS} hops, and a k of 1 or more."
        )
    with run.store.session():
        index = run_index(run.store, run.name)
        ends = [
            [(name, find_entity(index.entities, index.aliases, name)) for name in _listed(names)]
            for names in (sources, targets)
        ]
        pairs = [(f"{one} and {other}", a, b) for (one, a), (other, b) in product(*ends)]
        return paths_between(index, pairs, max_hops, k)


def paths_between(
    index: RunIndex,
    pairs: Sequence[tuple[str, str, str]],
    max_hops: int = MOST_HOPS,
    k: int = 5,
) -> pd.DataFrame:
    """Give the paths of `connection_paths` for (name of the pair, source id, target id).

    Pairs of one name share its k: so the paths between all entities of two spellings are found.
    """
    pairs = [pair for pair in dict.fromkeys(pairs) if pair[1] != pair[2]]
    names, starts, ends = (list(part) for part in zip(*pairs, strict=True)) if pairs else ([],) * 3
    bound = {"pair": names, "source": starts, "target": ends, "hops": max_hops, "k": k}
    query = _PATHS.format(run=index.run.name)
    hops = index.run.store.sql(query, bound) if pairs else pd.DataFrame(columns=COLUMNS)
    frame = _described(index, hops)
    lost = [name for name in dict.fromkeys(names) if name not in set(frame["pair"])]
    notes = [f"No path of at most {max_hops} hops connects {name}." for name in lost]
    if not pairs:
        notes = ["There are no two entities to connect."]
    frame.attrs["note"] = " ".join(notes)
    return frame


def _described(index: RunIndex, hops: pd.DataFrame) -> pd.DataFrame:
    """Add what the run knows of each hop: names, type, weight, evidence and where it stands."""
    rows = index.derived("relationship_rows", _relationship_rows)
    links = index.relationships.iloc[[rows[id_] for id_ in hops["relationship_id"]]]
    told = [links[name].fillna("").astype(str) for name in ("evidence", "description")]
    evidence = told[0].where(told[0] != "", told[1])
    shown = [_chunk(index, *pair) for pair in zip(links.index, evidence, strict=True)]
    names, known, chunks = index.entities["name"], index.entity_row_of, index.chunks.chunks
    frame = hops.assign(relationship=links["short_id"].to_numpy(), evidence=evidence.to_numpy())
    for column in ("type", "weight", "npmi"):
        frame[column] = links[column].to_numpy()
    for end in ("source", "target"):
        frame[end] = np.array([names.iat[known[id_]] for id_ in hops[f"{end}_id"]], object)
    for name, column in (("chunk", "short_id"), ("chunk_id", "id"), ("document", "document")):
        cells = [None if row is None else chunks[column].iat[row] for row in shown]
        frame[name] = np.array(cells, object)
    return frame[COLUMNS].astype({"chunk": "Int64"})


def _chunk(index: RunIndex, relationship: int, evidence: str) -> int | None:
    """Give the first chunk that shows a relationship, rather one that holds its evidence."""
    rows = index.chunks_of_relationship(relationship).tolist()
    return next((row for row in rows if evidence in index.texts[row]), rows[0] if rows else None)


def _relationship_rows(index: RunIndex) -> dict[str, int]:
    return {id_: row for row, id_ in enumerate(index.relationships["id"])}


def _listed(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)
