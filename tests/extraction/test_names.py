from __future__ import annotations

import pytest

from tests.extraction.reading import tokens_of
from workbench.extraction.names import runs, title_case


def spans(text: str, weak: bool = False) -> list[str]:
    tokens = tokens_of(text)
    return [text[tokens.starts[r.first] : tokens.ends[r.last - 1]] for r in runs(tokens, weak)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("born in Salt Lake City , Utah", ["Salt Lake City", "Utah"]),
        ('he saw Wilfried " Willi " Schneider win', ['Wilfried " Willi " Schneider']),
        ("by J. R. R. Tolkien himself", ["J. R. R. Tolkien"]),
        ("the University of Copenhagen", ["University of Copenhagen"]),
        ("the Order of the Rising Sun", ["Order of the Rising Sun"]),
        ("at the 2002 Winter Olympics in Turin", ["2002 Winter Olympics", "Turin"]),
        ("in 2002 Docker came", ["Docker"]),
        ("uses Python 3.11 now", ["Python 3.11"]),
        ("a Boeing 747 , grounded", ["Boeing 747"]),
        ("we saw Canada 12 times", ["Canada"]),
        ("on 13 March 1963 in May", []),
        ("by Ludo Waltman and Nees Jan van Eck", ["Ludo Waltman", "Nees Jan van Eck"]),
        ("the Council for Peace and Order met", ["Council for Peace and Order"]),
        ("both Docker and Podman", ["Docker", "Podman"]),
        ("band Mumford & Sons played", ["Mumford & Sons"]),
        ("the President of the United States spoke", ["United States"]),
        ("Ghana 's Convention People 's Party won", ["Ghana", "Convention People 's Party"]),
        ("read The Scotsman daily", ["The Scotsman"]),
        ("band Old Crow Medicine Show", ["Old Crow Medicine Show"]),
        ("HTMX - Htmx is", ["HTMX", "Htmx"]),
        ("CDNs DO go down", ["CDNs"]),
    ],
)  # fmt: skip
def test_runs(text: str, expected: list[str]):
    assert spans(text) == expected


def test_function_words_and_articles_at_the_front_go():
    assert spans("The Soccer Academy is old.") == ["Soccer Academy"]
    assert spans("In Turin it rained.") == ["Turin"]


def test_a_run_knows_whether_it_opens_a_sentence():
    assert [run.initial for run in runs(tokens_of("Docker runs. It uses Compose."))] == [
        True,
        False,
    ]


def test_small_words_join_nothing_where_every_noun_has_a_capital():
    assert spans("eine Liste der Zeilen", weak=True) == ["Liste", "Zeilen"]


def test_title_case_needs_every_content_word_to_have_a_capital():
    for text, expected in [("Docker and the Disk", True), ("Docker runs well", False)]:
        tokens = tokens_of(text)
        assert title_case(tokens, 0, len(tokens)) is expected
