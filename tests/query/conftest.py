"""The small store of `small.py`, for every test of the room."""

from __future__ import annotations

from tests.query.small import axes, small

__all__ = ["axes", "small"]
