"""Three small runs, counted by hand: what all, two or one of them saw."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import pytest

from workbench.errors import InputError
from workbench.show.plots_modes import growth_lines, intersection_bars, mode_graphs
from workbench.study.gold import gold_of
from workbench.study.overlap import intersections, only_in, overlap_matrix, seen_by, things
from workbench.study.side_by_side import by_chunk, gold_within, growth, names_in, reply_files


@dataclass(frozen=True)
class Small:
    """A run of frames: names with their aliases, ties between names, names by chunk."""

    names: dict[str, list[str]]
    ties: list[tuple[str, str]]
    places: list[tuple[str, int]]
    type: str = "person"

    @property
    def entities(self) -> pd.DataFrame:
        rows = [
            {"id": f"{self.type} {name}", "short_id": n, "name": name, "type": self.type}
            | {"chunk_count": n + 1}
            for n, name in enumerate(self.names)
        ]
        return pd.DataFrame(rows)

    @property
    def entity_aliases(self) -> pd.DataFrame:
        rows = [(f"{self.type} {name}", a) for name, known in self.names.items() for a in known]
        return pd.DataFrame(rows, columns=["entity_id", "alias"])

    @property
    def relationships(self) -> pd.DataFrame:
        rows = [(f"{self.type} {a}", f"{self.type} {b}", 1.0) for a, b in self.ties]
        return pd.DataFrame(rows, columns=["source_id", "target_id", "weight"])

    @property
    def entity_mentions(self) -> pd.DataFrame:
        rows = [(f"{self.type} {name}", f"c{n}") for name, n in self.places]
        return pd.DataFrame(rows, columns=["entity_id", "chunk_id"])

    def read(self, table: str) -> pd.DataFrame:
        if table == "documents":
            return pd.DataFrame({"id": ["d"], "path": ["a.txt"]})
        ids = {"id": ["c0", "c1"], "short_id": [0, 1], "document_id": ["d", "d"]}
        return pd.DataFrame({**ids, "token_count": [100, 50]})


RUNS = {
    # `Edwin` is an alias in the first, an entity of its own in the second.
    "a": Small(
        {"Edwin Cray": ["Edwin"], "Judith": [], "Linnet": []},
        [("Edwin Cray", "Judith"), ("Judith", "Edwin Cray"), ("Judith", "Judith")],
        [("Edwin Cray", 0), ("Judith", 0), ("Linnet", 1)],
    ),
    "b": Small(
        {"Edwin": [], "Edwin Cray": [], "JUDITH": []},
        [("JUDITH", "Edwin Cray"), ("Edwin", "JUDITH")],
        [("Edwin", 0), ("JUDITH", 1)],
        "place",
    ),
    "c": Small({"Judith": [], "Skerrow": []}, [("Judith", "Skerrow")], [("Skerrow", 1)]),
}


def test_a_thing_is_matched_once_and_named_by_the_first_run() -> None:
    rows, places = things(RUNS)
    assert rows["name"].to_list() == ["Edwin Cray", "Judith", "Linnet", "Edwin", "Skerrow"]
    assert rows["type"].to_list() == ["person", "person", "person", "place", "person"]
    assert places["b"] == {"place Edwin": 3, "place Edwin Cray": 0, "place JUDITH": 1}
    assert places["c"] == {"person Judith": 1, "person Skerrow": 4}


def test_entities_by_run() -> None:
    seen = seen_by(RUNS).set_index("name")
    assert seen.loc["Judith", ["a", "b", "c"]].to_list() == [True, True, True]
    assert seen.loc["Edwin Cray", ["a", "b", "c"]].to_list() == [True, True, False]
    assert seen.loc["Judith", "size"] == 3  # chunks in b, where it has the most
    assert only_in(RUNS, "a")["name"].to_list() == ["Linnet"]
    assert only_in(RUNS, "b")["name"].to_list() == ["Edwin"]
    assert only_in(RUNS, "c")["name"].to_list() == ["Skerrow"]


def test_jaccard_by_hand() -> None:
    matrix = overlap_matrix(RUNS)
    assert matrix.loc["a", "b"] == matrix.loc["b", "a"] == 2 / 4  # Edwin Cray, Judith of 4
    assert matrix.loc["a", "c"] == 1 / 4 and matrix.loc["b", "c"] == 1 / 4
    assert [matrix.loc[name, name] for name in RUNS] == [1.0, 1.0, 1.0]


def test_relationships_are_pairs_without_direction_or_loops() -> None:
    seen = seen_by(RUNS, "relationships")
    assert len(seen) == 3
    assert overlap_matrix(RUNS, "relationships").loc["a", "b"] == 1 / 2
    assert only_in(RUNS, "c", "relationships")[["source", "target"]].to_numpy().tolist() == [
        ["Judith", "Skerrow"]
    ]


def test_intersections_are_exact_and_add_up() -> None:
    sizes = intersections(RUNS).set_index("runs")["count"]
    assert sizes.to_dict() == {
        "a + b + c": 1,
        "a + b": 1,
        "a + c": 0,
        "b + c": 0,
        "a": 1,
        "b": 1,
        "c": 1,
    }
    assert sizes.sum() == len(seen_by(RUNS))


def test_a_run_that_is_not_there_and_a_kind_that_is_none() -> None:
    with pytest.raises(InputError, match="no run 'd' here: choose one of a, b, c"):
        only_in(RUNS, "d")
    with pytest.raises(InputError, match="what is 'claims'"):
        seen_by(RUNS, "claims")  # type: ignore[arg-type]


def test_chunk_by_chunk() -> None:
    table = by_chunk({"a": RUNS["a"], "b": RUNS["b"]})
    assert table[["chunk", "a", "b", "shared"]].to_numpy().tolist() == [[0, 2, 1, 0], [1, 1, 1, 0]]
    names = names_in({"a": RUNS["a"], "b": RUNS["b"]}, 1)
    assert names.to_numpy().tolist() == [["Judith", "", "place"], ["Linnet", "person", ""]]
    with pytest.raises(InputError, match="no chunk 2 .short_id: 0 to 1"):
        names_in(RUNS, 2)


def test_growth_counts_each_entity_once() -> None:
    table = growth({"a": RUNS["a"]})
    assert table[["tokens", "entities"]].to_numpy().tolist() == [[100, 2], [150, 3]]


def test_gold_within_keeps_what_the_documents_name() -> None:
    gold = gold_of(
        [{"name": "A", "documents": ["a.txt"]}, {"name": "B", "documents": ["b.txt"]}],
        [{"source": "A", "target": "B", "document": "b.txt"}],
    )
    kept = gold_within(gold, RUNS["a"].read("documents"))
    assert kept.entities["name"].to_list() == ["A"] and len(kept.relationships) == 0


def test_reply_files_tell_who_wrote_them(tmp_path) -> None:
    file = tmp_path / "r.jsonl"
    header = '{"written_by": "hand", "model": "a reader", "date": "2026-11-30"}\n'
    entry = '{"task": "hybrid", "content_hash": "x", "reply": {}}\n'
    file.write_text(header + entry, encoding="utf-8")
    table = reply_files(f"replay/{file}", "nowhere.jsonl")
    assert table["written_by"].to_list() == ["hand", "absent"]
    assert table["replies"].to_list() == ["1 hybrid", ""]


def test_pictures_say_their_numbers() -> None:
    bars = intersection_bars(intersections(RUNS))
    assert bars.alt == ("Entities seen by exactly these runs: a + b + c 1; a + b 1; a 1; b 1; c 1.")
    graphs = mode_graphs(RUNS, most=3)
    assert graphs.alt.startswith("The 3 best connected entities on one layout: a 2 entities and")
    assert graphs.png.startswith(b"\x89PNG")
    lines = growth_lines(growth({"a": RUNS["a"]}))
    assert lines.alt == "Distinct entities after all 150 tokens: a 3 (0% in the first half)."
