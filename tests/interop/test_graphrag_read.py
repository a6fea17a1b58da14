"""The reader and, on what it reads, the golden communities: facts of spec sections 4 and 15."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from workbench import schema
from workbench.errors import InputError
from workbench.graph import cluster, undirected_edges, with_degrees
from workbench.interop.graphrag_read import read_graphrag
from workbench.params import ClusterParams


@pytest.fixture(scope="module")
def dulce(shared: Callable[[str], Path]) -> dict[str, pd.DataFrame]:
    return read_graphrag(shared("dulce"))


@pytest.mark.shared
def test_rows_and_columns(dulce: dict[str, pd.DataFrame]) -> None:
    assert {name: len(frame) for name, frame in dulce.items()} == {
        "documents": 1,
        "chunks": 5,
        "entities": 39,
        "entity_mentions": 59,
        "relationships": 107,
        "relationship_mentions": 119,
        "communities": 10,
        "community_members": 49,
        "community_reports": 10,
        "claims": 41,
    }
    for name, frame in dulce.items():
        assert frame.columns.tolist() == schema.BY_NAME[name].plain_names


@pytest.mark.shared
def test_ids_and_texts_hold_together(dulce: dict[str, pd.DataFrame]) -> None:
    text = dulce["documents"]["text"][0]
    chunks = dulce["chunks"]
    for row in chunks.itertuples():
        assert text[row.start_char : row.end_char] == row.text
    assert chunks["token_count"].tolist() == [1200, 1200, 1200, 1200, 382]
    assert dulce["entity_mentions"]["chunk_id"].isin(chunks["id"]).all()
    assert dulce["entity_mentions"]["entity_id"].isin(dulce["entities"]["id"]).all()
    assert (
        dulce["relationship_mentions"]["relationship_id"].isin(dulce["relationships"]["id"]).all()
    )
    assert dulce["community_reports"]["community_id"].isin(dulce["communities"]["id"]).all()
    parents = dulce["communities"].set_index("id")["parent_id"].dropna()
    assert parents.isin(dulce["communities"]["id"]).sum() == 3
    assert dulce["entities"]["type"].value_counts().to_dict() == {
        "GEO": 13,
        "EVENT": 11,
        "ORGANIZATION": 8,
        "PERSON": 7,
    }


@pytest.mark.shared
def test_phantoms_claims_and_findings(dulce: dict[str, pd.DataFrame]) -> None:
    ends = dulce["relationships"][["source_id", "target_id"]].to_numpy().ravel()
    phantoms = sorted(end for end in ends if end.startswith("missing:"))
    assert phantoms == ["missing:CONCRETE HALLWAY", "missing:ELEVATOR"]
    claims = dulce["claims"]
    assert claims["object_id"].notna().sum() == 6
    assert claims["start_date"].isna().all()
    findings = json.loads(dulce["community_reports"]["findings"][0])
    assert sorted(findings[0]) == ["explanation", "summary"]


@pytest.mark.shared
def test_degrees_are_microsofts(dulce: dict[str, pd.DataFrame]) -> None:
    entities, relationships = with_degrees(
        dulce["entities"], dulce["relationships"], variant="as_shipped"
    )
    assert entities["degree"].tolist() == dulce["entities"]["degree"].tolist()
    stored = dulce["relationships"]["combined_degree"].tolist()
    assert relationships["combined_degree"].tolist() == stored


@pytest.mark.shared
def test_edges(dulce: dict[str, pd.DataFrame]) -> None:
    relationships = dulce["relationships"]
    shipped = undirected_edges(relationships, "as_shipped")
    assert len(shipped) == 102  # 107 less 5 reversed pairs
    assert len(set(shipped["source_id"]) | set(shipped["target_id"])) == 41
    documented = undirected_edges(relationships)
    assert documented["weight"].sum() == relationships["weight"].sum() > shipped["weight"].sum()


@pytest.mark.shared
def test_graspologic_gives_the_stored_communities(dulce: dict[str, pd.DataFrame]) -> None:
    params = ClusterParams(engine="graspologic", seed=0xDEADBEEF, variant="as_shipped")
    found = cluster(dulce["entities"], dulce["relationships"], params)
    ours, theirs = found.communities, dulce["communities"]
    for column in ("short_id", "level", "size"):
        assert ours[column].tolist() == theirs[column].tolist()
    for frame, members in (
        (ours, found.community_members),
        (theirs, dulce["community_members"]),
    ):
        number = frame.set_index("id")["short_id"]
        frame["parent"] = frame["parent_id"].map(number)
        members["community"] = members["community_id"].map(number)
    assert ours["parent"].equals(theirs["parent"])
    columns = ["community", "entity_id"]  # in Microsoft's order, too
    assert found.community_members[columns].equals(dulce["community_members"][columns])


@pytest.mark.shared
def test_files_that_may_be_absent(shared: Callable[[str], Path], tmp_path: Path) -> None:
    for name in ("documents", "text_units", "entities", "relationships"):
        (tmp_path / f"{name}.parquet").symlink_to(shared("dulce") / f"{name}.parquet")
    frames = read_graphrag(tmp_path)
    for name in ("communities", "community_members", "community_reports", "claims"):
        assert frames[name].empty
        assert frames[name].columns.tolist() == schema.BY_NAME[name].plain_names


def test_missing_files_are_named(tmp_path: Path) -> None:
    pd.DataFrame({"id": []}).to_parquet(tmp_path / "documents.parquet")
    with pytest.raises(InputError, match="text_units.parquet, entities.parquet, relationships"):
        read_graphrag(tmp_path)


def test_missing_columns_are_named(tmp_path: Path) -> None:
    entities = pd.DataFrame({"id": ["e"], "title": ["E"], "human_readable_id": [0]})
    for name in ("documents", "text_units", "entities", "relationships"):
        entities.to_parquet(tmp_path / f"{name}.parquet")
    with pytest.raises(InputError, match="documents.parquet has no column text"):
        read_graphrag(tmp_path)
