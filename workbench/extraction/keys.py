"""A spelling in, its key out: spellings with one key are one name (the `normalized` rule).

`Docker Compose`, `docker-compose` and `DockerCompose` have one key; `C`, `C#` and `C++`, `HTTP`
and `HTTPS`, `Python 3.11` and `Python 3.12` have different ones.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from workbench.extraction.shape import digits

_ARTICLE = re.compile(r"(?:the|an|a)\s+(?=\S)", re.I)
_WORLD_WIDE = re.compile(r"(?:https?://)?www\.(?=\w)", re.I)
_CALL = re.compile(r"<[^<>]*>|\(\)")
_LEADING_DOT = re.compile(r"(?<![\w.])\.(?=[^\W\d_])")
_SEPARATOR = re.compile(r"(?<=\d)[-./:,]+(?=\d)|[\s\-‐‑–_./:,'\"`´’‘“”«»„]+")


@lru_cache(maxsize=200_000)
def key(name: str) -> str:
    """Give the key of a spelling: case, separators, quotes and a leading article do not count.

    A path and a flag keep their first sign: `/metrics` is not `metrics`; `www.` is no part.

    >>> [key(n) for n in ("Docker-Compose", "DockerCompose", "C#", ".NET", "The Soccer Academy")]
    ['dockercompose', 'dockercompose', 'csharp', 'dotnet', 'socceracademy']
    >>> key("www.postgresql.org") == key("postgresql.org")
    True
    """
    text = unicodedata.normalize("NFKC", name).strip()
    text = _ARTICLE.sub("", text, count=1) if _ARTICLE.match(text) else text
    text = _CALL.sub("", _WORLD_WIDE.sub("", text) if "www." in text.lower() else text)
    sigil = "/" if text.startswith(("/", "~", "@")) else "--" if text.startswith("--") else ""
    text = _LEADING_DOT.sub("dot", text)
    text = text.replace("#", "sharp").replace("+", "plus")
    # A separator between two digits says something: 3.11 is not 311.
    text = _SEPARATOR.sub(lambda found: "." if _between_digits(found) else "", text)
    return sigil + text.casefold()


def _between_digits(found: re.Match[str]) -> bool:
    start, end, text = found.start(), found.end(), found.string
    return start > 0 and end < len(text) and text[start - 1].isdigit() and text[end].isdigit()


def tidy(name: str) -> str:
    """Give a spelling as it is set in print, without the blanks that tokenised text has.

    >>> tidy('Wilfried " Willi " Schneider'), tidy("Warmian - Masurian"), tidy("People 's Party")
    ('Wilfried "Willi" Schneider', 'Warmian-Masurian', "People's Party")
    """
    name = re.sub(r"(?<=\w) ([-‐–]) (?=\w)", r"\1", name)
    name = re.sub(r" (['’](?:s|ll|re|ve|d|m|t)?)(?!\w)", r"\1", name)
    name = re.sub(r"([\"“]) (.*?) ([\"”])", r"\1\2\3", name)
    return re.sub(r"(?<=\w) ([.,])(?!\S)", r"\1", name)


def singular(name_key: str) -> str:
    """Give a key without an English plural ending, or the key itself.

    >>> [singular(k) for k in ("containers", "proxies", "caches", "class", "redis", "status")]
    ['container', 'proxy', 'cache', 'class', 'redis', 'status']
    """
    if len(name_key) < 4 or not name_key.endswith("s") or name_key.endswith(("ss", "us", "is")):
        return name_key
    if name_key.endswith("ies") and len(name_key) > 5:
        return name_key[:-3] + "y"
    if name_key.endswith(("sses", "shes", "ches", "xes")) and not name_key.endswith("caches"):
        return name_key[:-2]
    return name_key[:-1]


def same_numbers(one: str, other: str) -> bool:
    """Say whether two names may be one as far as their numbers go.

    Two names that both have digits, and different ones, never merge.
    """
    ours, theirs = digits(one), digits(other)
    return not ours or not theirs or ours == theirs
