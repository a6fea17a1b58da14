"""Parameters as a user gives them in, parameters as a notebook declares them out, or a refusal."""

from __future__ import annotations

import ast
import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from workbench.errors import InputError

_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def parse_parameters(pairs: Sequence[str]) -> dict[str, str]:
    """Split `key=value` texts as the command line takes them; values stay text.

    >>> parse_parameters(["seed=7", "query=a=b"])
    {'seed': '7', 'query': 'a=b'}
    """
    found = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not sign or not key.strip():
            raise InputError(f"Parameter {pair!r} is not of the form key=value.")
        found[key.strip()] = value
    return found


def declared(path: Path) -> dict[str, dict[str, Any]]:
    """Give a notebook's parameters in order: name → its default (`value`) and its `help` comment.

    Raises InputError when a default is not plain data.
    """
    from papermill import inspect_notebook

    found = {}
    for name, entry in inspect_notebook(str(path)).items():
        try:
            value = ast.literal_eval(entry["default"])
        except (ValueError, SyntaxError) as error:
            raise InputError(
                f"Parameter {name!r} of {path.name} has the default {entry['default']}: "
                "write plain data instead."
            ) from error
        found[name] = {"value": value, "help": entry["help"]}
    return found


def parameter_table(paths: Sequence[Path]) -> pd.DataFrame:
    """Give one row a parameter: its default, its meaning, and the notebooks that take it."""
    rows: dict[str, dict[str, str]] = {}
    for path in paths:
        for name, entry in declared(path).items():
            start = {"default": repr(entry["value"]), "meaning": entry["help"], "notebooks": ""}
            row = rows.setdefault(name, {"parameter": name, **start})
            row["notebooks"] = f"{row['notebooks']} {path.stem.split('_')[0]}".strip()
    return pd.DataFrame(rows.values(), columns=["parameter", "default", "meaning", "notebooks"])


def checked_parameters(
    paths: Sequence[Path], given: Mapping[str, Any]
) -> dict[Path, dict[str, Any]]:
    """Give each notebook those of the given parameters that it declares, as its default's type.

    Raises InputError for a name that none of them declares and for a value of another type.
    """
    known = {path: declared(path) for path in paths}
    names = sorted({name for entries in known.values() for name in entries})
    for name in given:
        if name not in names:
            chosen = ", ".join(path.stem for path in paths)
            raise InputError(f"No parameter {name!r} in {chosen}{nearest(name, names)}")
    return {
        path: {
            name: cast(name, value, entries[name]["value"])
            for name, value in given.items()
            if name in entries
        }
        for path, entries in known.items()
    }


def cast(name: str, value: Any, default: Any) -> Any:
    """Give the value as the type of the default; text is read as that type.

    >>> cast("rate", "1", 0.5), cast("flag", "no", True), cast("sizes", "[64, 128]", [256])
    (1.0, False, [64, 128])
    """
    kind = type(default)
    try:
        if isinstance(value, str) and kind is not str:
            value = _read(value, kind)
        if kind is float and type(value) is int:
            value = float(value)
        json.dumps(value)
    except (ValueError, KeyError, TypeError) as error:
        raise _ill_typed(name, value, kind) from error
    if default is not None and type(value) is not kind:
        raise _ill_typed(name, value, kind)
    return value


def nearest(name: str, known: Iterable[str]) -> str:
    """Give the end of a sentence: the nearest known name, or else the names that there are."""
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    return f": did you mean {close[0]!r}?" if close else f" (there are: {', '.join(names)})."


def _read(text: str, kind: type) -> Any:
    if kind is bool:
        return _WORDS[text.strip().lower()]
    if kind in (int, float):
        return kind(text)
    if kind in (list, dict):
        return json.loads(text)
    return text


def _ill_typed(name: str, value: Any, kind: type) -> InputError:
    return InputError(f"Parameter {name!r} is {value!r}: it takes a value of type {kind.__name__}.")
