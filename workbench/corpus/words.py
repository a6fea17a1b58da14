"""Text in, words with their places and search terms out, in any script.

Rules, in the order in which they are tried:

1. An address (`https://…`, `www.…`, e-mail) is one word.
2. Abbreviations with dots keep the last one: `e.g.`, `U.S.`
3. Names with signs stay whole: `C#`, `C++`, `.NET`, `.env`, `HTTP/2`, `I/O`, `R&D`, `--no-cache`.
4. Letters, digits and `_` joined by `.`, `-`, `'` or a digit group's `,` are one word:
   `docker-compose.yml`, `ASP.NET`, `node_exporter`, `don't`, `3.11`, `1,000`. An English possessive
   `'s` is left out. Marks belong to their letter.
5. Scripts that put no blanks between words give one word for each run of one script: Han, Hiragana,
   Katakana, Thai, Lao, Khmer, Myanmar.

Everything else (blanks, brackets, lone signs) is no word.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_RUNS = {  # scripts without blanks
    "han": _HAN,
    "hiragana": "\u3041-\u309f",
    "katakana": "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f",
    "thai": "\u0e01-\u0e3a\u0e40-\u0e4e",
    "lao": "\u0e81-\u0ede",
    "khmer": "\u1780-\u17d3\u17dc\u17dd",
    "myanmar": "\u1000-\u1049\u1050-\u109f",
}
# Marks that `\w` does not match but that belong to a word: combining accents, points and vowel
# signs of Hebrew, Arabic and the scripts of India, Arabic tatweel, joiners.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0900-\u0963\u0971-\u0df3\u0f71-\u0f84\u200c\u200d"
)
_LETTER = rf"[^\W{''.join(_RUNS.values())}]"
_BASE = rf"{_LETTER}+(?:[{_MARKS}]+{_LETTER}*)*"
_ASCII_BASE = r"\w+"
_PATTERN = r"""
    (?:https?|ftp)://[^\s<>"'`|]*[\w/]  |  www\.[^\s<>"'`|]*[\w/]
  | (?<![\w.])[\w.+-]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]{{1,63}})+
  | (?<![\w.])(?:[^\W\d_]\.){{2,}}(?!\w)
  | (?<![\w&])[A-Za-z][#](?!\w)
  | (?<!\w)[A-Za-z][A-Za-z]*\+\+(?:\d{{2}}\b)?
  | (?<!\w)(?:[A-Z]+/\d+(?:\.\d+)*|[A-Z]/[A-Z]|[A-Z]{{1,3}}&[A-Z]{{1,3}})(?![\w/])
  | (?<![\w.\])}}/-])\.[A-Za-z][\w-]*(?:\.[A-Za-z]\w*)*
  | (?<![\w-])--[A-Za-z][\w-]*\w
  | (?<![\w.])\d{{1,3}}(?:,\d{{3}})+(?!\w)(?:\.\d+)?
  | {base}(?:[.\-'’\u2010\u2011]{base})*
"""
_ASCII = re.compile(_PATTERN.format(base=_ASCII_BASE), re.VERBOSE | re.ASCII)
_ANY = re.compile(
    _PATTERN.format(base=_BASE) + "".join(f"|[{run}]+" for run in _RUNS.values()), re.VERBOSE
)
_POSSESSIVE = ("'s", "’s", "'S", "’S")
_UNSPACED = re.compile(f"[{''.join(_RUNS.values())}]")
_JOINT = re.compile(r"[!-&(-/:-@\[-`{-~\u2010\u2011]+")  # ASCII signs but the apostrophe
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_DROPPED = re.compile("[\u0640\u064b-\u065f\u0670\u200c\u200d]")
_ACCENTS = re.compile("[\u0300-\u036f]")
# Acronyms of four letters or more whose last one is an S: https is not the plural of http.
_NO_PLURALS = frozenset(
    {"https", "ftps", "ldaps", "smtps", "saas", "paas", "iaas", "hdfs", "macos"}
)
_FOLDED = str.maketrans("أإآٱىةـ’‐‑", "ااااي" + "ه" + "ـ'--")


class Word(NamedTuple):
    """A word as written: `source[start:end] == text`."""

    text: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    """Give the words of a text in order.

    >>> [word.text for word in words("Docker's `docker-compose.yml` runs C# on .NET 9, e.g. v1.2.")]
    ['Docker', 'docker-compose.yml', 'runs', 'C#', 'on', '.NET', '9', 'e.g.', 'v1.2']
    >>> [word.text for word in words("Docker容器はコンテナ")]
    ['Docker', '容器', 'は', 'コンテナ']
    """
    found = []
    for match in (_ASCII if text.isascii() else _ANY).finditer(text):
        word, start = match[0], match.start()
        if word.endswith(_POSSESSIVE):
            word = word[:-2]
        found.append(Word(word, start, start + len(word)))
    return found


def fold(word: str) -> str:
    """Give the form by which a word is searched: NFKC, case-folded, Arabic forms levelled.

    >>> fold("Straße"), fold("مُحَمَّـد")
    ('strasse', 'محمد')
    """
    if word.isascii():
        return word.lower()
    folded = unicodedata.normalize("NFKC", word).casefold().translate(_FOLDED)
    return _DROPPED.sub("", folded)


def _level(term: str) -> str:
    """Take accents off a Latin term and the plural ending off an English one.

    Measured with BM25 (recall@5 without, with): 2wiki .632, .647; musique .483, .517. The rule is
    the same on both sides, so a name such as `postgres` loses nothing by losing its end.
    """
    if not term.isascii():
        bare = _ACCENTS.sub("", unicodedata.normalize("NFD", term))
        term = bare if bare.isascii() else term
    if len(term) < 4 or not term.endswith("s") or not (term.isascii() and term.isalpha()):
        return term
    if term in _NO_PLURALS or term.endswith(("ss", "us", "is")):
        return term
    if term.endswith("ies") and len(term) > 4:
        return term[:-3] + "y"
    return term[:-2] if term.endswith(("xes", "ches", "shes", "zes")) else term[:-1]


def terms(text: str) -> list[str]:
    """Give the search terms of a text, in order, with repetitions.

    A word with signs or capitals inside gives itself and its parts of two characters or more; a
    run of a script without blanks gives its pairs of neighbouring characters. Accents of Latin
    letters and English plural endings are left out.

    >>> terms("docker-compose.yml for ASP.NET")
    ['docker-compose.yml', 'docker', 'compose', 'yml', 'for', 'asp.net', 'asp', 'net']
    >>> terms("容器编排")
    ['容器', '器编', '编排']
    """
    found: list[str] = []
    for word, _, _ in words(text):
        if not word.isascii() and _UNSPACED.match(word):
            run = fold(word)
            found += [run] if len(run) < 3 else [run[i : i + 2] for i in range(len(run) - 1)]
            continue
        whole = _level(fold(word))
        found.append(whole)
        if word.isalpha() and (word.islower() or len(word) < 3):
            continue
        if any(map(str.isalpha, word)):  # the parts of a number mean nothing
            pieces = [part for piece in _JOINT.split(word) for part in _CAMEL.split(piece)]
            parts = [_level(fold(part)) for part in pieces]
            found += [part for part in parts if len(part) > 1 and part != whole]
    return [term for term in found if term]
