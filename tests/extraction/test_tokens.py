from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.extraction.reading import tokens_of
from workbench.corpus.markdown import parse, prose
from workbench.extraction.tokens import CLAUSE, JOIN, POSSESSIVE, SENTENCE, pieces, tokenize


def test_names_of_software_stay_whole():
    text = "Use C#, C++, .NET 9, ASP.NET, docker-compose.yml, HTTP/2, CI/CD and SHA-512/256."
    assert tokens_of(text).words == [
        "Use", "C#", "C++", ".NET", "9", "ASP.NET", "docker-compose.yml", "HTTP/2", "CI/CD",
        "and", "SHA-512/256",
    ]  # fmt: skip


def test_a_possessive_goes_and_breaks_a_name():
    tokens = tokens_of("Docker's Compose and Ghana 's Party")
    assert tokens.words == ["Docker", "Compose", "and", "Ghana", "Party"]
    assert tokens.gaps[1] == tokens.gaps[4] == POSSESSIVE


def test_a_compound_falls_apart_where_only_one_part_is_a_name():
    assert pieces("GPU-accelerated") == ((0, 3), (4, 15))
    assert pieces("Docker-based") == ((0, 6), (7, 12))
    for whole in ("docker-compose", "Jean-Pierre", "X-ray", "multi-stage", "Trade-offs"):
        assert pieces(whole) == ((0, len(whole)),)


def test_sentences_end_at_full_stops_but_not_after_initials_and_abbreviations():
    text = "J. R. R. Tolkien met Dr. Smith. The U.S. Army left. it stayed"
    tokens = tokens_of(text)
    assert [text[a:b] for a, b in tokens.bounds] == [
        "J. R. R. Tolkien met Dr. Smith",
        "The U.S. Army left. it stayed",
    ]


def test_scripts_without_blanks_are_parted_from_latin_words():
    assert tokens_of("使用Docker Compose部署。").words == ["使用", "Docker", "Compose", "部署"]


def test_cells_labels_and_arrows_open_a_clause_and_keep_the_sentence():
    text = "| Docker | One machine |\n| --- | --- |\n| Swarm | Many |\n"
    tokens = tokenize(text, prose(text, parse(text)))
    at = tokens.words.index("One")
    assert tokens.gaps[at] == CLAUSE
    assert tokens_of("Note: Docker runs → Fast").gaps[-1] == CLAUSE


def test_a_name_does_not_cross_inline_code_but_the_sentence_does():
    text = "Start Docker `up` Compose now."
    tokens = tokenize(text, prose(text, parse(text)))
    assert tokens.gaps[tokens.words.index("Compose")] not in (JOIN, SENTENCE)
    assert len(tokens.bounds) == 1


@given(st.text(max_size=200))
def test_tokens_are_slices_in_order(text: str):
    tokens = tokens_of(text)
    assert [text[a:b] for a, b in zip(tokens.starts, tokens.ends, strict=True)] == tokens.words
    assert all(a <= b for a, b in zip(tokens.ends, tokens.starts[1:], strict=False))
    assert tokens.sentences == sorted(tokens.sentences)
    assert len(tokens.bounds) == len(set(tokens.sentences))
