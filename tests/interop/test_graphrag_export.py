"""A run as v3 tables: columns and types, whole or not at all, and back again unchanged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx as nx
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.interop import indexes
from tests.storage.builders import StandIn
from workbench import __version__
from workbench.errors import InputError
from workbench.ids import normalize_name
from workbench.index import index
from workbench.interop.graphml import graphml
from workbench.interop.graphrag_export import export_graphrag
from workbench.interop.graphrag_import import import_graphrag
from workbench.interop.graphrag_tables import unique_titles, v3_tables
from workbench.interop.own_tables import run_from_frames
from workbench.interop.v3_columns import COLUMNS
from workbench.paths import shipped
from workbench.reporting import report
from workbench.run import Run
from workbench.schema import RUN_TABLES

TABLES = ("entities", "relationships", "entity_mentions", "relationship_mentions", "communities",
          "community_members", "community_reports", "claims")  # fmt: skip
LOST = {  # what v3 has no place for, and a reader of the export does not need
    "entities": ["mention_count", "confidence"],
    "entity_mentions": ["mention_count", "start_char", "end_char", "signals"],
    "relationship_mentions": ["mention_count", "evidence_start", "evidence_end"],
    "community_reports": ["context", "untrimmed_tokens", "context_tokens", "context_action",
                          "context_exceed_limit"],
}  # fmt: skip


@pytest.fixture(scope="module")
def handbook(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Two chapters of the handbook in the heuristic mode, with reports; the embedder is cheap."""
    from workbench import index as indexing
    from workbench import reporting

    with pytest.MonkeyPatch.context() as patch:
        for module in (indexing, reporting):
            patch.setattr(module, "load_embedder", lambda params: StandIn())
        path = tmp_path_factory.mktemp("export") / "s.duckdb"
        run = index(shipped("data/handbook") / "containers", path)
        report(run)
    return run


def assert_same(first: Run, second: Run) -> None:
    """Hold two runs equal in all that an export tells."""
    for table in TABLES:
        left, right = (run.read(table).drop(columns=LOST.get(table, [])) for run in (first, second))
        keys = [name for name in ("id", "community_id", "entity_id", "relationship_id", "chunk_id")
                if name in left]  # fmt: skip
        left, right = (frame.sort_values(keys, ignore_index=True) for frame in (left, right))
        pd.testing.assert_frame_equal(left, right, check_dtype=False, obj=table)
    chunks = [run.read("chunks").drop(columns=["heading_path"]) for run in (first, second)]
    pd.testing.assert_frame_equal(*chunks)


def test_there_and_back(handbook: Run, tmp_path: Path, embedder: StandIn) -> None:
    rows = export_graphrag(handbook, tmp_path / "out")
    assert rows["entities.parquet"] == len(handbook.entities) > 50
    assert rows["community_reports.parquet"] == len(handbook.communities) > 5
    back = import_graphrag(tmp_path / "out", tmp_path / "back.duckdb", run="heuristic")
    assert_same(handbook, back)
    odd = {"outside_largest_component", "in_no_community", "reversed_pair", "repeated_pair"}
    assert set(back.rejected["rule"]) <= odd  # two types of a pair are two relationships
    assert back.store.check().empty
    assert set(back.read("community_reports")["source"]) == {"extractive"}
    beside = import_graphrag(tmp_path / "out", handbook.store, run="again")
    assert_same(handbook, beside)
    handbook.store.delete_run("again")


