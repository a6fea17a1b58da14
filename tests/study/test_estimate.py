from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from tests.models.fakes import FunctionModel
from tests.study.costs import silent_model, talkative_model, write_ships
from workbench.corpus.chunk import chunk_documents
from workbench.corpus.read import read_corpus
from workbench.corpus.tokens import count_tokens
from workbench.errors import InputError
from workbench.extraction.modes import extract
from workbench.index import index
from workbench.models.calls import Caller
from workbench.models.embedding import load_embedder
from workbench.params import ChunkParams, EmbedParams, LanguageParams
from workbench.store import Store
from workbench.study.article import article_costs, article_estimates, beside_article
from workbench.study.estimate import Estimate, estimate
from workbench.study.ground import ground
from workbench.study.ledger import beside
from workbench.study.prices import Price, load_prices, price_of
from workbench.study.speed import Speed, given_speed, measured_speed

SMALL = ChunkParams(size=32, overlap=4)


@pytest.fixture
def ships(tmp_path: Path) -> Path:
    return write_ships(tmp_path / "ships")


def task(made: Estimate, name: str) -> pd.Series:
    return made.tasks.set_index("task").loc[name]


def calls(made: Estimate, name: str) -> list[int]:
    return [int(task(made, name)[f"calls_{bound}"]) for bound in ("low", "likely", "high")]


def run(folder: Path, mode: str, model: FunctionModel, language: LanguageParams, chunk=None):
    """Extract as `index` does, and give what the caller counted."""
    documents = read_corpus(folder).documents
    chunks = chunk_documents(documents, chunk)
    caller = Caller(model)
    embedder = load_embedder(EmbedParams())
    extract(mode, documents, chunks, embedder, caller=caller, language=language)
    return caller.usage()


@pytest.mark.shared
@pytest.mark.parametrize(("window", "expected"), [(8192, 15), (16_384, 10), (131_072, 5)])
def test_hybrid_on_docker5_makes_exactly_the_calls_that_were_estimated(
    shared: Callable[[str], Path], window: int, expected: int
) -> None:
    folder = shared("docker5")
    model = silent_model(context_window=window)
    made = estimate(folder, "hybrid", model, report=None)
    usage = run(folder, "hybrid", model, LanguageParams())
    assert calls(made, "hybrid") == [expected] * 3
    assert usage["calls"].tolist() == [expected] == [len(model.prompts)]
    sent = sum(count_tokens(prompt) for prompt in model.prompts)
    assert task(made, "hybrid")["prompt_tokens_high"] == sent
    assert task(made, "hybrid")["exact"]
    compared = beside(made, usage)
    assert compared[["calls_low", "calls", "within"]].to_numpy().tolist() == [
        [expected, expected, True]
    ]


def test_classification_takes_a_call_for_fifty_names(ships: Path) -> None:
    language, model = LanguageParams(classify=True), silent_model()
    made = estimate(ships, "heuristic", model, language=language, report=None)
    usage = run(ships, "heuristic", model, language)
    assert calls(made, "classify") == [1, 1, 1] and usage["calls"].tolist() == [1]
    assert task(made, "classify")["prompt_tokens_low"] == count_tokens(model.prompts[0])


@pytest.mark.parametrize("summary_tokens", [4_000, 1])
@pytest.mark.parametrize("model", [silent_model, talkative_model])
def test_what_depends_on_replies_stays_within_its_bounds(
    ships: Path, model: Callable[..., FunctionModel], summary_tokens: int
) -> None:
    language = LanguageParams(gleanings=2, claims=True, summary_tokens=summary_tokens)
    made = estimate(ships, "llm", model(), language=language, chunk=SMALL, report=None)
    asked = model()
    compared = beside(made, run(ships, "llm", asked, language, SMALL))
    assert compared["within"].all(), compared.to_string()
    exact = compared[compared["exact"]]
    assert exact["task"].tolist() == ["entities"]
    assert exact["calls"].tolist() == exact["calls_low"].tolist() == [made.chunks]
    for name, row in made.tasks.set_index("task").iterrows():
        sent = [p for p, t in zip(asked.prompts, asked.tasks, strict=True) if t == name]
        assert sum(map(count_tokens, sent)) <= row["prompt_tokens_high"]
        assert row["calls_low"] <= row["calls_likely"] <= row["calls_high"]


