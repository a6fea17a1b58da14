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
# What a part of a graph is to a query, or to two runs that are compared.
ROLE_COLOURS = {
    "selected": BLUE,
    "in-network": BLUE,
    "out-network": ORANGE,
    "cut": GREY,
    "in both": BLUE,
    "only in the first": ORANGE,
    "only in the second": PURPLE,
}
LINE = "#cfcfcf"
# (colour, dashed, how much wider) of a line by its role
LINE_LOOKS = {
    "in-network": (BLUE, False, 2.0),
    "out-network": (ORANGE, True, 1.0),
    "cut": ("#b5b5b5", False, 0.6),
    "in both": (BLUE, False, 1.0),
    "only in the first": (ORANGE, False, 1.0),
    "only in the second": (PURPLE, True, 1.0),
}
assert tuple(TYPE_COLOURS) == ENTITY_TYPES  # noqa: S101 a type without a colour is a slip here
FIGURE_DPI = 88


def group_colours(groups: Iterable[object]) -> dict[str, str]:
    """Give each group a colour, the largest first; from the ninth on they share a grey.

    `groups` holds one entry a node. Entity types, and roles, have their colours for good.
    """
    counts: dict[str, int] = {}
    for group in groups:
        counts[str(group)] = counts.get(str(group), 0) + 1
    for known in (TYPE_COLOURS, ROLE_COLOURS):
        if set(counts) <= set(known):
            return {name: colour for name, colour in known.items() if name in counts}
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


def line_look(role: str) -> tuple[str, bool, float]:
    """Give the colour of a line, whether it is dashed, and how much wider it is drawn."""
    return LINE_LOOKS.get(role, (LINE, False, 1.0))
