from __future__ import annotations

from html.parser import HTMLParser

import pandas as pd
import pytest

from tests.show.hostile import HOSTILE
from workbench.show.tables import side_by_side, table


class Tags(HTMLParser):
    """Collects the elements and attributes that a browser would see, and the text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def frame(rows: int = 3) -> pd.DataFrame:
    return pd.DataFrame({"name": [f"n{i}" for i in range(rows)], "weight": [4.0, 2.0, 0.0][:rows]})


def test_the_caption_says_how_many_rows_are_shown() -> None:
    assert table(frame(), "Names", 2).full_caption == "Names (2 of 3 rows)"
    assert table(frame(), "Names").full_caption == "Names (3 rows)"
    assert table(frame(1), "Names").full_caption == "Names (1 row)"
    assert "(no rows)" in repr(table(frame(0), "Names"))


def test_plain_text_and_html_hold_the_same_cells() -> None:
    shown = table(frame(), "Names", formats={"weight": ".1f"})
    assert repr(shown).splitlines()[0] == "Names (3 rows)"
    assert repr(shown).splitlines()[2].split() == ["n0", "4.0"]
    assert "<td" in shown._repr_html_() and ">4.0</td>" in shown._repr_html_()
    assert set(shown._repr_mimebundle_()) == {"text/html", "text/plain"}


def test_bars_are_shares_of_the_largest() -> None:
    page = table(frame(), "Names", bars=["weight"])._repr_html_()
    assert [f" {share}%" in page for share in (100, 50, 0)] == [True, True, True]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_text_in_cells_headings_and_captions(name: str) -> None:
    page = table(pd.DataFrame({name: [name]}), name)._repr_html_()
    seen = Tags(page)
    assert seen.tags == {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert seen.attributes <= {"class", "style", "dir"}
    assert "\u202e" not in page and "\u2028" not in page


def test_the_same_input_gives_the_same_bytes() -> None:
    assert table(frame(), "a")._repr_html_() == table(frame(), "a")._repr_html_()


def test_a_named_index_is_a_column_and_columns_are_chosen() -> None:
    shown = table(frame().set_index("name"), "a", columns=["weight", "name"])
    assert list(shown.cells.columns) == ["weight", "name"]
    with pytest.raises(KeyError):
        table(frame(), "a", columns=["absent"])


def test_side_by_side_holds_both() -> None:
    both = side_by_side(table(frame(), "left"), table(frame(), "right"))
    assert "left" in both._repr_html_() and "right" in both._repr_html_()
    assert repr(both).count("rows)") == 2
