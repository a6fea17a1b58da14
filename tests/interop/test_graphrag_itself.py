"""Our export read by graphrag 3.3.0 itself, in a virtual environment of its own.

Runs when WORKBENCH_GRAPHRAG_VENV names one: `python3 -m venv V && V/bin/pip install
graphrag==3.3.0`. Skipped otherwise, and so in CI.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.storage.builders import StandIn
from workbench.index import index
from workbench.interop.graphrag_export import export_graphrag
from workbench.interop.graphrag_import import import_graphrag
from workbench.interop.v3_columns import COLUMNS
from workbench.paths import shipped
from workbench.reporting import report

SCRIPT = Path(__file__).with_name("graphrag_reads.py")
pytestmark = pytest.mark.skipif(
    not os.environ.get("WORKBENCH_GRAPHRAG_VENV"),
    reason="WORKBENCH_GRAPHRAG_VENV names no virtual environment with graphrag==3.3.0",
)


def read_by_graphrag(folder: Path, vector: np.ndarray, scratch: Path) -> dict[str, Any]:
    venv = Path(os.environ["WORKBENCH_GRAPHRAG_VENV"])
    question = scratch / "question.json"
    question.write_text(json.dumps(vector.tolist()))
    (ranks,) = venv.glob("lib/python*/site-packages/litellm/litellm_core_utils/tokenizers")
    offline = {"TIKTOKEN_CACHE_DIR": str(ranks), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    done = subprocess.run(
        [str(venv / "bin/python"), str(SCRIPT), str(folder), str(question), str(scratch / "lance")],
        capture_output=True,
        text=True,
        env={**os.environ, **offline},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_a_run_of_ours(tmp_path: Path, embedder: StandIn) -> None:
    run = index(shipped("data/handbook"), tmp_path / "s.duckdb")
    reports = report(run)
    rows = export_graphrag(run, tmp_path / "out")
    vectors = run.vectors("entities")
    asked = vectors.matrix[7]
    found = read_by_graphrag(tmp_path / "out", asked, tmp_path)
    assert found["version"] == "3.3.0"
    assert found["columns"] == {name: columns.split() for name, columns in COLUMNS.items()}
    assert found["frames"] == {name: rows[f"{name}.parquet"] for name in COLUMNS}
    count = len(reports)
    assert found["read"] == {
        "entities": len(run.entities),
        "relationships": len(run.relationships),
        "text_units": len(run.read("chunks")),
        "reports": count,  # with our titles, which are not unique, GraphRAG would drop some
        "communities": count,
        "covariates": 0,
    }
    assert found["with_vectors"] == count
    nearest = np.argsort(-(vectors.matrix @ asked), kind="stable")[:20]
    assert found["nearest"][0] == vectors.ids[7] == vectors.ids[nearest[0]]
    assert len(set(found["nearest"]) & {vectors.ids[row] for row in nearest}) >= 18  # ties
    assert len(found["entities"]) == 20 and found["entities"][0] == run.entities["name"][7]
    assert found["local"]["sources"] > 0 and found["local"]["relationships"] > 0
    assert 1000 < found["local_tokens"] <= 12_500
    assert found["graph"] == [len(run.entities), len(run.relationships)]


@pytest.mark.shared
def test_an_index_that_was_imported(
    shared: Callable[[str], Path], tmp_path: Path, embedder: StandIn
) -> None:
    """What graphrag reads of our copy of Dulce is what it reads of Dulce."""
    run = import_graphrag(shared("dulce"), tmp_path / "s.duckdb")
    export_graphrag(run, tmp_path / "out")
    found = read_by_graphrag(tmp_path / "out", run.vectors("entities").matrix[0], tmp_path)
    assert found["read"] == {"entities": 39, "relationships": 107, "text_units": 5, "reports": 10,
                             "communities": 10, "covariates": 41}  # fmt: skip
    assert found["local"]["claims"] > 0
    lost = {  # what Dulce has wrong, or an export makes anew
        "documents": {"human_readable_id", "text_unit_ids"},
        "communities": {"period", "relationship_ids", "text_unit_ids"},
        "community_reports": {"period", "id", "full_content_json"},
    }
    for name, columns in COLUMNS.items():
        ours = pd.read_parquet(tmp_path / f"out/{name}.parquet")
        theirs = pd.read_parquet(shared("dulce") / f"{name}.parquet")
        key = "id" if name != "community_reports" else "community"
        for column in {*columns.split()} & {*theirs} - lost.get(name, set()):
            left, right = (frame.sort_values(key)[column].tolist() for frame in (ours, theirs))
            if isinstance(left[0], np.ndarray):
                left, right = ([_plain(one) for one in side] for side in (left, right))
            assert left == right, (name, column)
    links = [
        pd.read_parquet(folder / "communities.parquet")
        .set_index("id")["relationship_ids"]
        .explode()
        for folder in (tmp_path / "out", shared("dulce"))
    ]
    pairs = [set(one.dropna().items()) for one in links]
    assert pairs[0] < pairs[1]  # a dangling relationship is in no community of ours
    assert {link for _, link in pairs[1] - pairs[0]} == set(
        run.relationships["id"][run.relationships["source_id"].str.startswith("missing:")]
    )


def _plain(cell: Any) -> list[Any]:
    """Give a list column's cell in an order that does not matter to GraphRAG."""
    return sorted(map(str, (dict(sorted(x.items())) if isinstance(x, dict) else x for x in cell)))
