from __future__ import annotations

import time

from workbench.extraction.lexical import alike


def pairs(*names: str) -> set[tuple[str, str]]:
    return {(names[i], names[j]) for i, j in alike(names)}


def test_one_word_may_be_the_start_of_the_other():
    assert pairs("Postgres", "PostgreSQL") == {("Postgres", "PostgreSQL")}
    assert pairs("Postgres full text search", "PostgreSQL full text search") != set()


def test_what_only_looks_alike_is_not():
    for apart in [
        ("Watch", "Match"), ("Initialise", "initialized"), ("HTTP", "HTTPS"),
        ("SHA256", "SHA512"), ("Python 3.11", "Python 3.12"), ("ASP.NET", "ASP.NET Core"),
        ("Cloudflare", "Cloudflared"), ("Postgres", "PostgREST"), ("SweetAlert", "SweetAlert2"),
        ("running", "RUN"),
        ("Islam", "Islamic"), ("/metrics", "metrics"), ("manager-2", "manager-3"),
    ]:  # fmt: skip
        assert pairs(*apart) == set(), apart


def test_ten_thousand_headings_that_share_a_word_take_no_square():
    start = time.process_time()
    numbered = [f"Heading Number{i}" for i in range(10_000)]
    assert alike([*numbered, "Heading Postgres", "Heading PostgreSQL"]) == [(10_000, 10_001)]
    assert time.process_time() - start < 3
