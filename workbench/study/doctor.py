"""This machine in, what a bug report needs out: versions, models, extension, memory, servers."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Callable

import pandas as pd

from workbench.errors import ModelError
from workbench.models.pull import packaged_file
from workbench.study.inventory import versions

_EXTRAS = {  # package: the extra that installs it, and what for
    "graspologic-native": ("graspologic", "an engine without GPL code"),
    "xllamacpp": ("llamacpp", "models in process"),
    "markitdown": ("documents", ".html, .pdf and .docx"),
    "spacy": ("parser", "extraction mode parser"),
    "lancedb": ("lancedb", "vectors of Microsoft indexes"),
    "distributed": ("dask", "sweeps on a cluster"),
}
LEAST_MEMORY = 2.0  # GiB free: the embedder and a kernel take about one


def doctor() -> pd.DataFrame:
    """Give one row a thing that results or speed hang on: part, name, state, ok, remedy.

    `ok` is False only for what the heuristic mode cannot do without; servers and extras that are
    not there are no fault. Servers are looked for where OLLAMA_HOST and OPENAI_BASE_URL say.
    """
    rows = [
        ("software", row.software, row.version, True, "")
        for row in versions().itertuples(index=False)
    ]
    rows += [_machine(), _memory(), _embedder(), _vss(), *_extras(), _small_model()]
    rows += [_ollama(), _openai()]
    return pd.DataFrame(rows, columns=["part", "name", "state", "ok", "remedy"])


Row = tuple[str, str, str, bool, str]


def _machine() -> Row:
    allowed = getattr(os, "sched_getaffinity", None)  # not on every system
    cores = len(allowed(0)) if allowed else os.cpu_count()
    system = platform.platform(terse=True)
    return "machine", system, f"{platform.machine()}, {cores} cores", True, ""


def _memory() -> Row:
    import psutil

    memory = psutil.virtual_memory()
    free, whole = memory.available / 2**30, memory.total / 2**30
    enough = free >= LEAST_MEMORY
    remedy = "" if enough else f"close something: {LEAST_MEMORY:g} GiB are wanted"
    return "machine", "memory", f"{free:.1f} of {whole:.1f} GiB free", enough, remedy


def _embedder() -> Row:
    """Embed two sentences, which is the embedder's own self-test."""
    from workbench.models.embedding import load_embedder
    from workbench.params import EmbedParams

    try:
        found = load_embedder(EmbedParams())
    except ModelError as error:
        return "models", "embedder", str(error), False, "install graphrag-workbench again"
    return "models", "embedder", f"{found.name}, {found.dimension} numbers, works", True, ""


def _vss() -> Row:
    """Load DuckDB's vector extension, which only the optional HNSW index needs."""
    import duckdb

    from workbench.query.hnsw import load_packaged

    connection = duckdb.connect()
    try:
        try:
            load_packaged(connection)
        except ImportError:
            connection.load_extension("vss")
    except duckdb.Error as error:
        first = str(error).split("\n")[0]
        return "software", "DuckDB vss", first, True, "search is exact without it"
    finally:
        connection.close()
    return "software", "DuckDB vss", "loads", True, ""


def _extras() -> list[Row]:
    rows = []
    for name, (extra, use) in _EXTRAS.items():
        try:
            state, remedy = importlib.metadata.version(name), ""
        except importlib.metadata.PackageNotFoundError:
            state, remedy = "not installed", f'pip install "graphrag-workbench[{extra}]", for {use}'
        rows.append(("extras", name, state, True, remedy))
    return rows


def _small_model() -> Row:
    file = packaged_file("smollm2")
    state = "installed" if file else "not installed"
    return "models", "smollm2", state, True, "" if file else "workbench pull smollm2"


def _ollama() -> Row:
    import httpx
    import ollama

    def listed() -> list[str]:
        client = ollama.Client(timeout=3.0)
        return [str(model.model) for model in client.list().models]

    absent = (ConnectionError, httpx.HTTPError, ollama.ResponseError, ValueError)
    return _server("Ollama", listed, absent, "start it with `ollama serve`, or set OLLAMA_HOST")


def _openai() -> Row:
    import httpx

    base = os.environ.get("OPENAI_BASE_URL", "")
    if not base:
        return "servers", "OpenAI protocol", "none named", True, "set OPENAI_BASE_URL for one"
    key = os.environ.get("OPENAI_API_KEY", "")

    def listed() -> list[str]:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        answer = httpx.get(f"{base.rstrip('/')}/models", headers=headers, timeout=3.0)
        answer.raise_for_status()
        return [str(model["id"]) for model in answer.json()["data"]]

    absent = (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError)
    return _server("OpenAI protocol", listed, absent, "check OPENAI_BASE_URL and the key")


def _server(
    name: str, listed: Callable[[], list[str]], absent: tuple[type[BaseException], ...], remedy: str
) -> Row:
    try:
        models = listed()
    except absent as error:
        return "servers", name, f"does not answer ({type(error).__name__})", True, remedy
    shown = ", ".join(sorted(models)[:5]) or "no model yet"
    return "servers", name, f"answers: {shown}", True, ""
