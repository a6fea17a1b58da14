"""A question in, the best chunks and what the run found in them out: BM25 and vectors, fused.

`as_shipped` does what Microsoft's basic search does: vectors only, chunks in the order of the
table, neither entities nor relationships, and the context ends before the first chunk that does
not fit. Documented: chunks by rank; one that does not fit is passed over and others are tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from workbench.graph.report_lines import csv_row
from workbench.params import BasicParams, FusionParams, WalkParams
from workbench.query.answering import SOURCES, respond
from workbench.query.asking import Asking
from workbench.query.chunk_index import ChunkIndex
from workbench.query.hnsw import near_cosines
from workbench.query.methods import METHODS, Method
from workbench.query.run_index import RunIndex
from workbench.query.search import score_chunks
from workbench.query.trace import Answer, Part, Recorder

COLUMNS = {  # section: column names
    "sources": ("id", "document", "text"),
    "entities": ("id", "entity", "type", "description"),
    "relationships": ("id", "source", "type", "target", "description"),
}
MEANINGS = {
    "sources": "Chunks by {}: the {:,} best of each ranking, of {:,} in all.",
    "entities": "Entities of those chunks: the summed scores of those that mention one × its IDF.",
    "relationships": "Relationships of those chunks: summed scores × the mean IDF of their ends.",
}


@dataclass
class Section:
    """Candidates of one section in order, with their lines; those taken come into the context."""

    name: str
    table: pd.DataFrame  # kind, id, short_id, label, scores; in order
    lines: list[str]
    tokens: list[int]
    allowed: int
    opening: str
    opening_tokens: int
    reasons: list[str] = field(default_factory=list)  # why each is not in the context, or ""

    def fill(self, limit: int, over: str, stop_at_first: bool) -> int:
        """Take lines as long as they fit, the first `limit` at most; give the tokens used."""
        used, full = self.opening_tokens, False
        for place, tokens in enumerate(self.tokens):
            fits = not full and used + tokens <= self.allowed
            self.reasons.append(over if place >= limit else "" if fits else "budget")
            if self.reasons[-1] == "":
                used += tokens
            full = full or (stop_at_first and not fits)
        return used if "" in self.reasons else 0

    @property
    def inside(self) -> np.ndarray:
        """Say of each candidate whether it is in the context."""
        return np.array([not reason for reason in self.reasons], bool)

    def take_down(self, record: Recorder, meaning: str) -> None:
        """Take the section down as a step with its share of the budget."""
        record.step(
            self.name,
            meaning,
            self.step,
            section=self.name,
            allowed=self.allowed,
            heading_tokens=self.opening_tokens,
        )

    def parts(self) -> list[Part]:
        """Give the section as it stands in the context; nothing when nothing was taken."""
        ids = self.table["id"].tolist()
        rows = [
            Part("row", self.name, self.lines[at], ids[at])
            for at, reason in enumerate(self.reasons)
            if not reason
        ]
        return [Part("heading", self.name, self.opening), *rows] if rows else []

    def step(self) -> pd.DataFrame:
        """Give the section's table of candidates."""
        return self.table.assign(
            order=range(1, len(self.table) + 1),
            tokens=self.tokens,
            in_context=self.inside,
            cut_reason=self.reasons,
            text=self.lines,
        )

    def sources(self) -> pd.DataFrame:
        """Give what is in the context, as an answer needs it."""
        return self.table.assign(text=self.lines).loc[self.inside, list(SOURCES)]


def answer(asking: Asking) -> Answer:
    """Answer from the k best chunks, and the entities and relationships found in them."""
    params: BasicParams = asking.params
    with asking.record.timed("context"):
        sections = _sections(asking, params)
    return respond_from(asking, sections, {name: _meaning(asking, name) for name in MEANINGS})


