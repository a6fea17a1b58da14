from __future__ import annotations

from workbench.extraction.description import MAX_CHARACTERS, quote, shortened


def test_a_definition_is_better_than_an_earlier_mention():
    text = "We run Docker here every day now. Docker is a tool for running containers."
    plain = quote(text, (0, 32), 7, 13, 0)
    definition = quote(text, (34, len(text)), 34, 40, 1)
    assert definition.rank < plain.rank
    assert definition.text == "Docker is a tool for running containers."


def test_long_sentences_are_cut_around_the_name():
    text = "word " * 100 + "Docker " + "word " * 100
    at = text.index("Docker")
    short = shortened(text, at)
    assert "Docker" in short and len(short) <= MAX_CHARACTERS + 4
    assert short.startswith("… ") and short.endswith(" …")
    assert short.removeprefix("… ").removesuffix(" …") in text
