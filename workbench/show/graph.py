"""Entities and relationships in, a graph view out: one HTML block of a picture and a live graph.

The block holds a PNG and, over it, the live graph in a sandboxed frame: a notebook that is not
trusted, or is read on a code host, loses the frame and shows the picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from workbench.show.drawing import MAX_NODES, Drawing, drawing_of
from workbench.show.graph_page import frame_html, page_html
from workbench.show.graph_picture import graph_png
from workbench.show.text import escaped, visible

_CAPTION = "font-size:90%;padding:4px 0"


@dataclass(frozen=True)
class GraphView:
    """A graph to look at: shows itself in a notebook, and saves itself as a page or a picture."""

    drawing: Drawing
    alt: str
    png: bytes

    def __repr__(self) -> str:
        return self.alt

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        caption = f"<b>{escaped(self.drawing.title)}</b> {escaped(self.drawing.choice)}".strip()
        block = frame_html(page_html(self.drawing), self.png, self.alt)
        page = f'<div>{block}<div style="{_CAPTION}">{caption}</div></div>'
        return {"text/html": page, "text/plain": self.alt}

    def save(self, path: str | Path) -> Path:
        """Write one HTML page that works offline, with nothing beside it; give its path."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page_html(self.drawing, standalone=True), encoding="utf-8", newline="\n")
        return path

    def save_png(self, path: str | Path) -> Path:
        """Write the picture; give its path."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.png)
        return path


def graph_view(
    entities: pd.DataFrame,
    relationships: pd.DataFrame,
    positions: pd.DataFrame | None = None,
    *,
    colour_by: str = "type",
    max_nodes: int = MAX_NODES,
    title: str = "",
    seed: int = 7,
    noun: str = "entity",
) -> GraphView:
    """Draw entities as points (area by degree) and relationships as lines (width by weight).

    `colour_by` names a column of `entities`: `type`, or a `community` that was joined to them.
    `positions` (id, x, y) fixes the layout, so that two runs can be compared on it; without it what
    is drawn is laid out from `seed`. Relationships of one pair are drawn as one line with their
    weights summed. At most `max_nodes` entities (300 at most) and 1,000 lines are drawn, and the
    caption says which, calling a point `noun`. A column `role` of either says how it is drawn
    (`theme.ROLE_COLOURS`), a column `description` is shown when a point is chosen.
    """
    drawing = drawing_of(
        entities, relationships, positions, colour_by, max_nodes, title, seed, noun
    )
    return GraphView(drawing, _alt(drawing), graph_png(drawing))


def _alt(drawing: Drawing) -> str:
    leading = ", ".join(
        f"{name} ({degree})"
        for name, degree in zip(
            drawing.nodes["name"].head(5), drawing.nodes["degree"], strict=False
        )
    )
    title = f"{visible(drawing.title).rstrip('.')}. " if drawing.title else ""
    return f"Graph. {title}{drawing.choice} Highest degrees: {leading or 'none'}."
