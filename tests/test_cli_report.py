"""One page about a folder, by one command."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from tests.storage.corpora import write_corpus
from workbench.cli import app
from workbench.store import Store


def test_a_page_about_ten_documents(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "ten")
    questions = tmp_path / "q.jsonl"
    line = {"question": "What restarts Docker?", "gold": ["d00.md"], "answer": "Docker"}
    questions.write_text(json.dumps(line), "utf-8")
    words = ["report", str(corpus), "--out", str(tmp_path / "page"), "--question", "What is Redis?"]
    result = CliRunner().invoke(app, [*words, "--questions", str(questions), "--json"])
    assert result.exit_code == 0, result.output
    page, notebook, store = (Path(name) for name in json.loads(result.stdout)["files"])
    assert page.name == "10_your_corpus.html" and notebook.suffix == ".ipynb"
    text = page.read_text("utf-8")
    assert "What is Redis?" in text and "gold documents found" in text
    assert len(Store(store).read("documents")) == 10
