"""A run and a name in, all that is known of that entity out: aliases, mentions, neighbours."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from workbench.corpus.decode import clean
from workbench.errors import InputError
from workbench.ids import normalize_name

if TYPE_CHECKING:
    from workbench.store import Run

EXCERPT = 80  # characters shown on either side of a mention


@dataclass(frozen=True)
class EntityCard:
    """One entity's row and the tables around it."""

    entity: dict[str, Any]
    aliases: pd.DataFrame
    mentions: pd.DataFrame
    neighbours: pd.DataFrame
    communities: pd.DataFrame


def find_entity(entities: pd.DataFrame, aliases: pd.DataFrame, name: str) -> str:
    """Give the id of the entity whose name, else one of whose aliases, is `name`.

    Of several (one name, two types) the most mentioned is taken. Raises InputError with the
    nearest names when there is none.
    """
    wanted = normalize_name(clean(name))  # the command line takes any bytes
    named = entities[entities["normalized_name"] == wanted]
    if named.empty:
        keys = aliases["alias"].map(normalize_name)
        named = entities[entities["id"].isin(aliases["entity_id"][keys == wanted])]
    if not named.empty:
        order = named.sort_values(["mention_count", "id"], ascending=[False, True])
        return str(order["id"].iloc[0])
    spelled = {normalize_name(text): text for text in [*aliases["alias"], *entities["name"]]}
    close = [spelled[key] for key in difflib.get_close_matches(wanted, sorted(spelled), 3, 0.6)]
    hint = f"nearest: {', '.join(close)}" if close else "see the run's table entities"
    raise InputError(f"No entity is called {name[:100]!r} in this run; {hint}.")


def entity_card(run: Run, name: str) -> EntityCard:
    """Give what `run` knows of the entity called `name` (or having that alias)."""
    entities, aliases = run.entities, run.entity_aliases
    chosen = find_entity(entities, aliases, name)
    row = entities[entities["id"] == chosen].iloc[0]
    return EntityCard(
        entity={key: value for key, value in row.items() if pd.notna(value)},
        aliases=aliases[aliases["entity_id"] == chosen]
        .sort_values(["rule", "alias"])[["alias", "rule", "score"]]
        .reset_index(drop=True),
        mentions=_mentions(run, chosen),
        neighbours=neighbours(entities, run.relationships, chosen),
        communities=_communities(run, chosen),
    )


def neighbours(entities: pd.DataFrame, relationships: pd.DataFrame, entity: str) -> pd.DataFrame:
    """Give the entities that share a relationship with `entity`, the heaviest first.

    `direction` is `out` when the entity is the source, `in` when it is the target.
    """
    out = relationships[relationships["source_id"] == entity].assign(direction="out")
    out = out.assign(other=out["target_id"])
    back = relationships[relationships["target_id"] == entity].assign(direction="in")
    back = back.assign(other=back["source_id"])
    names = entities.set_index("id")["name"]
    edges = pd.concat([out, back], ignore_index=True)
    edges = edges.assign(name=edges["other"].map(names))
    edges = edges.sort_values(
        ["weight", "npmi", "name", "id"], ascending=[False, False, True, True]
    )
    columns = ["name", "type", "direction", "weight", "npmi", "evidence"]
    return edges[columns].reset_index(drop=True)


def _mentions(run: Run, entity: str) -> pd.DataFrame:
    mentions = run.entity_mentions
    chunks = run.store.read("chunks")
    documents = run.store.read("documents")[["id", "path"]]
    joined = (
        mentions[mentions["entity_id"] == entity]
        .merge(chunks, left_on="chunk_id", right_on="id", suffixes=("", "_chunk"))
        .merge(documents, left_on="document_id", right_on="id", suffixes=("", "_document"))
        .sort_values(["path", "chunk_index"])
    )
    joined["excerpt"] = [_excerpt(row) for row in joined.itertuples()]
    columns = ["short_id", "path", "heading_path", "mention_count", "signals", "excerpt"]
    return joined[columns].reset_index(drop=True)


def _excerpt(row: Any) -> str:
    """Give the words around the mention, or the chunk's beginning when it has no span."""
    if pd.isna(row.start_char) or pd.isna(row.start_char_chunk):
        return str(row.text)[: 2 * EXCERPT]
    start = int(row.start_char) - int(row.start_char_chunk)
    end = int(row.end_char) - int(row.start_char_chunk)
    return str(row.text)[max(0, start - EXCERPT) : end + EXCERPT]


def _communities(run: Run, entity: str) -> pd.DataFrame:
    members = run.community_members
    own = members["community_id"][members["entity_id"] == entity]
    communities = run.communities
    found = communities[communities["id"].isin(own)].sort_values(["level", "short_id"])
    return found[["level", "short_id", "title", "size"]].reset_index(drop=True)
