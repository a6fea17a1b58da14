"""Selected entities in, the sections of Microsoft's local (mixed) context out; pure.

Where Microsoft's code departs from its documentation, `as_shipped` does the former:

* reports: after the first that does not fit no smaller one is tried, and `[]` stands in the
  context when there is none (documented: the others are tried; nothing stands there);
* links: a relationship that has come in-network shows the links of a smaller beginning, and the
  column is there only if the first line has some (documented: always, empty in-network);
* history: the first turns stay, not the last ones;
* an entity selected twice stands and counts twice; one in no community vanishes with a level;
* with a level, reports are not rolled up (documented: only those of communities that are the
  deepest, up to the level, of some entity);
* a section without rows shows its column names, or blank lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.params import LocalParams
from workbench.query.local_lines import Key, opening
from workbench.query.local_relationships import Neighbourhood, Ranking
from workbench.query.local_section import Section, section_of
from workbench.query.local_world import LocalWorld
from workbench.query.trace import Part

GAP = "\n\n"  # between the parts of a context


@dataclass(frozen=True)
class LocalContext:
    """What local search puts together: sections by name, and the text as parts.

    `matches`: how many selected entities the community of each report (by row) holds. `grown`:
    of how many entities the relationships are in. `sources`: chunk row, place of its entity, and
    shared relationships (n, 3), in order.
    """

    entities: list[int]
    sections: dict[str, Section]
    parts: tuple[Part, ...]
    matches: dict[int, int]
    near: Neighbourhood
    top_k_relationships: int
    grown: int
    sources: np.ndarray


def local_context(
    world: LocalWorld, entities: Sequence[int], params: LocalParams, turns: Sequence[str] = ()
) -> LocalContext:
    """Build the context around entities (rows, in order); `turns` are the questions before.

    Shares of the budget are counted as Microsoft does: reports int(total * community_prop), chunks
    int(total * text_unit_prop), the graph int(total * the rest); what one leaves over is nobody's.
    """
    entities = list(entities)
    history = _history(world, turns, params)
    total = max(0, params.max_context_tokens - _tokens(world, history))
    rest = 1 - params.community_prop - params.text_unit_prop
    reports, matches = _reports(world, entities, params, int(total * params.community_prop))
    near = Neighbourhood(world, entities, params.relationship_ranking)
    tables, grown = _graph(world, entities, near, params, int(total * rest))
    sources, order = _sources(world, entities, int(total * params.text_unit_prop))
    sections = {section.name: section for section in (history, reports, *tables, sources)}
    return LocalContext(
        entities,
        sections,
        _parts(world, sections),
        matches,
        near,
        params.top_k_relationships,
        grown,
        order,
    )


def _tokens(world: LocalWorld, section: Section) -> int:
    """Count a section; shipped, all its text at once."""
    return world.count(section.text) if world.variant == "as_shipped" else section.tokens


def _history(world: LocalWorld, turns: Sequence[str], params: LocalParams) -> Section:
    most = params.conversation_history_max_turns
    keys: list[Key] = list(enumerate(turns, start=1))
    if world.variant == "documented":
        keys.reverse()  # the latest first: they stay
    section = section_of(world, "history", keys[:most], params.max_context_tokens)
    section.entries.extend((key, "max_turns") for key in keys[most:])
    section.entries.sort()
    return section


def _reports(
    world: LocalWorld, entities: list[int], params: LocalParams, allowed: int
) -> tuple[Section, dict[int, int]]:
    """Order reports by how many selected entities their community holds, then by rank."""
    level, shipped = params.level, world.variant == "as_shipped"
    rolled = None if level is None or shipped else world.deepest(level)
    matches: dict[int, int] = {}
    others: list[tuple[Key, str]] = []
    for entity in entities:
        for community in world.index.communities_of(entity).tolist():
            report = world.report_of.get(community)
            if report is None:
                continue
            if level is not None and world.levels[community] > level:
                others.append(((report,), "level"))
            elif rolled is not None and not rolled[community]:
                others.append(((report,), "rolled_up"))
            else:
                matches[report] = matches.get(report, 0) + 1
    order = sorted(matches, key=lambda row: (-matches[row], -world.report_ranks[row]))
    bare = "[]" if entities and world.report_of else None
    section = section_of(world, "reports", [(row,) for row in order], allowed, bare=bare, skip=True)
    section.entries.extend(dict.fromkeys(others))
    return section, matches


def _graph(
    world: LocalWorld, entities: list[int], near: Neighbourhood, params: LocalParams, allowed: int
) -> tuple[list[Section], int]:
    """Give the tables of entities, relationships and claims, which share one budget.

    The largest beginning of the selection whose relationships and claims fit beside the table of
    entities decides; Microsoft stops at the first that does not fit.
    """
    head = opening("entities") if entities else None
    table = section_of(world, "entities", [(row,) for row in entities], allowed, bare=head)
    spent, grown, stale = _tokens(world, table), 0, {}
    best = [
        section_of(world, "relationships", [], allowed, bare="" if entities else None),
        section_of(world, "claims", [], allowed),
    ]
    for size in range(1, len(entities) + 1):
        ranking = near.ranking(size, params.top_k_relationships)
        tried = [
            _relationships(world, ranking, allowed, stale),
            _claims(world, entities[:size], allowed),
        ]
        if spent + sum(_tokens(world, section) for section in tried) > allowed:
            break
        grown, best = size, tried
    return [table, *best], grown


def _relationships(
    world: LocalWorld, ranking: Ranking, allowed: int, stale: dict[int, int]
) -> Section:
    """Lay out one beginning's table; shipped, `stale` carries links from one to the next."""
    rows, links = ranking.rows.tolist(), ranking.links.tolist()
    more: tuple[str, ...] = ("links",)
    if world.variant == "as_shipped":
        stale.update((row, number) for row, number in zip(rows, links, strict=True) if number)
        links = [stale.get(row, 0) for row in rows]
        more = more if links and links[0] else ()
    keys = [
        (row, number or "") if more else (row,) for row, number in zip(rows, links, strict=True)
    ]
    bare = opening("relationships", more) if keys else ""
    kept = ranking.kept
    section = section_of(world, "relationships", keys[:kept], allowed, bare=bare, more=more)
    section.entries.extend((key, "top_k") for key in keys[kept:])
    return section