def test_without_our_own_file_it_is_read_as_any_other(
    handbook: Run, tmp_path: Path, embedder: StandIn
) -> None:
    export_graphrag(handbook, tmp_path / "out")
    told = json.loads((tmp_path / "out/workbench.json").read_text())
    assert (told["workbench"], told["run"]["mode"]) == (__version__, "heuristic")
    (tmp_path / "out/workbench.json").unlink()
    back = import_graphrag(tmp_path / "out", tmp_path / "back.duckdb")
    assert set(back.relationships["type"]) == {"related_to"}
    assert back.communities["title"][0] == "Community 0"
    evidence = handbook.relationships["evidence"].tolist()
    assert back.relationships["description"].tolist() == evidence  # they have no description
    (tmp_path / "out/workbench.json").write_text("{")
    with pytest.raises(InputError, match="workbench.json is damaged .*: remove it"):
        import_graphrag(tmp_path / "out", tmp_path / "other.duckdb")


def test_columns_and_types(handbook: Run, tmp_path: Path) -> None:
    export_graphrag(handbook, tmp_path / "out")
    for name, columns in COLUMNS.items():
        assert pq.read_schema(tmp_path / f"out/{name}.parquet").names == columns.split()
    units = pd.read_parquet(tmp_path / "out/text_units.parquet")
    entities = pd.read_parquet(tmp_path / "out/entities.parquet")
    assert units["human_readable_id"].tolist() == list(range(len(units)))
    assert (entities["frequency"] == entities["text_unit_ids"].map(len)).all()
    communities = pd.read_parquet(tmp_path / "out/communities.parquet")
    assert communities["title"].is_unique  # GraphRAG groups by it
    for row in communities.itertuples():
        assert (
            sorted(row.children)
            == communities["community"][communities["parent"] == row.community].tolist()
        )
    links = pd.read_parquet(tmp_path / "out/relationships.parquet").set_index("id")
    title = dict(zip(entities["title"], entities["id"], strict=True))
    for row in communities.head(5).itertuples():
        ends = {end for one in row.relationship_ids for end in links.loc[one, ["source", "target"]]}
        assert {title[end] for end in ends} <= set(row.entity_ids)
    vectors = pd.read_parquet(tmp_path / "out/embeddings.entity_description.parquet")
    assert vectors["id"].tolist() == entities["id"].tolist()
    reports = pd.read_parquet(tmp_path / "out/community_reports.parquet")
    assert sorted(reports["id"]) == sorted(communities["id"])
    assert reports["level"].is_monotonic_decreasing
    assert json.loads(reports["full_content_json"][0])["rating"] == reports["rank"][0]


