"""Frames of chunks, terms and entities in, pictures of how often things occur out."""

from __future__ import annotations

import pandas as pd

from workbench.show.picture import Picture, draw, plain_ticks
from workbench.show.text import count_of, visible
from workbench.show.theme import BLUE, GREY, ORANGE, PALETTE, RED, SKY, TYPE_COLOURS


def token_histogram(chunks: pd.DataFrame, by: str | None = None) -> Picture:
    """Draw how many tokens chunks have; `by` names a column, such as `size`, with a line each.

    `chunks` needs `token_count`, in tokens.
    """
    groups = [("chunks", chunks)] if by is None else list(chunks.groupby(by, sort=True))
    medians = [f"{name}: {group['token_count'].median():g}" for name, group in groups]
    alt = (
        f"Histogram of tokens per chunk{'' if by is None else f' by {by}'}; "
        f"median {', '.join(medians)}."
    )

    def paint(axes) -> None:
        edges = range(0, int(chunks["token_count"].max() if len(chunks) else 0) + 33, 32)
        for (name, group), colour in zip(groups, PALETTE * len(groups), strict=False):
            label = f"{visible(name)} ({count_of(len(group), 'chunk')})"
            axes.hist(
                group["token_count"], edges, histtype="step", lw=1.8, color=colour, label=label
            )
        axes.set(xlabel="tokens in a chunk", ylabel="chunks")
        axes.legend(title=by, frameon=False)

    return draw(paint, alt)


def overlap_strip(chunks: pd.DataFrame, title: str = "", length: int | None = None) -> Picture:
    """Draw one document's chunks as spans along its text; what two chunks share is orange.

    `chunks` needs `chunk_index`, `start_char` and `end_char`; `length` is the document's, in
    characters.
    """
    rows = chunks.sort_values("chunk_index").reset_index(drop=True)
    starts, ends = rows["start_char"].to_list(), rows["end_char"].to_list()
    shared = [(start, end) for start, end in zip(starts[1:], ends[:-1], strict=True) if end > start]
    total = sum(end - start for start, end in shared)
    alt = (
        f"{visible(title) or 'The document'} is cut into {count_of(len(rows), 'chunk')}; "
        f"{count_of(total, 'character')} lie in two of them."
    )

    def paint(axes) -> None:
        for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
            lane = index % 2
            axes.broken_barh([(start, end - start)], (lane, 0.8), facecolors=(BLUE, SKY)[lane])
            axes.text(
                (start + end) / 2,
                lane + 0.4,
                index,
                ha="center",
                va="center",
                color=("white", "black")[lane],
            )
        spans = [(start, end - start) for start, end in shared]
        axes.broken_barh(spans, (0, 1.8), facecolors=ORANGE, alpha=0.75)
        axes.set(xlabel="character of the document", yticks=[], title=visible(title, 90))
        axes.set_xlim(0, length or max(ends, default=1))
        axes.grid(False)

    return draw(paint, alt, (7.2, 1.7))


def rank_plot(entities: pd.DataFrame, count: str = "mention_count", label: int = 6) -> Picture:
    """Draw frequency against rank on logarithmic axes, with the `label` most frequent named.

    A straight falling line is Zipf's law. `entities` needs `name` and the `count` column.
    """
    rows = entities.sort_values([count, "name"], ascending=[False, True]).reset_index(drop=True)
    once = int((rows[count] == 1).sum())
    leading = ", ".join(
        f"{visible(name, 30)} {value:,}"
        for name, value in zip(rows["name"].head(3), rows[count].head(3), strict=True)
    )
    alt = (
        f"Frequency against rank of {count_of(len(rows), 'entity')}; the first are {leading}; "
        f"{once:,} occur once."
    )

    def paint(axes) -> None:
        ranks = range(1, len(rows) + 1)
        axes.loglog(ranks, rows[count], ".", color=BLUE, ms=5)
        for rank, name, value in zip(ranks, rows["name"].head(label), rows[count], strict=False):
            axes.annotate(
                visible(name, 24), (rank, value), xytext=(5, 3), textcoords="offset points"
            )
        axes.set(xlabel="rank", ylabel=count.replace("_", " "))
        plain_ticks(axes.xaxis)
        plain_ticks(axes.yaxis)

    return draw(paint, alt)