def _claims(world: LocalWorld, entities: list[int], allowed: int) -> Section:
    ids, table = world.ids["entities"], world.index.claims
    keys = [(row,) for entity in entities for row in world.claims_of.get(ids[entity], ())]
    bare = None if table is None else "" if table.empty else opening("claims")
    return section_of(world, "claims", keys, allowed, bare=bare)


def _sources(world: LocalWorld, entities: list[int], allowed: int) -> tuple[Section, np.ndarray]:
    """Order chunks by their first entity, then by the relationships of it that they show."""
    taken = np.zeros(len(world.index.chunks.chunks), bool)
    found = [np.zeros((0, 3), np.int64)]
    for place, entity in enumerate(entities, start=1):
        chunks, shared = world.ordered_chunks(entity)
        fresh = ~taken[chunks]
        taken[chunks] = True
        found.append(np.stack([chunks, np.full(len(chunks), place), shared], axis=1)[fresh])
    order = np.concatenate(found)
    keys = [(row,) for row in order[:, 0].tolist()]
    bare = opening("sources") if keys else None
    return section_of(world, "sources", keys, allowed, bare=bare), order


def _parts(world: LocalWorld, sections: dict[str, Section]) -> tuple[Part, ...]:
    """Put the sections together in Microsoft's order: a heading, then its rows."""
    parts: list[Part] = []
    for name, section in sections.items():
        head = section.opening if section.kept else section.bare
        if head is not None:
            parts.append(Part("heading", name, (GAP if parts else "") + head))
        for key in section.kept:
            parts.append(Part("row", name, section.lines.text(key), world.id_of(name, key)))
    return tuple(parts)
