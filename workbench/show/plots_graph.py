"""Frames of a graph in, pictures of degrees, weights, communities and stability out."""

from __future__ import annotations

import pandas as pd

from workbench.show.picture import Picture, draw, plain_ticks
from workbench.show.text import count_of, visible
from workbench.show.theme import BLACK, BLUE, GREEN, ORANGE, RED, SKY

PERCENTILES = (50, 90, 99)


def degree_histogram(entities: pd.DataFrame) -> Picture:
    """Draw how many entities have each degree, on logarithmic axes, with three percentiles.

    `entities` needs `degree`. Entities without an edge are counted in the text, as zero has no
    place on a logarithmic axis.
    """
    degrees = entities["degree"].astype("int64")
    linked = degrees[degrees > 0]
    isolated = int((degrees == 0).sum())
    marks = {q: float(linked.quantile(q / 100)) if len(linked) else 0.0 for q in PERCENTILES}
    named = ", ".join(f"{q} % at most {value:g}" for q, value in marks.items())
    alt = (
        f"Degrees of {count_of(len(linked), 'linked entity')}: {named}; largest "
        f"{int(degrees.max()) if len(degrees) else 0}; {isolated:,} without an edge."
    )

    def paint(axes) -> None:
        counts = linked.value_counts().sort_index()
        axes.loglog(counts.index, counts, "o", color=BLUE, ms=4)
        for (q, value), colour in zip(marks.items(), (GREEN, ORANGE, RED), strict=True):
            axes.axvline(max(value, 1), color=colour, lw=1.5, label=f"{q}th percentile: {value:g}")
        axes.set(xlabel="degree", ylabel="entities", title=f"{isolated:,} entities have no edge")
        plain_ticks(axes.xaxis)
        plain_ticks(axes.yaxis)
        axes.legend(frameon=False)

    return draw(paint, alt)


def weight_histogram(relationships: pd.DataFrame) -> Picture:
    """Draw how many relationships have each weight; `relationships` needs `weight`."""
    weights = relationships["weight"].astype("float64")
    ones = float((weights <= 1).mean()) if len(weights) else 0.0
    alt = (
        f"Weights of {count_of(len(weights), 'relationship')}: {ones:.0%} are 1 or less, median "
        f"{weights.median():g}, largest {weights.max():g}."
    )

    def paint(axes) -> None:
        counts = weights.value_counts().sort_index()
        axes.vlines(counts.index, 0.7, counts, color=SKY, lw=3)
        axes.plot(counts.index, counts, "o", color=BLUE, ms=4)
        axes.set_yscale("log")
        plain_ticks(axes.yaxis)
        axes.set(xlabel="weight", ylabel="relationships", ylim=(0.7, None))

    return draw(paint, alt)


def size_boxes(communities: pd.DataFrame) -> Picture:
    """Draw the sizes of the communities of each level as a box, with their number above.

    `communities` needs `level` and `size` (members).
    """
    groups = {level: group["size"] for level, group in communities.groupby("level", sort=True)}
    named = "; ".join(
        f"level {level}: {count_of(len(sizes), 'community')}, median size {sizes.median():g}, "
        f"largest {sizes.max()}"
        for level, sizes in groups.items()
    )

    def paint(axes) -> None:
        labels = [f"level {level}\n{len(sizes)} of them" for level, sizes in groups.items()]
        if not groups:
            return
        axes.boxplot(
            [sizes.to_numpy() for sizes in groups.values()],
            tick_labels=labels,
            medianprops={"color": RED},
            flierprops={"marker": ".", "markeredgecolor": BLACK},
        )
        axes.set(ylabel="members", ylim=(0, None))

    return draw(paint, f"Community sizes by level; {named}." if groups else "No community.")


def stability_map(matrix: pd.DataFrame, what: str = "seed") -> Picture:
    """Draw how alike clusterings are as a heat map of their adjusted Rand index.

    `matrix` is square: entry (a, b) is 1 when a and b put the same entities together and about 0
    when they agree no more than chance would.
    """
    values = matrix.to_numpy(dtype=float)
    others = [values[a, b] for a in range(len(values)) for b in range(a)]
    alt = (
        f"Adjusted Rand index between {len(values)} clusterings by {what}: from "
        f"{min(others, default=1):.2f} to {max(others, default=1):.2f}."
    )

    def paint(axes) -> None:
        image = axes.imshow(values, vmin=0, vmax=1, cmap="cividis")
        names = [visible(name, 14) for name in matrix.columns]
        axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
        axes.set_yticks(range(len(names)), names)
        axes.grid(False)
        for row in range(len(values)):
            for column in range(len(values)):
                value = values[row, column]
                ink = "black" if value > 0.55 else "white"
                text = f"{value:.2f}"
                axes.text(column, row, text, ha="center", va="center", color=ink, fontsize=7)
        axes.figure.colorbar(image, ax=axes, label="adjusted Rand index")

    side = min(6.5, 2.2 + 0.38 * len(values))
    return draw(paint, alt, (side + 0.8, side))
