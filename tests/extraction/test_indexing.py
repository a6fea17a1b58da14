from __future__ import annotations

import json
import multiprocessing
import signal
import sys

import pytest
from typer.testing import CliRunner

from tests.extraction.answering import triples
from tests.extraction.indexing import CHUNK, index_and_die, index_by_model
from tests.models.fakes import FunctionModel
from tests.storage.builders import StandIn
from tests.storage.corpora import write_corpus
from workbench import index as indexing
from workbench import recorded
from workbench.cli import app
from workbench.errors import InputError, StoreError
from workbench.models.language import ModelUnavailable
from workbench.params import LanguageParams
from workbench.recorded import import_openie, union_runs
from workbench.storage.compare import compare_stores
from workbench.store import Store


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch):
    monkeypatch.setattr(indexing, "load_embedder", lambda params: StandIn())
    monkeypatch.setattr(recorded, "load_embedder", lambda params: StandIn())


def test_a_hybrid_run_stands_in_the_store_with_all_it_was_made_with(tmp_path):
    corpus, log = write_corpus(tmp_path / "c", 4), tmp_path / "log"
    run = index_by_model(corpus, tmp_path / "s.duckdb", log)
    assert (run.mode, run.llm, run.status) == ("hybrid", "fake/noting", "complete")
    assert run.store.check().empty
    assert len(log.read_text().splitlines()) == 4 == run.index_report.calls["requests"]
    calls = run.store.read("llm_calls")
    assert set(calls["run"]) == {"hybrid"} and set(calls["status"]) == {"ok"}
    # What a reply is about is told by the hash that `documents` has, too: reply files use it.
    told = {line.split()[1] for line in log.read_text().splitlines()}
    assert told == set(run.store.read("documents")["content_hash"])
    assert set(run.params["templates"]) == {"hybrid", "again"}
    assert run.params["language"]["candidates"] == 30
    assert ("Docker", "uses", "Grafana") in triples(run) or len(triples(run)) >= 4
    assert len(run.communities) > 0
    # A rerun makes no call; other workers are no other run; another parameter is, but asks less.
    again = index_by_model(corpus, tmp_path / "s.duckdb", log, language=LanguageParams(workers=2))
    assert again.index_report.extracted is False
    one = index_by_model(
        corpus, tmp_path / "s.duckdb", log, run="again", language=LanguageParams(claims=True)
    )
    assert one.index_report.extracted is True
    tasks = [line.split()[0] for line in log.read_text().splitlines()]
    assert tasks.count("hybrid") == 4 and tasks.count("claims") > 0


def test_the_three_modes_stand_side_by_side(tmp_path):
    corpus, log = write_corpus(tmp_path / "c", 3), tmp_path / "log"
    path = tmp_path / "s.duckdb"
    indexing.index(corpus, path, chunk=CHUNK)
    index_by_model(corpus, path, log)
    run = index_by_model(corpus, path, log, "llm")
    counts = run.store.counts()["runs"]
    assert set(counts) == {"heuristic", "hybrid", "llm"}
    assert run.store.check().empty
    tasks = [line.split()[0] for line in log.read_text().splitlines()]
    assert tasks.count("entities") == len(set(run.store.read("chunks")["text"]))


def test_a_rerun_with_all_replies_kept_needs_no_model(tmp_path):
    corpus, log = write_corpus(tmp_path / "c", 3), tmp_path / "log"
    first = index_by_model(corpus, tmp_path / "s.duckdb", log)
    before = log.read_text()
    again = index_by_model(corpus, tmp_path / "s.duckdb", log, force=True)
    assert log.read_text() == before
    assert again.entities.equals(first.entities)


def _not_there():
    raise ModelUnavailable("There is no such model: ollama pull it.")


