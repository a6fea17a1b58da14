"""A comparison in, one page of HTML out: the verdict first, then every table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.show.tables import table

if TYPE_CHECKING:
    from workbench.study.compare import Comparison

_CAPTIONS = {
    "verdict": "Verdict, with the rule each answer follows",
    "statistics": "The graphs themselves",
    "overlap": "What exactly these runs saw",
    "entities": "Entities side by side",
    "matches": "Which entity is which, and by what rule",
    "correlation": "Do the runs rank alike? Spearman's rho over what both found",
    "communities": "Do the communities agree?",
    "changes": "Where each community went",
    "gold": "Scores against labels",
    "evidence": "Gold documents found",
    "costs": "What the model was asked",
}
_OPEN = ("verdict", "statistics", "gold", "evidence", "costs")
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Runs compared</title>
<body style="font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em;
color-scheme:light dark">
<h1>Runs compared</h1>
{body}
</body></html>
"""


def comparison_html(comparison: Comparison, n: int = 20) -> str:
    """Give the tables as HTML, the first `n` rows of each; those that matter least are folded."""
    parts = []
    for name, frame in comparison.tables().items():
        if frame.empty:
            continue
        shown = table(frame, _CAPTIONS[name], n, width=200)._repr_html_()
        state = " open" if name in _OPEN else ""
        parts.append(f"<details{state}><summary>{_CAPTIONS[name]}</summary>{shown}</details>")
    return "\n".join(parts)


def comparison_page(comparison: Comparison) -> str:
    """Give one whole page, which needs nothing from anywhere else."""
    return _PAGE.format(body=comparison_html(comparison, n=200))
