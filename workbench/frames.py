"""Rows in, data frames out: frames whose columns and types are those of a table in the schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from workbench.schema import Table

_DTYPES = {"VARCHAR": "str", "INTEGER": "int64", "DOUBLE": "float64", "BOOLEAN": "bool"}
_NULLABLE = {"int64": "Int64", "bool": "boolean"}


def typed(values: pd.Series, sql_type: str) -> pd.Series:
    """Give a column the pandas dtype of its SQL type; the nullable one only where it holds nulls.

    Times are left as they are.
    """
    dtype = _DTYPES.get(sql_type)
    if dtype is None:
        return values
    return values.astype(_NULLABLE.get(dtype, dtype) if values.isna().any() else dtype)


def table_frame(
    table: Table, rows: Iterable[Mapping[str, Any]] | pd.DataFrame = ()
) -> pd.DataFrame:
    """Give a frame with the table's columns (without vectors), in order, with its types.

    Columns that the rows lack are null; columns that the table lacks raise KeyError, since a
    misspelt column would otherwise vanish without a word.
    """
    frame = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(list(rows))
    unknown = set(frame.columns) - set(table.names)
    if unknown:
        raise KeyError(f"table {table.name} has no columns {sorted(unknown)}")
    empty = pd.Series([None] * len(frame), dtype=object)
    return pd.DataFrame(
        {
            column.name: typed(
                frame[column.name].reset_index(drop=True) if column.name in frame else empty,
                column.type,
            )
            for column in table.columns
            if column.name in table.plain_names
        },
        columns=table.plain_names,
    )
