"""A question in, the language it is written in out."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

LANGUAGES = ("en", "de", "fr", "es", "zh", "ar", "it", "pt", "nl", "ru", "ja")
SURE = 0.5  # of one name or a few words of code nothing can be told: they count as English


def language_of(text: str) -> str:
    """Give the language (ISO 639-1) of a text, one of LANGUAGES; `en` when it cannot be told.

    >>> [language_of(text) for text in ("Was ist Docker?", "Docker是什么？", "docker-compose.yml")]
    ['de', 'zh', 'en']
    """
    language, probability = _identifier().classify(text)
    return str(language) if probability >= SURE else "en"


@functools.lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(LANGUAGES)
    return identifier
