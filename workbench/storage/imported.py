"""A store in, the vectors that came with a Microsoft index out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.errors import InputError
from workbench.storage.tables import Vectors

if TYPE_CHECKING:
    from workbench.store import Store


def imported_vectors(store: Store, kind: str = "entity_description") -> Vectors:
    """Give imported vectors, float32 (ids, dimension of the foreign model), by id.

    Kinds: entity_description (ids of entities), community_full_content (ids of communities) and
    text_unit_text (ids of chunks). Raises InputError, which lists the kinds, when there are none.
    """
    found = store.sql("SELECT id, vector FROM imported_vectors WHERE kind = ? ORDER BY id", [kind])
    if found.empty:
        kinds = store.sql("SELECT DISTINCT kind FROM imported_vectors ORDER BY kind")["kind"]
        raise InputError(
            f"{store.path} holds no imported vectors of kind {kind!r} (it holds: "
            f"{', '.join(kinds) or 'none'}): import an index that has them."
        )
    return Vectors(found["id"].tolist(), np.stack(found["vector"].tolist()).astype(np.float32))
