"""Blocks and inlines stand where they say they stand, in any text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.corpus.strategies import markdown_texts
from workbench.corpus.markdown import parse, parse_plain, prose, tree_of
from workbench.corpus.places import LINE_LIMIT

OPENERS = {"code": "`", "link": "[<h", "image": "!", "strong": "*_", "emphasis": "*_", "html": "<"}

TEXT = """---
title: X
---
# Guide `x` **y** #

A [link *em* z](http://a.b "t") and <b>tag</b> <!-- c --> ![alt](i.png) http://bare.url/x.
second *soft
wrapped* end&amp;.

> quote **a**
> [b
> c](d) tail

- item `x`
  1. nested __z__

| a | b\\|c `d\\|e` |
|---|---|
| **v** | |

<!-- only
comment -->

```py x
# no heading
```

Set *ext*
---

    indented

see [foo]

[foo]: http://foo.bar
"""


def test_blocks_of_a_page() -> None:
    tree = parse(TEXT)
    assert [(b.kind, b.level, b.info) for b in tree.blocks] == [
        ("front_matter", 0, ""),
        ("heading", 1, "Guide x y"),
        ("paragraph", 0, ""),
        ("quote", 1, ""),
        ("list_item", 1, ""),
        ("list_item", 2, ""),
        ("table_row", 0, ""),
        ("table_row", 0, ""),
        ("comment", 0, ""),
        ("fence", 0, "py"),
        ("heading", 2, "Set ext"),
        ("code", 0, ""),
        ("paragraph", 0, ""),
    ]
    by_kind = {b.kind: TEXT[b.start : b.end] for b in tree.blocks}
    assert by_kind["fence"] == "```py x\n# no heading\n```"
    assert by_kind["comment"] == "<!-- only\ncomment -->"
    assert by_kind["code"] == "    indented"
    assert tree.blocks[9].heading_path == ("Guide x y",)
    assert tree.blocks[10].heading_path == ("Guide x y",)
    assert tree.section(10) == tree.blocks[11].heading_path == ("Guide x y", "Set ext")


def test_inlines_of_a_page() -> None:
    inlines = [(i.kind, TEXT[i.start : i.end], i.text, i.target) for i in parse(TEXT).inlines]
    assert inlines == [
        ("code", "`x`", "x", ""),
        ("strong", "**y**", "y", ""),
        ("link", '[link *em* z](http://a.b "t")', "link em z", "http://a.b"),
        ("emphasis", "*em*", "em", ""),
        ("html", "<b>", "<b>", ""),
        ("html", "</b>", "</b>", ""),
        ("comment", "<!-- c -->", "<!-- c -->", ""),
        ("image", "![alt](i.png)", "alt", "i.png"),
        ("link", "http://bare.url/x", "http://bare.url/x", "http://bare.url/x"),
        ("emphasis", "*soft\nwrapped*", "soft wrapped", ""),
        ("strong", "**a**", "a", ""),
        ("link", "[b\n> c](d)", "b c", "d"),
        ("code", "`x`", "x", ""),
        ("strong", "__z__", "z", ""),
        ("code", "`d\\|e`", "d|e", ""),
        ("strong", "**v**", "v", ""),
        ("emphasis", "*ext*", "ext", ""),
        ("link", "[foo]", "foo", "http://foo.bar"),
    ]


def test_prose_leaves_out_code_targets_tags_comments_and_markers() -> None:
    spans = prose(TEXT, parse(TEXT))
    assert [TEXT[s.start : s.end] for s in spans] == [
        *("Guide", "y", "A", "link", "em", "z", "and", "tag", "second", "soft\nwrapped", "end"),
        *("quote", "a", "b", "c", "tail", "item", "nested", "z", "a", "b\\|c", "v", "Set", "ext"),
        *("see", "foo"),
    ]
    assert {s.kind for s in spans} == {"heading", "paragraph", "quote", "list_item", "table_row"}


def test_html_blocks_show_their_text_but_not_their_scripts() -> None:
    text = "<div class='x'>Docker <script>var y = 1;</script> runs\n<!-- no --></div>\n"
    assert [text[s.start : s.end] for s in prose(text, parse(text))] == ["Docker", "runs"]


def test_a_heading_inside_a_quote_or_a_list_is_no_section() -> None:
    tree = parse("# A\n\n> # B\n\n- # C\n\ntext\n")
    assert [b.kind for b in tree.blocks] == ["heading", "quote", "list_item", "paragraph"]
    assert tree.blocks[-1].heading_path == ("A",)


def test_a_fence_that_is_never_closed_runs_to_the_end() -> None:
    tree = parse("# A\n\n```bash\n# comment\n\n## not a heading\n")
    assert [b.kind for b in tree.blocks] == ["heading", "fence"]


def test_heading_path_follows_levels() -> None:
    tree = parse("# A\n## B\n#### C\nx\n### D\ny\n# E\nz\n")
    paths = [tree.section(i) for i, b in enumerate(tree.blocks) if b.kind == "paragraph"]
    assert paths == [("A", "B", "C"), ("A", "B", "D"), ("E",)]


@pytest.mark.parametrize("mark", ["- ", "> ", "> - ", "1. "])
def test_ten_thousand_levels_on_one_line(mark: str) -> None:
    text = mark * 10_000 + "Docker\n\n# After\n"
    tree = parse(text)
    assert [b.kind for b in tree.blocks][-1] == "heading"
    assert tree.blocks[0].end <= text.index("\n")


def test_ten_thousand_nested_items_keep_their_text() -> None:
    text = "".join("  " * level + f"- item{level}\n" for level in range(1_500))
    tree = parse(text)
    shown = " ".join(text[s.start : s.end] for s in prose(text, tree))
    assert "item3 " in shown and "item1499" in shown
    assert max(b.level for b in tree.blocks) <= 25


def test_a_monster_line_is_seen_in_part_and_kept_whole() -> None:
    text = "# T\n\n**Docker** " + "word " * 10_000 + "`end`\n\nAfter *it*.\n"
    tree = parse(text)
    assert [b.kind for b in tree.blocks] == ["heading", "paragraph", "paragraph"]
    assert text[tree.blocks[1].start : tree.blocks[1].end].endswith("`end`")
    assert [i.text for i in tree.inlines] == ["Docker", "it"]
    covered = [(s.start, s.end) for s in prose(text, tree) if s.block == 1]
    assert covered[-1][1] > text.index("\n\nAfter") - 2
    assert sum(b - a for a, b in covered) > 5 * 10_000 - 20 > LINE_LIMIT


def test_plain_text_has_paragraphs_only() -> None:
    text = "\n# no heading\nline\n \n\n  two\n"
    tree = tree_of(text, "plain")
    assert [text[b.start : b.end] for b in tree.blocks] == ["# no heading\nline", "two"]
    assert tree.inlines == []


@settings(max_examples=300, deadline=None)
@given(markdown_texts)
def test_any_text_gives_blocks_in_order_and_inlines_in_place(text: str) -> None:
    tree = parse(text)
    position = 0
    for block in tree.blocks:
        assert position <= block.start < block.end <= len(text)
        position = block.end
        for start, end in block.pieces:
            assert block.start <= start < end <= block.end
    assert [i.start for i in tree.inlines] == sorted(i.start for i in tree.inlines)
    for inline in tree.inlines:
        block = tree.blocks[inline.block]
        assert block.start <= inline.start < inline.end <= block.end
        assert inline.start <= inline.text_start <= inline.text_end <= inline.end
        if inline.kind in OPENERS:
            assert text[inline.start] in OPENERS[inline.kind]
        if inline.kind in ("strong", "emphasis"):
            assert text[inline.end - 1] == text[inline.start]
        if inline.kind == "code" and "\n" not in inline.text:
            assert text[inline.end - 1] == "`"


@settings(max_examples=200, deadline=None)
@given(markdown_texts)
def test_any_heading_path_is_the_chain_of_higher_headings_before(text: str) -> None:
    blocks = parse(text).blocks
    for i, block in enumerate(blocks):
        level = block.level if block.kind == "heading" else 7
        path: list[str] = []
        for earlier in reversed(blocks[:i]):
            if earlier.kind == "heading" and earlier.level < level:
                level = earlier.level
                path.insert(0, earlier.info)
        assert block.heading_path == tuple(part for part in path if part)


@settings(max_examples=200, deadline=None)
@given(markdown_texts)
def test_any_text_gives_prose_in_order_inside_its_blocks(text: str) -> None:
    for tree in (parse(text), parse_plain(text)):
        position = 0
        for span in prose(text, tree):
            assert position <= span.start < span.end
            assert tree.blocks[span.block].start <= span.start
            assert span.end <= tree.blocks[span.block].end
            assert text[span.start : span.end] == text[span.start : span.end].strip()
            position = span.end
