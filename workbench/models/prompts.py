"""Templates and values in, prompts out: what a document says is never read as a template."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from workbench.errors import InputError

MARKER = re.compile(r"<<([a-z_]+)>>")
_FOLDER = Path(__file__).parent / "templates"
# A prompt without these would not show the model what it is asked about.
_NEEDED = frozenset({"text", "names", "descriptions", "context", "question", "prompt", "error"})

# Tokens a reply may take: so many at least, and so many for each item of its lists, which is what
# their longest records take. The C# system allowed 512 always: a list of 50 types was cut.
REPLY_TOKENS: dict[str, tuple[int, int]] = {
    "classify": (64, 32),
    "entities": (64, 90),
    "gleaning": (64, 90),
    "relationships": (64, 160),
    "hybrid": (64, 260),
    "description": (512, 0),
    "claims": (64, 220),
    "report": (768, 400),
    "hyde": (512, 0),
    "primer": (640, 64),
    "follow_up": (640, 64),
    "map": (64, 160),
    "reduce": (3_000, 0),
    "rate": (256, 0),
}


def reply_tokens(task: str, items: int = 0) -> int:
    """Give the tokens a reply to a task with at most `items` in a list may take at first.

    >>> reply_tokens("classify", 50)
    1664
    """
    least, each = REPLY_TOKENS[task]
    return least + each * items


def fill(template: str, **values: object) -> str:
    """Put values in place of `<<name>>` markers, in one pass over the template.

    Values are never looked at again: braces and markers in a document stay as they are. Raises
    KeyError for a marker without a value.

    >>> fill("Read <<text>>.", text="{x} and <<types>>")
    'Read {x} and <<types>>.'
    """
    return MARKER.sub(lambda found: str(values[found[1]]), template)


def load_templates(folder: str | Path | None = None) -> dict[str, str]:
    """Give the templates by task: the shipped ones, and in their place those of `folder`.

    A file there is called like the shipped one it replaces (`entities.txt`), may use its markers
    and no others, and must show the model what it is asked about. Raises InputError otherwise.
    """
    templates = dict(_shipped())
    if folder is None:
        return templates
    path = Path(folder).expanduser()
    if not path.is_dir():
        raise InputError(f"There is no folder of templates {path}: check the path.")
    for file in sorted(path.glob("*.txt")):
        templates[file.stem] = _checked(file)
    return templates


def recorded_templates(templates: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Give what is recorded of templates with a run: `{task: {"hash": …, "text": …}}`."""
    return {
        name: {"hash": hashlib.sha256(text.encode()).hexdigest()[:16], "text": text}
        for name, text in sorted(templates.items())
    }


@functools.lru_cache(maxsize=1)
def _shipped() -> Mapping[str, str]:
    return {
        file.stem: file.read_text(encoding="utf-8").strip()
        for file in sorted(_FOLDER.glob("*.txt"))
    }


def _checked(file: Path) -> str:
    shipped = _shipped()
    if file.stem not in shipped:
        raise InputError(
            f"No task has a template {file.name!r}: the templates are {', '.join(shipped)}."
        )
    try:
        text = file.read_text(encoding="utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise InputError(f"The template {file} is not UTF-8: save it as UTF-8.") from error
    known, used = set(MARKER.findall(shipped[file.stem])), set(MARKER.findall(text))
    if used - known:
        raise InputError(
            f"The template {file} has the marker <<{min(used - known)}>>, which nothing fills: its "
            f"markers are {', '.join(f'<<{name}>>' for name in sorted(known))}."
        )
    if lacking := (known & _NEEDED) - used:
        raise InputError(
            f"The template {file} lacks <<{min(lacking)}>>: the model would not see it."
        )
    return text
