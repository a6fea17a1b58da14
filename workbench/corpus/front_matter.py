"""A document's text in, its YAML front matter out: where it ends and what it says."""

from __future__ import annotations

import re
from typing import Any

import yaml

LIMIT = 50_000  # characters; more than that between two `---` lines is no front matter
_OPEN = re.compile(r"---[ \t]*\r?\n")
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
_FIRST_KEY = re.compile(r"\s*[\w.-]+[ \t]*:(?:\s|$)")


class _Loader(yaml.SafeLoader):
    """Plain YAML without aliases, which a few lines of can blow up to gigabytes."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Refuse an alias, compose anything else."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        return super().compose_node(parent, index)


def front_matter(text: str) -> tuple[int, dict[str, Any]]:
    """Give the character after the front matter (0 when there is none) and its mapping.

    Two lines of `---` at the top are front matter when YAML reads a mapping between them, or
    when the first line looks like `key: value` though YAML refuses the rest (a title with a
    second colon, say); then each simple `key: value` line is read for itself.

    >>> front_matter("---\\ntitle: Docker: a guide\\n---\\n# One")
    (30, {'title': 'Docker: a guide'})
    >>> front_matter("---\\nA line.\\n---\\n")
    (0, {})
    """
    opening = _OPEN.match(text)
    closing = _CLOSE.search(text, opening.end(), LIMIT) if opening else None
    if opening is None or closing is None:
        return 0, {}
    body = text[opening.end() : closing.start()]
    try:
        values = yaml.load(body, Loader=_Loader)  # noqa: S506 - a SafeLoader
    except (yaml.YAMLError, ValueError, RecursionError):
        values = _simple_lines(body) if _FIRST_KEY.match(body) else None
    if values is None and not body.strip():
        values = {}
    if not isinstance(values, dict):
        return 0, {}
    return closing.end(), {str(key): value for key, value in values.items()}


def _simple_lines(body: str) -> dict[str, Any]:
    pairs = (line.partition(":") for line in body.splitlines() if line[:1] not in " \t-#")
    return {
        key.strip(): value.strip().strip("\"'")
        for key, colon, value in pairs
        if colon and key.strip()
    }
