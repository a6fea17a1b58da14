"""Counts and offsets equal those of the whole text, however large it is and whatever it holds."""

from __future__ import annotations

import bpe_openai
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.corpus.strategies import document_texts
from workbench.corpus import tokens
from workbench.corpus.tokens import count_tokens, token_offsets

ENCODINGS = ["o200k_base", "cl100k_base"]


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(max_examples=150, deadline=None)
@given(text=document_texts, data=st.data())
def test_no_token_crosses_a_safe_cut(encoding: str, text: str, data: st.DataObject) -> None:
    cuts = [i for i in range(1, len(text)) if tokens.is_safe_cut(text, i)]
    if not cuts:
        return
    at = data.draw(st.sampled_from(cuts))
    whole = bpe_openai.get_encoding(encoding).encode_ordinary
    assert whole(text) == whole(text[:at]) + whole(text[at:])


@settings(max_examples=50, deadline=None)
@given(document_texts)
def test_pieces_cover_the_text_without_a_gap(text: str) -> None:
    spans = list(tokens.pieces(text))
    assert "".join(text[a:b] for a, b in spans) == text
    assert all(0 < b - a <= tokens.FEED for a, b in spans)


def test_a_text_fed_in_pieces_counts_as_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Docker Compose starts 12 containers. docker-compose.yml!\n\n\tIt's on.\n" * 40
    whole = len(bpe_openai.get_encoding("o200k_base").encode_ordinary(text))
    monkeypatch.setattr(tokens, "FEED", 500)
    monkeypatch.setattr(tokens, "_LOOK", 200)
    assert len(list(tokens.pieces(text))) > 5
    assert count_tokens(text) == whole == len(token_offsets(text)[0])


def test_more_than_the_library_takes_at_once() -> None:
    assert count_tokens("word " * 240_000) == 240_001
    assert count_tokens("a" * 1_100_000) == pytest.approx(1_100_000 / 8, rel=0.01)


def test_special_strings_and_lone_surrogates_are_text() -> None:
    assert count_tokens("<|endoftext|>") == 7
    starts, ends = token_offsets("a\ud800b\ud83d\ude00c")
    assert ends[-1] == 6 and starts[0] == 0


@settings(max_examples=100, deadline=None)
@given(document_texts)
def test_offsets_follow_the_tokens_and_snap_outward(text: str) -> None:
    starts, ends = token_offsets(text)
    assert len(starts) == count_tokens(text)
    data = bpe_openai.get_encoding("o200k_base")
    position = 0
    for token, start, end in zip(data.encode_ordinary(text), starts, ends, strict=True):
        raw = data.decode_single_token_bytes(token)
        covered = text[start:end].encode()
        assert raw in covered
        position += len(raw)
        assert len(text[:end].encode()) >= position > len(text[:start].encode())
    assert (ends or [0])[-1] == len(text)
