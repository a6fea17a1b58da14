"""The choice of a method: no single word decides it."""

from __future__ import annotations

import pytest

from workbench.query.auto import METHODS, classify


@pytest.mark.parametrize(
    ("question", "named", "method"),
    [
        ("How do I connect to Postgres?", ["Postgres"], "basic"),
        ("overview of the Dockerfile", [], "basic"),
        ("overview of the Dockerfile", ["Dockerfile"], "local"),
        ("related files", [], "basic"),
        ("How does Docker relate to Podman?", ["Docker", "Podman"], "drift"),
        ("What connects Lin Wei and the Great Reindex?", ["Lin Wei", "Great Reindex"], "drift"),
        ("Welche Verbindung besteht zwischen Docker und Qdrant?", ["Docker", "Qdrant"], "drift"),
        ("Quel est le lien entre Docker et Podman ?", ["Docker", "Podman"], "drift"),
        ("Docker和Podman有什么关系？", ["Docker", "Podman"], "drift"),
        ("What are the main themes of the handbook?", [], "global"),
        ("Was sind die Hauptthemen?", [], "global"),
        ("¿Cuáles son los temas principales?", [], "global"),
        ("这本手册的主题是什么？", [], "global"),
        ("Who is Naomi Adeyemi?", ["Naomi Adeyemi"], "local"),
        ("", [], "basic"),
        ("?!", [], "basic"),
    ],
)
def test_examples(question: str, named: list[str], method: str) -> None:
    decision = classify(question, named)
    assert decision.method == method, decision.table
    assert decision.runner_up != method
    sums = decision.table[list(METHODS)].sum()
    assert sums.round(6).to_dict() == dict(decision.scores)


def test_a_run_without_reports_or_entities_is_not_asked_for_them() -> None:
    themes = "What are the main themes?"
    assert classify(themes, [], reports=False).method != "global"
    assert classify("Who is Lin Wei?", ["Lin Wei"], entities=False).method == "basic"
