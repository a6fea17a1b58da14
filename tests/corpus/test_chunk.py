"""Chunks are exact slices that cover the text, fit the size, and break where a reader would."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.corpus.strategies import document_texts
from workbench import schema
from workbench.corpus.chunk import chunk_documents, cut_document
from workbench.corpus.markdown import tree_of
from workbench.corpus.tokens import count_tokens
from workbench.params import ChunkParams

SMALL = ChunkParams(size=16, overlap=4)
TOKENS = ChunkParams(chunker="tokens", size=16, overlap=4)
LONGEST_CHARACTER = 8  # tokens: an edge moved outward takes in one character more on each side


def slices(text: str, params: ChunkParams, format: str = "markdown") -> list[str]:
    return [text[start:end] for start, end, _, _ in cut_document(text, format, params)]


def frame(**texts: str) -> pd.DataFrame:
    rows = [(name, f"{name}.md", text, '{"format": "markdown"}') for name, text in texts.items()]
    return pd.DataFrame(rows, columns=["id", "path", "text", "metadata"])


@settings(max_examples=250, deadline=None)
@given(
    text=document_texts,
    format=st.sampled_from(["markdown", "plain"]),
    params=st.sampled_from([SMALL, TOKENS, ChunkParams(size=40, overlap=0), ChunkParams()]),
)
def test_chunks_cover_the_text_and_fit(text: str, format: str, params: ChunkParams) -> None:
    covered = bytearray(len(text))
    rows = cut_document(text, format, params)
    for start, end, tokens, _ in rows:
        assert 0 <= start < end <= len(text)
        assert text[start:end].strip()
        assert tokens == count_tokens(text[start:end])
        slack = LONGEST_CHARACTER if params.chunker == "tokens" else 0
        assert tokens <= params.size + slack
        covered[start:end] = b"\1" * (end - start)
    for block in tree_of(text, format).blocks:
        if block.kind in ("front_matter", "comment"):
            assert not any(covered[block.start : block.end])
            covered[block.start : block.end] = b"\1" * (block.end - block.start)
    missing = [text[i] for i, seen in enumerate(covered) if not seen and not text[i].isspace()]
    assert missing == []
    assert [row[:2] for row in rows] == sorted({row[:2] for row in rows})


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["Docker", "runs", "one", "image.", "Ports"]), min_size=60))
def test_chunks_of_a_section_overlap_by_about_the_tokens_asked(words: list[str]) -> None:
    text = " ".join(words)
    params = ChunkParams(size=32, overlap=8)
    rows = cut_document(text, "plain", params)
    for (_, end, _, _), (start, _, _, _) in zip(rows, rows[1:], strict=False):
        assert start < end and text[start - 1] == " "
        assert 5 <= count_tokens(text[start:end]) <= 9


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(["Docker runs one image.\n", "C# and F#\n", "x = 1;\n"]), max_size=30)
)
def test_a_code_block_that_fits_is_in_one_chunk(lines: list[str]) -> None:
    code = "```\n" + "".join(lines) + "```"
    text = "# T\n\n" + "Some words come first. " * 9 + f"\n\n{code}\n\n\n" + "And after it. " * 9
    params = ChunkParams(size=40, overlap=10)
    if count_tokens(code) <= params.size:
        assert any(code in part for part in slices(text, params))


def test_small_sections_share_a_chunk_and_large_ones_begin_one() -> None:
    small = "# T\n\nIntro.\n\n## A\n\nShort.\n\n## B\n\nShort too.\n"
    assert slices(small, ChunkParams(size=64, overlap=0)) == [small.rstrip()]
    large = "# T\n\nIntro.\n\n## A\n\n" + "Words of A. " * 12 + "\n\n## B\n\n" + "Words of B. " * 12
    assert [part.split("\n")[0] for part in slices(large, ChunkParams(size=64, overlap=8))] == [
        "# T",
        "## B",
    ]


def test_a_heading_goes_with_its_first_paragraph() -> None:
    text = "# T\n\n" + "Some words here. " * 8 + "\n\n## Next\n\n" + "More words here. " * 12
    parts = slices(text, ChunkParams(size=48, overlap=0))
    assert parts[1].startswith("## Next\n\nMore")


def test_a_code_block_stays_whole_when_it_fits_and_is_cut_by_lines_when_not() -> None:
    code = "```sh\n" + "docker run image\n" * 6 + "```"
    text = "# T\n\n" + "Some words come first. " * 6 + "\n\n" + code + "\n\nAnd after.\n"
    assert any(code in part for part in slices(text, ChunkParams(size=48, overlap=0)))
    long = text.replace(code, "```sh\n" + "docker run image\n" * 20 + "```")
    rows = cut_document(long, "markdown", ChunkParams(size=24, overlap=0))
    inside = [start for start, *_ in rows if long.index("```sh") <= start]
    assert len(inside) > 3 and all(long[start - 1] == "\n" for start in inside)


def test_front_matter_and_comments_belong_to_no_chunk() -> None:
    text = "---\ntitle: X\n---\n# T\n\n<!-- a -->\n\nText <!-- inline --> here.\n"
    assert slices(text, ChunkParams()) == ["# T", "Text <!-- inline --> here."]
    assert slices(text, TOKENS) == ["\n# T\n\n", "\n\nText <!-- inline --> here.\n"]


def test_heading_paths_are_those_of_the_first_character() -> None:
    chunks = chunk_documents(frame(a="# A\n\nx\n\n## B\n\n" + "word " * 60), SMALL)
    assert chunks["heading_path"].iloc[0] == "A"
    assert set(chunks["heading_path"].iloc[1:]) == {"A > B"}


def test_rows_are_numbered_by_path_and_ids_are_stable() -> None:
    documents = frame(b="# B\n\ntext", a="# A\n\n" + "word " * 40)
    chunks = chunk_documents(documents, SMALL)
    assert list(chunks.columns) == schema.CHUNKS.plain_names
    assert list(chunks["short_id"]) == list(range(len(chunks)))
    assert list(chunks["document_id"].unique()) == ["a", "b"]
    assert list(chunks[chunks["document_id"] == "a"]["chunk_index"]) == list(range(len(chunks) - 1))
    again = chunk_documents(documents.iloc[::-1], SMALL, jobs=1)
    pd.testing.assert_frame_equal(chunks, again)
    assert chunks["id"].is_unique


def test_no_documents_give_an_empty_frame() -> None:
    chunks = chunk_documents(frame(), SMALL)
    assert len(chunks) == 0 and list(chunks.columns) == schema.CHUNKS.plain_names


@pytest.mark.parametrize(
    "text",
    [
        "the quick brown fox " * 20_000,
        "a" * 300_000,
        "word\n" * 20_000,
        "容器" * 50_000,
        "- " * 10_000 + "x",
        "# a\n" * 5_000,
        "[" * 20_000,
        "🦊" * 5_000,
        " " * 100_000 + "x",
    ],
    ids=["line", "word", "lines", "han", "list", "headings", "brackets", "emoji", "blanks"],
)
def test_monsters_are_cut_to_size(text: str) -> None:
    rows = cut_document(text, "markdown", ChunkParams())
    assert all(tokens <= 512 for _, _, tokens, _ in rows)
    new = sum(end - max(start, last) for (start, end, _, _), last in zip(
        rows, [0, *(row[1] for row in rows)], strict=False
    ))  # fmt: skip
    assert new >= len(text.replace(" ", "").replace("\n", ""))


def test_microsofts_windows_give_dulces_text_units_byte_for_byte(
    shared: Callable[[str], Path],
) -> None:
    documents = pd.read_parquet(shared("dulce") / "documents.parquet")
    stored = pd.read_parquet(shared("dulce") / "text_units.parquet")
    rows = frame(dulce=documents["text"][0]).assign(metadata=json.dumps({"format": "plain"}))
    chunks = chunk_documents(rows, ChunkParams(chunker="tokens", size=1200, overlap=100))
    assert list(chunks["text"]) == list(stored["text"])
    assert list(chunks["token_count"]) == list(stored["n_tokens"]) == [1200, 1200, 1200, 1200, 382]
