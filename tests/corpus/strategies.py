"""Texts for property tests: what Markdown writers, and files that are no Markdown, may hold."""

from __future__ import annotations

from hypothesis import strategies as st

FRAGMENTS = [
    "# One\n", "## Two ##\n", "### Thr `ee`\n", "Set\n===\n", "Sub *x*\n---\n", "text ",
    "Docker Compose. ", "\n", "\n\n", "    code\n", "\t", "- item\n", "  - deeper\n",
    "1. one\n", "> quote\n", "> - both\n", ">", "```python\n", "```\n", "~~~\n", "`code`",
    "`` a`b ``", "**bold**", "*em*", "__b__", "_e_", "***both***",
    "[link](http://a.b/c \"t\")", "[a *b*](<u v>)", "[ref]", "[ref]: http://x.y\n",
    "![alt](i.png)", "[", "](", "<http://auto.link>", "http://bare.url/x.", "<b>", "</b>",
    "<!-- c -->", "<!-- only\ncomment -->\n", "<!--", "<div>\n", "| a | b |\n|---|---|\n",
    "| x \\| y | `z` |\n", "|", "\\", "&amp;", "---\n", "---\ntitle: T\n---\n",
    "word word word ", "日本語の文。", "مُحَمَّد ", "é́", "🦊", "\r\n", "\r", "\x00", "\u2028",
    "\x0c", "\x0b", "\ud800", "don't", "C# ", ".NET 9", "...", "/", "x" * 30, " " * 9,
]  # fmt: skip

markdown_texts = st.lists(
    st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=8)), max_size=40
).map("".join)

# What a document's text can be: decoded files have no carriage returns and no lone surrogates.
document_texts = markdown_texts.map(
    lambda text: text.replace("\r", "").encode("utf-8", "replace").decode()
)
