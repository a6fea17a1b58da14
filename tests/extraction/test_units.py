from __future__ import annotations

import pandas as pd

from tests.extraction.reading import world
from workbench.extraction.units import Unit, document_numbers, units_of


def test_a_span_in_an_overlap_is_in_both_chunks():
    unit = Unit("d", "x" * 30, "plain", True, chunks=[(10, 30, 1), (0, 15, 0)]).finish()
    assert unit.chunks_at(2, 5) == [0]
    assert unit.chunks_at(11, 14) == [0, 1]
    assert unit.chunks_at(14, 20) == [1]
    assert unit.chunks_at(8, 20) == [0]  # whole in none: where it begins


def test_chunks_without_places_are_read_alone_and_share_their_document():
    documents, chunks = world("One text.", "Another text.", cut=5)
    lost = chunks.assign(start_char=None, end_char=None)
    units = units_of(documents, lost)
    assert [unit.text for unit in units] == lost["text"].tolist()
    assert not any(unit.placed for unit in units)
    assert document_numbers(units) == [0, 0, 1, 1, 1]


def test_documents_without_text_leave_their_chunks():
    documents, chunks = world("One text.")
    documents = documents.assign(text=pd.Series([None], dtype=object))
    assert [unit.placed for unit in units_of(documents, chunks)] == [False]