def test_a_model_that_is_not_there_is_told_before_anything_is_read(tmp_path):
    corpus = write_corpus(tmp_path / "c", 2)
    away = FunctionModel(lambda prompt: "")
    away.check = _not_there
    with pytest.raises(ModelUnavailable):
        indexing.index(corpus, tmp_path / "s.duckdb", mode="hybrid", llm=away)
    assert not (tmp_path / "s.duckdb").exists()
    with pytest.raises(InputError, match="--llm ollama/NAME"):
        indexing.index(corpus, tmp_path / "s.duckdb", mode="llm", llm="none")


def test_templates_of_ones_own_are_recorded_with_the_run(tmp_path):
    corpus, folder = write_corpus(tmp_path / "c", 2), tmp_path / "prompts"
    folder.mkdir()
    (folder / "hybrid.txt").write_text("Mine.\nCandidates:\n<<names>>\n--------\n<<text>>\n-")
    language = LanguageParams(templates=str(folder), predicates=("uses",))
    run = index_by_model(corpus, tmp_path / "s.duckdb", tmp_path / "log", language=language)
    assert run.params["templates"]["hybrid"]["text"].startswith("Mine.")
    assert run.params["language"]["predicates"] == ["uses"]
    assert run.store.read("llm_calls")["prompt"].str.startswith("Mine.").all()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize(("mode", "die_in"), [("hybrid", 4), ("llm", 9)])
def test_a_killed_run_goes_on_and_asks_nothing_twice(tmp_path, mode, die_in):
    corpus = write_corpus(tmp_path / "c", 6)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.extraction.indexing"])
    path, log = tmp_path / "s.duckdb", tmp_path / "log"
    process = context.Process(target=index_and_die, args=(corpus, path, log, mode, die_in))
    process.start()
    process.join(90)
    assert process.exitcode == -signal.SIGKILL
    assert len(log.read_text().splitlines()) == die_in - 1
    kept = Store(path)
    assert kept.check().empty and kept.runs().empty
    assert len(kept.read("llm_calls")) == die_in - 1
    run = index_by_model(corpus, path, log, mode)
    asked = log.read_text().splitlines()
    assert len(asked) == len(set(asked))
    whole = index_by_model(corpus, tmp_path / "w.duckdb", tmp_path / "log2", mode)
    assert sorted(asked) == sorted((tmp_path / "log2").read_text().splitlines())
    assert compare_stores(run.store, whole.store) == []


def test_recorded_extractions_and_unions_are_runs(tmp_path):
    corpus = write_corpus(tmp_path / "c", 3)
    store = indexing.index(corpus, tmp_path / "s.duckdb", chunk=CHUNK).store
    ids = store.read("documents")["id"].tolist()
    rows = [
        {
            "doc_id": i,
            "entities": ["Docker", "operator"],
            "triples": [["Docker", "has", "operator"]],
        }
        for i in ids
    ]
    file = tmp_path / "openie.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    gpt = import_openie(store, file, "gpt35")
    both = union_runs(store, ["heuristic", "gpt35"])
    assert (gpt.mode, gpt.llm) == ("llm", "recorded/openie.jsonl")
    assert (both.mode, both.name, both.llm) == ("hybrid", "hybrid", "recorded/openie.jsonl")
    assert both.params["union"] == ["heuristic", "gpt35"]
    assert store.check().empty
    seen = set(store.run("heuristic").entities["normalized_name"])
    assert set(both.entities["normalized_name"]) == seen | {"operator"}
    assert ("Docker", "has", "operator") in triples(both)
    parts = [gpt.rejected, store.run("heuristic").rejected]
    assert len(both.rejected) == sum(map(len, parts)) > 0
    assert {stage.split(": ")[0] for stage in both.rejected["stage"]} <= {"gpt35", "heuristic"}
    with pytest.raises(InputError, match="needs two other runs"):
        union_runs(store, ["heuristic"])
    with pytest.raises(StoreError, match="has no run 'gone'"):
        union_runs(store, ["heuristic", "gone"])
    asked = ["union", "heuristic", "gpt35", "--store", str(store.path), "--run", "both", "--json"]
    told = CliRunner().invoke(app, asked)
    assert told.exit_code == 0
    assert set(store.run("both").entities["id"]) == set(both.entities["id"])
