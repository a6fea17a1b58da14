from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from workbench.show.text import count_of, escaped, formatted, visible


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("a\u2066b\u2069", "a⟨U+2066⟩b⟨U+2069⟩"),
        ("tab\tnew\nline", "tab new↵line"),
        ("nul\x00", "nul⟨U+0000⟩"),
        ("\ud800", "⟨U+D800⟩"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("深度学习", "深度学习"),
    ],
)
def test_visible_spells_out_hidden_signs_and_keeps_scripts(given: str, shown: str) -> None:
    assert visible(given) == shown
    assert shown.encode("utf-8")


def test_visible_cuts_at_the_width() -> None:
    assert visible("abcdef", 6) == "abcdef"
    assert visible("abcdefg", 6) == "abcde…"


def test_escaped_is_safe_in_text_and_attributes() -> None:
    assert escaped("<a b=\"c\" d='e'>&") == "&lt;a b=&quot;c&quot; d=&#x27;e&#x27;&gt;&amp;"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1234567, "1,234,567"),
        (np.int64(5), "5"),
        (0.12345, "0.123"),
        (3.0, "3"),
        (True, "yes"),
        (np.bool_(False), "no"),
        (None, "–"),
        (float("nan"), "–"),
        (pd.NA, "–"),
        ("text", "text"),
        ([1, 2], "[1, 2]"),
    ],
)
def test_formatted(value: object, shown: str) -> None:
    assert formatted(value) == shown


def test_formatted_takes_a_specification() -> None:
    assert formatted(0.5, ".1%") == "50.0%"
    assert formatted("as is", ".1%") == "as is"


def test_count_of() -> None:
    assert [count_of(n, "community") for n in (0, 1, 2)] == [
        "0 communities",
        "1 community",
        "2 communities",
    ]
