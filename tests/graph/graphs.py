"""Small graphs for the tests of this room, as frames of the schema, and strategies for more."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from workbench import schema
from workbench.frames import table_frame

TRIANGLES = [(*pair, 1.0) for pair in ("AB", "AC", "BC", "CD", "DE", "DF", "EF")]
K12 = [(a, b, 1.0) for a, b in itertools.combinations("ABCDEFGHIJKL", 2)]
Row = tuple[str, str, float]


def entities_of(names: Iterable[str]) -> pd.DataFrame:
    """Entities whose id is `id-NAME`, so that ids and names can be told apart."""
    return table_frame(
        schema.ENTITIES,
        pd.DataFrame([{"id": f"id-{name}", "name": name, "type": "concept"} for name in names]),
    )


def relationships_of(rows: Sequence[Row]) -> pd.DataFrame:
    return table_frame(
        schema.RELATIONSHIPS,
        pd.DataFrame(
            [
                {
                    "id": f"r{number}",
                    "short_id": number,
                    "source_id": f"id-{source}",
                    "target_id": f"id-{target}",
                    "weight": weight,
                }
                for number, (source, target, weight) in enumerate(rows)
            ]
        ),
    )


def graph_of(rows: Sequence[Row], isolated: str = "") -> tuple[pd.DataFrame, pd.DataFrame]:
    """Entities (the ends of the rows, and isolated ones) and relationships."""
    names = {end for row in rows for end in row[:2]} | set(isolated)
    return entities_of(sorted(names)), relationships_of(rows)


def cliques(count: int, size: int) -> list[Row]:
    """A ring of complete graphs of `size` nodes, each joined to the next by one edge."""
    names = [[f"c{c:02}n{n:02}" for n in range(size)] for c in range(count)]
    inside = [(a, b, 1.0) for clique in names for a, b in itertools.combinations(clique, 2)]
    return inside + [(names[c][0], names[(c + 1) % count][1], 1.0) for c in range(count)]


@st.composite
def graphs(draw: st.DrawFn, most: int = 40) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Random graphs with isolated nodes, self loops, parallel and reversed relationships."""
    count = draw(st.integers(1, most))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    ends = generator.integers(0, count, (draw(st.integers(0, 3 * count)), 2))
    weights = generator.integers(1, 9, len(ends)).astype(float)
    rows = [(f"n{a:02}", f"n{b:02}", w) for (a, b), w in zip(ends, weights, strict=True)]
    return entities_of([f"n{number:02}" for number in range(count)]), relationships_of(rows)
