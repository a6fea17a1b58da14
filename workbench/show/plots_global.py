"""Steps of a global search's trace in, pictures of weights, batches, scores and cost out."""

from __future__ import annotations

import pandas as pd

from workbench.show.picture import Picture, draw
from workbench.show.theme import BLUE, GREY, PALETTE, RED, SKY

PALE = "#dddddd"


def weight_bars(weights: pd.DataFrame) -> Picture:
    """Draw each report's chunks, the most first; grey are those that are not read.

    `weights`: the step of that name.
    """
    order = weights.sort_values(["chunks", "short_id"], ascending=[False, True])
    inside = order["in_context"].to_numpy(bool)
    counts = weights["cut_reason"].value_counts()
    left = ", ".join(f"{counts[name]} for {name}" for name in sorted(counts.index) if name)
    most = int(order["chunks"].iloc[0]) if len(order) else 0
    alt = (
        f"{int(inside.sum())} of {len(order):,} reports are read; left out: {left or 'none'}. The "
        f"widest community is mentioned in {most:,} chunks."
    )

    def paint(axes) -> None:
        colours = [BLUE if one else PALE for one in inside]
        axes.bar(range(len(order)), order["chunks"], 1.0, color=colours)
        axes.set(xlabel="reports (blue: read)", ylabel="chunks that mention its entities")
        axes.set_xticks([])

    return draw(paint, alt)


def shuffle_lines(batches: pd.DataFrame) -> Picture:
    """Draw where each report is dealt out and where it stands in the end; a colour a batch.

    `batches`: the step of that name.
    """
    shown = batches[batches["in_context"]]
    number = int(shown["batch"].max()) if len(shown) else 0
    kept = int((shown["dealt"] == shown["order"]).sum())
    alt = (
        f"{len(shown):,} reports in {number} batches; {kept} stand where the shuffle dealt them, "
        "the others moved inside their batch, by weight and rank."
    )

    def paint(axes) -> None:
        for row in shown.itertuples():
            colour = PALETTE[(int(row.batch) - 1) % len(PALETTE)]
            axes.plot([0, 1], [row.dealt, row.order], color=colour, lw=0.9, marker=".", ms=3)
        axes.set_xticks([0, 1], ["as dealt out", "as read"])
        axes.set(ylabel="place", xlim=(-0.15, 1.15))
        axes.invert_yaxis()

    return draw(paint, alt)


def batch_bars(batches: pd.DataFrame, limit: int) -> Picture:
    """Draw each batch as its reports' tokens, one upon the other, against the limit.

    `batches`: the step of that name; `limit`: max_context_tokens.
    """
    shown = batches[batches["in_context"]]
    totals = shown.groupby("batch")["tokens"].sum()
    sizes = shown.groupby("batch").size()
    fullest = int(totals.max()) if len(totals) else 0
    alt = (
        f"{len(totals)} batches of {int(sizes.min()) if len(sizes) else 0} to "
        f"{int(sizes.max()) if len(sizes) else 0} reports; the fullest has {fullest:,} of "
        f"{limit:,} tokens."
    )

    def paint(axes) -> None:
        tops = shown.groupby("batch")["tokens"].cumsum()
        for shade in (0, 1):
            mine = shown["place"] % 2 == shade
            bottoms = (tops - shown["tokens"])[mine]
            colour = (BLUE, SKY)[shade]
            places = shown["batch"][mine].astype(int)
            axes.bar(places, shown["tokens"][mine], 0.8, bottom=bottoms, color=colour)
        axes.axhline(limit, color=RED, lw=1.2)
        axes.set(
            xlabel="batch", ylabel="tokens of its reports", ylim=(0, max(limit, fullest) * 1.1)
        )
        axes.set_xticks(range(1, len(totals) + 1))

    return draw(paint, alt)


def score_dots(points: pd.DataFrame) -> Picture:
    """Draw the score of each point over its batch; grey are those that do not come in.

    `points`: the step of that name. Points without a score are counted in words only.
    """
    scored = points.dropna(subset=["score"])
    inside = scored["in_context"].to_numpy(bool)
    alt = (
        f"{len(points)} points of {points['batch'].nunique()} batches: {int(inside.sum())} come "
        f"into the last call, {int((~inside).sum())} with a score do not, "
        f"{len(points) - len(scored)} have no score."
    )

    def paint(axes) -> None:
        for mine, colour, label in ((inside, BLUE, "in"), (~inside, GREY, "dropped")):
            axes.scatter(
                scored["batch"][mine].astype(int), scored["score"][mine].astype(int), s=28,
                color=colour, alpha=0.7, label=label,
            )  # fmt: skip
        axes.set(xlabel="batch", ylabel="score", ylim=(-5, 105))
        axes.set_xticks(sorted(points["batch"].unique()))
        axes.legend(frameon=False, fontsize=8)

    return draw(paint, alt)


def reduce_steps(reduce: pd.DataFrame, limit: int) -> Picture:
    """Draw how the points fill the last call, the highest scores first.

    `reduce`: the step of that name; `limit`: data_max_tokens.
    """
    inside = reduce["in_context"].to_numpy(bool)
    tokens = reduce["tokens"].astype("int64")
    used = int(tokens[inside].sum())
    alt = (
        f"{int(inside.sum())} of {len(reduce)} points are in the last call, with {used:,} of "
        f"{limit:,} tokens; all would have {int(tokens.sum()):,}."
    )

    def paint(axes) -> None:
        bottoms = (tokens.where(inside, 0).cumsum() - tokens.where(inside, 0)).to_numpy()
        colours = [BLUE if one else PALE for one in inside]
        places = range(1, len(reduce) + 1)
        axes.bar(places, tokens, 0.9, bottom=bottoms, color=colours)
        for place, bottom, size, score in zip(
            places, bottoms, tokens, reduce["score"], strict=True
        ):
            axes.text(place, bottom + size, str(score), ha="center", va="bottom", fontsize=7)
        axes.axhline(limit, color=RED, lw=1.2)
        axes.set(xlabel="points, by score (above each)", ylabel="tokens so far")
        axes.set_ylim(0, max(limit, int(tokens.sum())) * 1.12)

    return draw(paint, alt)


def cost_bars(cost: pd.DataFrame) -> Picture:
    """Draw the prompt tokens of a global search for each level, and write its calls above.

    `cost`: what `global_cost` gives.
    """
    told = "; ".join(
        f"level {row.level}: {row.reports} reports, {row.calls} calls, {row.prompt_tokens:,} tokens"
        for row in cost.itertuples()
    )
    alt = f"Cost of one question, {told or 'there are no reports'}."

    def paint(axes) -> None:
        axes.bar(cost["level"], cost["map_tokens"], color=BLUE, label="reports are read")
        axes.bar(
            cost["level"], cost["reduce_tokens"], bottom=cost["map_tokens"], color=SKY,
            label="the answer is written, at most",
        )  # fmt: skip
        for row in cost.itertuples():
            calls = f"{row.calls} calls"
            axes.text(row.level, row.prompt_tokens, calls, ha="center", va="bottom", fontsize=8)
        axes.set(xlabel="level", ylabel="prompt tokens")
        axes.set_xticks(cost["level"].tolist())
        axes.margins(y=0.2)
        axes.legend(frameon=False, fontsize=8, loc="upper left")

    return draw(paint, alt)
