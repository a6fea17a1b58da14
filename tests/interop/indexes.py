"""A small index, written by hand, in the form of each version and kind of file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

TEXT = "Ada met Bob in Rome. Bob wrote to Cy. Dee sat alone in Oslo."
UNITS = ["Ada met Bob in Rome. ", "Bob wrote to Cy. ", "Dee sat alone in Oslo."]
TITLES = ["ADA", "BOB", "CY", "DEE"]
FINDING = {"summary": "They write, often", "explanation": "It's told [Data: Entities (1)]."}
LINKS = [("ADA", "BOB", 3.0, ["u0"]), ("BOB", "CY", 1.0, ["u1"])]


def tables() -> dict[str, list[dict[str, Any]]]:
    """Version 3: two communities on level 0, the first split in two on level 1."""
    mentions = [["u0"], ["u0", "u1"], ["u1"], ["u2"]]
    degrees = [1, 2, 1, 0]
    return {
        "documents": [
            {"id": "d0", "human_readable_id": 0, "title": "letters.txt", "text": TEXT}
            | {"text_unit_ids": ["u0", "u1", "u2"], "creation_date": "2026-01-01", "raw_data": None}
        ],
        "text_units": [
            {"id": f"u{n}", "human_readable_id": n, "text": text, "n_tokens": 6 - n}
            | {"document_id": "d0", "entity_ids": [], "relationship_ids": [], "covariate_ids": []}
            for n, text in enumerate(UNITS)
        ],
        "entities": [
            {"id": f"e{n}", "human_readable_id": n, "title": title, "type": "PERSON"}
            | {"description": f'{title}\'s story, "told"', "text_unit_ids": mentions[n]}
            | {"frequency": len(mentions[n]), "degree": degrees[n]}
            for n, title in enumerate(TITLES)
        ],
        "relationships": [
            {"id": f"r{n}", "human_readable_id": n, "source": source, "target": target}
            | {"description": f"{source} to {target}", "weight": weight, "combined_degree": 3}
            | {"text_unit_ids": units}
            for n, (source, target, weight, units) in enumerate(LINKS)
        ],
        "communities": [
            community(0, 0, -1, [1, 2], ["e0", "e1", "e2"]),
            community(1, 1, 0, [], ["e0", "e1"]),
            community(2, 1, 0, [], ["e2"]),
        ],
        "community_reports": [report(2), report(1), report(0)],
        "covariates": [claim(0, "ADA", "met Bob", "u0"), claim(1, "", None, "u1")],
    }


def community(number: int, level: int, parent: int, children: list[int], members: list[str]) -> Any:
    return {
        "id": f"c{number}",
        "human_readable_id": number,
        "community": number,
        "level": level,
        "parent": parent,
        "children": children,
        "title": f"Community {number}",
        "entity_ids": members,
        "relationship_ids": [],
        "text_unit_ids": [],
        "period": "2026-01-01",
        "size": len(members),
    }


def report(number: int) -> dict[str, Any]:
    return {
        "id": f"report{number}",
        "human_readable_id": number,
        "community": number,
        "level": 0 if number == 0 else 1,
        "title": f"Letters {number}",
        "summary": "They write.",
        "full_content": f"# Letters {number}\n\nThey write.",
        "rank": 7.5,
        "rating_explanation": "It matters.",
        "findings": [FINDING],
        "full_content_json": "{}",
    }


def claim(number: int, subject: str, description: str | None, unit: str) -> dict[str, Any]:
    return {
        "id": f"k{number}",
        "human_readable_id": number,
        "covariate_type": "claim",
        "type": "MEETING",
        "description": description,
        "subject_id": subject,
        "object_id": "NONE",
        "status": "TRUE",
        "start_date": "NONE",
        "end_date": "NONE",
        "source_text": "…",
        "text_unit_id": unit,
    }


def version_2(rows: dict[str, Any]) -> dict[str, Any]:
    for unit in rows["text_units"]:
        unit["document_ids"] = [unit.pop("document_id")]
    for document in rows["documents"]:
        document["metadata"] = document.pop("raw_data")
    for entity in rows["entities"]:
        entity |= {"x": 0.0, "y": 0.0}
    return rows


def version_1(rows: dict[str, Any]) -> dict[str, Any]:
    """Degrees and communities in a table of nodes, one row an entity and level."""
    rows = version_2(rows)
    home = {0: {"e0": 0, "e1": 0, "e2": 0}, 1: {"e0": 1, "e1": 1, "e2": 2}}
    rows["nodes"] = [
        {"id": entity["id"], "human_readable_id": n, "title": entity["title"], "level": level}
        | {"community": home[level].get(entity["id"], -1), "degree": entity["degree"]}
        for level in (0, 1)
        for n, entity in enumerate(rows["entities"])
    ]
    for entity in rows["entities"]:
        for name in ("degree", "frequency", "x", "y"):
            del entity[name]
    for one in rows["communities"]:
        del one["children"]
    for one in rows["community_reports"]:
        one["rank_explanation"] = one.pop("rating_explanation")
    return {f"create_final_{name}": table for name, table in rows.items()}


def version_03(rows: dict[str, Any]) -> dict[str, Any]:
    """Names for titles, communities as text and without members, ranks of relationships."""
    rows = {name.removeprefix("create_final_"): table for name, table in version_1(rows).items()}
    for n, entity in enumerate(rows["entities"]):
        entity["name"] = entity.pop("title")
        entity["description_embedding"] = [float(n), 1.0, 0.0]
    for node in rows["nodes"]:
        node["community"] = None if node["community"] == -1 else str(node["community"])
    for link in rows["relationships"]:
        link |= {"rank": link.pop("combined_degree"), "human_readable_id": link["id"][1:]}
    rows["communities"] = [
        {"id": str(one["community"]), "title": one["title"], "level": one["level"]}
        | {"raw_community": str(one["community"]), "relationship_ids": [], "text_unit_ids": []}
        for one in rows["communities"]
    ]
    for one in rows["community_reports"]:
        one["community"] = str(one["community"])
    for document in rows["documents"]:
        document["raw_content"] = document.pop("text")
        del document["human_readable_id"]
    for unit in rows["text_units"]:
        del unit["human_readable_id"]
    return {f"create_final_{name}": table for name, table in rows.items()}


def write(folder: Path, rows: dict[str, Any], suffix: str = "parquet") -> Path:
    """Write the tables; as CSV, lists are text as Python (and GraphRAG) writes it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in rows.items():
        frame = pd.DataFrame(table)
        if suffix == "csv":
            frame.to_csv(folder / f"{name}.csv", index=False, encoding="utf-8")
        else:
            frame.to_parquet(folder / f"{name}.parquet")
    return folder
