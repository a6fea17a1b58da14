"""A run's tables in, its graph by row numbers and the lines of its local contexts out; no store."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from workbench.graph.report_lines import Count
from workbench.params import Variant
from workbench.query.local_lines import Key, as_objects, local_lines
from workbench.query.run_index import RunIndex


class LocalWorld:
    """A run as local search sees it. `count` gives the tokens of a text, `texts` those of chunks.

    A run without a table of claims has None there: Microsoft's context then lacks its blank lines.
    """

    def __init__(
        self,
        index: RunIndex,
        count: Count,
        variant: Variant = "documented",
        texts: Callable[[], Sequence[str]] | None = None,
    ) -> None:
        self.index, self.variant, self.count = index, variant, count
        self.lines = local_lines(index, count, variant, texts or (lambda: index.texts))
        self.count_opening = functools.cache(count)
        self.ordered_chunks = functools.cache(self._ordered_chunks)
        self.deepest = functools.cache(self._deepest)

    @functools.cached_property
    def ids(self) -> dict[str, np.ndarray]:
        """The id of each row, by section."""
        return {
            name: frame["community_id" if name == "reports" else "id"].to_numpy(dtype=object)
            for name, frame in self._frames.items()
        }

    @functools.cached_property
    def labels(self) -> dict[str, list[np.ndarray]]:
        """The short ids of each section's rows, and what they are called by."""
        columns = {
            "reports": ("title",),
            "entities": ("name",),
            "relationships": ("source", "target"),
            "claims": ("description",),
            "sources": ("document", "heading_path"),
        }
        return {
            name: as_objects(self._frames[name], "short_id", *columns[name]) for name in self.ids
        }

    @property
    def _frames(self) -> dict[str, pd.DataFrame]:
        index = self.index
        frames = {
            "reports": index.reports,
            "entities": index.entities,
            "relationships": index.relationships,
            "claims": index.claims,
            "sources": index.chunks.chunks,
        }
        return {name: frame for name, frame in frames.items() if frame is not None}

    def id_of(self, section: str, key: Key) -> str:
        """Give the id of the row that a line is of."""
        return f"turn {key[0]}" if section == "history" else str(self.ids[section][key[0]])

    @functools.cached_property
    def names(self) -> np.ndarray:
        """The name of each entity."""
        return self.index.entities["name"].to_numpy(dtype=object)

    @functools.cached_property
    def degrees(self) -> np.ndarray:
        """The degree of each entity, 0 where unknown."""
        return _numbers(self.index.entities, "degree").astype(np.int64)

    @functools.cached_property
    def rarity(self) -> np.ndarray:
        """ln(1 + chunks / chunks that mention it) of each entity."""
        spread = np.bincount(self.index.mentions["entity_row"], minlength=len(self.names))
        return np.log1p(len(self.index.chunks.chunks) / np.maximum(spread, 1))

    @functools.cached_property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows of each relationship's source and target."""
        frame = self.index.relationships
        return frame["source_row"].to_numpy(np.int64), frame["target_row"].to_numpy(np.int64)

    @functools.cached_property
    def ends_at(self) -> int:
        """The number of rows that ends of relationships may have (some may be no entity's)."""
        return max(len(self.names), 1 + max(int(end.max(initial=-1)) for end in self.ends))

    @functools.cached_property
    def relationship_scores(self) -> dict[str, np.ndarray]:
        """What relationships can be ranked by: rank (combined degree) or weight."""
        frame = self.index.relationships
        return {"rank": _numbers(frame, "combined_degree"), "weight": _numbers(frame, "weight")}

    @functools.cached_property
    def levels(self) -> np.ndarray:
        """The level of each community."""
        return _numbers(self.index.communities, "level")

    @functools.cached_property
    def report_of(self) -> dict[int, int]:
        """The row of the report of each community (by row) that has one."""
        return {
            int(community): row for row, community in enumerate(self.index.reports["community_row"])
        }

    @functools.cached_property
    def report_ranks(self) -> np.ndarray:
        """The rank of each report, 0 where it has none."""
        return _numbers(self.index.reports, "rank")

    @functools.cached_property
    def claims_of(self) -> dict[str, list[int]]:
        """The rows of the claims about each entity, by its id."""
        found: dict[str, list[int]] = {}
        if self.index.claims is not None:
            for row, subject in enumerate(self.index.claims["subject_id"]):
                found.setdefault(subject, []).append(row)
        return found

    def in_level(self, entity: int, level: int) -> bool:
        """Say whether an entity is in a community up to a level."""
        return bool((self.levels[self.index.communities_of(entity)] <= level).any())

    def touching(self, entity: int) -> np.ndarray:
        """Give the rows of the relationships of an entity, in table order."""
        starts, rows = self._adjacency
        return rows[starts[entity] : starts[entity + 1]]

    def _deepest(self, level: int) -> np.ndarray:
        """Say which communities are, up to a level, the deepest of some entity (bool by row).

        Microsoft's documented roll-up: reports of the others repeat what those below them tell.
        """
        members = self.index.members
        rows = members["community_row"].to_numpy(np.int64)
        levels, entities = self.levels[rows], members["entity_row"].to_numpy(np.int64)
        within = levels <= level
        best = np.full(len(self.names), -1.0)
        np.maximum.at(best, entities[within], levels[within])
        kept = np.zeros(len(self.levels), bool)
        kept[rows[within & (levels == best[entities])]] = True
        return kept

    def _ordered_chunks(self, entity: int) -> tuple[np.ndarray, np.ndarray]:
        """Give an entity's chunks, and how many of its relationships each shows, most first."""
        chunks = self.index.chunks_of(entity)
        starts, shown = self._shown
        parts = [shown[starts[row] : starts[row + 1]] for row in self.touching(entity)]
        found = np.concatenate([*parts, np.zeros(0, np.int64)])
        values, counts = np.unique(found[np.isin(found, chunks)], return_counts=True)
        shared = np.zeros(len(chunks), np.int64)
        shared[np.searchsorted(chunks, values)] = counts
        order = np.argsort(-shared, kind="stable")
        return chunks[order], shared[order]

    @functools.cached_property
    def _adjacency(self) -> tuple[np.ndarray, np.ndarray]:
        source, target = self.ends
        loops = source == target  # stand once
        ends = np.concatenate([source, target[~loops]])
        rows = np.concatenate([np.arange(len(source)), np.flatnonzero(~loops)])
        order = np.lexsort((rows, ends))
        places = np.arange(len(self.index.entities) + 1)
        return np.searchsorted(ends[order], places), rows[order]

    @functools.cached_property
    def _shown(self) -> tuple[np.ndarray, np.ndarray]:
        frame = self.index.relationship_mentions
        places = np.arange(len(self.index.relationships) + 1)
        starts = np.searchsorted(frame["relationship_row"].to_numpy(), places)
        return starts, frame["chunk_row"].to_numpy(np.int64)


def _numbers(frame: pd.DataFrame, column: str) -> np.ndarray:
    return pd.to_numeric(frame[column]).fillna(0).to_numpy(dtype=np.float64)