def test_nothing_is_overwritten_without_force(handbook: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    export_graphrag(handbook, out)  # an empty folder is as good as none
    before = {path.name: path.stat().st_mtime_ns for path in out.iterdir()}
    with pytest.raises(InputError, match="holds something already: give one that is new or empty"):
        export_graphrag(handbook, out)
    assert {path.name: path.stat().st_mtime_ns for path in out.iterdir()} == before
    (out / "settings.yaml").write_text("mine")
    export_graphrag(handbook, out, force=True)
    assert (out / "settings.yaml").read_text() == "mine"
    assert {path.name for path in out.iterdir()} == {*before, "settings.yaml"}
    with pytest.raises(InputError, match="settings.yaml is a file: give a folder"):
        export_graphrag(handbook, out / "settings.yaml", force=True)
    with pytest.raises(InputError, match="cannot be made .*a file is there|cannot be written"):
        export_graphrag(handbook, out / "settings.yaml" / "below")


def test_whole_or_not_at_all(
    handbook: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Any] = []

    def full(table: Any, path: Path) -> None:
        written.append(path)
        if len(written) == 4:
            raise OSError(28, "No space left on device")
        path.write_bytes(b"x")

    monkeypatch.setattr(pq, "write_table", full)
    with pytest.raises(InputError, match="cannot be written .No space left on device.: give anoth"):
        export_graphrag(handbook, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_imported_index_comes_out_as_it_went_in(tmp_path: Path, embedder: StandIn) -> None:
    rows = indexes.tables()
    rows["entities"][3]["title"] = "ADA"
    rows["relationships"][1]["target"] = "ZED"  # no entity of this name
    rows["covariates"].append(indexes.claim(2, "Nobody", "hid", "u1"))
    made = import_graphrag(indexes.write(tmp_path / "in", rows), tmp_path / "s.duckdb")
    export_graphrag(made, tmp_path / "out")
    out = {name: pd.read_parquet(tmp_path / f"out/{name}.parquet") for name in COLUMNS}
    assert out["relationships"]["target"].tolist() == ["BOB", "ZED"]
    assert out["entities"]["title"].tolist() == ["ADA", "BOB", "CY", "ADA (PERSON)"]
    assert out["covariates"]["subject_id"].tolist() == ["ADA", "", "Nobody"]
    assert out["covariates"]["object_id"].tolist() == ["NONE"] * 3
    assert out["documents"]["creation_date"].tolist() == ["2026-01-01"]
    assert [list(one) for one in out["communities"]["children"]] == [[1, 2], [], []]
    again = import_graphrag(tmp_path / "out", tmp_path / "t.duckdb")
    assert again.relationships["target_id"].tolist() == ["e1", "missing:ZED"]
    nodes = nx.read_graphml(tmp_path / "out/graph.graphml").nodes(data="label")
    assert dict(nodes)["missing:ZED"] == "ZED" and "" not in dict(nodes)


def test_titles_are_unique() -> None:
    names = pd.DataFrame(
        {"id": list("abcd"), "short_id": range(4), "name": ["X", "X", "X", "Y"], "type": "t"}
    )
    assert unique_titles(names) == {"a": "X", "b": "X (t)", "c": "X (2)", "d": "Y"}


def test_graphml_opens_with_types(handbook: Run) -> None:
    frames = {table.name: handbook.read(table.name) for table in RUN_TABLES}
    text = graphml(frames)
    assert text == graphml(frames)
    graph = nx.parse_graphml(text, force_multigraph=True)
    assert set(graph) == set(frames["entities"]["id"])
    row = frames["entities"].iloc[0]
    node = graph.nodes[row["id"]]
    assert (node["label"], node["degree"]) == (row["name"], row["degree"])
    assert {type(value) for value in node.values()} == {str, int}
    assert {key for key in node if key.startswith("community_")} == {
        f"community_{level}" for level in frames["communities"]["level"].unique()
    }
    edges = frames["relationships"].set_index("id")
    assert graph.number_of_edges() == len(edges)
    for *_, told in graph.edges(data=True):
        assert told["weight"] == edges["weight"][told["id"]]
        assert told["label"] == edges["type"][told["id"]]


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(
    lambda name: name.strip("'\"`´’‘“” \t\n") != ""
)


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    words=st.lists(names, min_size=1, max_size=6, unique_by=lambda name: name.casefold()),
    pairs=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.floats(0, 9)), max_size=8),
)
def test_any_graph_goes_there_and_back(
    words: list[str], pairs: list[tuple[int, int, float]], embedder: StandIn, tmp_path: Path
) -> None:
    words = list({normalize_name(word): word.strip() for word in words}.values())
    links = pd.DataFrame(
        [(words[a % len(words)], words[b % len(words)], w) for a, b, w in pairs],
        columns=["source", "target", "weight"],
    )
    run = run_from_frames(tmp_path / "s.duckdb", "mine", pd.DataFrame({"name": words}), links)
    frames = {table.name: run.read(table.name) for table in RUN_TABLES}
    frames |= {name: run.read(name) for name in ("documents", "chunks")}
    out = v3_tables(frames, "2026-01-01")
    assert out["entities"]["title"].to_pylist() == run.entities["name"].tolist()
    ends = {
        *out["relationships"]["source"].to_pylist(),
        *out["relationships"]["target"].to_pylist(),
    }
    assert ends <= set(out["entities"]["title"].to_pylist())
    graph = nx.parse_graphml(graphml(frames), force_multigraph=True)
    assert set(graph) == set(run.entities["id"])
    assert graph.number_of_edges() == len(run.relationships)
