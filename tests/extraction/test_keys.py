from __future__ import annotations

import pytest

from workbench.extraction.keys import key, same_numbers, singular, tidy


@pytest.mark.parametrize(
    "spellings",
    [
        ("Docker Compose", "docker-compose", "DockerCompose", "docker compose", "Docker\nCompose"),
        ("ASP.NET Core", "aspnetcore", "Asp.Net Core", "AspNetCore"),
        (".NET", "dotnet", "DotNet"),
        ("The Soccer Academy", "Soccer Academy"),
        ("SHA-256", "SHA256", "sha256"),
        ("AddDbContext()", "AddDbContext"),
        ("Node.js", "NodeJS"),
    ],
)
def test_spellings_of_one_name_share_a_key(spellings: tuple[str, ...]):
    assert len({key(spelling) for spelling in spellings}) == 1


def test_names_that_differ_have_different_keys():
    apart = ["C", "C#", "C++", "F#", ".NET", "ASP.NET", "ASP.NET Core", "HTTP", "HTTPS", "SHA256",
             "SHA512", "Python 3.11", "Python 3.12", "/metrics", "metrics", "--all", "all",
             "PostgREST", "PostgreSQL"]  # fmt: skip
    assert len({key(name) for name in apart}) == len(apart)


def test_a_dot_between_digits_counts():
    assert key("Python 3.11") != key("Python 311")
    assert key("1-2") != key("12")


def test_singular_leaves_names_alone_that_only_look_plural():
    assert singular("images") == "image"
    assert singular("queries") == "query"
    assert singular("hashes") == "hash"
    assert [singular(k) for k in ("redis", "status", "kubernetes", "class", "dns")] == [
        "redis", "status", "kubernete", "class", "dns",
    ]  # fmt: skip


def test_numbers_part_names():
    assert not same_numbers("Python 3.11", "Python 3.12")
    assert not same_numbers("SHA256", "SHA512")
    assert same_numbers("PostgreSQL", "PostgreSQL 16")  # only one has digits
    assert same_numbers("HTTP/2", "HTTP 2")


def test_tidy_sets_tokenised_text_as_print_does():
    assert tidy("Cambodian - Vietnamese War") == "Cambodian-Vietnamese War"
    assert tidy("Convention People 's Party") == "Convention People's Party"
    assert tidy("Docker Compose") == "Docker Compose"
