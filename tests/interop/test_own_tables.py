"""Runs of the user's own tables and graphs, and what is said of tables that cannot be used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from tests.interop import indexes
from tests.storage.builders import StandIn
from workbench.errors import InputError
from workbench.interop.graphrag_import import import_graphrag
from workbench.interop.own_tables import run_from_frames, run_from_networkx
from workbench.store import Store

PEOPLE = pd.DataFrame(
    {"name": ["Ada", "Bob", "Cy", "Dee"], "type": "person", "description": ["One", "", None, "D"]}
)
LINKS = pd.DataFrame(
    {"source": ["Ada", "Ada", "Bob"], "target": ["Bob", "Bob", "Cy"], "weight": [2, 3, None]}
)


@pytest.fixture
def path(tmp_path: Path, embedder: StandIn) -> Path:
    return tmp_path / "s.duckdb"


def test_two_frames_make_a_run(path: Path) -> None:
    run = run_from_frames(path, "mine", PEOPLE, LINKS)
    assert (run.mode, run.name) == ("imported", "mine")
    assert run.entities["name"].tolist() == ["Ada", "Bob", "Cy", "Dee"]
    assert run.entities["degree"].tolist() == [1, 2, 1, 0]
    assert run.relationships["weight"].tolist() == [5.0, 1.0]  # rows of one pair are summed
    assert run.relationships["type"].tolist() == ["related_to"] * 2
    assert run.relationships["combined_degree"].tolist() == [3, 3]
    assert run.communities[["title", "size"]].to_numpy().tolist() == [["Bob, Ada, Cy", 3]]
    wanted = StandIn().encode(["Ada: One", "Bob", "Cy", "Dee: D"])
    np.testing.assert_array_equal(run.vectors("entities").matrix, wanted)
    assert run.store.check().empty


def test_ids_tell_names_apart_and_chunks_are_mentions(path: Path, tmp_path: Path) -> None:
    store = import_graphrag(indexes.write(tmp_path / "i", indexes.tables()), path).store
    entities = pd.DataFrame(
        {"id": ["a", "b", "c"], "name": ["Rome", "Rome", "Ada"], "type": ["city", "opera", ""]}
        | {"chunk_ids": [["u0"], None, ["u0", "u1"]]}
    )
    links = pd.DataFrame({"source": ["c"], "target": ["b"], "type": "hears", "chunk_ids": [["u0"]]})
    run = run_from_frames(store, "mine", entities, links)
    ids = dict(zip(run.entities["type"], run.entities["id"], strict=True))
    assert run.relationships[["source_id", "target_id", "type"]].to_numpy().tolist() == [
        [ids[""], ids["opera"], "hears"]
    ]
    assert run.entities["chunk_count"].tolist() == [1, 0, 2]
    assert run.read("relationship_mentions")["chunk_id"].tolist() == ["u0"]
    assert store.check().empty
    assert store.runs()["name"].tolist() == ["graphrag", "mine"]
    with pytest.raises(InputError, match="has a run 'graphrag' that was not made of own tables"):
        run_from_frames(store, "graphrag", entities, links)
    again = run_from_frames(store, "mine", entities.iloc[:0:-1], links)
    assert len(again.entities) == 2


def test_networkx_graphs_of_each_kind(path: Path) -> None:
    karate = run_from_networkx(path, "karate", nx.karate_club_graph())
    assert len(karate.entities) == 34 and len(karate.relationships) == 78
    assert (karate.communities["level"] == 0).sum() == 3
    graph = nx.MultiDiGraph()
    graph.add_node(1, label="Ada", type="person", description="One")
    graph.add_node(2, name="Bob")
    graph.add_edge(1, 2, label="knows", weight=2)
    graph.add_edge(1, 2, type="pays")
    graph.add_edge(2, 1, label="knows")
    run = run_from_networkx(path, "mine", graph)
    assert run.entities[["name", "type", "description"]].to_numpy().tolist() == [
        ["Ada", "person", "One"],
        ["Bob", "", ""],
    ]
    assert run.relationships[["type", "weight"]].to_numpy().tolist() == [
        ["knows", 2.0],
        ["pays", 1.0],
        ["knows", 1.0],
    ]
    lonely = run_from_networkx(path, "lonely", nx.empty_graph(3))
    assert lonely.communities.empty and len(lonely.entities) == 3
    assert Store(path).check().empty


BAD: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "no name": ({"title": ["A"]}, {}, "The table entities has no column name, but title: rename"),
    "empty name": (
        {"name": ["A", " "]},
        {},
        "The table entities has no name in row 1: give it one",
    ),
    "no rows": ({"name": []}, {}, "The table entities has no rows"),
    "twice": ({"name": ["A", "A"]}, {}, "has the name 'A' in more than one row: merge"),
    "equal but for case": ({"name": ["A", "a"]}, {}, "has 'a' of type '' twice .quotes, case"),
    "id twice": ({"name": ["A", "B"], "id": ["x", "x"]}, {}, "has the id 'x' in more than one"),
    "id missing": (
        {"name": ["A", "B"], "id": ["x", None]},
        {},
        "has no id for 'B': give each row one, or none",
    ),
    "unknown end": (
        {"name": ["A"]},
        {"source": ["A"], "target": ["B"]},
        "has the target 'B' in row 0, but no entity is called so: add it",
    ),
    "no end": ({"name": ["A"]}, {"source": ["A"]}, "relationships has no column target, but sour"),
    "empty end": (
        {"name": ["A"]},
        {"source": ["A"], "target": [None]},
        "relationships has no target in row 0",
    ),
    "weight": (
        {"name": ["A", "B"]},
        {"source": ["A"], "target": ["B"], "weight": ["much"]},
        "has the weight 'much' in row 0: give a number from 0",
    ),
    "negative": (
        {"name": ["A", "B"]},
        {"source": ["A"], "target": ["B"], "weight": [-1.0]},
        "has the weight -1.0 in row 0",
    ),
    "chunks": (
        {"name": ["A"], "chunk_ids": [["gone"]]},
        {},
        "chunk_ids names 'gone', but the store has no such chunk",
    ),
    "chunks as text": ({"name": ["A"], "chunk_ids": ["u0"]}, {}, "chunk_ids is 'u0': give a list"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_tables_are_refused_in_a_sentence(case: str, path: Path) -> None:
    entities, links, message = BAD[case]
    links = links or {"source": [], "target": []}
    with pytest.raises(InputError, match=message) as caught:
        run_from_frames(path, "mine", pd.DataFrame(entities), pd.DataFrame(links))
    assert "\n" not in str(caught.value)
    assert not path.exists()


def test_names_of_runs_are_checked(path: Path) -> None:
    with pytest.raises(InputError, match="cannot be called 'Mine'"):
        run_from_frames(path, "Mine", PEOPLE, LINKS)
