"""Views that answer a question: around an entity, communities, two runs on one layout."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.study.test_compare import ONE, TWO
from workbench.errors import InputError
from workbench.show.graph_views import community_map, compare_view, ego_view


class Named:
    """A small run with the columns that views look at."""

    def __init__(self, run, name: str) -> None:
        self._run, self.name = run, name

    def __getattr__(self, name: str):
        return getattr(self._run, name)

    @property
    def entities(self) -> pd.DataFrame:
        frame = self._run.entities
        return frame.assign(normalized_name=frame["name"].str.lower())

    @property
    def communities(self) -> pd.DataFrame:
        return self._run.communities.assign(size=1, parent_id=None)


FIRST, SECOND = Named(ONE, "one"), Named(TWO, "two")


def test_around_an_entity_by_its_alias() -> None:
    drawing = ego_view(FIRST, "Ann").drawing  # Ann Lee - Bob - Cat, and Dan alone
    assert set(drawing.nodes["name"]) == {"Ann Lee", "Bob"}
    assert set(ego_view(FIRST, "Ann", hops=2).drawing.nodes["name"]) == {"Ann Lee", "Bob", "Cat"}
    with pytest.raises(InputError, match="No entity is called 'Zoe'"):
        ego_view(FIRST, "Zoe")


def test_communities_as_points() -> None:
    drawing = community_map(FIRST).drawing  # x: Ann Lee, Bob; y: Cat, Dan; Bob - Cat joins them
    assert dict(zip(drawing.nodes["name"], drawing.nodes["degree"], strict=True)) == {
        "about x": 2,
        "about y": 2,
    }
    assert drawing.edges[["source_id", "target_id", "weight"]].values.tolist() == [["x", "y", 1.0]]
    assert drawing.choice == "All 2 communities, and 1 line between them."


def test_two_runs_on_one_layout() -> None:
    drawing = compare_view(FIRST, SECOND).drawing
    groups = dict(zip(drawing.nodes["name"], drawing.nodes["group"], strict=True))
    assert groups == {
        "Ann Lee": "in both",
        "Bob": "in both",
        "Cat": "in both",
        "Dan": "only in the first",
        "Eve": "only in the second",
    }
    name = drawing.nodes.set_index("id")["name"]
    roles = {
        frozenset((name[row.source_id], name[row.target_id])): row.role
        for row in drawing.edges.itertuples()
    }
    # ONE: Ann Lee - Bob - Cat; TWO: BOB - Ann - Cat
    assert roles == {
        frozenset(("Ann Lee", "Bob")): "in both",
        frozenset(("Bob", "Cat")): "only in the first",
        frozenset(("Ann Lee", "Cat")): "only in the second",
    }
    assert drawing.colours["in both"] != drawing.colours["only in the first"]
