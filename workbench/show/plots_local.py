"""A sweep of local search's budget shares in, a picture of what got in out."""

from __future__ import annotations

import pandas as pd

from workbench.show.picture import Picture, draw
from workbench.show.theme import BLUE, GREEN, ORANGE, SKY

SECTIONS = {"reports": GREEN, "entities": BLUE, "relationships": SKY, "sources": ORANGE}


def share_bars(sweep: pd.DataFrame) -> Picture:
    """Draw the tokens of each section, one upon the other, for each pair of budget shares.

    `sweep`: that of `sweep_budget`. A bar's label is the share of the chunks over that of the
    reports; the graph has what is left.
    """
    shares = ["text_unit_prop", "community_prop"]
    tokens = sweep.pivot_table(index=shares, columns="section", values="tokens", aggfunc="sum")
    totals = tokens.sum(axis=1)
    least, most = (int(totals.min()), int(totals.max())) if len(totals) else (0, 0)
    bare = sweep[(sweep["section"] == "entities") & (sweep["rows"] == 0)]
    alt = (
        f"{len(tokens)} pairs of shares: the contexts have {least:,} to {most:,} tokens, and "
        f"{len(bare)} of them hold no entity."
    )

    def paint(axes) -> None:
        bottom = pd.Series(0, index=tokens.index)
        for section, colour in SECTIONS.items():
            if section in tokens:
                heights = tokens[section]
                places = range(len(tokens))
                axes.bar(places, heights, bottom=bottom, color=colour, label=section)
                bottom = bottom + heights
        labels = [f"{texts:g}\n{reports:g}" for texts, reports in tokens.index]
        axes.set_xticks(range(len(tokens)), labels, fontsize=7)
        axes.set(xlabel="text_unit_prop over community_prop", ylabel="tokens in context")
        axes.set_ylim(0, max(most, 1) * 1.2)
        if len(tokens):
            axes.legend(frameon=False, fontsize=8, ncols=4, loc="upper left")

    return draw(paint, alt)
