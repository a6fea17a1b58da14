"""An index in a store: Microsoft's ids, vectors of both kinds, faults, runs beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.interop import indexes
from tests.storage.builders import StandIn
from workbench.errors import InputError, StoreError
from workbench.index import index
from workbench.interop.faults import fault_counts
from workbench.interop.graphrag_import import import_graphrag
from workbench.query.entity import entity_card
from workbench.query.search import search
from workbench.reporting import report
from workbench.run import Run
from workbench.storage.compare import compare_stores
from workbench.storage.imported import imported_vectors
from workbench.study.compare import compare


@pytest.fixture
def run(tmp_path: Path, embedder: StandIn) -> Run:
    folder = indexes.write(tmp_path / "index", indexes.tables())
    return import_graphrag(folder, tmp_path / "s.duckdb")


def rules(run: Run) -> dict[str, int]:
    counts = fault_counts(run.rejected)
    return dict(zip(counts["problem"], counts["count"], strict=True))


def test_a_run_with_microsofts_ids(run: Run) -> None:
    assert (run.mode, run.llm, run.params["graphrag"]["version"]) == ("imported", None, "v3")
    assert run.entities["id"].tolist() == ["e0", "e1", "e2", "e3"]
    assert run.store.read("chunks")["id"].tolist() == ["u0", "u1", "u2"]
    assert run.read("community_reports")["community_id"].tolist() == ["c0", "c1", "c2"]
    assert run.store.meta()["corpus_status"] == "complete"
    assert run.store.check().empty
    cut = run.store.chunk_params()
    assert (cut.chunker, cut.size, cut.encoding) == ("tokens", 8, "o200k_base")


def test_what_is_wrong_stands_in_rejected(run: Run) -> None:
    assert rules(run) == {"outside_largest_component": 1, "in_no_community": 1, "empty_claim": 1}
    rejected = run.rejected
    assert set(rejected["stage"]) == {"import"}
    assert rejected["item"].tolist() == ["DEE", "DEE", "claim 1"]
    assert rejected["chunk_id"].fillna("").tolist() == ["", "", "u1"]
    assert json.loads(rejected["raw"][0]) == {"table": "entities", "id": "e3"}


def test_the_stores_own_embedder_embeds_anew(run: Run) -> None:
    own = StandIn()
    texts = {
        "chunks": indexes.UNITS,
        "entities": [f'{title}: {title}\'s story, "told"' for title in indexes.TITLES],
        "community_reports": [f"# Letters {n}\n\nThey write." for n in range(3)],
    }
    for kind, wanted in texts.items():
        np.testing.assert_array_equal(run.vectors(kind).matrix, own.encode(wanted))


def test_our_own_run_stands_beside_it(run: Run) -> None:
    ours = index(None, run.store, mode="heuristic")
    assert ours.store.runs()["name"].tolist() == ["graphrag", "heuristic"]
    assert run.store.check().empty
    compare([run, ours])
    card = entity_card(run, "bob")
    assert sorted(card.neighbours["name"]) == ["ADA", "CY"]
    assert search(run.store, "Oslo", run="graphrag", method="bm25")["short_id"].iloc[0] == 2
    assert len(report(run)) == 3


def test_twice_is_once(run: Run, tmp_path: Path, embedder: StandIn) -> None:
    again = import_graphrag(tmp_path / "index", run.store)
    other = import_graphrag(tmp_path / "index", tmp_path / "t.duckdb")
    assert again.store.runs()["name"].tolist() == ["graphrag"]
    assert compare_stores(again.store, other.store) == []
    second = import_graphrag(tmp_path / "index", run.store, run="theirs")
    assert second.store.runs()["name"].tolist() == ["graphrag", "theirs"]


def test_nothing_that_was_there_is_lost(run: Run, tmp_path: Path, embedder: StandIn) -> None:
    rows = indexes.tables()
    rows["entities"][0]["description"] = "another"
    with pytest.raises(StoreError, match="has another run 'graphrag' already: give --run"):
        import_graphrag(indexes.write(tmp_path / "other", rows), run.store)
    rows["text_units"][0]["text"] = "Ada met"
    folder = indexes.write(tmp_path / "other", rows)
    with pytest.raises(StoreError, match="holds other chunks than this index \\(1 of its 3 text"):
        import_graphrag(folder, run.store, run="other")
    assert run.store.runs()["name"].tolist() == ["graphrag"]
    assert run.store.check().empty


def test_a_folder_that_cannot_be_read_makes_no_store(tmp_path: Path, embedder: StandIn) -> None:
    with pytest.raises(InputError, match="is no GraphRAG index"):
        import_graphrag(tmp_path, tmp_path / "s.duckdb")
    with pytest.raises(InputError, match="cannot be called 'Bad Name'"):
        import_graphrag(tmp_path, tmp_path / "s.duckdb", run="Bad Name")
    assert not (tmp_path / "s.duckdb").exists()


def test_a_store_made_but_not_filled_is_gone_on_with(tmp_path: Path, embedder: StandIn) -> None:
    from tests.storage.builders import empty_store

    empty_store(tmp_path / "s.duckdb")
    made = import_graphrag(indexes.write(tmp_path / "i", indexes.tables()), tmp_path / "s.duckdb")
    assert len(made.store.read("chunks")) == 3
    assert made.store.meta()["corpus_status"] == "complete"


def test_every_fault_is_found(tmp_path: Path, embedder: StandIn) -> None:
    rows = indexes.tables()
    rows["entities"][3]["title"] = "ADA"  # e3 is called as e0
    rows["entities"][2]["text_unit_ids"] = ["u1", "gone"]
    rows["entities"][0]["degree"] = 9
    rows["entities"].append({**rows["entities"][0], "id": "e4", "title": " "})
    links = rows["relationships"]
    links.append({**links[0], "id": "r2", "source": "BOB", "target": "ADA"})
    links.append({**links[0], "id": "r3", "target": "ZED", "weight": None})
    links.append({**links[0], "id": "r4"})
    rows["communities"][0]["entity_ids"] = ["e0", "e1", "e2", "gone"]
    rows["communities"][1]["parent"] = 77
    rows["communities"][2]["size"] = 5
    rows["community_reports"] = [
        {**indexes.report(1), "full_content": ""},
        indexes.report(0),
        {**indexes.report(0), "id": "again"},
        indexes.report(9),
    ]
    rows["covariates"] += [indexes.claim(2, "Nobody", "hid", "gone")]
    rows["text_units"][1]["text"] = "Not in the document."
    rows["text_units"][2]["document_id"] = "gone"
    rows["text_units"].append({**rows["text_units"][0]})
    made = import_graphrag(indexes.write(tmp_path / "i", rows), tmp_path / "s.duckdb")
    found = rules(made)
    assert found == {
        "duplicate_id": 1,
        "points_nowhere": 6,
        "text_not_found": 2,
        "empty_title": 1,
        "no_weight": 1,
        "unclear_numbers": 1,
        "wrong_size": 1,
        "duplicate_report": 1,
        "reversed_pair": 1,
        "dangling_relationship": 1,
        "repeated_pair": 1,
        "duplicate_title": 1,
        "wrong_degree": 4,  # e0, and r0, r2, r4 of combined degree 2 + 2
        "outside_largest_component": 1,
        "in_no_community": 1,
        "missing_report": 2,
        "empty_claim": 1,
        "claim_without_entity": 1,
    }
    assert made.relationships["target_id"].tolist()[3] == "missing:ZED"
    assert made.relationships["weight"].tolist()[3] == 1.0
    said = made.store.check()  # honest: what leads to no entity is said to
    assert said["id"].tolist() == ["missing:ZED", "missing:Nobody"]
    chunks = made.store.read("chunks")
    assert chunks["start_char"].isna().tolist() == [False, True, True]
    ours = index(None, made.store, mode="heuristic")
    assert set(made.store.check()["table"]) == {"graphrag.relationships", "graphrag.claims"}
    assert ours.status == "complete"
    for one in (made, ours):
        assert len(report(one)) == len(one.communities)
    compare([made, ours])


def test_an_index_without_communities(tmp_path: Path, embedder: StandIn) -> None:
    rows = indexes.tables()
    for name in ("communities", "community_reports", "covariates"):
        del rows[name]
    made = import_graphrag(indexes.write(tmp_path / "i", rows), tmp_path / "s.duckdb")
    assert rules(made) == {"missing_table": 2, "outside_largest_component": 1}
    assert made.communities.empty and made.store.check().empty


@pytest.mark.shared
def test_dulce(shared: Callable[[str], Path], tmp_path: Path, embedder: StandIn) -> None:
    made = import_graphrag(shared("dulce"), tmp_path / "s.duckdb")
    assert rules(made) == {
        "points_nowhere": 1,  # the text units that its document names
        "reversed_pair": 5,
        "dangling_relationship": 2,
        "claim_without_entity": 7,
    }
    assert made.store.counts()["runs"]["graphrag"]["communities"] == 10
    assert len(made.read("claims")) == 41
    assert made.read("community_reports")["rank"].agg(["min", "max"]).tolist() == [7.5, 9.0]
    assert made.relationships["weight"].agg(["min", "max"]).tolist() == [1.0, 21.0]
    reports = made.read("community_reports").merge(
        made.communities, left_on="community_id", right_on="id"
    )
    assert set(reports["level"]) == {0, 1} and len(reports) == 10
    assert set(made.store.check()["table"]) == {"graphrag.relationships", "graphrag.claims"}
    kinds = {
        "entity_description": made.entities["id"],
        "community_full_content": made.communities["id"],
        "text_unit_text": made.store.read("chunks")["id"],
    }
    for kind, ids in kinds.items():
        vectors = imported_vectors(made.store, kind)
        assert vectors.ids == sorted(ids)
        assert vectors.matrix.shape == (len(ids), 3072)
        np.testing.assert_allclose(np.linalg.norm(vectors.matrix, axis=1), 1, atol=1e-3)
    with np.load(shared("dulce") / "vectors.entity_description.npz") as file:
        wanted = dict(zip(file["id"].tolist(), file["vector"], strict=True))
    found = imported_vectors(made.store)
    np.testing.assert_array_equal(found.matrix, [wanted[id_] for id_ in found.ids])


@pytest.mark.shared
def test_dulce_of_version_03(
    shared: Callable[[str], Path], tmp_path: Path, embedder: StandIn
) -> None:
    made = import_graphrag(shared("dulce-v0.3"), tmp_path / "s.duckdb")
    assert made.params["graphrag"]["version"] == "v0.3"
    assert rules(made) == {"outside_largest_component": 1, "in_no_community": 1, "empty_claim": 7}
    assert len(made.entities) == 89 and len(made.relationships) == 373
    assert len(made.communities) == 20 and len(made.read("community_reports")) == 20
    assert len(made.read("claims")) == 156
    chunks = made.store.read("chunks")
    assert chunks["start_char"].notna().all() and len(chunks) == 50
    assert chunks.sort_values("chunk_index")["start_char"].is_monotonic_increasing
    parents = made.communities.set_index("id")["parent_id"].dropna()
    assert parents.to_dict() == dict.fromkeys(["7", "8", "9"], "0") | dict.fromkeys(
        ["10", "11", "12", "13", "14"], "2"
    ) | dict.fromkeys(["15", "16", "17", "18", "19"], "3")
    assert imported_vectors(made.store).matrix.shape == (89, 1536)
    assert made.store.check().empty


@pytest.mark.shared
@pytest.mark.slow
def test_the_real_embedder(shared: Callable[[str], Path], tmp_path: Path) -> None:
    made = import_graphrag(shared("dulce"), tmp_path / "s.duckdb")
    assert made.vectors("entities").matrix.shape == (39, 384)
    found = search(made.store, "Which base does the squad descend into?", run="graphrag")
    assert isinstance(found, pd.DataFrame) and len(found) == 5
