"""Extractive reports: what they say of a small world, worked by hand."""

from __future__ import annotations

import json

import pandas as pd

from tests.graph.report_worlds import claims, communities, entities, relationships
from workbench import schema
from workbench.frames import table_frame
from workbench.graph.extractive_report import NOTE
from workbench.graph.reports import write_reports
from workbench.params import ReportParams

TEXTS = [
    "# Pier\n\nAda rows to the old pier with Ben each morning. Ben mends the old pier for Ada.",
    "The old pier belongs to Ada, who rows there. See [Ben](https://x.org/ben) mend **his** boat.",
    "Cleo paints the lighthouse far away. Nothing else of note happened on that day.",
]
NAMES = {"a": "Ada", "b": "Ben", "c": "Cleo", "d": "Dora"}


def _world() -> tuple[tuple[pd.DataFrame, ...], dict[str, pd.DataFrame]]:
    """Ada (2 chunks) and Ben (2) in one community, Cleo (1) and Dora (0) in the other."""
    table = entities({"a": 3, "b": 2, "c": 1, "d": 1}, "{} is described.")
    table["name"] = table["id"].map(NAMES)
    links = relationships([("a", "b", 5), ("a", "b", 5), ("a", "c", 4), ("c", "d", 2)])
    links["weight"] = [2.0, 5.0, 9.0, 1.0]
    found = communities({0: (0, None, "ab"), 1: (0, None, "cd")})
    chunks = table_frame(
        schema.CHUNKS,
        [{"id": f"t{n}", "short_id": n, "text": text} for n, text in enumerate(TEXTS)],
    )
    pairs = [("a", 0), ("b", 0), ("a", 1), ("b", 1), ("c", 2)]
    mentions = table_frame(
        schema.ENTITY_MENTIONS,
        [{"entity_id": name, "chunk_id": f"t{n}", "mention_count": 1} for name, n in pairs],
    )
    return (table, links, claims([]), *found), {"chunks": chunks, "entity_mentions": mentions}


def _reports(params: ReportParams | None = None) -> pd.DataFrame:
    graph, texts = _world()
    return write_reports(*graph, params, **texts)


def _findings(report: pd.Series) -> list[str]:
    return [finding["summary"] for finding in json.loads(report["findings"])]


def test_it_says_plainly_what_it_is() -> None:
    for report in _reports().itertuples():
        assert report.summary.startswith(NOTE)
        assert NOTE in report.full_content and report.source == "extractive"


def test_entities_by_degree_and_relationships_by_weight_inside_first() -> None:
    report = _reports().iloc[0]
    assert report["title"] == "Ada, Ben"
    assert _findings(report)[:5] == [
        "Ada (concept): 3 relationships, 3 mentions",
        "Ben (concept): 2 relationships, 2 mentions",
        "Ada and Ben (related), weight 5",
        "Ada and Ben (related), weight 2",
        "Ada and Cleo (related), weight 9",  # heavier, but it leaves the community
    ]
    explained = json.loads(report["findings"])[2]["explanation"]
    assert explained == "a-b [Data: Relationships (1)]"


def test_central_sentences_are_quoted_with_their_chunk_and_entities() -> None:
    report = _reports().iloc[0]
    quoted = [f for f in json.loads(report["findings"]) if "sentence" in f["summary"]]
    assert {f["summary"] for f in quoted} <= {
        "A central sentence names Ada, Ben", "A central sentence names Ada",
        "A central sentence names Ben",
    }  # fmt: skip
    texts = [f["explanation"] for f in quoted]
    assert "“Ben mends the old pier for Ada.” (chunk 0) [Data: Entities (0, 1)]" in texts
    assert not any("Cleo" in text for text in texts)


def test_rank_is_the_share_of_chunks_against_the_widest_community() -> None:
    first, second = (row for _, row in _reports().iterrows())
    assert (first["rank"], second["rank"]) == (10.0, 5.0)
    assert second["rating_explanation"] == (
        "Coverage, not judgement: its members are named in 1 of 3 chunks; "
        "the widest community, with 2, has rank 10."
    )


def test_without_texts_it_counts_mentions_and_quotes_nothing() -> None:
    graph, _ = _world()
    first, second = (row for _, row in write_reports(*graph).iterrows())
    assert (first["rank"], second["rank"]) == (10.0, 4.0)  # 5 and 2 of 7 mentions
    assert "2 of 7 mentions" in second["rating_explanation"]
    assert not any("sentence" in said for said in _findings(first))


def test_findings_keep_to_the_number_asked_for() -> None:
    for most in (1, 3, 10):
        for report in _reports(ReportParams(max_findings=most)).itertuples():
            assert 1 <= len(json.loads(report.findings)) <= most


def test_the_order_of_rows_changes_nothing() -> None:
    graph, texts = _world()
    mixed = [frame.sample(frac=1, random_state=3) for frame in graph]
    told = {name: frame.sample(frac=1, random_state=5) for name, frame in texts.items()}
    pd.testing.assert_frame_equal(write_reports(*graph, **texts), write_reports(*mixed, **told))


def test_long_descriptions_are_cut_behind_a_sentence() -> None:
    graph, _ = _world()
    graph[0].loc[0, "description"] = "One sentence. " + "word " * 200
    graph[0].loc[1, "description"] = "word " * 200
    findings = json.loads(write_reports(*graph).iloc[0]["findings"])
    assert findings[0]["explanation"] == "One sentence. [Data: Entities (0)]"
    assert findings[1]["explanation"].endswith("word … [Data: Entities (1)]")
    assert len(findings[1]["explanation"]) < 440
