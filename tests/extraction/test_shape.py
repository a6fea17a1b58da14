from __future__ import annotations

import time

import pytest

from workbench.extraction.shape import (
    CAP,
    LOWER,
    MIXED,
    NOCASE,
    NUMBER,
    UPPER,
    digits,
    shape,
)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("docker", LOWER), ("state-of-the-art", LOWER), ("Docker", CAP), ("Anglo-Saxon", CAP),
        ("O'Brien", CAP), ("YAML", UPPER), ("APIs", UPPER), ("U.S", UPPER),
        ("PostgreSQL", MIXED), ("iPhone", MIXED), ("GitHub", MIXED), ("C#", MIXED),
        ("C++", MIXED), (".NET", MIXED), ("k8s", MIXED), ("SHA256", MIXED),
        ("docker-compose.yml", MIXED), ("snake_case", MIXED), ("3.11", NUMBER), ("2,000", NUMBER),
        ("1st", NUMBER), ("16GB", NUMBER), ("5-10min", NUMBER), ("2025-11-09T14", NUMBER),
        ("v1.0", NUMBER), ("索引", NOCASE), ("حاوية", NOCASE),
    ],
)  # fmt: skip
def test_shapes(word: str, expected: int):
    assert shape(word) == expected


def test_a_monstrous_word_takes_no_longer_than_its_letters():
    start = time.process_time()
    assert shape("x" * 300_000) == LOWER
    assert shape("x" * 300_000 + "Y") == MIXED
    assert time.process_time() - start < 2  # the square of it takes minutes


def test_digits_are_read_as_numbers():
    assert digits("Python 3.11") == ("3.11",)
    assert digits("SHA-512/256") == ("512", "256")
    assert digits("Docker") == ()
