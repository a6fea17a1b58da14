"""One parquet or CSV file of a GraphRAG index in, a frame whose cells have their types out."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from workbench.errors import InputError

# A list of plain strings as Python writes it, and as pandas writes a numpy array: no commas there.
_STRINGS = re.compile(r"""\[\s*(?:(?:'[^'\\]*'|"[^"\\]*")[\s,]*)*\]""")
_STRING = re.compile(r"""'([^'\\]*)'|"([^"\\]*)\"""")
_BETWEEN_ROWS = re.compile(r"\}\s*\n\s*\{")  # … of an array of dictionaries; texts escape theirs


@dataclass(frozen=True)
class Field:
    """A column: the names it had, the newest first, and what its cells are.

    `kind` is text, int, float, list (of ids) or rows (dictionaries); a column that is not
    `required` is null where the file lacks it.
    """

    names: tuple[str, ...]
    kind: str = "text"
    required: bool = False


def read_table(path: Path) -> pd.DataFrame:
    """Read a file whole; InputError when it is damaged, empty or not UTF-8."""
    remedy = "copy it again from where the index was made"
    try:
        if path.suffix == ".csv":
            return pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
        return pd.read_parquet(path)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is no UTF-8 (byte {error.start} is {error.object[error.start]:#04x}): "
            "save it as UTF-8."
        ) from error
    except (OSError, ValueError, pa.ArrowException) as error:
        reason = next(iter(str(error).splitlines()), "").strip().rstrip(".")
        kind = path.suffix.removeprefix(".")
        raise InputError(f"{path} cannot be read as {kind} ({reason[:200]}): {remedy}.") from error


def take(raw: pd.DataFrame, fields: dict[str, Field], path: Path) -> pd.DataFrame:
    """Give the fields as columns of their newest name and kind.

    Raises InputError that names the file and the column, row and value that cannot be used.
    """
    found = {}
    missing = []
    for name, field in fields.items():
        there = [old for old in field.names if old in raw.columns]
        if there:
            found[name] = _typed(raw[there[0]], field.kind, f"{path} has in column {there[0]}")
        elif field.required:
            missing.append(" or ".join(field.names))
        else:
            nothing = pd.Series([None] * len(raw), index=raw.index, dtype=object)
            found[name] = _typed(nothing, field.kind, "")
    if missing:
        raise InputError(
            f"{path} has no column {', '.join(missing)}, but {', '.join(map(str, raw.columns))}: "
            "give a folder that GraphRAG wrote."
        )
    return pd.DataFrame(found, index=raw.index).reset_index(drop=True)


def _typed(cells: pd.Series, kind: str, where: str) -> pd.Series:
    if kind in ("int", "float"):
        return _numbers(cells, kind, where)
    make = _ids if kind == "list" else _rows if kind == "rows" else _text
    return pd.Series(list(_converted(cells, make, where)), index=cells.index, dtype=object)


def _converted(cells: pd.Series, make: Callable[[Any], Any], where: str) -> Iterator[Any]:
    for row, cell in enumerate(cells):
        try:
            yield make(cell)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
            shown = " ".join(str(cell)[:80].split())
            raise InputError(
                f"{where}, row {row}, no list that can be read ({shown!r}): write it as "
                "['a', 'b'], or give the parquet files."
            ) from error


def _numbers(cells: pd.Series, kind: str, where: str) -> pd.Series:
    plain = cells.where(cells.astype("str") != "") if cells.dtype.kind not in "iufb" else cells
    numbers = pd.to_numeric(plain, errors="coerce").astype("Float64")
    wrong = numbers.isna() & plain.notna()
    if kind == "int":
        wrong |= numbers.notna() & (numbers % 1 != 0).fillna(value=True)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise InputError(
            f"{where}, row {row}, {cells.iloc[row]!r}, which is no "
            f"{'whole number' if kind == 'int' else 'number'}: mend it, or give the file as "
            "GraphRAG wrote it."
        )
    return numbers.astype("Int64") if kind == "int" else numbers.astype("float64")


def _text(cell: Any) -> str | None:
    return None if _is_null(cell) else str(cell)


def _ids(cell: Any) -> list[str]:
    return [str(item) for item in _list(cell) if not _is_null(item)]


def _rows(cell: Any) -> list[dict[str, Any]]:
    rows = _list(cell)
    if not all(isinstance(row, dict) for row in rows):
        raise ValueError("not a list of dictionaries")
    return rows


def _list(cell: Any) -> list[Any]:
    """Give a cell as a list: one already, or the text of one. Nothing in it is ever run."""
    if isinstance(cell, (list, tuple, np.ndarray)):
        return list(cell)
    if _is_null(cell) or not str(cell).strip():
        return []
    text = str(cell).strip()
    if _STRINGS.fullmatch(text):
        return [first or second for first, second in _STRING.findall(text)]
    try:
        found = json.loads(text)
    except ValueError:
        found = ast.literal_eval(_BETWEEN_ROWS.sub("}, {", text))
    if not isinstance(found, (list, tuple)):
        raise ValueError("not a list")
    return list(found)


def _is_null(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and np.isnan(cell)) or cell is pd.NA
