"""Controls and a function that draws HTML in, an explorer out: it shows itself in a notebook.

Where there is no kernel (exported pages, notebooks that are not trusted) the table of the first
look stands in its place: widgets are blank there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.show.text import escaped

if TYPE_CHECKING:
    from ipywidgets import ValueWidget

Draw = Callable[..., str]
_WIDE = {"description_width": "initial"}


class Explorer:
    """Named controls over one block of HTML, drawn anew when a control changes.

    `draw` gets the controls' values by name. A mistake of the user's is shown as its sentence.
    `set(name=value, …)` moves controls from code, as a hand would.
    """

    def __init__(self, controls: Mapping[str, ValueWidget], draw: Draw) -> None:
        import ipywidgets

        self.controls, self._draw = dict(controls), draw
        self._page = ipywidgets.HTML(value=self.html())
        for name, control in self.controls.items():
            control.add_class(f"wb-{name}")
            control.observe(lambda _: self._update(), names="value")
        rows = ipywidgets.HBox(list(self.controls.values()))
        rows.layout.flex_flow = "row wrap"
        self._box = ipywidgets.VBox([rows, self._page])

    def set(self, **values: Any) -> None:
        """Set controls; the page follows."""
        for name, value in values.items():
            self.controls[name].value = value

    def html(self) -> str:
        """Give what is shown for the controls as they stand."""
        try:
            return self._draw(**{name: one.value for name, one in self.controls.items()})
        except WorkbenchError as error:
            return f'<div role="alert">{escaped(error, 1_000)}</div>'

    def __repr__(self) -> str:
        return f"Explorer({', '.join(f'{n}={c.value!r}' for n, c in self.controls.items())})"

    def _update(self) -> None:
        self._page.value = self.html()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        view = self._box._repr_mimebundle_()
        view = view[0] if isinstance(view, tuple) else view
        return {**view, "text/html": self.html(), "text/plain": repr(self)}


def choice(description: str, options: Any, **more: Any) -> ValueWidget:
    """Make a list to choose from; options are values, or pairs of a label and a value."""
    import ipywidgets

    return ipywidgets.Dropdown(description=description, options=options, style=_WIDE, **more)


def slider(description: str, value: float, least: float, most: float, step: float) -> ValueWidget:
    """Make a slider that acts when it is let go; whole numbers for a whole step."""
    import ipywidgets

    kind = ipywidgets.IntSlider if isinstance(step, int) else ipywidgets.FloatSlider
    return kind(
        description=description, value=value, min=least, max=most, step=step,
        continuous_update=False, style=_WIDE,
    )  # fmt: skip


def words(description: str, value: str, options: Any = ()) -> ValueWidget:
    """Make a field to write in, which offers names; it acts on Enter or when it is left."""
    import ipywidgets

    return ipywidgets.Combobox(
        description=description,
        value=value,
        options=list(options),
        continuous_update=False,
        ensure_option=False,
        style=_WIDE,
        layout=ipywidgets.Layout(width="32em"),
    )
