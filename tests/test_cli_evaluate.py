"""`workbench evaluate`: halves, evidence, choices and a published system, as tables and JSON."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from tests.query.handbook import handbook
from workbench.cli import app
from workbench.run import Run

__all__ = ["handbook"]


def test_everything_at_once(handbook: Run, tmp_path: Path) -> None:
    rows = [
        {
            "id": 1,
            "question": "How do I connect to Postgres?",
            "gold": ["postgresql.md"],
            "method": "basic",
            "evidence": [{"document": "postgresql.md", "quote": "The archive's memory is a"}],
        },
        {
            "id": 2,
            "question": "How does EF Core relate to Alembic?",
            "gold": ["migrations.md"],
            "method": "drift",
        },
    ]
    found = [{"query_id": row["id"], "retrieved_titles": ["Postgres"]} for row in rows]
    questions, other = tmp_path / "two.jsonl", tmp_path / "other.jsonl"
    questions.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    other.write_text("\n".join(json.dumps(row) for row in found), "utf-8")
    call = ["evaluate", questions, "--store", handbook.store.path, "--methods", "bm25,basic,auto"]
    call = [str(word) for word in [*call, "--k", "3", "--evidence", "--against", other]]
    given = json.loads(CliRunner().invoke(app, [*call, "--json"]).stdout)
    assert set(given["methods"]) == {"bm25", "basic", "auto"}
    assert given["halves"]["odd"]["other"] == {"recall@3": 1.0, "all@3": 1.0}
    assert given["published"]["other"]["mapped"] == 2  # Postgres, Patiently, twice
    assert given["choices"]["accuracy"] == 1.0
    assert 0 < given["methods"]["auto"]["evidence"] <= 1
    assert [row["method"] for row in given["comparisons"]] == ["bm25", "basic", "auto"]
    shown = CliRunner().invoke(app, call)
    assert shown.exit_code == 0
    assert "odd-numbered questions" in shown.stdout
    assert "other: 2 titles that were cut off mapped back" in shown.stderr
