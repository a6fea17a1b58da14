"""The name of a step in, a picture of the whole way from files to an answer out: you are here."""

from __future__ import annotations

from workbench.errors import InputError
from workbench.show.picture import Picture, draw
from workbench.show.theme import BLUE, ORANGE

# step: (column, row, the notebook that shows it)
STEPS = {
    "files": (0, 1, "00"),
    "documents": (1, 1, "01"),
    "chunks": (2, 1, "01"),
    "postings": (3, 3, "02"),
    "vectors": (3, 2, "02"),
    "mentions": (3, 1, "02"),
    "entities": (4, 1, "02"),
    "relationships": (5, 1, "04"),
    "communities": (6, 1, "05"),
    "reports": (7, 1, "06"),
    "search": (5, 2, "00"),
    "context": (7, 2, "07"),
    "answer": (8, 2, "07"),
}
ARROWS = (
    ("files", "documents"),
    ("documents", "chunks"),
    ("chunks", "postings"),
    ("chunks", "vectors"),
    ("chunks", "mentions"),
    ("mentions", "entities"),
    ("entities", "relationships"),
    ("relationships", "communities"),
    ("communities", "reports"),
    ("postings", "search"),
    ("vectors", "search"),
    ("search", "context"),
    ("reports", "context"),
    ("context", "answer"),
)


def pipeline(here: str) -> Picture:
    """Draw the 13 steps and mark one. Raises InputError for a step that is not there."""
    if here not in STEPS:
        raise InputError(f"There is no step {here!r}: the steps are {', '.join(STEPS)}.")

    def paint(axes) -> None:
        for start, end in ARROWS:
            (x1, y1, _), (x2, y2, _) = STEPS[start], STEPS[end]
            axes.plot([x1, x2], [y1, y2], color="#777777", lw=1, zorder=0)
            head = {"arrowstyle": "-|>", "color": "#777777", "shrinkA": 0, "shrinkB": 0}
            middle = (0.45 * x1 + 0.55 * x2, 0.45 * y1 + 0.55 * y2)
            axes.annotate("", middle, (x1, y1), arrowprops=head, zorder=0)
        for name, (x, y, notebook) in STEPS.items():
            colour = ORANGE if name == here else "white"
            box = {"boxstyle": "round,pad=0.35", "fc": colour, "ec": BLUE}
            axes.text(x, y, f"{name}\n{notebook}", ha="center", va="center", fontsize=7.5, bbox=box)
        axes.set(xlim=(-0.5, 8.5), ylim=(0.5, 3.5))
        axes.set_axis_off()

    order = " → ".join(name for name in STEPS)
    alt = f"The steps {order}, each with the number of its notebook; you are at {here}."
    return draw(paint, alt, (9.6, 2.3))
