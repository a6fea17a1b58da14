from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.extraction.cast import rows_within
from workbench.extraction.relations import Row
from workbench.extraction.signals import Link

SPANS = st.lists(st.tuples(st.integers(-1, 30), st.integers(0, 8)), max_size=12)


@given(SPANS, st.integers(0, 30), st.integers(0, 12))
def test_rows_within_a_link_are_those_a_look_at_all_of_them_finds(spans, start, length):
    rows = [Row(i, 0, at, at + size, 0, 0, ()) for i, (at, size) in enumerate(spans)]
    starts = sorted((row.start, i) for i, row in enumerate(rows))
    link = Link("", "", start, start + length)
    within = [row for row in rows if start <= row.start and row.end <= start + length]
    assert rows_within(rows, starts, link) == within
