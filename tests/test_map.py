from __future__ import annotations

import pkgutil

import pytest

import workbench as wb


@pytest.mark.parametrize("name", sorted(set(wb.__all__) - {"__version__"}))
def test_every_name_on_the_map_leads_to_something_documented(name: str) -> None:
    assert getattr(wb, name).__doc__


def test_no_name_on_the_map_is_hidden_by_a_module_of_that_name() -> None:
    modules = {module.name for module in pkgutil.iter_modules(wb.__path__)}
    assert not modules & set(wb.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = wb.nothing
