"""Small graphs with communities for the tests of reports, and strategies for more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from workbench import schema
from workbench.frames import table_frame
from workbench.graph import cluster, with_degrees
from workbench.params import ClusterParams

World = tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, pd.DataFrame, pd.DataFrame]
REPORT_7, REPORT_8 = "two four six eight", "one two three four five six seven"


def words(text: str) -> int:
    """The word tokenizer of the worked examples."""
    return len(text.split())


def entities(degrees: Mapping[str, int], describe: str = "{}") -> pd.DataFrame:
    """Entities in order; the id is the name, short ids count from 0."""
    return table_frame(
        schema.ENTITIES,
        [
            {"id": name, "short_id": n, "name": name, "type": "concept", "degree": degree,
             "description": describe.format(name), "mention_count": degree}
            for n, (name, degree) in enumerate(degrees.items())
        ],
    )  # fmt: skip


def relationships(rows: Sequence[tuple[str, str, int]]) -> pd.DataFrame:
    """Rows of source, target and combined degree; short ids are their places."""
    return table_frame(
        schema.RELATIONSHIPS,
        [
            {"id": f"r{n}", "short_id": n, "source_id": source, "target_id": target, "weight": 1.0,
             "type": "related", "description": f"{source}-{target}", "combined_degree": combined}
            for n, (source, target, combined) in enumerate(rows)
        ],
    )  # fmt: skip


def claims(subjects: Sequence[str]) -> pd.DataFrame:
    return table_frame(
        schema.CLAIMS,
        [
            {"id": f"c{n}", "short_id": n, "subject_id": subject, "type": "ACT", "status": "TRUE",
             "description": f"claim {n}"}
            for n, subject in enumerate(subjects)
        ],
    )  # fmt: skip


def communities(
    rows: Mapping[int, tuple[int, int | None, str]],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Communities by short id: level, parent's short id or None, members as one string."""
    table = [
        {"id": f"k{n}", "short_id": n, "level": level, "title": f"Community {n}",
         "parent_id": None if parent is None else f"k{parent}", "size": len(members)}
        for n, (level, parent, members) in rows.items()
    ]  # fmt: skip
    belongs = [
        {"community_id": f"k{n}", "entity_id": name}
        for n, (_, _, members) in rows.items()
        for name in members
    ]
    return table_frame(schema.COMMUNITIES, table), table_frame(schema.COMMUNITY_MEMBERS, belongs)


def spec_62(swap: bool = False) -> World:
    """The worked example of section 6.2; `swap` exchanges r0 and r3 in the table."""
    rows = [("A", "B", 5), ("A", "C", 5), ("B", "C", 4), ("A", "D", 5), ("D", "E", 3)]
    if swap:
        rows[0], rows[3] = rows[3], rows[0]
    return (
        entities({"A": 3, "B": 2, "C": 2, "D": 2, "E": 1}),
        relationships(rows),
        claims([]),
        *communities({0: (0, None, "ABC"), 1: (0, None, "DE")}),
    )


def spec_63() -> World:
    """The worked example of section 6.3: community 0 over 7, 8 and 9.

    Members are described in two words, as the example's counts tell; A's 50 claims make 7 the
    largest and the whole (121 words) longer than every limit of the example.
    """
    return (
        entities(dict.fromkeys("ABCDEF", 1), "about {}"),
        relationships([("A", "B", 5), ("C", "D", 3), ("E", "F", 2)]),
        claims(["A"] * 50),
        *communities({0: (0, None, "ABCDEF"), 7: (1, 0, "AB"), 8: (1, 0, "CD"), 9: (1, 0, "EF")}),
    )


def reports_63() -> pd.DataFrame:
    return table_frame(
        schema.COMMUNITY_REPORTS,
        [
            {"community_id": "k7", "full_content": REPORT_7, "status": "ok"},
            {"community_id": "k8", "full_content": REPORT_8, "status": "ok"},
            {"community_id": "k9", "full_content": None, "status": "failed"},
        ],
    )


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Random graphs of several levels, with claims; texts hold quotes, line feeds, commas."""
    count = draw(st.integers(2, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    texts = ["plain", 'says "so"', "a, b", "two\nlines", "", "-----Entities-----", "7,8"]
    names = [f"n{i:02}" for i in range(count)]
    table = entities(dict.fromkeys(names, 0))
    table["description"] = [texts[i] for i in rng.integers(len(texts), size=count)]
    ends = rng.integers(0, count, (3 * count, 2))
    links = relationships([(names[a], names[b], 0) for a, b in ends])
    links["description"] = [texts[i] for i in rng.integers(len(texts), size=len(links))]
    table, links = with_degrees(table, links)
    found = cluster(table, links, ClusterParams(max_cluster_size=4))
    told = claims([names[i] for i in rng.integers(count, size=draw(st.integers(0, 9)))])
    return table, links, told, found.communities, found.community_members
