"""What several replies say of one thing in, one description out: spec 2.4, as documented.

No description gives none, one is used as it is, two or more are summarised. Descriptions are
taken in order until the tokens of a prompt are used up (each prompt may overshoot by one), then
the summary of those stands first among the next.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from workbench.corpus.tokens import count_tokens
from workbench.extraction.grounding import Refusal
from workbench.extraction.readings import without_repeats
from workbench.extraction.setting import Setting, listed
from workbench.ids import content_id
from workbench.models.calls import Caller
from workbench.models.prompts import fill
from workbench.models.schemas import DescriptionReply

Asking = Generator[list[str], str, str]  # lists to summarise out, summaries in, the last one back


def steps(descriptions: Sequence[str], budget: int, count: Callable[[str], int]) -> Asking:
    """Walk through descriptions: yields what to summarise, is sent each summary, returns the last.

    `budget` is in tokens as `count` counts them.

    >>> asking = steps(["a a a a", "b b b b", "c c c c", "d d d d"], 7, lambda t: len(t.split()))
    >>> next(asking), asking.send("SUM1")
    (['a a a a', 'b b b b'], ['SUM1', 'c c c c', 'd d d d'])
    """
    wanted = without_repeats(descriptions)
    if len(wanted) < 2:
        return wanted[0] if wanted else ""
    collected: list[str] = []
    left = budget
    for i, description in enumerate(wanted, start=1):
        left -= count(description)
        collected.append(description)
        if i == len(wanted) or (left < 0 and len(collected) > 1):
            summary = yield sorted(collected)
            collected, left = [summary], budget - count(summary)
    return collected[0]


def summarise(
    items: Sequence[tuple[str, Sequence[str]]],
    caller: Caller,
    setting: Setting,
    refuse: Callable[[Refusal], None],
) -> list[str]:
    """Give one description for each (name, descriptions); all that can be asked at once is.

    Where a call fails the descriptions stay side by side, and `rejected` says so.
    """
    empty = fill(setting.templates["description"], name="", descriptions="", words="")
    budget = setting.params.summary_tokens - count_tokens(empty)
    running = {i: steps(said, budget, count_tokens) for i, (_, said) in enumerate(items)}
    done: dict[int, str] = {}
    waiting: dict[int, list[str]] = {}
    for i, walk in running.items():
        _go_on(i, walk, None, waiting, done)
    while waiting:
        asked, waiting = waiting, {}
        requests = [
            setting.request(
                "description",
                DescriptionReply,
                content_id("description", items[i][0], *texts),
                name=items[i][0],
                descriptions=listed(texts),
                words=setting.params.summary_words,
            )
            for i, texts in asked.items()
        ]
        for (i, texts), outcome in zip(
            asked.items(), caller.ask_all(requests, "descriptions"), strict=True
        ):
            parsed = outcome.parsed
            if isinstance(parsed, DescriptionReply) and parsed.description:
                summary = parsed.description
            else:
                summary = " ".join(texts)
                reason = f"its descriptions are not summarised: {outcome.error or 'an empty reply'}"
                raw = outcome.reply.text if outcome.reply else None
                refuse(Refusal("description", items[i][0], "failed", reason, raw=raw))
            _go_on(i, running[i], summary, waiting, done)
    return [done[i] for i in range(len(items))]


def _go_on(
    i: int, walk: Asking, summary: str | None, waiting: dict[int, list[str]], done: dict[int, str]
) -> None:
    try:
        waiting[i] = next(walk) if summary is None else walk.send(summary)
    except StopIteration as end:
        done[i] = str(end.value)
