"""A folder that GraphRAG wrote in, its tables with the columns of version 3 out.

Versions 3 and 2 name the files as the tables; version 1 and 0.3 call them `create_final_…` and
keep communities in a table of nodes, one row an entity and level. Parquet goes before CSV.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from workbench.errors import InputError
from workbench.interop.settings_file import Settings, read_settings
from workbench.interop.table_files import Field, read_table, take
from workbench.paths import user_path

REQUIRED = ("documents", "text_units", "entities", "relationships")
OLD = "create_final_"


def _text(*names: str) -> Field:
    return Field(names)


def _must(*names: str) -> Field:
    return Field(names, required=True)


def _kind(kind: str, *names: str) -> Field:
    return Field(names, kind)


_ID = {"id": _must("id"), "human_readable_id": _kind("int", "human_readable_id")}
_CLAIM = ("type", "description", "subject_id", "object_id", "status", "start_date", "end_date")
FIELDS: dict[str, dict[str, Field]] = {
    "documents": _ID
    | {"title": _text("title"), "text": _must("text", "raw_content")}
    | {"creation_date": _text("creation_date"), "raw_data": _text("raw_data", "metadata")}
    | {"text_unit_ids": _kind("list", "text_unit_ids", "text_units")},
    "text_units": _ID
    | {"text": _must("text", "chunk"), "n_tokens": _kind("int", "n_tokens")}
    | {"document_id": _text("document_id"), "document_ids": _kind("list", "document_ids")}
    | {f"{name}_ids": _kind("list", f"{name}_ids") for name in ("entity", "relationship")}
    | {"covariate_ids": _kind("list", "covariate_ids")},
    "entities": _ID
    | {"title": _must("title", "name"), "type": _text("type"), "description": _text("description")}
    | {"text_unit_ids": _kind("list", "text_unit_ids"), "degree": _kind("int", "degree")},
    "relationships": _ID
    | {"source": _must("source"), "target": _must("target"), "description": _text("description")}
    | {"weight": _kind("float", "weight"), "text_unit_ids": _kind("list", "text_unit_ids")}
    | {"combined_degree": _kind("int", "combined_degree", "rank")},
    "communities": {
        "id": _must("id"),
        "community": Field(("community", "raw_community", "id"), "int", required=True),
        "level": Field(("level",), "int", required=True),
        "parent": _kind("int", "parent"),
        "title": _text("title"),
        "entity_ids": _kind("list", "entity_ids"),
        "relationship_ids": _kind("list", "relationship_ids"),
        "text_unit_ids": _kind("list", "text_unit_ids"),
        "size": _kind("int", "size"),
    },
    "community_reports": {
        "id": _text("id"),
        "community": Field(("community",), "int", required=True),
        "title": _text("title"),
        "summary": _text("summary"),
        "full_content": _must("full_content"),
        "rank": _kind("float", "rank"),
        "rating_explanation": _text("rating_explanation", "rank_explanation"),
        "findings": _kind("rows", "findings"),
    },
    "covariates": _ID
    | {name: _text(name) for name in _CLAIM}
    | {"source_text": _text("source_text"), "text_unit_id": _text("text_unit_id")},
}
_NODES = {
    "id": _must("id"),
    "community": _kind("int", "community"),
    "degree": _kind("int", "degree"),
}


@dataclass(frozen=True)
class RawIndex:
    """What a folder holds: `tables` with the columns of FIELDS, `files` by the table's name."""

    folder: Path
    version: str
    tables: dict[str, pd.DataFrame]
    files: dict[str, Path]
    settings: Settings

    def name(self, table: str) -> str:
        """The name of a table's file."""
        return self.files[table].name


