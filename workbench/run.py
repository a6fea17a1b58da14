"""A store and a name in, one extraction's tables out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from workbench.index import IndexReport
    from workbench.storage.tables import Vectors
    from workbench.store import Store


@dataclass(frozen=True)
class Run:
    """One run: its settings, and its tables, which are read anew each time they are asked for.

    `params` holds the parameters of every step by name, `status` is `complete` or `stale` (the
    chunks have changed since). `index_report` tells what the call of `index` that gave this Run
    had to do.
    """

    store: Store
    name: str
    mode: str
    params: dict[str, Any] = field(repr=False)
    llm: str | None = None
    status: str = "complete"
    index_report: IndexReport | None = field(default=None, repr=False, compare=False)

    def read(self, table: str) -> pd.DataFrame:
        """Give one of the run's tables, or of its store's, without vectors."""
        return self.store.read(table, self.name)

    def vectors(self, kind: str) -> Vectors:
        """Give the vectors of entities, community_reports or chunks."""
        return self.store.vectors(kind, self.name)

    @property
    def entities(self) -> pd.DataFrame:
        """One row an entity, by short_id."""
        return self.read("entities")

    @property
    def entity_aliases(self) -> pd.DataFrame:
        """One row a spelling that was merged into an entity."""
        return self.read("entity_aliases")

    @property
    def entity_mentions(self) -> pd.DataFrame:
        """One row an entity in a chunk."""
        return self.read("entity_mentions")

    @property
    def relationships(self) -> pd.DataFrame:
        """One row a relationship, by short_id."""
        return self.read("relationships")

    @property
    def relationship_mentions(self) -> pd.DataFrame:
        """One row a relationship in a chunk."""
        return self.read("relationship_mentions")

    @property
    def communities(self) -> pd.DataFrame:
        """One row a community, by short_id."""
        return self.read("communities")

    @property
    def community_members(self) -> pd.DataFrame:
        """One row an entity in a community."""
        return self.read("community_members")

    @property
    def rejected(self) -> pd.DataFrame:
        """One row a candidate that was dropped, with the rule that dropped it."""
        return self.read("rejected")
