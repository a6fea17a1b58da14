"""A model's text in, the JSON object in it out: thinking removed, fences and faults mended."""

from __future__ import annotations

import json
import re
from typing import Any

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_THOUGHT_BEFORE = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL)  # the template opened the tag
_BARE_LIST = re.compile(r"[^{\[]*\[(?=\s*\{)")
_FENCE = re.compile(r"```[\w-]*\s*\n?|```\s*\Z")


def without_thinking(text: str) -> str:
    """Give the text without `<think>` parts, closed or not, and without blanks at its ends.

    >>> without_thinking("<think>Is it {}?</think>\\n\\n{}")
    '{}'
    """
    if "think" not in text:
        return text.strip()
    return _THOUGHT_BEFORE.sub("", _THINKING.sub("", text)).strip()


def read_object(text: str, only: str = "") -> tuple[dict[str, Any] | None, bool]:
    """Give the JSON object in a text, or None, and whether the text had to be mended.

    Fences and prose around the object are taken off. Of an object that breaks off, the part that
    was being written when it did is left out: half a name is a wrong name. `only` names the list
    that is all the object should hold: a list of objects that stands alone is taken for it.
    """
    if only and (bare := _BARE_LIST.match(text)):
        value, _ = read_object(f'{{"{only}": {_FENCE.sub("", text[bare.end() - 1 :])}}}')
        return value, True
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
        value = json_repair.loads(_whole_part(body))
    except (ValueError, RecursionError):
        return None, False
    return (value, True) if isinstance(value, dict) else (None, False)


def _whole_part(body: str) -> str:
    """Give the text up to the end of its object; if it breaks off, up to its last whole part.

    Parts are elements of lists and values of the outermost object; a record that was being
    written is none. Signs within strings are passed over.
    """
    open_, in_string, escaped, end = [], False, False, 0
    for at, sign in enumerate(body):
        if in_string:
            in_string = escaped or sign != '"'
            escaped = sign == "\\" and not escaped
        elif sign == '"':
            in_string = True
        elif sign in "{[":
            open_.append(sign)
        elif sign in "}]":
            open_ = open_[:-1]
            if not open_:
                return body[: at + 1]
            end = at + 1 if len(open_) == 1 or open_[-1] == "[" else end
        elif sign == "," and (len(open_) == 1 or open_[-1:] == ["["]):
            end = at
    return body[:end] or body
