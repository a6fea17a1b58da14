"""Tables of report contexts in, pictures of their sizes and of the cut line out."""

from __future__ import annotations

import pandas as pd

from workbench.show.picture import Picture, draw, plain_ticks
from workbench.show.theme import BLUE, GREEN, ORANGE, RED, SKY

ACTIONS = {"fits": SKY, "substituted": GREEN, "trimmed": ORANGE}
SECTIONS = {"Reports": GREEN, "Entities": BLUE, "Claims": ORANGE, "Relationships": SKY}


def token_bars(contexts: pd.DataFrame, most: int = 60) -> Picture:
    """Draw the untrimmed size of each context as a bar, and what was left of it in its colour.

    `contexts` is that of `report_contexts`; the `most` largest are drawn, on a logarithmic axis.
    """
    order = contexts.sort_values(["untrimmed_tokens", "short_id"], ascending=[False, True])
    shown = order.head(most)
    limit = int(contexts["limit"].max()) if len(contexts) else 0
    counts = contexts["context_action"].value_counts()
    named = ", ".join(f"{counts.get(name, 0)} {name}" for name in ACTIONS)
    largest = int(order["untrimmed_tokens"].iloc[0]) if len(order) else 0
    alt = (
        f"Tokens of {len(contexts):,} contexts against a limit of {limit:,}: {named}; the largest "
        f"has {largest:,} tokens before any cut."
    )

    def paint(axes) -> None:
        places = range(len(shown))
        axes.bar(places, shown["untrimmed_tokens"], color="#dddddd", label="before any cut")
        for action, colour in ACTIONS.items():
            mine = (shown["context_action"] == action).to_numpy()
            heights = shown["context_tokens"].where(mine, 0).to_numpy()
            axes.bar(places, heights, color=colour, label=action)
        axes.axhline(limit, color=RED, lw=1.2)
        axes.set_yscale("log")
        plain_ticks(axes.yaxis)
        axes.set(ylabel="tokens", xlabel=f"the {len(shown)} largest of {len(contexts):,} contexts")
        axes.set_xticks([])
        axes.legend(frameon=False, ncols=4, fontsize=8, loc="upper right")
        axes.set_ylim(10, max(largest, limit, 10) * 3)

    return draw(paint, alt)


def cut_line(records: pd.DataFrame, limit: int) -> Picture:
    """Draw how one context grows record by record, and where the limit cuts it.

    `records` are those of one community in `report_contexts`: section, tokens, cumulative (null for
    what a report replaced, which is not drawn), in_context.
    """
    drawn = records.dropna(subset=["cumulative"]).reset_index(drop=True)
    top = drawn["cumulative"].astype("int64")
    kept = int(drawn["in_context"].sum())
    whole = int(top.max()) if len(top) else 0
    used = int(top[drawn["in_context"]].max()) if kept else 0
    alt = (
        f"Of {len(drawn):,} records {kept:,} are in the context, with {used:,} tokens; all would "
        f"have {whole:,}; the limit is {limit:,}."
    )

    def paint(axes) -> None:
        for section, colour in SECTIONS.items():
            for inside in (True, False):
                mine = (drawn["section"] == section) & (drawn["in_context"] == inside)
                label = f"{section.lower()}{'' if inside else ', cut'}"
                look = {"color": colour, "alpha": 1.0 if inside else 0.35, "label": label}
                if mine.any():
                    axes.bar(drawn.index[mine], top[mine], 1.0, **look)
        axes.axhline(limit, color=RED, lw=1.2, label="limit")
        axes.set(xlabel="records, in the order in which they come in", ylabel="tokens so far")
        axes.legend(frameon=False, fontsize=8, loc="upper left")

    return draw(paint, alt)
