"""Resolved links in, documents and websites as entities with their places and edges out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from workbench.extraction.links import Resolved
from workbench.extraction.survivors import Survivor
from workbench.extraction.units import Unit
from workbench.ids import normalize_name

LINK_CONFIDENCE = 1.0


class LinkedPlace(NamedTuple):
    """An occurrence of a linked entity: key, unit, characters (-1: unknown), signal."""

    key: str
    unit: int
    start: int
    end: int
    signal: str


class Linked(NamedTuple):
    """Entities by key (`document:3`, `website:polly.org`) and where they are named."""

    entities: dict[str, Survivor]
    places: list[LinkedPlace]


def document_key(unit: int) -> str:
    """Give the key of a unit's document entity."""
    return f"document:{unit}"


def target_key(link: Resolved) -> str:
    """Give the key of what a link leads to."""
    name = link.target.name
    return document_key(int(name)) if link.target.kind == "document" else f"website:{name.lower()}"


def linked_entities(units: Sequence[Unit], links: Sequence[Resolved]) -> Linked:
    """Make an entity of each document that links or is linked to, and of each website."""
    entities: dict[str, Survivor] = {}
    places: list[LinkedPlace] = []
    involved = {link.unit for link in links}
    involved |= {int(link.target.name) for link in links if link.target.kind == "document"}
    titles = Counter(normalize_name(units[n].title) for n in involved)
    for n in sorted(involved):
        unit = units[n]
        shared = titles[normalize_name(unit.title)] > 1
        name = f"{unit.title} ({unit.path})" if shared else unit.title
        entities[document_key(n)] = Survivor(name, "document", LINK_CONFIDENCE)
        entities[document_key(n)].description = f"Document {unit.path}"
        at = unit.text.find(unit.title)
        if at >= 0 and not shared and unit.chunks_at(at, at + len(unit.title)):
            places.append(LinkedPlace(document_key(n), n, at, at + len(unit.title), "title"))
        else:
            places.append(LinkedPlace(document_key(n), n, -1, -1, "title"))
    for link in links:
        named = target_key(link)
        if link.target.kind == "website":
            survivor = entities.setdefault(
                named, Survivor(link.target.name, "website", LINK_CONFIDENCE)
            )
        else:
            survivor = entities[named]
        spelled = units[link.unit].text[link.start : link.end] if link.start >= 0 else ""
        if spelled and spelled != survivor.name:
            survivor.aliases.setdefault(spelled, ("link", 1.0))
        places.append(LinkedPlace(named, link.unit, link.start, link.end, "link"))
    _describe(entities, units, links)
    return Linked(entities, places)


def _describe(
    entities: Mapping[str, Survivor], units: Sequence[Unit], links: Sequence[Resolved]
) -> None:
    """Describe a website by the texts that link to it."""
    texts: dict[str, list[str]] = {}
    for link in links:
        if link.target.kind == "website" and link.link.text.strip():
            texts.setdefault(target_key(link), []).append(" ".join(link.link.text.split()))
    for name, found in texts.items():
        distinct = list(dict.fromkeys(found))[:3]
        entities[name].description = "Linked as " + "; ".join(f"“{t[:60]}”" for t in distinct)
