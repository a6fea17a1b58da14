from __future__ import annotations

from collections import Counter

import pytest

from tests.extraction.reading import tokens_of
from workbench.extraction.phrases import cjk_phrases, cohesive, count_phrases, npmi_of_words
from workbench.extraction.signals import document_signals
from workbench.extraction.vocabulary import Words

TEXT = (
    "We use a connection pool. The connection pool is small. "
    "Every connection pool, in time, fills. "
    "They run fast tests. We run fast tests. You run fast tests."
)


def counted(text: str) -> tuple:
    words = Words()
    words.add(document_signals(text, "plain"))
    return *count_phrases(tokens_of(text)), words


def test_phrases_count_their_bounds_and_determiners():
    counts, contexts, _ = counted(TEXT)
    assert counts["connection", "pool"] == [3, 3, 3]
    assert counts["run", "fast", "tests"] == [3, 3, 0]
    assert len(contexts["connection", "pool"]) == 3


def test_noun_groups_stay_and_verb_groups_go():
    counts, contexts, words = counted(TEXT)
    kept, dropped = cohesive(counts, contexts, words, min_count=3, min_npmi=0.3)
    assert kept == {("connection", "pool"): pytest.approx(3.0)}
    assert dropped["run", "fast", "tests"][0] == "no_noun_group"


def test_a_refrain_is_not_use():
    counts, contexts, words = counted("The long shadow of it. " * 4)
    kept, dropped = cohesive(counts, contexts, words, min_count=3, min_npmi=0.0)
    assert kept == {}
    counts, contexts, words = counted("By the connection pool of it. " * 4)
    _, dropped = cohesive(counts, contexts, words, min_count=3, min_npmi=0.0)
    assert dropped["connection", "pool"] == ("same_context", 1)


def test_npmi_by_hand():
    # p(xy) = 2/8, p(x) = p(y) = 2/8: ln(.25/.0625) / -ln(.25) = 1
    assert npmi_of_words(("a", "b"), 2, Counter(a=2, b=2), 8) == pytest.approx(1.0)
    # p(x) = p(y) = 4/8: ln(.25/.25) = 0
    assert npmi_of_words(("a", "b"), 2, Counter(a=4, b=4), 8) == pytest.approx(0.0)


def test_chinese_groups_are_whole_and_frequent():
    text = "知识图谱很好。知识图谱不大。知识图谱难。看知识图谱"
    assert cjk_phrases(tokens_of(text)) == {"知识图谱": 4}
