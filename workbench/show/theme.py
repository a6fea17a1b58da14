"""Names in, colours out: one palette that the colour-blind can tell apart, one look for figures.

The palette is that of Okabe and Ito (jfly.uni-koeln.de/color, 2008) with a grey as the ninth, dark
enough to differ from the purple for those who see no green.
Nothing is set at import: figures are drawn inside `style()`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from workbench.schema import ENTITY_TYPES

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, RED, PURPLE, GREY = "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#666666"
PALETTE = (BLUE, ORANGE, GREEN, PURPLE, SKY, RED, YELLOW, BLACK)
OTHER = "other"

TYPE_COLOURS = {
    "technology": BLUE,
    "code": SKY,
    "person": RED,
    "organization": ORANGE,
    "place": YELLOW,
    "event": PURPLE,
    "concept": GREEN,
    "document": GREY,
    "website": BLACK,
}
assert tuple(TYPE_COLOURS) == ENTITY_TYPES  # noqa: S101 a type without a colour is a slip here
FIGURE_DPI = 88


def group_colours(groups: Iterable[object]) -> dict[str, str]:
    """Give each group a colour, the largest first; from the ninth on they share a grey.

    `groups` holds one entry a node. When all are entity types, each has its colour for good.
    """
    counts: dict[str, int] = {}
    for group in groups:
        counts[str(group)] = counts.get(str(group), 0) + 1
    if set(counts) <= set(TYPE_COLOURS):
        return {name: TYPE_COLOURS[name] for name in ENTITY_TYPES if name in counts}
    ordered = sorted(counts, key=lambda name: (name == OTHER, -counts[name], name))
    coloured = [name for name in ordered if name != OTHER][: len(PALETTE)]
    palette = dict(zip(coloured, PALETTE, strict=False))
    return {name: palette.get(name, GREY) for name in ordered}


@contextmanager
def style() -> Iterator[None]:
    """Draw figures in the house style, and leave matplotlib's own settings as they were."""
    import warnings

    import matplotlib

    settings = {
        "font.family": ["DejaVu Sans"],
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": "#e6e6e6",
        "figure.facecolor": "white",
        "text.parse_math": False,  # a name with two dollar signs is a name, not a formula
        "svg.hashsalt": "workbench",
    }
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # a box is drawn instead
        yield
