"""Text from a document in, text that is safe to show out: nothing hidden, nothing that acts."""

from __future__ import annotations

import html
import re

import pandas as pd

# Bidirectional controls, zero-width signs, C0/C1 controls, line separators and lone surrogates:
# they change what is seen, or break the file. Joiners (U+200C, U+200D) stay: scripts need them.
_HIDDEN = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u2069\ufeff\ud800-\udfff]"
)
NULL = "–"


def visible(value: object, width: int | None = None) -> str:
    """Give a value as one line of text in which each hidden sign is spelt out, cut at `width`.

    >>> visible("safe\\u202egnp.exe")
    'safe⟨U+202E⟩gnp.exe'
    >>> visible("a long name", width=6)
    'a lon…'
    """
    text = re.sub(r"\r?\n", "↵", str(value)).replace("\t", " ")
    text = _HIDDEN.sub(lambda match: f"⟨U+{ord(match.group()):04X}⟩", text)
    return text if width is None or len(text) <= width else text[: width - 1] + "…"


def escaped(value: object, width: int | None = None) -> str:
    """Give `visible` text for HTML: markup in it is shown and does nothing, also in attributes."""
    return html.escape(visible(value, width), quote=True)


def formatted(value: object, spec: str | None = None, width: int | None = None) -> str:
    """Give a cell's value as text: integers with separators, other numbers with 3 decimals.

    `spec` is a format specification such as `.1%`; a missing value is shown as a dash.
    """
    if value is None or (pd.api.types.is_scalar(value) and pd.isna(value)):
        return NULL
    if pd.api.types.is_bool(value):
        return "yes" if value else "no"
    if spec is not None and not isinstance(value, str):
        return format(value, spec)
    if pd.api.types.is_integer(value):
        return f"{value:,}"
    if pd.api.types.is_float(value):
        return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.3f}"
    return visible(value, width)


def count_of(number: int, noun: str) -> str:
    """Give a number with its noun, which takes an `s` or `ies` unless there is one.

    >>> count_of(1, "entity"), count_of(1200, "entity"), count_of(0, "chunk")
    ('1 entity', '1,200 entities', '0 chunks')
    """
    if number == 1:
        return f"1 {noun}"
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number:,} {plural}"
