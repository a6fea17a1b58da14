"""A cheap embedder in place of the packaged one, wherever this room loads one."""

from __future__ import annotations

import pytest

from tests.storage.builders import StandIn
from workbench import index, reporting
from workbench.interop import graphrag_import, own_tables


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    made = StandIn()
    for module in (graphrag_import, own_tables, index, reporting):
        monkeypatch.setattr(module, "load_embedder", lambda params: made)
    return made