def respond_from(asking: Asking, sections: list[Section], meanings: dict[str, str]) -> Answer:
    """Take down the sections, and answer from what is in them; `meanings` is by section."""
    # The chunks come last, next to the question.
    parts = [part for section in reversed(sections) for part in section.parts()]
    for section in sections:
        section.take_down(asking.record, meanings[section.name])
    return respond(asking, parts, pd.concat([section.sources() for section in sections]))


def _meaning(asking: Asking, name: str) -> str:
    shipped = asking.params.variant == "as_shipped"
    ways = "vectors, in the order of the table" if shipped else "BM25 and vectors, fused"
    looked, chunks = _looked(asking.params), len(asking.index.chunks.chunks)
    return MEANINGS[name].format(ways, min(looked, chunks), chunks)


def _looked(params: BasicParams) -> int:
    return max(3 * params.k, 30)


def _sections(asking: Asking, params: BasicParams) -> list[Section]:
    """Give the sections, filled in the order in which they may use the budget."""
    shipped = params.variant == "as_shipped"
    rows, chunks = _chunks(asking, params)
    if shipped:
        texts, left = asking.index.texts, params.max_context_tokens
        cells = [(short, texts[row]) for short, row in zip(chunks["short_id"], rows, strict=True)]
        lines = [csv_row(line, "|") for line in cells]
        head = "id|text\n"
        sections = [_section(asking, "sources", chunks, lines, left, head)]
        sections[0].fill(len(rows), "", stop_at_first=True)
        return sections
    return sections_of(asking, rows, chunks, chunks["fused_score"].to_numpy(), params)


def sections_of(
    asking: Asking,
    rows: np.ndarray,
    chunks: pd.DataFrame,
    weights: np.ndarray,
    params: BasicParams | WalkParams,
    entities: pd.DataFrame | None = None,
) -> list[Section]:
    """Give sources, relationships and entities, filled in this order.

    `rows` are the candidate chunks in order, `chunks` their table, `weights` (above 0) what each is
    worth to what it mentions. `entities` (row, label, scores; in order) replaces those it mentions.
    """
    texts, documents = asking.index.texts, asking.index.chunks.chunks["document"]
    left = params.max_context_tokens
    cells = [
        (short, documents.iat[row], texts[row])
        for short, row in zip(chunks["short_id"], rows, strict=True)
    ]
    sources = _section(asking, "sources", chunks, _lines(cells), left)
    left -= sources.fill(params.k, "k", stop_at_first=False)
    sections, inside = [sources], sources.inside
    found = _found(asking, rows[inside], weights[inside], entities)
    for name, limit in (("relationships", params.relationships), ("entities", params.entities)):
        table, lines = found[name]
        section = _section(asking, name, table, lines, left)
        left -= section.fill(limit, f"max_{name}", stop_at_first=False)
        sections.append(section)
    return sections


def _lines(cells: Sequence[Sequence[object]]) -> list[str]:
    return [csv_row(line, "|") for line in cells]


def _section(
    asking: Asking, name: str, table: pd.DataFrame, lines: list[str], allowed: int, head: str = ""
) -> Section:
    opening = head or f"-----{name.title()}-----\n{'|'.join(COLUMNS[name])}\n"
    tokens = [asking.count(line) for line in lines]
    return Section(name, table, lines, tokens, allowed, opening, asking.count(opening))


def _chunks(asking: Asking, params: BasicParams) -> tuple[np.ndarray, pd.DataFrame]:
    """Give the candidates' rows in order, and their table."""
    index = asking.index.chunks
    shipped = params.variant == "as_shipped"
    way = "dense" if shipped else "basic"
    near = None
    if params.index == "hnsw":
        near = near_cosines(asking.index.run.store, index, asking.question.vector, params.k)
    scored = score_chunks(index, asking.question, way, FusionParams(), near)
    if shipped:
        rows = np.flatnonzero(scored["rank"].to_numpy() <= params.k)
    else:
        ranks = scored[["rank", "bm25_rank", "dense_rank"]].to_numpy()
        near = ((ranks > 0) & (ranks <= _looked(params))).any(axis=1)
        rows = np.flatnonzero(near)
        rows = rows[np.argsort(ranks[rows, 0], kind="stable")]
    return rows, chunk_table(index, rows, scored.iloc[rows].round(6))


