"""What every extraction mode gives: the frames of a run before the graph room fills degrees."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Extraction:
    """Frames with the schema's columns; `vectors["entities"]` has row i for entity row i.

    `warnings` say why the result cannot be trusted; `calls` counts what was asked of a model:
    `requests`, `usable` replies, further `windows` of long texts, texts that `fallback` served.
    """

    entities: pd.DataFrame
    entity_aliases: pd.DataFrame
    entity_mentions: pd.DataFrame
    relationships: pd.DataFrame
    relationship_mentions: pd.DataFrame
    rejected: pd.DataFrame
    vectors: dict[str, np.ndarray] = field(default_factory=dict)
    claims: pd.DataFrame | None = None
    warnings: tuple[str, ...] = ()
    calls: dict[str, int] = field(default_factory=dict)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the frames by the name of their table."""
        names = (
            "entities",
            "entity_aliases",
            "entity_mentions",
            "relationships",
            "relationship_mentions",
            "rejected",
        )
        found = {name: getattr(self, name) for name in names}
        return found if self.claims is None else {**found, "claims": self.claims}
