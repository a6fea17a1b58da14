"""Runs over the same chunks in, pictures of what each of them saw out."""

from __future__ import annotations

import pandas as pd

from workbench.show.picture import Picture, draw
from workbench.show.text import count_of, visible
from workbench.show.theme import BLACK, BLUE, GREY, PALETTE, TYPE_COLOURS
from workbench.study.overlap import Runs, things

FAINT = "#dddddd"


def intersection_bars(sizes: pd.DataFrame, what: str = "entities") -> Picture:
    """Draw how many things exactly these runs saw: a bar a combination, its runs as dots below.

    `sizes` is that of `intersections`: runs, a bool a run, count. The form is Lex and others'
    UpSet plot (2014).
    """
    names = [name for name in sizes.columns if name not in ("runs", "count")]
    named = "; ".join(
        f"{visible(row['runs'])} {row['count']:,}" for _, row in sizes.iterrows() if row["count"]
    )

    def paint(axes) -> None:
        figure = axes.figure
        axes.remove()
        top, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 0.4 + 0.3 * len(names)))
        top.bar_label(top.bar(range(len(sizes)), sizes["count"], color=BLUE, width=0.6))
        top.set(ylabel=what, ylim=(0, max(sizes["count"].max(), 1) * 1.15))
        for column, row in enumerate(sizes[names].to_numpy(bool)):
            inside = [place for place, here in enumerate(row) if here]
            below.plot([column] * len(names), range(len(names)), "o", color=FAINT, ms=9)
            below.plot([column] * len(inside), inside, "o-", color=BLACK, ms=9, lw=2)
        below.set_yticks(range(len(names)), [visible(name, 24) for name in names])
        below.set(ylim=(len(names) - 0.5, -0.5), xlim=(-0.6, len(sizes) - 0.4))
        for axis in (top, below):
            axis.grid(False)
            axis.tick_params(axis="x", length=0, labelbottom=False)

    return draw(paint, f"{what.capitalize()} seen by exactly these runs: {named}.", (6.0, 3.4))


def growth_lines(table: pd.DataFrame) -> Picture:
    """Draw distinct entities against tokens read; `table` is that of `growth`."""
    groups = {name: group for name, group in table.groupby("run", sort=False)}
    halves = {name: _half(group) for name, group in groups.items()}
    ends = ", ".join(
        f"{visible(name)} {group['entities'].iloc[-1]:,} ({halves[name]:.0%} in the first half)"
        for name, group in groups.items()
    )

    def paint(axes) -> None:
        for (name, group), colour in zip(groups.items(), PALETTE, strict=False):
            axes.plot(group["tokens"], group["entities"], color=colour, label=visible(name))
        axes.set(xlabel="tokens read", ylabel="distinct entities", ylim=(0, None), xlim=(0, None))
        axes.legend(frameon=False)

    return draw(paint, f"Distinct entities after all {_last(table):,} tokens: {ends}.")


def mode_graphs(runs: Runs, most: int = 40, seed: int = 7) -> Picture:
    """Draw each run's graph on one layout, that of all runs' relationships together.

    Shown are the `most` things with the highest degree over all runs; one that a run did not see
    is a faint ring in its picture. Names are those of the first run that saw the thing.
    """
    from workbench.graph.layout import layout

    rows, numbers = things(runs)
    places = {
        name: {id_: f"{number:06d}" for id_, number in place.items()}
        for name, place in numbers.items()
    }
    links = {name: _links(run, places[name]) for name, run in runs.items()}
    together = pd.concat(links.values(), ignore_index=True)
    degree = pd.concat([together["source_id"], together["target_id"]]).value_counts()
    ids = [f"{number:06d}" for number in rows.index]
    nodes = rows.assign(id=ids, degree=degree.reindex(ids, fill_value=0).to_numpy())
    nodes = nodes.sort_values(["degree", "name"], ascending=[False, True]).head(most)
    inside = together["source_id"].isin(nodes["id"]) & together["target_id"].isin(nodes["id"])
    where = layout(nodes, together[inside], seed).set_index("entity_id")[["x", "y"]]
    counts = ", ".join(
        f"{visible(name)} {count_of(len(set(places[name].values()) & set(nodes['id'])), 'entity')}"
        f" and {count_of(_drawn(links[name], where), 'line')}"
        for name in runs
    )

    def paint(axes) -> None:
        figure = axes.figure
        axes.remove()
        panels = figure.subplots(1, len(runs), squeeze=False)[0]
        for panel, (name, run) in zip(panels, runs.items(), strict=True):
            kinds = run.entities.set_index("id")["type"]
            seen = {number: kinds[id_] for id_, number in places[name].items()}
            _panel(panel, nodes, where, links[name], seen)
            panel.set_title(visible(name, 30))

    alt = f"The {len(nodes)} best connected entities on one layout: {counts}."
    return draw(paint, alt, (4.3 * len(runs), 4.2))


def _panel(axes, nodes: pd.DataFrame, where: pd.DataFrame, links: pd.DataFrame, seen: dict) -> None:
    from matplotlib.patheffects import withStroke

    axes.set_axis_off()
    axes.margins(0.12)
    for source, target in zip(links["source_id"], links["target_id"], strict=True):
        if source in where.index and target in where.index:
            ends = where.loc[[source, target]]
            axes.plot(ends["x"], ends["y"], color="#bbbbbb", lw=0.7, zorder=1)
    for place, node in enumerate(nodes.itertuples(index=False)):
        x, y = where.loc[node.id]
        here = node.id in seen
        colour = TYPE_COLOURS.get(seen.get(node.id, ""), GREY) if here else "white"
        edge = "white" if here else FAINT
        axes.scatter([x], [y], s=60 if here else 30, c=[colour], edgecolors=edge, zorder=2)
        if here and place < 14:
            halo = [withStroke(linewidth=2, foreground="white")]
            name = visible(node.name, 20)
            axes.annotate(
                name, (x, y), (0, 6), textcoords="offset points", ha="center", fontsize=7,
                path_effects=halo, zorder=3,
            )  # fmt: skip


def _links(run, place: dict[str, str]) -> pd.DataFrame:
    """Give a run's relationships between things, each pair once: source_id, target_id, weight."""
    table = run.relationships
    ends = [
        (*sorted((place[a], place[b])), float(weight))
        for a, b, weight in zip(
            table["source_id"], table["target_id"], table["weight"], strict=True
        )
        if place[a] != place[b]
    ]
    frame = pd.DataFrame(ends, columns=["source_id", "target_id", "weight"])
    return frame.groupby(["source_id", "target_id"], as_index=False)["weight"].sum()


def _drawn(links: pd.DataFrame, where: pd.DataFrame) -> int:
    return int((links["source_id"].isin(where.index) & links["target_id"].isin(where.index)).sum())


def _half(group: pd.DataFrame) -> float:
    """Give the share of a run's entities that the first half of the text has."""
    half = group.loc[group["tokens"] <= group["tokens"].iloc[-1] / 2, "entities"]
    return float(half.max() / group["entities"].iloc[-1]) if len(half) else 0.0


def _last(table: pd.DataFrame) -> int:
    return int(table["tokens"].max()) if len(table) else 0
