"""Traces in, rows of the store's table `traces` out, and in again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pandas as pd

from workbench.errors import StoreError
from workbench.query.trace import Trace
from workbench.query.trace_json import dumps, from_payload

if TYPE_CHECKING:
    from workbench.store import Store


def save_trace(store: Store, trace: Trace) -> str:
    """Keep a trace in the store, in place of an equal query's; give its id."""
    row = {"id": trace.id, "run": trace.run, "method": trace.method, "question": trace.question}
    store.put("traces", pd.DataFrame([row | {"payload": dumps(trace)}]))
    return trace.id


def load_trace(store: Store, id_: str) -> Trace:
    """Give a saved trace by its id, or by the first signs of it; StoreError when there is none."""
    rows = store.sql("SELECT id, payload FROM traces WHERE starts_with(id, ?) LIMIT 2", [id_])
    if len(rows) != 1:
        fault = "fits several" if len(rows) else "fits none"
        raise StoreError(
            f"The id {id_[:40]!r} {fault} of the traces in {store.path}: list them with "
            "`workbench trace list`."
        )
    return from_payload(json.loads(rows["payload"][0]))


def traces(store: Store) -> pd.DataFrame:
    """Give one row a saved trace: id, run, method, question, and the start of its answer."""
    return store.sql(
        "SELECT id, run, method, question, json_extract_string(payload, '$.answer.text') AS answer "
        "FROM traces ORDER BY run, question, method, id"
    )
