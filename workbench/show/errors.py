"""A call that must fail in, its error as a neat box out: how a notebook shows a failure on purpose.

papermill stops at a cell tagged `raises-exception`, so the cell catches the error itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workbench.errors import WorkbenchError
from workbench.show.text import escaped, visible

_BOX = "border-left:4px solid #D55E00;padding:6px 12px;background:rgba(213,94,0,.08)"


@dataclass(frozen=True)
class ErrorBox:
    """An error that was expected and came: its type and its message."""

    type: str
    message: str

    def __repr__(self) -> str:
        return f"{self.type}: {visible(self.message)}"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        page = f'<div style="{_BOX}"><b>{escaped(self.type)}</b><br>{escaped(self.message)}</div>'
        return {"text/html": page, "text/plain": repr(self)}


def show_error(call: Callable[[], object]) -> ErrorBox:
    """Call it, and show the WorkbenchError that it raises.

    Raises AssertionError when nothing is raised; any other exception passes through.
    """
    try:
        result = call()
    except WorkbenchError as error:
        return ErrorBox(type(error).__name__, str(error))
    raise AssertionError(f"an error was expected, but the call returned {type(result).__name__}")
