"""A drawing in, its PNG out: the same points in the same places and colours as the live graph."""

from __future__ import annotations

from workbench.show.drawing import Drawing, radius
from workbench.show.picture import png_bytes
from workbench.show.text import visible
from workbench.show.theme import FIGURE_DPI, LINE, line_look, style

LABELS = 30


def graph_png(drawing: Drawing) -> bytes:
    """Draw the graph at 1000 by 560 pixels with its legend; the highest degrees are named."""
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patheffects import withStroke

    nodes = drawing.nodes
    place = dict(zip(nodes["id"], zip(nodes["x"], -nodes["y"], strict=True), strict=True))
    with style():
        figure = Figure(figsize=(1000 / FIGURE_DPI, 560 / FIGURE_DPI), dpi=FIGURE_DPI)
        axes = figure.add_axes((0.01, 0.01, 0.98, 0.92))
        axes.set_axis_off()
        axes.set_aspect("equal", adjustable="datalim")
        lines = [
            (place[source], place[target])
            for source, target in zip(
                drawing.edges["source_id"], drawing.edges["target_id"], strict=True
            )
        ]
        looks = [line_look(role) for role in drawing.edges["role"]]
        widths = [
            look[2] * min(3.0, 0.3 + 0.25 * weight**0.5)
            for look, weight in zip(looks, drawing.edges["weight"], strict=True)
        ]
        strokes = ["--" if dashed else "-" for _, dashed, _ in looks]
        axes.add_collection(
            LineCollection(
                lines,
                linewidths=widths,
                colors=[look[0] for look in looks] or LINE,
                linestyles=strokes or "-",
                zorder=1,
            )
        )
        areas = [(radius(degree) * 0.62) ** 2 for degree in nodes["degree"]]
        axes.scatter(
            nodes["x"], -nodes["y"], s=areas, c=list(nodes["colour"]), zorder=2, ec="white", lw=0.6
        )
        for node in nodes.head(LABELS).itertuples():
            name = visible(node.name, 24)
            axes.annotate(
                name,
                (node.x, -node.y),
                xytext=(0, -4 - radius(node.degree) * 0.32),
                textcoords="offset points",
                ha="center",
                va="top",
                fontsize=7.5,
                zorder=3,
                path_effects=[withStroke(linewidth=2, foreground="white")],
            )
        handles = [
            Line2D([], [], marker="o", ls="", color=colour, label=visible(name, 24))
            for name, colour in list(drawing.colours.items())[:10]
        ]
        if handles:
            figure.legend(handles=handles, loc="upper left", ncols=5, frameon=False, fontsize=8)
        return png_bytes(figure)
