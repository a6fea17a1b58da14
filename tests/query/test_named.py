"""The entities a question names, by name and by alias."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from workbench.query.named import named_entities
from workbench.query.run_index import RunIndex


@pytest.fixture
def index() -> RunIndex:
    entities = pd.DataFrame(
        {
            "id": ["e0", "e1", "e2", "e3", "e4"],
            "name": ["Docker", "Docker Compose", "Go", "C#", "Hallam"],
            "mention_count": [9, 5, 3, 2, 1],
        }
    )
    aliases = pd.DataFrame({"entity_id": ["e1", "e4"], "alias": ["docker-compose", "Miss Hallam"]})
    nothing = pd.DataFrame()
    return RunIndex(
        SimpleNamespace(), SimpleNamespace(), entities, aliases, *[nothing] * 7, None, None
    )


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (
            "How do docker compose and Docker's daemon differ?",
            [("e1", "docker compose"), ("e0", "Docker")],
        ),
        (
            "is docker-compose written in Go, or C#?",
            [("e1", "docker-compose"), ("e2", "Go"), ("e3", "C#")],
        ),
        ("where does it go", []),
        ("Who is miss hallam?", [("e4", "miss hallam")]),
        ("?!", []),
    ],
)
def test_the_longest_name_wins_and_function_words_need_their_case(index, question, found) -> None:
    frame = named_entities(index, question)
    ids = index.entities["id"].iloc[frame["entity_row"]]
    assert list(zip(ids, frame["spelling"], strict=True)) == found