def test_a_talkative_model_needs_all_kinds_of_calls(ships: Path) -> None:
    language = LanguageParams(gleanings=1)
    usage = run(ships, "llm", talkative_model(), language, SMALL).set_index("task")["calls"]
    made = estimate(ships, "llm", language=language, chunk=SMALL, report=None)
    assert usage["gleaning"] == calls(made, "gleaning")[2] == made.chunks
    assert calls(made, "relationships") == [0, made.chunks, made.chunks]
    assert usage["description"] >= 3  # Meridian, Halden Shipping, Varga in two chunks or more


def test_reports_of_a_heuristic_graph_are_counted(ships: Path) -> None:
    made = estimate(ships, "heuristic")
    communities = len(ground(ships, exact=True).communities.communities)
    assert communities >= 1
    assert calls(made, "report") == [communities] * 3
    assert made.total["calls_high"] == communities
    row = task(made, "report")
    assert row["prompt_tokens_low"] == row["prompt_tokens_high"]  # all contexts fit
    assert len(estimate(ships, "heuristic", report=None).tasks) == 0


def test_equal_chunks_are_asked_about_once(tmp_path: Path) -> None:
    folder = tmp_path / "twice"
    folder.mkdir()
    # Another file name and ending, the same chunk: Markdown without marks reads as plain text.
    (folder / "a.txt").write_text("Ilse Varga leads the Corvina.\n")
    (folder / "b.txt").write_text("Ilse Varga leads the Corvina.\n\n")
    made = estimate(folder, "llm", silent_model(), report=None)
    usage = run(folder, "llm", silent_model(), LanguageParams())
    assert (calls(made, "entities"), task(made, "entities")["cached"]) == ([1, 1, 1], 1)
    assert usage.set_index("task").loc["entities", ["calls", "cached"]].tolist() == [1, 1]


def test_time_and_money_follow_from_tokens(ships: Path) -> None:
    made = estimate(ships, "hybrid", silent_model(name="openai/gpt-4o"), report=None,
                    speed=given_speed(50))  # fmt: skip
    row = task(made, "hybrid")
    sent, got = row["prompt_tokens_high"], row["completion_tokens_high"]
    assert row["seconds_high"] == pytest.approx(sent / 500 + got / 50)
    assert row["cost_high"] == pytest.approx((2.5 * sent + 10 * got) / 1e6)
    assert made.total["cost_high"] == row["cost_high"]
    unknown = estimate(ships, "hybrid", silent_model(), report=None)
    assert pd.isna(unknown.total["cost_low"]) and pd.isna(unknown.total["seconds_low"])


def test_speeds_are_those_that_made_the_seconds() -> None:
    tokens = [(100, 50), (900, 10), (400, 200), (50, 5), (1000, 400)]
    frame = pd.DataFrame(
        {
            "task": ["entities", "entities", "hybrid", "entities", "hybrid"],
            "prompt": ["word " * p for p, _ in tokens],
            "prompt_tokens": [p for p, _ in tokens],
            "completion_tokens": [c for _, c in tokens],
            "seconds": [p / 400 + c / 25 for p, c in tokens],
            "status": ["ok", "ok", "ok", "invalid", "ok"],
        }
    )
    speed = measured_speed(frame)
    assert speed is not None
    assert (speed.prompt, speed.completion) == (pytest.approx(400), pytest.approx(25))
    assert speed.replies == {"entities": 30.0, "hybrid": 300.0}
    few = measured_speed(frame.head(1))  # 100 / 10 + 50 tokens in 100 / 400 + 50 / 25 seconds
    assert few is not None and few.completion == pytest.approx(60 / 2.25)
    assert measured_speed(frame.assign(seconds=0.0)) is None
    assert Speed(400, 25, ratio=2.0).seconds(400, 25) == 3.0


