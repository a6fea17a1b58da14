"""A question in, the connection paths between what it names out: a section of the context."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from workbench.graph.report_lines import csv_row
from workbench.params import DriftParams
from workbench.query.asking import Asking
from workbench.query.citing import marker
from workbench.query.named import named_entities
from workbench.query.paths import paths_between
from workbench.query.run_index import RunIndex
from workbench.query.trace import FIRST, LAST, Part

OPENING = "-----Paths-----\npath|hop|source|type|target|evidence|chunk\n"
MOST_NAMED = 4  # spellings that are connected, two by two
MOST_CALLED = 3  # entities of one spelling, the most mentioned first
MOST_LINES = 6  # hops told by an answer without a model


def found_paths(index: RunIndex, question: str, params: DriftParams) -> pd.DataFrame:
    """Give the paths between each two things that a question names; empty for less than two."""
    ids = index.entities["id"]
    named = named_entities(index, question)
    groups = [
        (str(spelling), [ids.iat[row] for row in rows[:MOST_CALLED]])
        for spelling, rows in named.groupby("spelling", sort=False)["entity_row"]
    ]
    groups = groups[:MOST_NAMED]
    pairs = [
        (f"{one} and {other}", start, end)
        for (one, starts), (other, ends) in combinations(groups, 2)
        for start in starts
        for end in ends
    ]
    return paths_between(index, pairs, params.max_hops, params.k_paths)


class Paths:
    """The paths as a section: taken as long as they fit, each whole or not at all."""

    def __init__(self, asking: Asking, question: str) -> None:
        params: DriftParams = asking.params
        with asking.record.timed("paths"):
            self.hops = found_paths(asking.index, question, params)
        self.lines = [_line(hop) for hop in self.hops.itertuples()]
        self.tokens = [asking.count(line) for line in self.lines]
        self.allowed = int(params.max_context_tokens * params.paths_prop)
        self.used = opening = asking.count(OPENING)
        taken = set()
        sizes = pd.Series(self.tokens, dtype="int64").groupby(self.hops["path"].to_numpy()).sum()
        for path, size in sizes.items():
            if self.used + size <= self.allowed:
                taken.add(path)
                self.used += int(size)
        self.inside = np.array([path in taken for path in self.hops["path"]], bool)
        self.used = self.used if taken else 0
        if not self.hops.empty:
            asking.record.step(
                "paths",
                "Shortest paths between what the question names: fewest hops, then the score.",
                self._table,
                section="paths",
                allowed=self.allowed,
                heading_tokens=opening,
            )
        note = self.hops.attrs["note"]
        if "connects" in note:
            asking.record.note(note)

    def parts(self) -> list[Part]:
        """Give the section as it stands in a context; nothing when nothing was taken."""
        rows = [
            Part("row", "paths", line, _id(hop))
            for hop, line, inside in zip(
                self.hops.itertuples(), self.lines, self.inside, strict=True
            )
            if inside
        ]
        return [Part("heading", "paths", OPENING), *rows] if rows else []

    def sources(self) -> pd.DataFrame:
        """Give the chunks and relationships that paths in context show, as an answer needs them."""
        hops = self.hops[self.inside]
        shown = hops[hops["chunk"].notna()]
        chunks = {"kind": "chunk", "id": shown["chunk_id"], "short_id": shown["chunk"]}
        chunks |= {"label": shown["document"], "text": shown["evidence"]}
        links = {"kind": "relationship", "id": hops["relationship_id"]}
        links |= {"short_id": hops["relationship"], "text": hops["evidence"]}
        links |= {"label": hops["source"] + " → " + hops["target"]}
        frame = pd.concat([pd.DataFrame(chunks), pd.DataFrame(links)], ignore_index=True)
        return frame.drop_duplicates(["kind", "id"]).astype({"short_id": "int64"})

    def told(self) -> list[str]:
        """Give the best path of each pair as sentences with their citations."""
        hops = self.hops[self.inside]
        best = hops.groupby("pair", sort=False)["path"].transform("min")
        lines = []
        for hop in hops[hops["path"] == best].itertuples():
            source, target = _directed(hop)
            cited = ("chunk", hop.chunk) if pd.notna(hop.chunk) else _relationship(hop)
            words = " ".join(str(hop.evidence).split())
            lines.append(f"{source} → {target} ({hop.type}): {words} {marker(*cited)}")
        return list(dict.fromkeys(lines))[:MOST_LINES]

    def _table(self) -> pd.DataFrame:
        hops = self.hops
        scores = ["pair", "path", "hop", "source", "target", "type", "reversed", "weight", "npmi"]
        scores += ["strength", "path_score", "evidence", "chunk", "document"]
        frame = hops[scores].assign(
            kind="path",
            id=[_id(hop) for hop in hops.itertuples()],
            short_id=hops["path"],
            label=hops["source"] + " → " + hops["target"],
            order=range(1, len(hops) + 1),
            tokens=self.tokens,
            in_context=self.inside,
            cut_reason=["" if inside else "budget" for inside in self.inside],
            text=self.lines,
        )
        return frame[[*FIRST, *scores, *LAST]]


def _line(hop: object) -> str:
    source, target = _directed(hop)
    chunk = "" if pd.isna(hop.chunk) else hop.chunk
    return csv_row([hop.path, hop.hop, source, hop.type, target, hop.evidence, chunk], "|")


def _directed(hop: object) -> tuple[str, str]:
    """Give the ends as the relationship runs, not as the path goes."""
    return (hop.target, hop.source) if hop.reversed else (hop.source, hop.target)


def _relationship(hop: object) -> tuple[str, int]:
    return "relationship", hop.relationship


def _id(hop: object) -> str:
    return f"path {hop.path} hop {hop.hop}"
