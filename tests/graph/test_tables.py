from __future__ import annotations

import pandas as pd

from workbench import schema
from workbench.frames import table_frame
from workbench.graph.tables import (
    by_relationship_type,
    children,
    relationship_table,
    with_community,
)

ENTITIES = table_frame(
    schema.ENTITIES, [{"id": f"e{number}", "name": name} for number, name in enumerate("abc")]
)
RELATIONSHIPS = table_frame(
    schema.RELATIONSHIPS,
    [
        {"id": "r1", "source_id": "e1", "target_id": "e2", "type": "near", "weight": 1.0},
        {"id": "r2", "source_id": "e0", "target_id": "e2", "type": "near", "weight": 3.0},
        {"id": "r3", "source_id": "e0", "target_id": "e1", "type": "links_to", "weight": 1.0},
    ],
)
COMMUNITIES = table_frame(
    schema.COMMUNITIES,
    [
        {"id": "k0", "short_id": 0, "level": 0, "title": "all", "size": 5},
        {"id": "k1", "short_id": 1, "level": 1, "parent_id": "k0", "title": "x", "size": 2},
        {"id": "k2", "short_id": 2, "level": 1, "parent_id": "k0", "title": "y", "size": 3},
    ],
)
MEMBERS = table_frame(
    schema.COMMUNITY_MEMBERS,
    [{"community_id": "k1", "entity_id": "e0"}, {"community_id": "k2", "entity_id": "e1"}],
)


def test_relationships_are_named_the_heaviest_first() -> None:
    table = relationship_table(ENTITIES, RELATIONSHIPS)
    assert list(zip(table["source"], table["target"], table["weight"], strict=True)) == [
        ("a", "c", 3.0),
        ("a", "b", 1.0),
        ("b", "c", 1.0),
    ]


def test_types_are_counted() -> None:
    table = by_relationship_type(RELATIONSHIPS)
    assert table.loc[0].to_list() == ["near", 2, 4.0, 2.0, 3.0]


def test_children_add_up_to_their_parent() -> None:
    table = children(COMMUNITIES)
    assert table.loc[0].to_list() == [0, 0, "all", 5, 2, "3 + 2"]
    assert len(table) == 1


def test_entities_get_their_community_on_a_level() -> None:
    found = with_community(ENTITIES, COMMUNITIES, MEMBERS, 1)["community"]
    assert found.to_list()[:2] == ["1 x", "2 y"] and pd.isna(found[2])