def test_a_sample_is_made_of_the_run_s_own_requests(ships: Path) -> None:
    model = silent_model()
    made = estimate(ships, "llm", model, chunk=SMALL, sample=2, report=None)
    assert len(model.prompts) == 2 and set(model.tasks) == {"entities"}
    assert made.speed is None  # the fake takes no time
    assert calls(made, "entities") == [made.chunks] * 3  # nothing is kept without a store


def test_replies_that_a_store_knows_cost_nothing_whatever_corpus_is_named(
    ships: Path, tmp_path: Path
) -> None:
    store = Store(tmp_path / "s.duckdb")
    model = silent_model()
    index(ships, store, mode="hybrid", llm=model, chunk=ChunkParams(size=128))
    free = estimate(ships, "hybrid", model, store=store, report=None)
    assert free.tasks[["task", "calls_likely", "cached"]].values.tolist() == [["hybrid", 0, 2]]
    (ships / "more.md").write_text("# More\n\nThe Corvina lies in Port Ansel.\n", encoding="utf-8")
    [row] = estimate(ships, "hybrid", model, store=store, report=None).tasks.itertuples()
    assert row.calls_likely + row.cached == 3 and row.calls_likely >= 1
    assert estimate(ships, "hybrid", model, report=None).total["calls_likely"] == 3


def test_prices_are_found_by_name_then_by_pattern(tmp_path: Path) -> None:
    assert price_of("ollama/anything") == Price(0, 0)
    assert price_of("openai/gpt-4o-mini") == Price(0.15, 0.6)
    assert price_of("openai/my-own") is None
    mine = tmp_path / "mine.yaml"
    mine.write_text(
        "currency: EUR\nmodels:\n  'openai/*': {prompt: 1, completion: 2}\n"
        "  'openai/my*': {prompt: 3, completion: 4}\n"
    )
    table = load_prices(mine)
    assert price_of("openai/my-own", table) == Price(3, 4, "EUR")
    assert price_of("openai/other", table) == Price(1, 2, "EUR")
    mine.write_text("models: {x: {prompt: cheap}}")
    with pytest.raises(InputError, match="price of 'x'"):
        load_prices(mine)
    mine.write_text("models: {x: {prompt: -1, completion: 0}}")
    with pytest.raises(InputError, match="below 0"):
        load_prices(mine)


def test_the_article_s_table_comes_from_its_formulae() -> None:
    table = article_costs()
    assert dict(zip(table["system"], table["calls"], strict=True)) == {
        "heuristic": 24,
        "hybrid": 120,
        "llm": 1020,
        "Microsoft GraphRAG": 1020,
    }
    assert table["extraction"].tolist() == [4, 100, 1000, 1000]
    assert article_costs(entities=201)["extraction"][0] == 5


@pytest.mark.shared
@pytest.mark.slow
def test_ours_on_blog100_stand_beside_the_article(shared: Callable[[str], Path]) -> None:
    estimates = article_estimates(shared("blog100"))
    table = beside_article(estimates).set_index("system")
    assert table["article"].tolist() == [24, 120, 1020, 1020]
    chunks = estimates["llm"].chunks
    assert estimates["llm"].documents == 100 and chunks > 500  # he assumed five chunks a post
    assert table.loc["llm", "calls_low"] == chunks
    reports = int(task(estimates["heuristic"], "report")["calls_likely"])
    assert table.loc["llm", "formula"] == 2 * chunks + reports
    assert table.loc["hybrid", "formula"] == 100 + reports
    assert pd.isna(table.loc["Microsoft GraphRAG", "calls_low"])


def test_what_nobody_told_is_assumed_and_said(ships: Path, monkeypatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    away = estimate(ships, "llm", "ollama/llama3.2:3b", report=None)
    assert (away.window, away.window_told) == (16_384, False)
    told = estimate(ships, "llm", "ollama/llama3.2:3b", report=None, context_window=4_096)
    assert (told.window, told.window_told) == (4_096, True)
    with pytest.raises(InputError, match="Mode 'magic' does not exist"):
        estimate(ships, "magic")


def test_an_llm_estimate_loads_no_embedder(ships: Path) -> None:
    code = (
        "import sys; from workbench.study.estimate import estimate\n"
        "estimate(sys.argv[1], 'llm')\nprint('torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(ships)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
