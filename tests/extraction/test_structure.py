from __future__ import annotations

import pytest

from workbench.corpus.markdown import parse, prose
from workbench.extraction.structure import is_code_name, is_term, marks, quoted

TEXT = """# 3. Volume drivers

Use `docker-compose.yml` and [Polly](https://github.com/App-vNext/Polly), a *retry policy*.
Run `rm -rf /tmp/x`, read [here](https://a.org).

```bash
# Remove container
`not code`
```
"""


def test_marks_come_from_the_tree_and_never_from_fenced_code():
    found = [(TEXT[m.start : m.end], m.signal) for m in marks(TEXT, parse(TEXT))]
    assert found == [
        ("Volume drivers", "heading"),
        ("docker-compose.yml", "code"),
        ("Polly", "link"),
        ("retry policy", "emphasis"),
    ]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("IHostedService", True), ("docker-compose", True), (".env", True), ("ORDER BY", True),
        ("docker inspect", True), ("AddDbContext<T>()", True), ("/metrics", True),
        ("--exit-on-error", True), ("rm -rf /", False), ("a = b", False), ("the", False),
        ("x.Categories.Any", False), ("yyyy-MM-dd", False), ("abc123", False),
        ("SWMTKN-1-xxxxx", False), ("https://a.org", False), ("3", False), ("a1b2c3d4", False),
    ],
)  # fmt: skip
def test_inline_code_that_is_a_name(code: str, expected: bool):
    assert is_code_name(code) is expected


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("Docker Compose", True), ("map and reduce", True), ("知识图谱", True), ("حاوية", True),
        ("Introduction", False), ("What is Docker, really?", False), ("the image", False),
        ("Creating images", False), ("a b c d e f", False), ("here", False),
    ],
)  # fmt: skip
def test_terms(phrase: str, expected: bool):
    assert is_term(phrase) is expected


def test_quoted_titles_are_no_speech_and_no_scare_quotes():
    text = (
        'He wrote " Take a Letter Miss Smith " and "Roadhouse". "Intuition," they said. '
        'A "simple" one. "Hello, Rivera." It asks "How do I use HTMX?"'
    )
    found = [text[m.start : m.end] for m in quoted(text, prose(text, parse(text)))]
    assert found == ["Take a Letter Miss Smith", "Roadhouse"]
