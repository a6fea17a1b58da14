from __future__ import annotations

import pytest

from workbench.errors import InputError
from workbench.show.errors import show_error


def fail(message: str) -> None:
    raise InputError(message)


def test_a_workbench_error_is_shown_as_text() -> None:
    box = show_error(lambda: fail("No <b>folder</b>."))
    assert repr(box) == "InputError: No <b>folder</b>."
    assert "No &lt;b&gt;folder&lt;/b&gt;." in box._repr_mimebundle_()["text/html"]


def test_an_error_that_does_not_come_is_an_error() -> None:
    with pytest.raises(AssertionError, match="returned int"):
        show_error(lambda: 3)


def test_other_exceptions_pass_through() -> None:
    with pytest.raises(ZeroDivisionError):
        show_error(lambda: 1 / 0)
