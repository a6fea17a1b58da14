"""A run in, the graph that `walk` walks over out: names and chunks, and how the score moves.

The nodes are the run's entities, one for each document title that no entity is called by, and the
chunks (HippoRAG 2's passage nodes, Gutiérrez et al. 2025). A title, without what stands in brackets
at its end (`Film (1998 film)`), stands for its document's chunks, and it is looked for in all the
others: in 2wiki 46 % of the titles are no entity of their own passage (it says "Joseph Bradley
Story" under the title Joe Story, or "the film" only), which is what an error analysis of the odd
questions found missing.

A node passes its score on in proportion to these weights, times the rarity of the name it goes to,
ln(1 + chunks / chunks that hold it) (HippoRAG's node specificity, Gutiérrez et al. 2024):

* chunk → a name in it: 1, or LINK where the name is another document's title; 0 for a name that
  occurs in no other chunk, from which the score could only come back (PageRank's usual cure for
  dead ends would be to return it to the seeds, and this is that: see `walk`);
* name → a chunk that holds it: 1, or 1 + ABOUT where it is the title of the chunk's document;
* entity → entity: RELATED * √weight of the relationship.

HippoRAG's edges between similar names (cosine ≥ 0.8) gave nothing on 2wiki and lost on musique.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.corpus.words import terms, words
from workbench.query.bm25 import Bm25Index
from workbench.query.named import Spellings, called, name_key, spellings
from workbench.query.run_index import RunIndex

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

LINK, ABOUT, RELATED = 3.0, 3.0, 0.1
_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")


@dataclass(frozen=True)
class WalkGraph:
    """Nodes: `names` (the first `entities` of them the run's entities), then the chunks.

    `step` (nodes, nodes) float64: `step @ scores` is where scores go, column j holding the shares
    of node j. `rarity` (names,) 0 to 1. `known`: the names by their words. `home`: the row of the
    first chunk of a title's document, by the number of a name that is a title.
    """

    names: list[str]
    entities: int
    chunks: int
    step: csr_matrix
    rarity: np.ndarray
    known: Spellings
    home: dict[int, int]


def walk_graph(index: RunIndex) -> WalkGraph:
    """Make the graph of a run, once."""
    return index.derived("walk", _make)


def _make(index: RunIndex) -> WalkGraph:
    documents = index.run.store.sql("SELECT id, title FROM documents ORDER BY id")
    titles = dict(zip(documents["id"], documents["title"].fillna("").astype(str), strict=True))
    names, known, about = _named(index, titles)
    chunks = len(index.chunks.chunks)
    held = _held(index, names, known, about)
    counts = np.bincount(held["name"], minlength=len(names))
    rarity = np.log1p(chunks / np.maximum(counts, 1)) / np.log1p(chunks)
    step = transitions(held, index.relationships, rarity, chunks)
    home = about.drop_duplicates("name").set_index("name")["chunk"].to_dict()
    return WalkGraph(names, len(index.entities), chunks, step, rarity, known, home)


def _named(
    index: RunIndex, titles: dict[str, str]
) -> tuple[list[str], dict[str, dict[int, str]], pd.DataFrame]:
    """Give the names, who is called how, and which name (a title) is about which chunk."""
    names = index.entities["name"].astype(str).tolist()
    known = spellings(called(index))
    about = []
    for chunk, document in enumerate(index.chunks.chunks["document_id"]):
        title = titles.get(document, "")
        base = _BRACKETS.sub("", title) or title
        key = name_key(base)
        if not key:
            continue
        if key not in known:
            known[key] = {len(names): base}
            names.append(base)
        number = next(iter(known[key]))  # of several called so the most mentioned one
        known.setdefault(name_key(title), {}).setdefault(number, title)
        about.append((number, chunk))
    return names, known, pd.DataFrame(about, columns=["name", "chunk"], dtype="int64")


def _held(index: RunIndex, names: list[str], known: Spellings, about: pd.DataFrame) -> pd.DataFrame:
    """Give one row a name and a chunk that holds it: name, chunk, title (its own), link."""
    said = index.mentions[["entity_row", "chunk_row"]].set_axis(["name", "chunk"], axis=1)
    titles = about["name"].unique()
    texts, bm25 = index.texts, index.chunks.bm25
    found = [
        (number, chunk)
        for number in titles.tolist()
        for chunk in title_places(names[number], texts, bm25)
    ]
    seen = pd.DataFrame(found, columns=["name", "chunk"], dtype="int64")
    pairs = pd.concat([said, seen, about]).drop_duplicates().sort_values(["name", "chunk"])
    pairs = pairs.merge(about.drop_duplicates().assign(title=True), "left", ["name", "chunk"])
    title = pairs["title"].notna().to_numpy()
    link = pairs["name"].isin(titles).to_numpy() & ~title
    return pairs.assign(title=title, link=link).reset_index(drop=True)


def title_places(title: str, texts: list[str], bm25: Bm25Index) -> list[int]:
    """Give the rows of the chunks that say a title, in whatever case, but with a capital or digit
    at its start."""
    numbers = [bm25.numbers.get(term) for term in dict.fromkeys(terms(title))]
    if not numbers or None in numbers:
        return []
    places = sorted((bm25.rows[bm25.starts[n] : bm25.starts[n + 1]] for n in numbers), key=len)
    rows = places[0]
    for others in places[1:]:
        rows = rows[np.isin(rows, others, assume_unique=True)]
    inner = r"\W+(?:s\W+)?".join(re.escape(word.text) for word in words(title))
    pattern = re.compile(rf"(?<!\w){inner}(?!\w)", re.IGNORECASE)
    return [row for row in rows.tolist() if _starts_big(pattern, texts[row])]


def _starts_big(pattern: re.Pattern[str], text: str) -> bool:
    return any(not found[0][0].islower() for found in pattern.finditer(text))


def transitions(
    held: pd.DataFrame, relationships: pd.DataFrame, rarity: np.ndarray, chunks: int
) -> csr_matrix:
    """Give the matrix that moves scores (see above), columns summing to 1, or to 0 at dead ends.

    `held`: name, chunk, title, link; `relationships`: source_row, target_row, weight.
    """
    from scipy.sparse import csr_matrix, diags

    names = len(rarity)
    name, chunk = held["name"].to_numpy(), held["chunk"].to_numpy() + names
    alone = np.bincount(name, minlength=names)[name] < 2
    down = np.where(alone, 0.0, np.where(held["link"], LINK, 1.0)) * rarity[name]
    up = 1 + ABOUT * held["title"].to_numpy(dtype=float)
    source, target = (relationships[f"{end}_row"].to_numpy() for end in ("source", "target"))
    weight = RELATED * np.sqrt(relationships["weight"].fillna(1).to_numpy(dtype=float).clip(0))
    start = np.concatenate([chunk, name, source, target])
    end = np.concatenate([name, chunk, target, source])
    share = np.concatenate([down, up, weight * rarity[target], weight * rarity[source]])
    size = names + chunks
    moves = csr_matrix((share, (end, start)), shape=(size, size))
    total = np.asarray(moves.sum(axis=0)).ravel()
    return (moves @ diags(np.divide(1, total, where=total > 0, out=np.zeros(size)))).tocsr()


def described(index: RunIndex, graph: WalkGraph, nodes: np.ndarray) -> pd.DataFrame:
    """Give kind, id, short_id, label of nodes; a title stands for its document's first chunk."""
    entities, chunks, names = index.entities, index.chunks.chunks, len(graph.names)
    rows = []
    for node in nodes.tolist():
        if node < graph.entities:
            rows.append(("entity", entities["id"].iat[node], entities["short_id"].iat[node]))
        else:
            row = node - names if node >= names else graph.home[node]
            rows.append(("chunk", chunks["id"].iat[row], chunks["short_id"].iat[row]))
    labels = [
        graph.names[node] if node < names else chunks["document"].iat[node - names]
        for node in nodes.tolist()
    ]
    frame = pd.DataFrame(rows, columns=["kind", "id", "short_id"])
    return frame.assign(label=labels)
