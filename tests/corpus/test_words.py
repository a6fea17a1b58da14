"""Words of code and of any script, by example."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.corpus.strategies import markdown_texts
from workbench.corpus.words import fold, terms, words

EXAMPLES = [
    ("docker-compose.yml,", ["docker-compose.yml"]),
    ("C#, C++ and F#. C++17", ["C#", "C++", "and", "F#", "C++17"]),
    (".NET 9 on ASP.NET Core", [".NET", "9", "on", "ASP.NET", "Core"]),
    ("node_exporter (v1.2.3)", ["node_exporter", "v1.2.3"]),
    ("e.g. this, i.e. that.", ["e.g.", "this", "i.e.", "that"]),
    ("don't; we’re", ["don't", "we’re"]),
    ("the U.S. army", ["the", "U.S.", "army"]),
    ("Entity Framework's", ["Entity", "Framework"]),
    ("see https://a.b/c?d=e.", ["see", "https://a.b/c?d=e"]),
    ("mail foo.bar@example.com!", ["mail", "foo.bar@example.com"]),
    ("SHA256 or SHA-512", ["SHA256", "or", "SHA-512"]),
    ("HTTP/2, I/O, CI/CD, R&D", ["HTTP/2", "I/O", "CI", "CD", "R&D"]),
    ("build --no-cache .", ["build", "--no-cache"]),
    ('<PackageReference Include="x">', ["PackageReference", "Include", "x"]),
    ("Python 3.11.", ["Python", "3.11"]),
    ("1,000.5 at 127.0.0.1", ["1,000.5", "at", "127.0.0.1"]),
    ("`.env` and ~/.bashrc", [".env", "and", "bashrc"]),
    ("a--b — c", ["a", "b", "c"]),
    ("Müller, Straßenbahn-Haltestelle", ["Müller", "Straßenbahn-Haltestelle"]),
    ("cafe\u0301 हिन्दी", ["cafe\u0301", "हिन्दी"]),
    ("مُحَمَّد في القاهِرة", ["مُحَمَّد", "في", "القاهِرة"]),
    ("Docker容器编排。", ["Docker", "容器编排"]),
    ("データベースの管理", ["データベース", "の", "管理"]),
    ("ภาษาไทย 한국어", ["ภาษาไทย", "한국어"]),
]


@pytest.mark.parametrize(("text", "expected"), EXAMPLES)
def test_words(text: str, expected: list[str]) -> None:
    assert [word.text for word in words(text)] == expected


def test_terms_give_names_whole_and_in_parts() -> None:
    assert terms("docker-compose.yml") == ["docker-compose.yml", "docker", "compose", "yml"]
    assert terms("DockerCompose") == ["dockercompose", "docker", "compose"]
    assert terms("ASP.NET C# don't 3.11") == ["asp.net", "asp", "net", "c#", "don't", "3.11"]


def test_terms_level_case_width_and_arabic_marks() -> None:
    assert terms("STRASSE Straße") == ["strasse", "strasse"]
    assert fold("ＡＢＣ") == "abc"
    assert fold("مُحَمَّـد") == fold("محمد")
    assert fold("أحمد") == fold("احمد")


def test_terms_drop_accents_and_english_plurals_but_keep_acronyms() -> None:
    assert terms("Containers Indexes queries") == ["container", "index", "query"]
    assert terms("class status analysis https") == ["class", "status", "analysis", "https"]
    assert terms("São café Müller") == ["sao", "cafe", "muller"]
    assert terms("ёлка") == ["ёлка"]


def test_terms_pair_the_characters_of_scripts_without_blanks() -> None:
    assert terms("容器编排") == ["容器", "器编", "编排"]
    assert terms("の") == ["の"]


@given(markdown_texts)
def test_words_stand_where_they_say(text: str) -> None:
    position = 0
    for word in words(text):
        assert position <= word.start < word.end
        assert text[word.start : word.end] == word.text
        position = word.end
    assert all(terms(text))
