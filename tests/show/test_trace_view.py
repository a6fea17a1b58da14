"""A trace as HTML: all of it escaped, cut where it is large, with what is wrong marked."""

from __future__ import annotations

import html.parser

import pandas as pd

from tests.show.hostile import HOSTILE
from workbench.query.trace import CITATION_COLUMNS, Answer, Part, Prompt, Step, Trace
from workbench.show.trace_view import LIMIT, trace_html, trace_page, trace_text

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>\u202e" + "&amp;'\""


def step(name: str, rows: int, text: str, section: str = "") -> Step:
    inside = [row % 2 == 0 for row in range(rows)]
    table = pd.DataFrame(
        {
            "kind": "chunk",
            "id": [f"c{row}" for row in range(rows)],
            "short_id": range(rows),
            "label": text,
            "score": [1 / (row + 1) for row in range(rows)],
            "order": range(1, rows + 1),
            "tokens": 3,
            "in_context": inside,
            "cut_reason": ["" if one else "budget" for one in inside],
            "text": text,
        }
    )
    return Step(name, text, table, section, 10 * rows or None)


def trace(steps: tuple[Step, ...], answer: str = "Yes [chunk 1].", text: str = "x") -> Trace:
    cited = [("[chunk 1]", "chunk", 1, "c1", text, True, True)]
    cited += [("[chunk 9]", "chunk", 9, "", "", False, False)] if "[chunk 9]" in answer else []
    parts = (Part("template", "", text), Part("row", "sources", text, "c0"))
    return Trace(
        "run",
        "basic",
        text,
        {"llm": "fake/model"},
        steps,
        (Prompt("answer", parts, "key", "ok", 2),),
        Answer(answer, "model", pd.DataFrame(cited, columns=CITATION_COLUMNS)),
        (text,),
    )


class Tags(html.parser.HTMLParser):
    """Notes every tag and attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}


def test_nothing_in_it_acts() -> None:
    for text in [EVIL, *HOSTILE]:
        shown = trace((step(text, 3, text, text),), text + " [chunk 1] [chunk 9]", text)
        tags = Tags()
        tags.feed(trace_html(shown))
        allowed = {"div", "span", "br", "details", "summary", "pre", "table", "caption", "thead"}
        assert tags.tags <= allowed | {"tbody", "tr", "td", "th"}
        assert tags.names <= {"style", "dir", "title", "class", "colspan"}
        assert "\u202e" not in trace_html(shown) + trace_text(shown)
        assert "<script>" not in trace_page(shown)


def test_a_false_citation_is_marked_and_a_true_one_tells_what_it_is() -> None:
    html = trace_html(trace((), "Yes [chunk 1]. No [chunk 9].", "a.md"))
    assert 'title="a.md">[chunk 1]<' in html
    assert "[chunk 9] ⚠ does not exist" in html


def test_the_budget_is_drawn_with_its_numbers() -> None:
    html = trace_html(trace((step("sources", 4, "x", "sources"),)))
    assert "width:15.0%" in html  # 2 rows of 3 tokens, of 40
    assert "6 of 40 tokens, 2 rows; 2 rows cut (6)" in html


def test_a_view_has_a_bound_and_says_what_it_left_out() -> None:
    steps = tuple(step(f"round {n}/sources", 500, "long words " * 40, "s") for n in range(200))
    html = trace_html(trace(steps, "Yes. " * 20_000, "word " * 5_000))
    assert len(html.encode()) <= LIMIT
    assert "of 500 rows" in html
    assert "more steps" in html
    assert "characters more" in html
    assert trace_html(trace((), "", "")) == trace_html(trace((), "", ""))


def test_a_page_has_colours_for_dark_and_light() -> None:
    page = trace_page(trace((), text="A question"))
    assert page.startswith("<!doctype html>")
    assert "<title>A question</title>" in page
    assert "color-scheme: light dark" in page
