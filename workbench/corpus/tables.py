"""A .jsonl, .csv or .parquet file in, its rows out: numbered, with plain JSON values."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from workbench.corpus.decode import UndecodableError, clean, decode

SUFFIXES = frozenset({".jsonl", ".csv", ".parquet"})
Row = tuple[int, dict[str, Any] | str]


def rows(path: Path) -> Iterator[Row]:
    """Give (row number from 0, row) for each row; what is no row comes as the text of its fault.

    In .jsonl the number is the line's, so that ids stay when a broken line is mended. Raises
    UndecodableError when the file as a whole cannot be read.
    """
    reader = {".jsonl": _jsonl, ".csv": _csv, ".parquet": _parquet}[path.suffix.lower()]
    return reader(path)


def _jsonl(path: Path) -> Iterator[Row]:
    for number, line in enumerate(decode(path.read_bytes()).text.split("\n")):
        if not line.strip():
            continue
        try:
            row = json.loads(line, parse_constant=lambda _: None)
        except (ValueError, RecursionError) as error:
            yield number, f"line {number + 1} is no JSON: {error}"
            continue
        yield number, row if isinstance(row, dict) else f"line {number + 1} is no JSON object"


def _csv(path: Path) -> Iterator[Row]:
    text = decode(path.read_bytes()).text
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))  # a document may be long
    header = text.partition("\n")[0]  # spreadsheets write `;` where the comma divides numbers
    delimiter = max(",;\t", key=header.count)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=False)
    try:
        header = next(lines, [])
        for number, values in enumerate(line for line in lines if line):
            if len(values) > len(header):
                yield number, f"row {number} has {len(values)} values for {len(header)} columns"
            else:
                yield number, dict(zip(header, values, strict=False))
    except csv.Error as error:
        raise UndecodableError("unreadable", f"no CSV: {error}") from error


def _parquet(path: Path) -> Iterator[Row]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            number = 0
            for batch in file.iter_batches(batch_size=512):
                for row in batch.to_pylist():
                    yield number, row
                    number += 1
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        # ValueError: strings that are no UTF-8; OverflowError: dates after the year 9999
        raise UndecodableError("unreadable", f"no parquet: {error}") from error


def plain(value: Any) -> Any:
    """Give a value as JSON holds it: no NaN, no lone surrogates, dates and the rest as text."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, bool | int | None):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {clean(str(key)): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value)


def to_json(value: Mapping[str, Any]) -> str:
    """Write a mapping as JSON, keys in the order given."""
    return json.dumps(plain(value), ensure_ascii=False)
