"""Reports are written to a run in place of former ones, with vectors; a failed one has none."""

from __future__ import annotations

import json

import pytest

from tests.models.fakes import FunctionModel
from tests.storage.corpora import write_corpus
from workbench.index import index
from workbench.models.calls import Caller
from workbench.models.language import ReplyFailed
from workbench.reporting import report
from workbench.run import Run
from workbench.store import Store
from workbench.study.report_variants import report_again, report_text

REPLY = {
    "title": "Servers",
    "summary": "They restart one another.",
    "rank": 4,
    "rating_explanation": "Small.",
    "findings": [{"summary": "A circle", "explanation": "Each restarts the next."}],
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("reporting")
    return index(write_corpus(folder / "ten", 6), Store(folder / "ten.duckdb"))


def test_without_a_model_each_community_has_an_extractive_report_with_a_vector(run: Run) -> None:
    reports = report(run)
    assert set(reports["community_id"]) == set(run.communities["id"])
    assert set(reports["source"]) == {"extractive"} and set(reports["status"]) == {"ok"}
    assert len(run.vectors("community_reports").ids) == len(reports)
    assert run.store.check().empty


def test_a_model_s_reports_replace_them_and_a_failure_is_a_row_without_vector(run: Run) -> None:
    asked: list[str] = []

    def answer(prompt: str) -> str | Exception:
        asked.append(prompt)
        failure = ReplyFailed("the server said no", "http 500")
        return failure if len(asked) == 1 else json.dumps(REPLY)

    caller = Caller(FunctionModel(answer), run.store, run.name, retries=0)
    reports = report(run, llm=caller)
    failed = reports[reports["status"] == "failed"]
    assert len(reports) == len(run.communities) and len(failed) == 1
    assert "said no" in failed["error"].iloc[0]
    assert failed["community_id"].iloc[0] not in run.vectors("community_reports").ids
    assert set(reports["title"][reports["status"] == "ok"]) == {"Servers"}


def test_another_writer_gets_the_same_context_and_changes_nothing(run: Run) -> None:
    reports = report(run)
    one = run.communities["short_id"].iloc[0]
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return json.dumps(REPLY)

    [row] = report_again(run, reports, one, FunctionModel(answer)).itertuples()
    assert (row.title, row.source, row.status) == ("Servers", "model", "ok")
    assert row.context in asked[0]
    assert run.read("community_reports").equals(reports)
    text = report_text(reports.assign(title="T"), run.communities, one)
    assert text["part"].tolist()[:4] == ["written by", "title", "rank", "summary"]
