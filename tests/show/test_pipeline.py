from __future__ import annotations

import pytest

from workbench.errors import InputError
from workbench.show.pipeline import ARROWS, STEPS, pipeline


def test_every_step_is_reached_from_the_files() -> None:
    reached = {"files"}
    for _ in STEPS:
        reached |= {end for start, end in ARROWS if start in reached}
    assert reached == set(STEPS)
    assert len(STEPS) == 13


def test_the_picture_says_where_you_are() -> None:
    assert pipeline("chunks").alt.endswith("you are at chunks.")
    with pytest.raises(InputError, match="no step 'chunk'"):
        pipeline("chunk")
