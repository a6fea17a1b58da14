from __future__ import annotations

import pytest

from workbench.errors import InputError
from workbench.query.entity import entity_card
from workbench.store import Store


@pytest.mark.parametrize("name", ["", "\udcff", "\x00", "x" * 100_000, "'; drop table entities"])
def test_a_name_that_nobody_has_is_refused_in_a_sentence(small: Store, name: str) -> None:
    with pytest.raises(InputError, match="No entity is called") as refused:
        entity_card(small.run(), name)
    assert len(str(refused.value)) < 300
