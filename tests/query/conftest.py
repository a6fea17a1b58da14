"""The small store of `small.py` and the handbook's, for every test of the room."""

from __future__ import annotations

from tests.query.handbook import handbook
from tests.query.small import axes, small

__all__ = ["axes", "handbook", "small"]
