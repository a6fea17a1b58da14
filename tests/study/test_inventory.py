from __future__ import annotations

import contextlib
from types import SimpleNamespace

import pandas as pd

from workbench.schema import TABLES
from workbench.study.inventory import EXPLAINED_IN, inventory, versions


def test_every_table_is_listed_once_with_its_rows() -> None:
    store = SimpleNamespace(session=contextlib.nullcontext)
    run = SimpleNamespace(
        name="heuristic", store=store, read=lambda name: pd.DataFrame({"a": range(len(name))})
    )
    found = inventory(run)
    assert len(found) == len(TABLES)
    assert found.set_index("table").loc["documents", "rows"] == len("documents")
    row = found.set_index("table").loc["heuristic.entities"]
    assert row["rows"] == 8 and row["notebook"] == "02_heuristic_extraction"


def test_each_explained_table_is_in_the_schema() -> None:
    assert set(EXPLAINED_IN) <= {table.name for table in TABLES}


def test_versions_name_what_results_depend_on() -> None:
    assert versions().set_index("software").loc["duckdb", "version"] == "1.5.5"
