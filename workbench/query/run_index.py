"""A run in, what the query methods need of it out: its tables by row number, and its vectors."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pandas as pd

from workbench.query.chunk_index import ChunkIndex, chunk_index
from workbench.query.stamp import kept, run_called

if TYPE_CHECKING:
    from workbench.run import Run
    from workbench.storage.tables import Vectors
    from workbench.store import Store

T = TypeVar("T")
_TABLES = ("entities", "entity_aliases", "entity_mentions", "relationships", "claims")
_TABLES += ("relationship_mentions", "communities", "community_members", "community_reports")


@dataclass(frozen=True)
class RunIndex:
    """A run's tables; a row number is a row's place in its frame, and `*_row` columns hold those.

    `entities`, `claims`, `communities`: as in the schema, by short_id.
    `relationships`: the same, with source and target (names), source_row and target_row; those
    with an end that is no entity are left out.
    `mentions`: entity_row, chunk_row, mention_count, by entity, then chunk.
    `relationship_mentions`: relationship_row, chunk_row, by relationship, then chunk.
    `members`: entity_row, community_row, by entity, then community.
    `reports`: those that did not fail, with short_id, level and community_row of their community,
    by short_id.
    `entity_matrix` and `report_matrix`: float32 (rows, dimension), zeros for one without a vector.
    """

    run: Run
    chunks: ChunkIndex
    entities: pd.DataFrame
    aliases: pd.DataFrame
    relationships: pd.DataFrame
    mentions: pd.DataFrame
    relationship_mentions: pd.DataFrame
    communities: pd.DataFrame
    members: pd.DataFrame
    reports: pd.DataFrame
    claims: pd.DataFrame
    entity_matrix: np.ndarray
    report_matrix: np.ndarray

    @functools.cached_property
    def _derived(self) -> dict[str, Any]:
        return {}

    def derived(self, name: str, make: Callable[[RunIndex], T]) -> T:
        """Give what `make` makes of this index, made once and kept with it."""
        if name not in self._derived:
            self._derived[name] = make(self)
        return self._derived[name]

    @functools.cached_property
    def texts(self) -> list[str]:
        """The text of each chunk, by row; read when first asked for."""
        texts = self.run.store.sql("SELECT text FROM chunks ORDER BY short_id, id")
        return texts["text"].tolist()

    @functools.cached_property
    def entity_row_of(self) -> dict[str, int]:
        """The row of each entity id."""
        return _rows(self.entities)

    def chunks_of(self, entity_row: int) -> np.ndarray:
        """Give the rows of the chunks that mention an entity, ascending."""
        return _part(self.mentions, "entity_row", "chunk_row", entity_row)

    def communities_of(self, entity_row: int) -> np.ndarray:
        """Give the rows of the communities that hold an entity, on all levels."""
        return _part(self.members, "entity_row", "community_row", entity_row)

    def chunks_of_relationship(self, row: int) -> np.ndarray:
        """Give the rows of the chunks that show a relationship, ascending."""
        return _part(self.relationship_mentions, "relationship_row", "chunk_row", row)


def run_index(store: Store, run: str | None = None) -> RunIndex:
    """Give a run's index, kept in this process until corpus, run or reports change.

    `run` may be left out where the store has one run only; StoreError lists the runs otherwise.
    """
    name = run_called(store, run)
    return kept("run", store, name, lambda: _load(store, name))


def _load(store: Store, name: str) -> RunIndex:
    with store.session():
        run, chunks = store.run(name), chunk_index(store)
        tables = {table: run.read(table) for table in _TABLES}
        vectors = {kind: run.vectors(kind) for kind in ("entities", "community_reports")}
    entities, communities = tables["entities"], tables["communities"]
    entity_of, chunk_of, community_of = _rows(entities), chunks.row_of, _rows(communities)
    relationships = _relationships(tables["relationships"], entities, entity_of)
    reports = _reports(tables["community_reports"], communities)
    return RunIndex(
        run,
        chunks,
        entities,
        tables["entity_aliases"],
        relationships,
        _numbered(
            tables["entity_mentions"],
            {"entity_id": entity_of, "chunk_id": chunk_of},
            ["mention_count"],
        ),
        _numbered(
            tables["relationship_mentions"],
            {"relationship_id": _rows(relationships), "chunk_id": chunk_of},
        ),
        communities,
        _numbered(
            tables["community_members"], {"entity_id": entity_of, "community_id": community_of}
        ),
        reports,
        tables["claims"],
        _aligned(vectors["entities"], entities["id"]),
        _aligned(vectors["community_reports"], reports["community_id"]),
    )


def _rows(frame: pd.DataFrame) -> dict[str, int]:
    return {id_: row for row, id_ in enumerate(frame["id"])}


def _numbered(
    frame: pd.DataFrame, keys: dict[str, dict[str, int]], others: list[str] | None = None
) -> pd.DataFrame:
    """Give ids as row numbers, sorted by them; rows that point nowhere are left out."""
    numbers = {
        name.removesuffix("_id") + "_row": frame[name].map(rows) for name, rows in keys.items()
    }
    found = pd.DataFrame({**numbers, **{name: frame[name] for name in others or []}})
    found = found.dropna(subset=list(numbers)).astype(dict.fromkeys(numbers, "int64"))
    return found.sort_values(list(numbers), kind="stable").reset_index(drop=True)


def _relationships(
    frame: pd.DataFrame, entities: pd.DataFrame, entity_of: dict[str, int]
) -> pd.DataFrame:
    known = frame["source_id"].isin(entity_of) & frame["target_id"].isin(entity_of)
    frame = frame[known].reset_index(drop=True)
    names = entities["name"].to_numpy(dtype=object)
    for end in ("source", "target"):
        rows = frame[f"{end}_id"].map(entity_of).astype("int64").to_numpy()
        frame[f"{end}_row"], frame[end] = rows, names[rows]
    return frame


def _reports(frame: pd.DataFrame, communities: pd.DataFrame) -> pd.DataFrame:
    places = communities[["id", "short_id", "level"]].reset_index(names="community_row")
    good = frame[(frame["status"] == "ok") & frame["full_content"].notna()]
    joined = good.merge(places.rename(columns={"id": "community_id"}), on="community_id")
    return joined.sort_values("short_id", kind="stable").reset_index(drop=True)


def _aligned(vectors: Vectors, ids: pd.Series) -> np.ndarray:
    """Give the vectors in the order of the frame; a row without one is zeros."""
    if vectors.ids == ids.tolist():
        return vectors.matrix
    row_of = {id_: row for row, id_ in enumerate(vectors.ids)}
    matrix = np.zeros((len(ids), vectors.matrix.shape[1]), np.float32)
    for row, id_ in enumerate(ids):
        if id_ in row_of:
            matrix[row] = vectors.matrix[row_of[id_]]
    return matrix


def _part(frame: pd.DataFrame, key: str, value: str, row: int) -> np.ndarray:
    """Give the values of one key of a frame that is sorted by it."""
    keys = frame[key].to_numpy()
    first, last = np.searchsorted(keys, [row, row + 1])
    return frame[value].to_numpy()[first:last]
