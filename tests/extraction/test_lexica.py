from __future__ import annotations

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from workbench.extraction import lexica


def test_every_english_stop_word_of_scikit_learn_is_in_the_list():
    assert frozenset() == ENGLISH_STOP_WORDS - lexica.ENGLISH


def test_words_that_never_stand_in_a_name_are_no_name_parts():
    assert "the" in lexica.STRICT and "that" in lexica.STRICT
    assert lexica.NAME_PARTS <= lexica.ENGLISH
    assert "show" not in lexica.STRICT  # Old Crow Medicine Show
