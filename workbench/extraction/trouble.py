"""Outcomes and what was kept of them in, warnings that nobody misses out."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from workbench.errors import WorkbenchWarning
from workbench.models.requests import Outcome

_SHOWN = 600  # characters of the first raw reply


def warnings_of(
    mode: str, outcomes: Sequence[Outcome], named: int, kept: int, entities: int
) -> list[str]:
    """Say how many replies could not be used and, with the first raw one, when a run is in doubt.

    That is when they were more than half, when not one of the `named` entities of the replies was
    `kept`, and when the whole run has no `entities`.
    """
    unusable = [outcome for outcome in outcomes if outcome.status != "ok"]
    found = []
    if 0 < len(unusable) * 2 <= len(outcomes):
        found.append(
            f"{len(unusable)} of {len(outcomes)} replies of {mode} could not be used, and what the "
            f"rules found stands instead (see the table rejected). The first: {unusable[0].error}"
        )
    if len(unusable) * 2 > len(outcomes):
        why = unusable[0].error
        found.append(
            f"{len(unusable)} of {len(outcomes)} replies of {mode} could not be used "
            f"({why}). {_first_reply(unusable)}"
        )
    if named and not kept:
        found.append(
            f"Not one of {named} entities that the model gave in {mode} was kept: see the table "
            f"rejected. {_first_reply(outcomes)}"
        )
    if not entities:
        found.append(f"The run in mode {mode} has no entities at all. {_first_reply(outcomes)}")
    for message in found:
        warnings.warn(message, WorkbenchWarning, stacklevel=3)
    return found


def _first_reply(outcomes: Sequence[Outcome]) -> str:
    replies = [outcome.reply.text for outcome in outcomes if outcome.reply is not None]
    if not replies:
        return "No reply came at all."
    text = replies[0]
    return f"The first reply was:\n{text[:_SHOWN]}{' …' if len(text) > _SHOWN else ''}"