def chunk_table(index: ChunkIndex, rows: np.ndarray, scores: pd.DataFrame) -> pd.DataFrame:
    """Give chunks as candidates: kind, id, short_id, label, and their scores (a row each)."""
    chunks = index.chunks.iloc[rows]
    places = zip(chunks["document"], chunks["heading_path"], strict=True)
    labels = [" > ".join(filter(None, place)) for place in places]
    named = pd.DataFrame({"kind": "chunk", "id": chunks["id"], "short_id": chunks["short_id"]})
    scores = scores.set_axis(chunks.index)
    return pd.concat([named.assign(label=labels), scores], axis=1).reset_index(drop=True)


def _found(
    asking: Asking, chunks: np.ndarray, scores: np.ndarray, entities: pd.DataFrame | None
) -> dict[str, tuple[pd.DataFrame, list[str]]]:
    """Give entities and relationships that these chunks mention, in order, with their lines."""
    index = asking.index
    weight = np.zeros(len(index.chunks.chunks))
    weight[chunks] = scores
    idf, pair_idf, names, pair_names = index.derived("rarity", _rarity)
    if entities is None:
        entities = _weighed(index.mentions, "entity_row", weight, idf, names)
    pairs = _weighed(index.relationship_mentions, "relationship_row", weight, pair_idf, pair_names)
    return {
        "entities": _described(index.entities, entities, ("name", "type")),
        "relationships": _described(index.relationships, pairs, ("source", "type", "target")),
    }


def _rarity(index: RunIndex) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Give the IDF of entities and of relationships (the mean of their ends), and their labels."""
    counts = index.entities["chunk_count"].clip(lower=1).to_numpy(dtype=float)
    idf = np.log1p(len(index.chunks.chunks) / counts)
    ends = index.relationships[["source_row", "target_row"]].to_numpy()
    pairs = index.relationships["source"] + " → " + index.relationships["target"]
    names = index.entities["name"].to_numpy(dtype=object)
    return idf, idf[ends].mean(axis=1), names, pairs.to_numpy(dtype=object)


def _weighed(
    mentions: pd.DataFrame, key: str, weight: np.ndarray, idf: np.ndarray, names: np.ndarray
) -> pd.DataFrame:
    """Give what the weighty chunks mention: row, label, chunks, weight, idf, score; best first."""
    weights = weight[mentions["chunk_row"].to_numpy()]
    inside = np.flatnonzero(weights)
    rows, at = np.unique(mentions[key].to_numpy()[inside], return_inverse=True)
    whole = np.bincount(at, weights[inside], minlength=len(rows))
    score = np.round(whole * idf[rows], 6)
    order = sorted(range(len(rows)), key=lambda place: (-score[place], names[rows[place]]))
    found = {"row": rows, "label": names[rows], "chunks": np.bincount(at, minlength=len(rows))}
    return pd.DataFrame(found | {"weight": whole, "idf": idf[rows], "score": score}).iloc[order]


def _described(
    records: pd.DataFrame, found: pd.DataFrame, names: tuple[str, ...]
) -> tuple[pd.DataFrame, list[str]]:
    """Give the table of candidates and the line of each: short id, names, description."""
    rows = records.iloc[found["row"]]
    columns = ["short_id", *names, "description"]
    plain = rows[columns].astype(object).where(rows[columns].notna(), None)
    kind = "entity" if names[0] == "name" else "relationship"
    table = pd.DataFrame(
        {
            "kind": kind,
            "id": rows["id"].to_numpy(),
            "short_id": rows["short_id"].to_numpy(),
            "label": found["label"].to_numpy(),
            **{name: found[name].to_numpy() for name in found.columns.drop(["row", "label"])},
        }
    )
    return table, _lines(list(plain.itertuples(index=False, name=None)))


METHOD = Method("basic", BasicParams, answer, METHODS["basic"])
