"""A run's index in, the index as graphrag 3.3 sees it out: relationships that point nowhere too.

A run index leaves out relationships with an end that is no entity; Microsoft's tables go by
titles, so there they stand in contexts and count as links.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from workbench.graph.degrees import PHANTOM
from workbench.query.run_index import RunIndex


def with_dangling(index: RunIndex, relationships: pd.DataFrame, mentions: pd.DataFrame) -> RunIndex:
    """Give the index with all relationships; ends without an entity get rows behind the entities.

    `relationships` and `mentions` (relationship_mentions): the run's whole tables.
    """
    ids = index.entities["id"].tolist()
    ends = [relationships["source_id"], relationships["target_id"]]
    missing = pd.concat(ends).drop_duplicates()
    missing = missing[~missing.isin(ids)]
    if missing.empty:
        return index
    rows = {id_: row for row, id_ in enumerate([*ids, *sorted(missing)])}
    names = np.array(
        [*index.entities["name"], *(id_.removeprefix(PHANTOM) for id_ in sorted(missing))], object
    )
    frame = relationships.reset_index(drop=True)
    for end in ("source", "target"):
        places = frame[f"{end}_id"].map(rows).to_numpy(np.int64)
        frame[f"{end}_row"], frame[end] = places, names[places]
    shown = pd.DataFrame(
        {
            "relationship_row": mentions["relationship_id"].map(
                {id_: row for row, id_ in enumerate(frame["id"])}
            ),
            "chunk_row": mentions["chunk_id"].map(index.chunks.row_of),
        }
    )
    shown = shown.dropna().astype("int64").sort_values(list(shown), ignore_index=True)
    return replace(index, relationships=frame, relationship_mentions=shown)
