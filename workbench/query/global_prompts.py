"""A question and reports in, the prompts of global search out, and how long replies may be."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from workbench.graph.report_lines import csv_row
from workbench.models.prompts import reply_tokens
from workbench.query.answering import fence
from workbench.query.asking import REPLY, Asking
from workbench.query.basic import Section
from workbench.query.trace import Part

HISTORY = "-----Conversation History-----\nturn|content\n"


def laid_out(
    asking: Asking, task: str, context: Sequence[Part], words: int = 0
) -> tuple[Part, ...]:
    """Fill a task's template; the context stands between two fences that occur nowhere in it."""
    line = fence("".join(part.text for part in context) + asking.question.text)
    return asking.laid_out(
        task, fence=line, context=context, question=asking.question.text, words=f"{words}"
    )


def reply_length(asking: Asking, task: str, items: int = 0) -> int:
    """Give the length of a reply, so that it fits into the window beside its prompt."""
    wanted = reply_tokens(task, items)
    window = asking.caller.model.context_window if asking.caller is not None else 8 * wanted
    return min(wanted, max(REPLY, window // 8))


def history_section(asking: Asking) -> tuple[Section, int]:
    """Give the earlier questions as a section, and its tokens; half the budget at most.

    As shipped the first turns stay, not the last ones, and may have all of it.
    """
    params, turns = asking.params, asking.history
    most, shipped = params.conversation_history_max_turns, params.variant == "as_shipped"
    lines = [csv_row(("user", turn.question), "|") for turn in turns]
    tokens = [asking.count(line) for line in lines]
    allowed = params.max_context_tokens if shipped else params.max_context_tokens // 2
    numbers = range(1, len(turns) + 1)
    table = pd.DataFrame(
        {
            "kind": "turn",
            "id": [f"turn {number}" for number in numbers],
            "short_id": list(numbers),
            "label": [turn.question for turn in turns],
        }
    )
    section = Section("history", table, lines, tokens, allowed, HISTORY, asking.count(HISTORY))
    used = section.opening_tokens
    order = list(range(len(turns)))
    order = order if shipped else order[::-1]  # the last ones are the nearest
    reasons = {}
    for place, at in enumerate(order):
        fits = used + tokens[at] <= allowed
        reasons[at] = "turns" if place >= most else "" if fits else "budget"
        used += 0 if reasons[at] else tokens[at]
    section.reasons = [reasons[at] for at in range(len(turns))]
    return section, used if "" in section.reasons else 0
