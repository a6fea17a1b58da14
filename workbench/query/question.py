"""A question's text in, its search terms and its vector out."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from workbench.corpus.decode import clean
from workbench.corpus.words import terms
from workbench.errors import InputError
from workbench.models.embedding import Embedder


@dataclass(frozen=True)
class Question:
    """A question as the methods need it; `vector` (dimension,) is None when nobody asked for it."""

    text: str
    terms: list[str]
    vector: np.ndarray | None = field(default=None, compare=False)


def read_question(text: str, embedder: Embedder | None) -> Question:
    """Give the question; raise InputError when there is nothing but white space.

    One of punctuation alone has no terms, so only its vector finds anything.
    """
    text = clean(text)  # the command line takes any bytes
    if not text.strip():
        raise InputError("The question is empty: ask for something, such as 'Docker volumes'.")
    vector = None if embedder is None else embedder.encode([text], description="question")[0]
    return Question(text, terms(text), vector)
