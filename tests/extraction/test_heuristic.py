from __future__ import annotations

import os
import subprocess
import sys

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.extraction.reading import OneVector, aliases, names, read, rejected, types, world
from workbench.extraction.heuristic import extract_heuristic
from workbench.extraction.keys import same_numbers
from workbench.extraction.modes import extract
from workbench.extraction.result import Extraction
from workbench.params import ExtractParams

DOCKER = """# Running Docker Compose

Docker Compose is a tool for containers. People write docker-compose, DockerCompose or
docker compose. Kubernetes, also k8s, is another. We run Python 3.11 and Python 3.12 with C#
and C++; ASP.NET Core needs `dotnet`. The won matches came past us, usually in free times.
Reciprocal Rank Fusion (RRF) merges lists, and RRF is cheap.

```bash
# Remove Container
FROM Ubuntu
```

We ALL use Kubernetes. Fortune favoured nobody who complained about Postgres or PostgreSQL.
"""
GERMAN = """# Volltextsuche

Die Suche mit *PostgreSQL* ist schnell, und die Suche nach Wörtern ist eine Kunst. Der Index
liegt auf der Platte und nicht im Speicher. Die **Volltextsuche** und der Index sind gut.
"""
CHINESE = """# 向量检索

我们用 PostgreSQL 做**向量检索**。知识图谱很好，知识图谱不小，知识图谱难做。见[图数据库](https://a.org/x)。
"""
ARABIC = """# الحاويات

نستخدم Docker مع **الحاويات** في [دليل المشروع](https://a.org/guide) كل يوم.
"""


@pytest.fixture(scope="module")
def docker() -> Extraction:
    return read(DOCKER, embedder=OneVector())


def test_names_with_their_spellings(docker: Extraction):
    assert aliases(docker)["Docker Compose"] == {
        "DockerCompose": "normalized",
        "docker compose": "normalized",
        "docker-compose": "normalized",
    }
    assert aliases(docker)["Kubernetes"] == {"k8s": "numeronym"}
    assert aliases(docker)["RRF"] == {"Reciprocal Rank Fusion": "acronym"}
    assert [
        *aliases(docker).keys() & {"PostgreSQL"},
        *aliases(docker)["PostgreSQL"],
    ] == ["PostgreSQL", "Postgres"]


def test_names_that_must_stay_apart(docker: Extraction):
    apart = {"Python 3.11", "Python 3.12", "C#", "C++", "ASP.NET Core", "Kubernetes"}
    assert apart <= names(docker)


def test_words_and_code_are_no_names(docker: Extraction):
    lowered = {name.lower() for name in names(docker)}
    for word in ("won", "free", "times", "past", "came", "usually", "fortune", "all", "people"):
        assert word not in lowered
    assert not {"remove container", "ubuntu", "from"} & lowered
    assert rejected(docker)["Fortune"] == "sentence_start"


def test_every_dropped_candidate_has_rule_value_and_chunk(docker: Extraction):
    dropped = docker.rejected[docker.rejected["stage"] == "candidate"]
    assert dropped["rule"].ne("").all() and dropped["value"].notna().all()
    summary = docker.rejected[docker.rejected["stage"] == "co_occurrence"]
    assert set(summary["rule"]) == {"one_chunk_no_sentence", "npmi_below"}


def test_the_introducing_sentence_is_the_description(docker: Extraction):
    row = docker.entities.set_index("name").loc["Docker Compose"]
    assert row["description"] == "Docker Compose is a tool for containers."


def test_german_nouns_need_more_than_a_capital():
    found = read(GERMAN)
    assert {"PostgreSQL", "Volltextsuche"} <= names(found)
    assert rejected(found)["Kunst"] == "weak_case"
    assert rejected(found)["Platte"] == "weak_case"


def test_scripts_without_capitals_have_entities_too():
    assert {"向量检索", "知识图谱", "PostgreSQL"} <= names(read(CHINESE))
    found = names(read(ARABIC))
    assert {"Docker", "الحاويات"} <= found


def test_title_case_headings_are_no_evidence():
    found = read("# The Night the Disk Filled\n\nNothing was left, said Alma Reed in Boston.")
    assert names(found) == {"Alma Reed", "Boston"}


def test_partial_names_are_people_within_their_document():
    one = "Alma Reed said hello. Then Reed left for Boston, and Alma smiled, and Reed smiled."
    other = "In the reeds near Boston a Mr. Reed was found by Jonas Reed and Alma Birk."
    found = read(one, other, format_="plain")
    assert {"Alma", "Reed"} <= set(aliases(found)["Alma Reed"])


def test_chunks_without_places_give_mentions_without_characters():
    documents, chunks = world("Docker runs in Boston. We like Docker.", format_="plain")
    lost = chunks.assign(start_char=None, end_char=None)
    found = extract_heuristic(documents, lost, None, ExtractParams())
    assert "Docker" in names(found)
    assert found.entity_mentions["start_char"].isna().all()


