"""The links of the documents in, documents and websites as entities and what points at them out."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from workbench.extraction.signals import Link, Signals
from workbench.extraction.units import Unit

_HOST = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}$", re.I)
_REPOSITORY = re.compile(r"github\.com/([\w.-]+)/([\w.-]+?)(?:\.git)?(?=$|[/#?)\s\"'>])", re.I)
_LOCAL = frozenset({"localhost", "example.com"})


class Target(NamedTuple):
    """Where a link leads: `document` (unit number as text) or `website` (host or repository)."""

    kind: str
    name: str


@dataclass(frozen=True)
class Resolved:
    """A link of a unit, its target, and where the target is named (-1: in a reference below)."""

    unit: int
    link: Link
    target: Target
    start: int
    end: int


class Directory:
    """Finds the document that a relative link, a slug like `/blog/compose` or a title means."""

    def __init__(self, units: Sequence[Unit]):
        self._by_path: dict[str, int] = {}
        self._by_name: dict[str, list[int]] = {}  # by stem, and by title
        for number, unit in enumerate(units):
            if unit.path and unit.placed:
                stem = posixpath.splitext(unit.path)[0].lower()
                self._by_path.setdefault(unit.path.lower(), number)
                self._by_path.setdefault(stem, number)
                for name in dict.fromkeys((posixpath.basename(stem), unit.title.strip().lower())):
                    self._by_name.setdefault(name, []).append(number)

    def find(self, path: str, target: str) -> int | None:
        """Give the unit that `target`, written in the document at `path`, leads to."""
        bare = unquote(target.split("#")[0].split("?")[0]).strip().lower()
        if not bare:
            return None
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(path.lower()), bare))
        for candidate in (joined, joined.lstrip("/"), bare.lstrip("/")):
            if candidate in self._by_path:
                return self._by_path[candidate]
        name = posixpath.basename(bare.rstrip("/"))
        for known in (posixpath.splitext(name)[0], name):
            found = self._by_name.get(known, [])
            if found:
                return found[0] if len(found) == 1 else None
        return None


def resolve_links(units: Sequence[Unit], signals: Sequence[Signals]) -> list[Resolved]:
    """Give the links that lead to a document of the corpus, a website or a repository."""
    directory = Directory(units)
    found = []
    for number, (unit, seen) in enumerate(zip(units, signals, strict=True)):
        for link in seen.links:
            target = _target(directory, unit, number, link.target)
            if target is not None:
                start, end = _named_at(unit.text, link, target)
                found.append(Resolved(number, link, target, start, end))
    return found


def _target(directory: Directory, unit: Unit, number: int, target: str) -> Target | None:
    try:
        parts = urlsplit(target)
    except ValueError:  # an unbalanced bracket in a host
        return None
    if parts.scheme in ("http", "https") or target.startswith("//"):
        host = (parts.hostname or "").removeprefix("www.")
        if not _HOST.match(host) or host in _LOCAL:
            return None
        repository = _REPOSITORY.search(target) if host == "github.com" else None
        return Target("website", repository.group().removesuffix(".git") if repository else host)
    if parts.scheme:
        return None
    document = directory.find(unit.path, target)
    return None if document in (None, number) else Target("document", str(document))


def _named_at(text: str, link: Link, target: Target) -> tuple[int, int]:
    """Give where in the link's source its target is written; (-1, -1) for `[text][1]`."""
    source = text[link.start : link.end]
    wanted = target.name if target.kind == "website" else link.target
    if target.kind == "website" and "www." + wanted in source.lower():
        wanted = "www." + wanted
    at = source.lower().rfind(wanted.lower())
    return (-1, -1) if at < 0 else (link.start + at, link.start + at + len(wanted))
