"""Communities and reports of a GraphRAG index in, three frames of the schema out."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pandas as pd

from workbench import schema
from workbench.corpus.decode import clean
from workbench.errors import InputError
from workbench.frames import table_frame
from workbench.interop.corpus_read import known_pairs, unique
from workbench.interop.faults import Faults
from workbench.interop.graphrag_files import RawIndex

_REPORT = ("title", "summary", "rank", "rating_explanation")


def read_communities(
    raw: RawIndex, entities: set[str], faults: Faults
) -> tuple[dict[str, pd.DataFrame], dict[str, str]]:
    """Give the three frames by table, and the community of each report by the report's own id."""
    rows = _unique_communities(raw, faults)
    ids = dict(zip(rows["community"], rows["id"], strict=True))
    communities, members = _communities(rows, ids, entities, faults)
    reports, report_ids = _reports(raw, ids, faults)
    frames = {
        "communities": communities,
        "community_members": members,
        "community_reports": reports,
    }
    return frames, report_ids


def _unique_communities(raw: RawIndex, faults: Faults) -> pd.DataFrame:
    if "communities" not in raw.tables:
        return pd.DataFrame({name: [] for name in ("id", "community")}, dtype=object)
    rows = unique(raw, "communities", ["community", "level"], faults)
    twice = rows["community"].duplicated() | rows["community"].isna() | rows["level"].isna()
    if twice.any():
        number = rows["community"][twice].iloc[0]
        raise InputError(
            f"{raw.files['communities']} has no single row for community {number}: mend it, or "
            "make the index again."
        )
    return rows


def _communities(
    raw: pd.DataFrame, ids: dict[int, str], entities: set[str], faults: Faults
) -> tuple[pd.DataFrame, pd.DataFrame]:
    if raw.empty:
        return table_frame(schema.COMMUNITIES), table_frame(schema.COMMUNITY_MEMBERS)
    pairs = pd.DataFrame({"community_id": raw["id"], "entity_id": raw["entity_ids"]})
    pairs = pairs.explode("entity_id", ignore_index=True).dropna().drop_duplicates()
    members = known_pairs(
        pairs, "entity_id", entities, "the members of community", "entity", faults
    )
    sizes = members["community_id"].value_counts()
    rows = []
    for row in raw.itertuples(index=False):
        parent = None if pd.isna(row.parent) or row.parent == -1 else ids.get(row.parent)
        size = int(sizes.get(row.id, 0))
        if parent is None and not pd.isna(row.parent) and row.parent != -1:
            faults.add(
                "points_nowhere",
                row.parent,
                f"the parent of community {row.community} is no community",
                table="communities",
                id_=row.id,
            )
        if not pd.isna(row.size) and row.size != size:
            reason = f"its size is {row.size}, its members are {size}"
            faults.add(
                "wrong_size",
                f"community {row.community}",
                reason,
                table="communities",
                id_=row.id,
                value=size,
            )
        title = row.title or f"Community {row.community}"
        rows.append(
            {
                "id": row.id,
                "short_id": row.community,
                "level": row.level,
                "size": size,
                "parent_id": parent,
                "title": title,
            }
        )
    return (
        table_frame(schema.COMMUNITIES, rows),
        table_frame(schema.COMMUNITY_MEMBERS, members.reset_index(drop=True)),
    )


def _reports(
    raw: RawIndex, ids: dict[int, str], faults: Faults
) -> tuple[pd.DataFrame, dict[str, str]]:
    rows, report_ids = [], {}
    found = raw.tables.get("community_reports", pd.DataFrame())
    seen: set[str] = set()
    for row in found.itertuples(index=False):
        community = ids.get(row.community)
        where = {"table": "community_reports", "id_": row.id}
        if community is None or community in seen:
            rule = "points_nowhere" if community is None else "duplicate_report"
            reason = "no community has this number" if community is None else "a second report"
            faults.add(rule, f"report of community {row.community}", reason, **where)
            continue
        seen.add(community)
        report_ids[row.id or community] = community
        written = bool(row.full_content)
        rows.append(
            {name: getattr(row, name) for name in _REPORT}
            | {"community_id": community, "findings": _findings(row.findings), "source": "model"}
            | {"status": "ok" if written else "failed", "error": "" if written else "empty"}
            | {"full_content": row.full_content or None}
        )
    return table_frame(schema.COMMUNITY_REPORTS, rows), report_ids


def _findings(findings: Sequence[dict[str, object]]) -> str:
    rows = [{key: row.get(key) for key in ("summary", "explanation")} for row in findings]
    return clean(json.dumps(rows, ensure_ascii=False))