def idf_scatter(terms: pd.DataFrame, label: int = 12) -> Picture:
    """Draw each name's IDF against how often it occurs, coloured by whether it was kept.

    `terms` needs `name`, `mention_count`, `idf` and `kept` (bool). Names are written beside the
    points that lie farthest from where their kind is dense: the most frequent of each kind.
    """
    rows = terms.sort_values(["mention_count", "name"], ascending=[False, True])
    kept = rows["kept"].astype(bool)
    alt = (
        f"IDF against occurrences of {count_of(len(rows), 'name')}: {int(kept.sum()):,} kept, "
        f"{int((~kept).sum()):,} dropped."
    )

    def paint(axes) -> None:
        for part, colour, marker, name in (
            (rows[~kept], GREY, "x", "dropped"),
            (rows[kept], BLUE, "o", "kept"),
        ):
            axes.scatter(
                part["mention_count"], part["idf"], s=14, c=colour, marker=marker, label=name
            )
            for _, row in part.head(label // 2).iterrows():
                axes.annotate(
                    visible(row["name"], 24),
                    (row["mention_count"], row["idf"]),
                    xytext=(4, 4),
                    textcoords="offset points",
                    fontsize=8,
                )
        axes.set_xscale("log")
        plain_ticks(axes.xaxis)
        axes.set(xlabel="occurrences", ylabel="IDF (rare is high)")
        axes.legend(frameon=False)

    return draw(paint, alt, (6.8, 3.8))


def type_bars(entities: pd.DataFrame) -> Picture:
    """Draw how many entities each type has, in the colours that graphs use."""
    counts = entities["type"].value_counts()
    counts = counts.sort_index().sort_values(ascending=True, kind="stable")
    named = ", ".join(f"{visible(name)} {value:,}" for name, value in counts[::-1].items())

    def paint(axes) -> None:
        colours = [TYPE_COLOURS.get(name, GREY) for name in counts.index]
        axes.bar_label(axes.barh([visible(n) for n in counts.index], counts, color=colours))
        axes.set(xlabel="entities")
        axes.grid(False, axis="y")

    return draw(paint, f"Entities by type: {named}.", (6.0, 2.6))


def score_bars(scores: pd.DataFrame, group: str, name: str, value: str) -> Picture:
    """Draw a score between 0 and 1 as grouped bars: a group a tick, a colour a name.

    With `group="measure"`, `name="method"`, `value="recall"` it draws retrieval's recall.
    """
    table = scores.pivot(index=group, columns=name, values=value)
    table = table.loc[scores[group].unique(), scores[name].unique()]  # in the order given
    named = "; ".join(
        f"{visible(tick)}: " + ", ".join(f"{visible(n)} {row[n]:.2f}" for n in table.columns)
        for tick, row in table.iterrows()
    )

    def paint(axes) -> None:
        width = 0.8 / len(table.columns)
        for index, (column, colour) in enumerate(zip(table.columns, PALETTE, strict=False)):
            places = [
                tick + (index - (len(table.columns) - 1) / 2) * width for tick in range(len(table))
            ]
            bars = axes.bar(places, table[column], width * 0.9, color=colour, label=visible(column))
            axes.bar_label(bars, fmt="%.2f", fontsize=7)
        axes.set_xticks(range(len(table)), [visible(tick) for tick in table.index])
        axes.set(ylim=(0, 1.08), ylabel=value)
        axes.axhline(1, color=RED, lw=0.5)
        axes.legend(frameon=False, ncols=len(table.columns), loc="upper right", fontsize=8)
        axes.grid(False, axis="x")

    return draw(paint, f"{value} by {group}: {named}.")