def read_files(folder: str | Path) -> RawIndex:
    """Read the tables of an index; the folder may be the project's, with `output/` inside.

    Raises InputError that names the file, column or cell that is missing or cannot be used.
    """
    given = user_path(folder, "The index")
    home, files = _located(given)
    tables: dict[str, pd.DataFrame] = {}
    names: dict[str, set[str]] = {}
    for table, fields in FIELDS.items():
        if table in files:
            raw = read_table(files[table])
            names[table] = set(raw.columns)
            tables[table] = take(raw, fields, files[table])
    _refuse_empty(tables, files)
    if "nodes" in files:
        _join_nodes(tables, take(read_table(files["nodes"]), _NODES, files["nodes"]))
    old = files["entities"].name.startswith(OLD)
    version = ("v0.3" if "name" in names["entities"] else "v1") if old else "v2"
    if not old and "document_id" in names["text_units"]:
        version = "v3"
    return RawIndex(home, version, tables, files, read_settings(home))


def _located(given: Path) -> tuple[Path, dict[str, Path]]:
    """Give the folder of the tables, and their files; InputError when there are none."""
    if not given.is_dir():
        kind = "a file" if given.exists() else "not there"
        raise InputError(f"The index {str(given)!r} is {kind}: give the folder of its tables.")
    runs = sorted(path for path in given.glob("output/*/artifacts") if path.is_dir())
    if len(runs) > 1 and not _files(given / "output"):
        raise InputError(
            f"{given} holds {len(runs)} indexes: give one of them, as {runs[-1]} (the newest)."
        )
    for home in (given, given / "output", given / "artifacts", *runs):
        files = _files(home)
        if files:
            break
    missing = [name for name in REQUIRED if name not in files]
    if len(missing) == len(REQUIRED):
        raise InputError(
            f"{given} is no GraphRAG index: it holds neither entities.parquet nor entities.csv, "
            f"nor {OLD}entities.parquet; give the folder that the index was written to."
        )
    if missing:
        raise InputError(
            f"{home} is no whole GraphRAG index: {', '.join(map(_shown(files), missing))} missing; "
            "copy it there, or give the folder that holds all tables."
        )
    return home, files


def _shown(files: dict[str, Path]):  # noqa: ANN202
    """Give how the missing files of an index are called, by those that are there."""
    one = next(iter(files.values()))
    start = OLD if one.name.startswith(OLD) else ""
    return lambda table: f"{start}{table}{one.suffix}"


def _files(folder: Path) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for start in ("", OLD):
        for suffix in (".parquet", ".csv"):
            for table in (*FIELDS, "nodes"):
                path = folder / f"{start}{table}{suffix}"
                if table not in found and path.is_file():
                    found[table] = path
    return found


def _refuse_empty(tables: dict[str, pd.DataFrame], files: dict[str, Path]) -> None:
    for table in ("documents", "text_units", "entities"):
        if tables[table].empty:
            raise InputError(
                f"{files[table]} has no rows: the index is empty; make it again with GraphRAG."
            )


def _join_nodes(tables: dict[str, pd.DataFrame], nodes: pd.DataFrame) -> None:
    """Give entities their degree, and communities their members and parents, from the nodes."""
    entities = tables["entities"]
    degree = nodes.drop_duplicates("id").set_index("id")["degree"]
    entities["degree"] = entities["degree"].fillna(entities["id"].map(degree)).astype("Int64")
    communities = tables.get("communities")
    if communities is None:
        return
    inside = nodes[nodes["community"].notna() & (nodes["community"] != -1)]
    members = inside.drop_duplicates(["community", "id"]).groupby("community")["id"].agg(list)
    known = communities["community"].map(members)
    communities["entity_ids"] = [
        own or (found if isinstance(found, list) else [])
        for own, found in zip(communities["entity_ids"], known, strict=True)
    ]
    if communities["parent"].isna().all():
        communities["parent"] = pd.array(_parents(communities), dtype="Int64")


def _parents(communities: pd.DataFrame) -> list[int | None]:
    """Give the community one level up that holds most members of each, where versions told none."""
    home: dict[tuple[int, str], int] = {}
    for row in communities.itertuples(index=False):
        home |= {(row.level, member): row.community for member in row.entity_ids}
    found = []
    for row in communities.itertuples(index=False):
        above = [home.get((row.level - 1, member)) for member in row.entity_ids]
        counts = pd.Series([one for one in above if one is not None], dtype="Int64").value_counts()
        found.append(int(counts.sort_index().idxmax()) if len(counts) else None)
    return found
