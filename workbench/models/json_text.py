"""A model's text in, the JSON object in it out: thinking removed, fences and faults mended."""

from __future__ import annotations

import json
import re
from typing import Any

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_THOUGHT_BEFORE = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL)  # the template opened the tag
_FENCE = re.compile(r"```[\w-]*\s*\n?|```\s*\Z")


def without_thinking(text: str) -> str:
    """Give the text without `<think>` parts, closed or not, and without blanks at its ends.

    >>> without_thinking("<think>Is it {}?</think>\\n\\n{}")
    '{}'
    """
    if "think" not in text:
        return text.strip()
    return _THOUGHT_BEFORE.sub("", _THINKING.sub("", text)).strip()


def read_object(text: str) -> tuple[dict[str, Any] | None, bool]:
    """Give the JSON object in a text, or None, and whether the text had to be mended.

    Fences and prose around the object are taken off. Of an object that breaks off, the part that
    was being written when it did is left out: half a name is a wrong name.
    """
    try:
        value = json.loads(text)
        return (value, False) if isinstance(value, dict) else (None, False)
    except (ValueError, RecursionError):
        pass
    if "{" not in text:
        return None, False
    import json_repair

    body = _FENCE.sub("", text[text.index("{") :]).strip()
    try:
        value = json_repair.loads(body)
    except (ValueError, RecursionError):
        return None, False
    if isinstance(value, list):  # several objects, or an object with something behind it
        value = next((part for part in value if isinstance(part, dict)), None)
    if not isinstance(value, dict):
        return None, False
    return (value if "}" in body[-200:] and _closed(body) else _without_last(value)), True


def _closed(body: str) -> bool:
    """Say whether the object that the text begins with ends in it (strings are passed over)."""
    depth, in_string, escaped = 0, False, False
    for sign in body:
        if in_string:
            in_string = escaped or sign != '"'
            escaped = sign == "\\" and not escaped
        elif sign == '"':
            in_string = True
        elif sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth == 0:
                return True
    return False


def _without_last(value: dict[str, Any]) -> dict[str, Any]:
    """Leave out the last element of an object whose last value is a list, else that value."""
    if not value:
        return value
    last = list(value)[-1]
    if isinstance(value[last], list):
        return {**value, last: value[last][:-1]}
    return {key: part for key, part in value.items() if key != last}
