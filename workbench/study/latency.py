"""A store multiplied to 10,000 chunks in, how long each method takes for a question out.

python -m workbench.study.latency STORE RUN QUESTIONS.jsonl reports/benchmarks/latency.md
"""

from __future__ import annotations

import platform
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from workbench.models.prompts import load_templates
from workbench.query.asking import Asking
from workbench.query.methods import method
from workbench.query.question import Question, read_question
from workbench.query.run_index import run_index
from workbench.query.search import embedder_of
from workbench.query.trace import Recorder
from workbench.schema import POSTINGS, RUN_TABLES
from workbench.storage import corpus
from workbench.store import Store
from workbench.study.evaluate import read_questions

METHODS = ("basic", "walk", "local")


def multiplied(store: Store, run: str, path: Path, chunks: int = 10_000) -> Store:
    """Write a store with copies of another's documents, so that it has that many chunks.

    The copies' vectors differ by a little noise; all copies share the run's entities, so that names
    lie in more chunks, and the graph is denser, than in a corpus of that size.
    """
    old, vectors = store.read("chunks"), store.vectors("chunks").matrix
    embedder = embedder_of(store, run_index(store, run).chunks, "basic")
    copy = Store.create(
        path, chunk=store.chunk_params(), embed=store.embed_params(), embedder=embedder
    )
    times = range(-(-chunks // len(old)))

    def copies(frame: pd.DataFrame, *ids: str) -> pd.DataFrame:
        frames = [frame.assign(**{name: f"{n}-" + frame[name] for name in ids}) for n in times]
        return pd.concat(frames, ignore_index=True)

    cut = copies(old, "id", "document_id").iloc[:chunks]
    cut = cut.assign(short_id=range(len(cut)))
    kept = set(cut["id"])
    noise = np.random.default_rng(7).normal(0, 0.005, (len(cut), vectors.shape[1]))
    matrix = np.tile(vectors, (len(times), 1))[: len(cut)] + noise
    matrix = (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)
    postings = copies(store.sql(f"SELECT * FROM {POSTINGS.name}"), "chunk_id")  # noqa: S608
    with copy.writing() as connection:
        documents = copies(store.read("documents"), "id", "path")
        postings = postings[postings["chunk_id"].isin(kept)]
        corpus.write(connection, documents, cut, matrix, postings, matrix.shape[1])
        corpus.finish(connection)
    tables = {table.name: store.read(table.name, run) for table in RUN_TABLES}
    for name in ("entity_mentions", "relationship_mentions"):
        frame = copies(tables[name], "chunk_id")
        tables[name] = frame[frame["chunk_id"].isin(kept)]
    entity_vectors = {"entities": store.vectors("entities", run).matrix}
    copy.write_run(run, mode="heuristic", params={}, tables=tables, vectors=entity_vectors)
    return copy


def latency(store: Store, run: str, questions: Sequence[Question]) -> pd.DataFrame:
    """Time each method, warm and inside a session, without the embedding of the question.

    Columns: method, task (rank: documents in order; answer: the whole context and an answer of its
    sentences by terms), p50_ms, p95_ms, least_ms (wall clock) and cpu_p50_ms (of this thread,
    which other work on the machine does not change).
    """
    rows = []
    with store.session():
        index = run_index(store, run)
        for name in METHODS:
            chosen = method(name)

            def ranking(question: Question, chosen=chosen) -> object:
                return chosen.rank(store, run, question, 8)

            def answering(question: Question, chosen=chosen) -> object:
                asking = Asking(index, question, chosen.params(), Recorder(), load_templates(None))
                return chosen.answer(asking)

            rows += [
                (name, "rank", *_timed(ranking, questions)),
                (name, "answer", *_timed(answering, questions)),
            ]
    return pd.DataFrame(
        rows, columns=["method", "task", "p50_ms", "p95_ms", "least_ms", "cpu_p50_ms"]
    )


def _timed(
    function: Callable[[Question], object], questions: Sequence[Question]
) -> tuple[float, ...]:
    function(questions[0])
    wall, cpu = [], []
    for question in questions:
        start, own = time.perf_counter(), time.thread_time()
        function(question)
        wall.append((time.perf_counter() - start) * 1000)
        cpu.append((time.thread_time() - own) * 1000)
    figures = np.median(wall), np.quantile(wall, 0.95), min(wall), np.median(cpu)
    return tuple(round(float(figure), 1) for figure in figures)


def main(store: str, run: str, questions: str, out: str) -> None:
    """Measure, and write a page of Markdown."""
    source = Store(store)
    asked = read_questions(questions, source.sql("SELECT id, path FROM documents"))
    with tempfile.TemporaryDirectory() as folder:
        big = multiplied(source, run, Path(folder) / "big.duckdb")
        index = run_index(big, run)
        embedder = embedder_of(big, index.chunks, "basic")
        read = [read_question(item.text, embedder) for item in asked]
        table = latency(big, run, read)
        sizes = [len(part) for part in (index.chunks.chunks, index.entities, index.mentions)]
    text = (
        f"# Latency of a question\n\n{sizes[0]:,} chunks ({Path(store).stem}, multiplied), "
        f"{sizes[1]:,} entities, {sizes[2]:,} mentions; {len(read)} questions, warm, their "
        f"embedding left out; {platform.machine()}, Python {platform.python_version()}.\n\n"
    )
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in table.itertuples(index=False)]
    head = f"| {' | '.join(table.columns)} |\n|{' --- |' * len(table.columns)}\n"
    Path(out).write_text(text + head + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
