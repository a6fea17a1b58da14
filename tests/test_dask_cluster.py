"""Extraction on a real cluster gives what it gives here."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from tests.clusters import dask_cluster
from tests.storage.corpora import write_corpus
from workbench.cli import app
from workbench.dask_cluster import spread
from workbench.errors import InputError
from workbench.store import Store


def test_indexing_on_two_workers_gives_the_same_tables(tmp_path: Path) -> None:
    corpus = str(write_corpus(tmp_path / "ten"))
    here, there = tmp_path / "here.duckdb", tmp_path / "there.duckdb"
    assert CliRunner().invoke(app, ["index", corpus, "--store", str(here)]).exit_code == 0
    with dask_cluster(tmp_path) as (address, _):
        words = ["index", corpus, "--store", str(there), "--dask", address]
        result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    one, other = Store(here).run(), Store(there).run()
    for table in ("entities", "entity_mentions", "relationships", "communities", "rejected"):
        pd.testing.assert_frame_equal(one.read(table), other.read(table))


def test_no_scheduler_is_one_sentence() -> None:
    pytest.importorskip("distributed", reason="the extra [dask] is not installed")
    with (
        pytest.raises(InputError, match="No Dask scheduler answers at 'tcp://127.0.0.1:9'"),
        spread("tcp://127.0.0.1:9"),
    ):
        pass
