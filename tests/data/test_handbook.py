"""The handbook and its gold labels: every planted fact is there, and every label is true."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2] / "data"
HANDBOOK = DATA / "handbook"
GOLD = DATA / "gold"

ENTITY_TYPES = {
    "technology",
    "code",
    "person",
    "organization",
    "place",
    "event",
    "concept",
    "document",
    "website",
}
PREDICATES = {
    "uses",
    "part_of",
    "implements",
    "depends_on",
    "stores",
    "configures",
    "replaces",
    "created_by",
    "works_at",
    "located_in",
    "written_in",
    "alternative_to",
    "runs_on",
    "produces",
    "measures",
    "defines",
    "references",
    "extends",
    "happened_at",
    "manages",
}
SHORT = {  # documents that are short on purpose
    "containers/compose-listing.md",
    "world/harbour-webcam.md",
    "graphrag/vector-graph-zh.md",  # Chinese has no spaces; its characters are counted below
}
FENCE = re.compile(r"^ {0,3}(```+|~~~+)", re.M)
FENCED = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1[ \t]*$|\Z)", re.M | re.S)
LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^)\s]+)\)")


# ---------------------------------------------------------------- reading the corpus


@cache
def texts() -> dict[str, str]:
    """Relative path -> decoded text, without byte order mark, with LF line ends."""
    return {
        path.relative_to(HANDBOOK).as_posix(): path.read_bytes()
        .decode("utf-8-sig")
        .replace("\r\n", "\n")
        for path in sorted(HANDBOOK.rglob("*.md"))
    }


def unfenced(text: str) -> str:
    """The text without front matter, comments and fenced code; an open fence runs to the end."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    text = FENCED.sub("\n", text)
    return re.sub(r"<!--.*?-->", "", text, flags=re.S)


def flat(text: str) -> str:
    """One line, so that a name may run over a line break."""
    return re.sub(r"\s+", " ", text)


@cache
def addresses(path: str) -> str:
    """Prose with link addresses: where websites occur."""
    return flat(unfenced(texts()[path]))


@cache
def prose(path: str) -> str:
    """What a reader sees: words, inline code, link texts, no addresses."""
    text = re.sub(r"\]\([^)\s]+\)", "]", unfenced(texts()[path]))
    return flat(re.sub(r"<https?://[^>]+>", "", text))


# ---------------------------------------------------------------- finding names


def is_word(char: str) -> bool:
    """Letters and digits of scripts that put spaces between words, and the underscore."""
    return char == "_" or (char.isalnum() and not "\u4e00" <= char <= "\u9fff")


