"""A small folder of linked Markdown documents, and its later state."""

from __future__ import annotations

from pathlib import Path

NAMES = ["Docker", "Kubernetes", "PostgreSQL", "Redis", "Nginx", "Grafana", "Kafka", "Terraform"]
FILLER = "It keeps its state in one place and tells the operator what it does. " * 6


def document(number: int) -> str:
    """A document of three sections about three names, with links to the next one."""
    first, second, third = (NAMES[(number * step) % len(NAMES)] for step in (1, 3, 5))
    return (
        f"---\ntitle: About {first} {number}\n---\n# About {first}\n\n"
        f"We run {first} beside {second}, and `{third}` watches over both. {FILLER}\n\n"
        f"## How {first} meets {second}\n\n"
        f"When {second} asks, {first} answers; number {number} of the [next](d{number + 1:02}.md) "
        f"shows it. {FILLER}\n\n## Afterwards\n\n**{third}** restarts {first}. {FILLER}\n"
    )


def write_corpus(folder: Path, count: int = 10) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"d{number:02}.md").write_text(document(number), encoding="utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    return folder


def change_corpus(folder: Path) -> Path:
    """One document changes in its middle, one leaves, one comes, one gets another name."""
    changed = folder / "d02.md"
    changed.write_text(changed.read_text().replace("answers;", "answers at once;"))
    (folder / "d04.md").unlink()
    (folder / "d03b.md").write_text(document(11), encoding="utf-8")
    (folder / "d05.md").rename(folder / "a05.md")
    return folder