def test_nothing_in_nothing_out():
    for texts in ([], [""], ["\n\n"]):
        found = read(*texts)
        assert all(len(frame) == 0 for name, frame in found.tables().items() if name != "rejected")


def test_an_overlap_counts_in_both_chunks():
    documents, chunks = world("We like Docker here and Podman there.", format_="plain")
    both = pd.concat([chunks, chunks.assign(id="c9", start_char=5, short_id=1)], ignore_index=True)
    found = extract_heuristic(documents, both, None, ExtractParams())
    row = found.entities.set_index("name").loc["Docker"]
    assert (row["mention_count"], row["chunk_count"]) == (2, 2)


def _check(found: Extraction, documents: pd.DataFrame, chunks: pd.DataFrame) -> None:
    """The invariants of an extraction."""
    text = documents.set_index("id")["text"]
    document = chunks.set_index("id")["document_id"]
    spelled: dict[str, set[str]] = {}
    for row in found.entities.itertuples():
        spelled.setdefault(row.id, set()).add(row.name)
    for row in found.entity_aliases.itertuples():
        spelled[row.entity_id].add(row.alias)
    assert found.entities["id"].is_unique
    assert not found.entity_aliases.duplicated(["entity_id", "alias"]).any()
    for row in found.entity_mentions.dropna(subset=["start_char"]).itertuples():
        here = text[document[row.chunk_id]][int(row.start_char) : int(row.end_char)]
        assert " ".join(here.split()) in spelled[row.entity_id]
    by_entity = found.entity_mentions.groupby("entity_id")
    counts = found.entities.set_index("id")
    assert by_entity["mention_count"].sum().to_dict() == counts["mention_count"].to_dict()
    assert by_entity.size().to_dict() == counts["chunk_count"].to_dict()
    ends = set(found.relationships["source_id"]) | set(found.relationships["target_id"])
    assert ends <= set(found.entities["id"])
    assert (found.relationships["source_id"] != found.relationships["target_id"]).all()
    assert found.relationships["id"].is_unique
    dropped = set(found.rejected.loc[found.rejected["stage"] == "candidate", "item"])
    names_ = found.entities[found.entities["type"] != "document"]["name"]
    assert not dropped & set(names_)
    merges = found.entity_aliases[~found.entity_aliases["rule"].isin(["link"])]
    name = found.entities.set_index("id")["name"]
    assert all(same_numbers(name[r.entity_id], r.alias) for r in merges.itertuples())


@pytest.mark.parametrize("text", [DOCKER, GERMAN, CHINESE, ARABIC])
def test_invariants_on_the_examples(text: str):
    documents, chunks = world(text, cut=150)
    _check(extract_heuristic(documents, chunks, OneVector(), ExtractParams()), documents, chunks)


_WORDS = st.sampled_from(
    ["Docker", "Compose", "docker-compose", "the", "of", "and", "Dr.", "Alma", "Reed", "k8s", ".",
     ",", "Kubernetes", "SHA256", "SHA512", "`code`", "**Bold Term**", "[a link](b.md)", "3.11",
     "Python", "\n\n", "# Heading\n", "(RRF)", "Rank", '"', "'s", "C#", "的",
     "知识", "|", "RUN", "runs"]
)  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(_WORDS, max_size=40).map(" ".join), min_size=1, max_size=3))
def test_invariants_on_made_up_texts(texts: list[str]):
    documents, chunks = world(*texts, cut=60)
    _check(extract_heuristic(documents, chunks, OneVector(), ExtractParams()), documents, chunks)


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=300))
def test_arbitrary_text_does_no_harm(text: str):
    documents, chunks = world(text, cut=50)
    _check(extract_heuristic(documents, chunks, None, ExtractParams()), documents, chunks)


_DIGEST = """
import hashlib
from tests.extraction import test_heuristic as t
from tests.extraction.reading import OneVector, read
found = read(t.DOCKER, t.GERMAN, t.CHINESE, t.ARABIC, embedder=OneVector(), jobs={jobs}, cut=150)
both = "".join(frame.to_csv() for frame in found.tables().values())
import sys; sys.stdout.write(hashlib.sha256(both.encode()).hexdigest())
"""


def test_the_same_for_any_hash_seed_and_number_of_jobs():
    digests = set()
    for seed, jobs in (("0", 1), ("12345", 2)):
        done = subprocess.run(
            [sys.executable, "-c", _DIGEST.format(jobs=jobs)],
            capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": "."},
        )  # fmt: skip
        digests.add(done.stdout.strip().splitlines()[-1])
    assert len(digests) == 1


def test_the_mode_is_in_the_registry():
    found = extract("heuristic", *world(DOCKER), None)
    assert types(found)["Kubernetes"] == "technology"