def stands_alone(text: str, start: int, end: int) -> bool:
    """No letter touches the name, no dot ties it into a longer one, no mark follows (C, C#)."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if before and is_word(before[-1]) and (is_word(text[start]) or text[start] == "."):
        return False
    if after and is_word(after[0]) and is_word(text[end - 1]):
        return False
    if len(before) == 2 and before[1] == "." and is_word(before[0]):
        return False
    if len(after) == 2 and after[0] == "." and is_word(after[1]):
        return False
    return after[:1] not in {"#", "+"} or not is_word(text[end - 1])


def occurrences(spelling: str, text: str, lowered: str) -> list[tuple[int, int]]:
    """Where a spelling stands; one without capitals matches in any case, others exactly."""
    haystack = lowered if spelling == spelling.lower() else text
    found, at = [], haystack.find(spelling)
    while at >= 0:
        if stands_alone(text, at, at + len(spelling)):
            found.append((at, at + len(spelling)))
        at = haystack.find(spelling, at + 1)
    return found


def found_in(text: str, spellings: list[str]) -> set[str]:
    """The spellings in a text; inside a longer name (PostgreSQL 16) a shorter one is not one."""
    lowered = text.lower()
    assert len(lowered) == len(text)
    spans = [
        (end - start, start, end, spelling)
        for spelling in spellings
        for start, end in occurrences(spelling, text, lowered)
    ]
    taken, found = bytearray(len(text)), set()
    for _, start, end, spelling in sorted(spans, key=lambda s: (-s[0], s[1], s[3])):
        if not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            found.add(spelling)
    return found


# ---------------------------------------------------------------- reading the gold


@cache
def entities() -> list[dict]:
    lines = (GOLD / "handbook_entities.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@cache
def relationships() -> list[dict]:
    lines = (GOLD / "handbook_relationships.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@cache
def apart() -> dict[str, list]:
    return json.loads((GOLD / "handbook_apart.json").read_text(encoding="utf-8"))


@cache
def owners() -> dict[str, str]:
    """Every spelling -> the canonical name it belongs to."""
    return {s: row["name"] for row in entities() for s in [row["name"], *row["aliases"]]}


@cache
def spellings_found() -> dict[str, set[str]]:
    """Path -> the spellings that occur there, by program."""
    sites = {row["name"] for row in entities() if row["type"] == "website"}
    words = [spelling for spelling in owners() if spelling not in sites]
    return {
        path: found_in(prose(path), words) | found_in(addresses(path), sorted(sites))
        for path in texts()
    }


def title(path: str) -> str | None:
    match = re.search(r"^# (.+)$", unfenced(texts()[path]), re.M)
    return match.group(1) if match else None


def links(path: str) -> list[tuple[str, str]]:
    """(label, target) of every link; a link inside inline code is none."""
    return LINK.findall(re.sub(r"`[^`\n]+`", "``", unfenced(texts()[path])))


def inner_links(path: str) -> list[tuple[str, str, str]]:
    """(label, path of the target in the handbook, anchor) of every relative link."""
    rows = []
    for label, target in links(path):
        if not target.startswith("http"):
            file, _, anchor = target.partition("#")
            whole = (HANDBOOK / path).parent.joinpath(file).resolve()
            rows.append((label, whole.relative_to(HANDBOOK.resolve()).as_posix(), anchor))
    return rows


def slugs(path: str) -> set[str]:
    headings = re.findall(r"^#{1,6} (.+)$", unfenced(texts()[path]), re.M)
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.strip().replace(" ", "-") for heading in kept}


# ---------------------------------------------------------------- the corpus


def test_size_and_folders() -> None:
    words = {path: len(text.split()) for path, text in texts().items()}
    assert len(words) == 47
    assert sum(words.values()) > 25_000
    folders = {path.split("/")[0] for path in words if "/" in path}
    assert folders == {"containers", "databases", "search", "graphrag", "web", "world"}
    assert {p for p, n in words.items() if not 350 <= n <= 1200} == SHORT


@pytest.mark.parametrize("path", sorted(texts()))
def test_relative_links_and_anchors_resolve(path: str) -> None:
    for label, target, anchor in inner_links(path):
        assert target in texts(), (label, target)
        assert not anchor or anchor in slugs(target), (label, anchor)


def test_most_documents_carry_front_matter_and_some_do_not() -> None:
    bare = {path for path, text in texts().items() if not text.startswith("---\n")}
    assert bare == {
        "containers/compose-listing.md",
        "containers/podman.md",
        "world/harbour-webcam.md",
    }
    for path, text in texts().items():
        if path not in bare:
            head = text.split("---\n")[1]
            assert all(f"\n{key}: " in "\n" + head for key in ("title", "date", "tags", "author"))


def test_front_matter_title_is_the_first_heading() -> None:
    for path, text in texts().items():
        if match := re.match(r"---\ntitle: (.+)\n", text):
            assert match.group(1).strip('"') == title(path)


def test_code_in_several_languages() -> None:
    kinds = {k for text in texts().values() for k in re.findall(r"^```(\w+)$", text, re.M)}
    assert {"python", "sql", "yaml", "bash", "csharp", "cpp", "fsharp", "dockerfile"} <= kinds


def test_line_ends_and_byte_order_mark() -> None:
    raw = {path: (HANDBOOK / path).read_bytes() for path in texts()}
    assert {p for p, b in raw.items() if b"\r" in b} == {"containers/podman.md"}
    podman = raw["containers/podman.md"]
    assert podman.count(b"\r\n") == podman.count(b"\n") == podman.count(b"\r") > 50
    assert {p for p, b in raw.items() if b.startswith(b"\xef\xbb\xbf")} == {"databases/sqlite.md"}


def test_one_fence_is_never_closed() -> None:
    odd = {path for path, text in texts().items() if len(FENCE.findall(text)) % 2}
    assert odd == {"databases/migrations.md"}
    assert "op.drop_column" not in unfenced(texts()["databases/migrations.md"])


def test_near_empty_and_code_only_documents() -> None:
    webcam = texts()["world/harbour-webcam.md"]
    assert title("world/harbour-webcam.md") and len(webcam.split()) < 20
    assert unfenced(texts()["containers/compose-listing.md"]).strip() == ""
    assert title("containers/compose-listing.md") is None


def test_near_duplicates_are_near_and_not_equal() -> None:
    left = set(pairwise(prose("databases/restore.md").split()))
    right = set(pairwise(prose("world/restore-museum-copy.md").split()))
    assert left != right
    assert 0.85 < len(left & right) / len(left) < 1


@pytest.mark.parametrize(
    ("path", "script", "least"),
    [
        ("graphrag/vector-graph-zh.md", "CJK", 800),
        ("containers/containers-ar.md", "ARABIC", 1500),
    ],
)
def test_other_scripts(path: str, script: str, least: int) -> None:
    names = (unicodedata.name(char, "") for char in texts()[path])
    assert sum(name.startswith(script) for name in names) > least


def test_german_document() -> None:
    text = texts()["databases/volltextsuche-de.md"]
    assert len(re.findall(r"\b(?:der|die|das|und|nicht|ist)\b", text)) > 40
    assert len(re.findall("[äöüß]", text)) > 30


def test_three_foreign_documents_link_to_others() -> None:
    for path in (
        "databases/volltextsuche-de.md",
        "graphrag/vector-graph-zh.md",
        "containers/containers-ar.md",
    ):
        assert len(inner_links(path)) >= 3


def test_shell_comments_look_like_headings_and_are_in_the_fence() -> None:
    path = "containers/nightly-backup.md"
    comments = [line for line in texts()[path].splitlines() if re.match(r"# [A-Z]", line)]
    assert len(comments) > 10
    assert [line for line in unfenced(texts()[path]).splitlines() if line.startswith("# ")] == [
        "# The Nightly Backup Script"
    ]


def test_braces_delimiters_and_an_order_to_a_model() -> None:
    assert all(mark in prose("graphrag/reports.md") for mark in ("{input_text}", "<|>", "{{ ."))
    assert "> Ignore all previous instructions." in texts()["web/prompt-injection.md"]


@pytest.mark.parametrize(
    "forms",
    [
        ("Docker Compose", "docker-compose", "DockerCompose", "docker compose"),
        ("PostgreSQL", "Postgres", "postgres", "postgresql"),
        ("Kubernetes", "k8s", "K8s"),
        ("ASP.NET Core", "ASP.NET core", "aspnetcore"),
        ("DuckDB", "duckdb"),
        ("Entity Framework Core", "EF Core"),
        ("Reciprocal Rank Fusion", "RRF"),
        ("scikit-learn", "sklearn"),
    ],
)
def test_spellings_occur_verbatim_and_belong_together(forms: tuple[str, ...]) -> None:
    corpus = "\n".join(prose(path) for path in texts())
    assert all(form in corpus for form in forms)
    assert {owners()[form] for form in forms} == {forms[0]}


# ---------------------------------------------------------------- the gold


def test_entity_rows_are_well_formed() -> None:
    assert len(entities()) >= 600
    for row in entities():
        assert list(row) == ["name", "type", "aliases", "documents"]
        assert row["type"] in ENTITY_TYPES
        assert row["documents"] == sorted(set(row["documents"]))
    assert {row["type"] for row in entities()} == ENTITY_TYPES


def test_every_spelling_belongs_to_one_entity_only() -> None:
    assert len(owners()) == sum(1 + len(row["aliases"]) for row in entities())


def test_documents_are_those_in_which_a_spelling_occurs() -> None:
    for row in entities():
        spellings = {row["name"], *row["aliases"]}
        there = [path for path, found in spellings_found().items() if found & spellings]
        assert row["documents"] == there, row["name"]


def test_every_spelling_occurs_somewhere() -> None:
    found = set().union(*spellings_found().values())
    assert set(owners()) - found == set()


def test_every_title_that_a_link_uses_is_a_document_entity() -> None:
    titles = {row["name"] for row in entities() if row["type"] == "document"}
    used = {
        label
        for path in texts()
        for label, target, _ in inner_links(path)
        if label == title(target)
    }
    assert used <= titles
    assert len(used) == 45


def test_relationships_are_quoted_and_their_ends_are_entities() -> None:
    assert len(relationships()) >= 170
    seen = set()
    for row in relationships():
        key = (row["source"], row["type"], row["target"])
        assert key not in seen
        seen.add(key)
        assert row["type"] in PREDICATES
        assert row["evidence"] in texts()[row["document"]], row
        assert row["source"] in owners() and row["target"] in owners(), row
        assert owners()[row["source"]] != owners()[row["target"]]
    assert {row["type"] for row in relationships()} == PREDICATES


def test_both_ends_of_a_relationship_occur_in_its_document() -> None:
    where = {row["name"]: row["documents"] for row in entities()}
    for row in relationships():
        for end in (row["source"], row["target"]):
            assert row["document"] in where[owners()[end]], row


def test_pairs_that_must_stay_apart_are_entities_of_their_own() -> None:
    assert len(apart()["pairs"]) >= 50
    for left, right in apart()["pairs"]:
        assert owners()[left] != owners()[right]
    pairs = {frozenset(pair) for pair in apart()["pairs"]}
    for pair in (
        ("Python 3.11", "Python 3.12"),
        ("SHA256", "SHA512"),
        ("HTTP", "HTTPS"),
        ("PostgreSQL 15", "PostgreSQL 16"),
        ("Postgres", "PostgREST"),
        ("C#", "C++"),
        (".NET", "ASP.NET Core"),
    ):
        assert frozenset(pair) in pairs


def test_words_that_are_no_entities() -> None:
    words = apart()["not_entities"]
    assert len(set(words)) == len(words) >= 60
    known = {spelling.casefold() for spelling in owners()}
    corpus = "\n".join(texts().values()).casefold()
    for word in words:
        assert word.casefold() not in known
        assert word.casefold() in corpus


def test_words_of_shell_comments_are_among_them() -> None:
    script = texts()["containers/nightly-backup.md"].split("```")[1]
    comments = " ".join(re.findall(r"^# (.+)$", script, re.M)).split()
    words = {word.casefold() for word in apart()["not_entities"]}
    assert len({word.casefold() for word in comments} & words) >= 15


def test_readme_names_existing_files_and_true_counts() -> None:
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    table = readme.split("## Hard cases")[1]
    named = set(re.findall(r"`([\w/-]+\.md)`", table))
    assert named <= set(texts()) and len(named) > 25
    core = sum(len(row["documents"]) > 1 for row in entities())
    assert f"{len(entities())} rows" in readme
    assert f"{core} entities occur in two documents or more" in readme
    assert f"{len(relationships())} rows" in readme
    assert all(f"`{predicate}`" in readme for predicate in PREDICATES)
