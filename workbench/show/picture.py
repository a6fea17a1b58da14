"""A matplotlib figure in, a small PNG with a text alternative out; drawn without pyplot."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.show.theme import FIGURE_DPI, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS_IN_PNG = 256  # enough for flat figures, and a third of the bytes of true colour


@dataclass(frozen=True)
class Picture:
    """A figure as PNG bytes; `alt` says in words what it shows, with its numbers."""

    png: bytes
    alt: str

    def __repr__(self) -> str:
        return self.alt

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, object], dict[str, object]]:
        data = {"image/png": self.png, "text/plain": self.alt}
        return data, {"image/png": {"alt": self.alt}}

    def save(self, path: str | Path) -> Path:
        """Write the PNG; give its path."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.png)
        return path


def draw(
    paint: Callable[[Axes], None], alt: str, size: tuple[float, float] = (6.4, 3.2)
) -> Picture:
    """Let `paint` draw on one pair of axes of `size` inches; give the picture."""
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=size, dpi=FIGURE_DPI, layout="constrained")
        paint(figure.add_subplot())
        return Picture(png_bytes(figure), alt)


def png_bytes(figure: Figure) -> bytes:
    """Render a figure to a PNG with a small palette and without a date or version inside."""
    from PIL import Image

    raw = io.BytesIO()
    figure.savefig(raw, format="png")
    image = (
        Image.open(raw)
        .convert("RGB")
        .quantize(
            COLOURS_IN_PNG,
            method=Image.Quantize.MAXCOVERAGE,  # median cut gives two types of one hue one colour
            dither=Image.Dither.NONE,
        )
    )
    out = io.BytesIO()
    image.save(out, format="png", optimize=True)
    return out.getvalue()


def plain_ticks(axis: object) -> None:
    """Label a logarithmic axis with plain numbers (1, 10, 100) and no minor labels."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axis.set_minor_formatter(NullFormatter())
