"""A user's SQL in, the same SQL out when all it does is read; else a StoreError.

The connection itself cannot write or leave the file. This guard takes out what is left: statements
that change the connection, several statements at once, and table functions that reach beyond
tables. `select * from enable_logging(storage_path='x')`, say, is a SELECT that makes DuckDB abort
the whole process, and `pandas_scan(4711)` reads memory at that address.
"""

from __future__ import annotations

import functools
import re

import duckdb

from workbench.corpus.decode import clean
from workbench.errors import StoreError
from workbench.storage.faults import first_line

_ALLOWED = {"unnest", "range", "generate_series", "repeat", "repeat_row", "json_each", "json_tree"}
_CATALOG = re.compile(r"(duckdb|pragma)_(?!secret|extensions|external)\w+")
_FIRST_WORDS = frozenset(
    ("(", "select", "with", "from", "values", "table", "show", "describe", "desc", "summarize")
    + ("pivot", "unpivot", "pivot_wider", "pivot_longer")
)
_EXPLAIN = re.compile(r"\s*explain\b(\s+analyze\b)?(\s*\(\s*format\s+\w+\s*\))?", re.IGNORECASE)
_WORD = re.compile(r'"((?:[^"]|"")+)"|[\w$]+|.', re.DOTALL)
_REMEDY = "give one SELECT (or WITH, FROM, PIVOT, SUMMARIZE, DESCRIBE, SHOW, EXPLAIN)"


def reading_only(query: str) -> str:
    """Give `query` back when it is one statement that reads; raise StoreError otherwise."""
    if clean(query) != query:
        raise StoreError("The query holds half a character (a lone surrogate): leave it out.")
    try:
        statements = duckdb.extract_statements(query)
        words = _words(query)
    except duckdb.Error as error:
        raise StoreError(f"The query cannot be read: {first_line(error)}.") from error
    # A PIVOT becomes several statements without a text of their own (types, then a SELECT).
    if not words or (len(statements) > 1 and any(part.query for part in statements)):
        raise StoreError(f"The query holds {len(statements)} statements: {_REMEDY}.")
    kinds = {statement.type.name for statement in statements}
    if kinds == {"EXPLAIN"} and (match := _EXPLAIN.match(query)):
        reading_only(query[match.end() :])
        return query
    if "SELECT" not in kinds or words[0] not in _FIRST_WORDS:
        raise StoreError(
            f"The query is of kind {'/'.join(sorted(kinds))}, and a store's SQL only reads: "
            f"{_REMEDY}."
        )
    for name, following in zip(words, words[1:], strict=False):
        if following == "(" and name in _refused_functions():
            raise StoreError(
                f"The query calls {name}(), which reaches beyond the store's tables: leave it out."
            )
    return query


def _words(query: str) -> list[str]:
    """Give the query's words, lower-cased and without quotes; of signs the first one."""
    data = query.encode()
    found = []
    for offset, _ in duckdb.tokenize(query):  # offsets count bytes
        match = _WORD.match(data[offset:].decode("utf-8", "replace"))
        if match is not None:
            found.append((match.group(1) or match.group(0)).lower())
    return found


@functools.cache
def _refused_functions() -> frozenset[str]:
    """Give the names of DuckDB's table functions, without those that only make or list rows."""
    with duckdb.connect() as connection:
        rows = connection.execute(
            "SELECT function_name FROM duckdb_functions() GROUP BY function_name "
            "HAVING bool_and(function_type IN ('table', 'table_macro', 'pragma'))"
        ).fetchall()
    names = {name for (name,) in rows} - _ALLOWED
    return frozenset(name for name in names if not _CATALOG.fullmatch(name))
