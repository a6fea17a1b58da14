"""Two small graphs, compared by hand: matches, ranks, communities, and what the verdict says."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace

import pandas as pd
import pytest

from workbench.errors import InputError
from workbench.study.compare import labelled
from workbench.study.compare_graph import (
    community_agreement,
    community_changes,
    entities_beside,
    graph_statistics,
    matched_entities,
    rank_correlation,
)
from workbench.study.verdict import verdict


@dataclass(frozen=True)
class Small:
    """A run of frames: name -> (mentions, degree, community), and aliases by name."""

    graph: dict[str, tuple[int, int, str]]
    aliases: dict[str, str] = field(default_factory=dict)
    mode: str = "heuristic"
    llm: str | None = None

    @property
    def entities(self) -> pd.DataFrame:
        rows = [
            {"id": f"e {name}", "short_id": n, "name": name, "type": "person"}
            | {"mention_count": mentions, "degree": degree}
            for n, (name, (mentions, degree, _)) in enumerate(self.graph.items())
        ]
        return pd.DataFrame(rows)

    @property
    def entity_aliases(self) -> pd.DataFrame:
        rows = [(f"e {name}", alias) for name, alias in self.aliases.items()]
        return pd.DataFrame(rows, columns=["entity_id", "alias"])

    @property
    def relationships(self) -> pd.DataFrame:
        names = list(self.graph)
        ends = [(f"e {a}", f"e {b}") for a, b in zip(names[:-2], names[1:-1], strict=True)]
        return pd.DataFrame(ends, columns=["source_id", "target_id"]).assign(weight=1.0)

    @property
    def communities(self) -> pd.DataFrame:
        ids = sorted({group for _, _, group in self.graph.values() if group})
        return pd.DataFrame({"id": ids, "level": 0, "title": [f"about {id_}" for id_ in ids]})

    @property
    def community_members(self) -> pd.DataFrame:
        rows = [(group, f"e {name}") for name, (_, _, group) in self.graph.items() if group]
        return pd.DataFrame(rows, columns=["community_id", "entity_id"])

    @property
    def rejected(self) -> pd.DataFrame:
        return pd.DataFrame({"rule": ["a", "b"]})

    def read(self, table: str) -> pd.DataFrame:
        assert table == "chunks"
        return pd.DataFrame({"id": ["c0", "c1"], "document_id": ["d", "d"]})


ONE = Small(
    {"Ann Lee": (9, 3, "x"), "Bob": (5, 2, "x"), "Cat": (2, 1, "y"), "Dan": (1, 0, "y")},
    {"Ann Lee": "Ann"},
)
TWO = Small(
    {"BOB": (6, 1, "p"), "Ann": (8, 2, "p"), "Cat": (3, 3, "p"), "Eve": (7, 0, "q")}, mode="llm"
)
RUNS = {"one": ONE, "two": TWO}


def test_statistics_of_each_graph() -> None:
    table = graph_statistics(RUNS).set_index("run")
    assert table.loc["one", ["entities", "relationships", "communities"]].tolist() == [4, 2, 2]
    assert table.loc["one", "isolated"] == 0.25  # Dan
    assert table.loc["one", "largest"] == 0.75  # Ann Lee, Bob, Cat
    assert table.loc["two", "mean_degree"] == 1.5
    assert table["documents"].tolist() == [1, 1]


def test_each_match_tells_its_rule() -> None:
    rows = matched_entities(RUNS)[["name", "other", "rule"]].to_numpy().tolist()
    assert rows == [["Ann Lee", "Ann", "alias ann"], ["Bob", "BOB", "name"], ["Cat", "Cat", "name"]]


def test_mentions_and_degree_stand_side_by_side() -> None:
    table = entities_beside(RUNS)
    assert table["name"].tolist() == ["Ann Lee", "Bob", "Cat", "Eve", "Dan"]
    assert table["seen"].tolist() == [2, 2, 2, 1, 1]
    assert table["mentions two"].tolist()[:4] == [8, 6, 3, 7]
    assert table["degree one"].tolist()[:3] == [3, 2, 1]
    assert table["degree one"].isna().tolist() == [False, False, False, True, False]


def test_rank_correlation_over_what_both_found() -> None:
    row = rank_correlation(entities_beside(RUNS), RUNS).iloc[0]
    assert row["shared"] == 3
    assert row["mentions"] == pytest.approx(1.0)  # 9 5 2 and 8 6 3: the same order
    assert row["degree"] == pytest.approx(-0.5)  # 3 2 1 and 2 1 3: sum of squares 6, 1 - 36/24


def test_communities_that_agree_only_by_chance() -> None:
    row = community_agreement(RUNS).iloc[0]
    assert row["shared"] == 3
    assert row["adjusted_rand"] == pytest.approx(0.0)  # all in one community against two
    assert row["mutual_information"] == pytest.approx(0.0)


def test_where_communities_went() -> None:
    table = community_changes(RUNS).set_index(["first", "community"])
    assert table.loc[("one", "about x"), "change"] == "kept"  # Ann and Bob, only Cat joins them
    assert table.loc[("one", "about y"), "change"] == "merged"  # Cat is one of three
    assert table.loc[("two", "about p"), "change"] == "split"
    assert table.loc[("two", "about p"), "into"] == "about x (2); about y (1)"
    assert table.loc[("one", "about y"), ["size", "shared"]].tolist() == [2, 1]


def test_the_verdict_follows_from_the_tables() -> None:
    tables = {
        "overlap": pd.DataFrame(
            {"of": "entities", "runs": ["one + two", "one", "two"], "count": [6, 3, 1]}
        ),
        "communities": community_agreement(RUNS),
        "gold": pd.DataFrame(
            {
                "of": ["entities", "entities", "pairs", "pairs"],
                "run": ["one", "two"] * 2,
                "f1": [0.5, 0.51, 0.2, 0.4],
            }
        ),
        "evidence": pd.DataFrame(),
        "costs": pd.DataFrame(
            {"run": ["one", "two"], "calls": [0, 12], "prompt_tokens": [0, 900]}
            | {"reply_tokens": [0, 100]}
        ),
    }
    answers = verdict(tables).set_index("question")["answer"]
    assert answers["Do they see the same entities?"].startswith("largely: 6 of 10")
    assert "do not (0.00 on 3 shared)" in answers["Do they find the same communities?"]
    assert answers["Which finds the right entities?"].startswith("none: two, one are level")
    assert answers["Which finds the right related pairs?"].startswith("two leads")
    worth = answers["Is a model worth its calls?"]
    assert worth == "two took 12 calls (1,000 tokens) for +0.010 F1 of entities: not worth it here"


def test_runs_of_two_files_keep_apart() -> None:
    def run(file: str, name: str) -> SimpleNamespace:
        return SimpleNamespace(name=name, store=SimpleNamespace(path=SimpleNamespace(stem=file)))

    assert list(labelled([run("a", "x"), run("b", "x"), run("b", "y")])) == ["a:x", "b:x", "y"]
    with pytest.raises(InputError, match="two or more"):
        labelled([run("a", "x")])
    with pytest.raises(InputError, match="named twice"):
        labelled([run("a", "x"), run("a", "x")])
