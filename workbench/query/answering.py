"""A context in, an answer with citations out: a model's, or sentences that stand there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from workbench.corpus.words import terms
from workbench.extraction.lexica import FUNCTION_WORDS
from workbench.graph.extractive_report import NOTE
from workbench.graph.sentences import split
from workbench.models.requests import Outcome
from workbench.query.asking import Asking, send
from workbench.query.citing import checked, marker, quoted
from workbench.query.dense import cosines
from workbench.query.run_index import RunIndex
from workbench.query.trace import Answer, Part

NOTHING = "Nothing in the corpus answers this question."
SOURCES = ("kind", "id", "short_id", "label", "text")  # what an answer is told of its context
MOST = 4  # sentences of an extractive answer
LOOK = 16  # sentences whose vectors are compared with the question's
ALIKE = 0.6  # share of common terms from which two sentences say the same
LEAST = 0.3  # score below which a sentence answers nothing
# What a report cites, and the words in which an extractive one counts its members.
_ABOUT_ITSELF = re.compile(
    r"\s*\[Data:[^\[\]]*\]|[\d,]+ entit(?:y|ies), led by .*?\.(?=\s|$)|The most central sentence:"
)
_CUT_LINK = re.compile(r"\[([^\]]*)\]$")  # of a link at a sentence's end, without its address
_LINE = re.compile(r"[^\n。！？؟]{8,400}[。！？؟]?")


def respond(
    asking: Asking, context: Iterable[Part], sources: pd.DataFrame, task: str = "answer"
) -> Answer:
    """Answer from a context: by the model, or without one by sentences of the sources.

    `context` is laid out between two fences that occur nowhere in it; `sources` are its rows (kind,
    id, short_id, label, text), best first. With no sources no model is asked.
    """
    context = tuple(context)
    question = asking.question.text
    line = fence("".join(part.text for part in context) + question)
    parts = asking.laid_out(task, fence=line, context=context, question=question)
    if sources.empty:
        asking.record.note("Nothing was found that could answer the question, so nobody was asked.")
        return Answer(NOTHING, "extractive")
    outcomes = send(asking, [(task, parts)])
    return written(asking, outcomes[0], sources) if outcomes else extractive(asking, sources)


def written(asking: Asking, outcome: Outcome, known: pd.DataFrame) -> Answer:
    """Give a model's reply as the answer, with its citations checked against the run and `known`.

    A reply that failed or is empty gives way to sentences of the sources, and a note says so.
    """
    text = outcome.reply.text.strip() if outcome.reply and outcome.status == "ok" else ""
    if not text:
        why = outcome.error or "The reply is empty."
        asking.record.note(f"The model gave no answer, so sentences stand in its place: {why}")
        return extractive(asking, known)
    citations = checked(asking.index, text, known)
    for column, fault in (("exists", "nothing in the run"), ("in_context", "nothing it was shown")):
        wrong = citations[~citations[column] & (citations["exists"] | (column == "exists"))]
        if len(wrong):
            named = ", ".join(f"[{row.kind} {row.short_id}]" for row in wrong.itertuples())
            asking.record.note(f"The model cites {fault}: {named}.")
    if citations.empty:
        asking.record.note("The model cites no source.")
    caller = asking.caller
    replayed = caller is not None and caller.model.name.startswith("replay/")
    return Answer(text, "replay" if replayed else "model", citations)


def extractive(asking: Asking, sources: pd.DataFrame) -> Answer:
    """Answer by the sentences of chunks and reports that fit the question best, each cited.

    A sentence's score = the share of the question's terms that it holds, by IDF, + its cosine with
    the question, where above 0, + 0.1 / the place of its source. The step `sentences` of the trace
    holds all that were compared. Sources follow one another by their best sentence.
    """
    with asking.record.timed("sentences"):
        found = _candidates(asking, sources)
        chosen = _chosen(found, asking.question.terms)
    asking.record.step(
        "sentences",
        "Sentences of the context by how well they answer; the best stand in the answer.",
        lambda: _table(asking, found, chosen),
    )
    if not chosen:
        return Answer(NOTHING, "extractive")
    picked = found.loc[chosen].assign(best=lambda f: f.groupby("place")["score"].transform("max"))
    picked = picked.sort_values(["best", "place", "position"], ascending=[False, True, True])
    lines = [f"{row.text} {marker(row.kind, row.short_id)}" for row in picked.itertuples()]
    text = "\n".join(lines)
    return Answer(text, "extractive", checked(asking.index, text, sources))


def _candidates(asking: Asking, sources: pd.DataFrame) -> pd.DataFrame:
    """Give the LOOK sentences with most of the question's terms: place, kind, …, score."""
    weights = term_weights(asking.index, asking.question.terms)
    whole = sum(weights.values()) or 1.0
    kept = asking.index.derived("sentences", lambda _: {})
    rows = []
    for place, source in enumerate(sources[list(SOURCES)].itertuples(index=False), start=1):
        if source.kind not in ("chunk", "report"):
            continue
        key = source.kind, source.id
        if key not in kept:
            kept[key] = _sentences(_whole_text(asking.index, *key, source.text))
        for position, (text, found) in enumerate(kept[key]):
            share = sum(weights[term] for term in found & weights.keys()) / whole
            rows.append((place, *source[:4], position, text, found, share))
    columns = ["place", *SOURCES[:4], "position", "text", "terms", "share"]
    frame = pd.DataFrame(rows, columns=columns)
    frame = frame.drop_duplicates("text")
    early = frame["place"] + frame["position"] / 2  # among equals: the first of each source
    order = np.lexsort((frame["place"], early, -frame["share"].round(6)))[:LOOK]
    frame = frame.iloc[order].reset_index(drop=True)
    frame["cosine"] = _cosines(asking, frame["text"].tolist())
    nearness = frame["cosine"].fillna(0).clip(lower=0)
    frame["score"] = (frame["share"] + nearness + 0.1 / frame["place"]).round(6)
    return frame.sort_values(["score", "place", "position"], ascending=[False, True, True])


def _chosen(found: pd.DataFrame, asked: Sequence[str]) -> list[int]:
    """Give the rows of the best sentences, none of which says what a better one says."""
    chosen: list[int] = []
    for row in found.index[found["score"] >= LEAST + 0.1 / found["place"]]:
        words = found["terms"][row]
        others = [found["terms"][other] for other in chosen]
        if all(len(words & other) <= ALIKE * len(words | other) for other in others):
            chosen.append(row)
        if len(chosen) == MOST:
            break
    if chosen:  # what is far behind the best one is padding
        best = found["score"][chosen[0]]
        chosen = [row for row in chosen if found["score"][row] >= best / 2]
    return chosen


def _table(asking: Asking, found: pd.DataFrame, chosen: list[int]) -> pd.DataFrame:
    inside = found.index.isin(chosen)
    return pd.DataFrame(
        {
            "kind": "sentence",
            "id": found["id"] + "#" + found["position"].astype(str),
            "short_id": found["short_id"],
            "label": found["kind"] + " " + found["short_id"].astype(str) + ": " + found["label"],
            "term_share": found["share"],
            "cosine": found["cosine"],
            "score": found["score"],
            "order": range(1, len(found) + 1),
            "tokens": [asking.count(text) for text in found["text"]],
            "in_context": inside,
            "cut_reason": np.where(inside, "", "not chosen"),
            "text": found["text"],
        }
    )


def term_weights(index: RunIndex, asked: Sequence[str]) -> dict[str, float]:
    """Give the IDF of each term of the question that carries a meaning and occurs."""
    bm25 = index.chunks.bm25
    known = [term for term in dict.fromkeys(asked) if term in bm25.numbers]
    content = [term for term in known if term not in FUNCTION_WORDS] or known
    chunks = len(bm25.lengths)
    weights = {}
    for term in content:
        number = bm25.numbers[term]
        df = int(bm25.starts[number + 1] - bm25.starts[number])
        weights[term] = float(np.log((chunks - df + 0.5) / (df + 0.5) + 1))
    return weights


def _cosines(asking: Asking, texts: list[str]) -> np.ndarray:
    vector = asking.question.vector
    if asking.embedder is None or vector is None or not texts:
        return np.full(len(texts), np.nan)
    return np.round(cosines(asking.embedder.encode(texts, description="sentences"), vector), 6)


def _whole_text(index: RunIndex, kind: str, id_: str, text: str) -> str:
    """Give the text of a chunk or report itself, without what its row in the context adds."""
    if kind == "chunk" and id_ in index.chunks.row_of:
        return index.texts[index.chunks.row_of[id_]]
    if kind == "report":
        contents = index.derived("report_texts", _report_texts)
        return _ABOUT_ITSELF.sub("", contents.get(id_, text).replace(NOTE, ""))
    return text


def _report_texts(index: RunIndex) -> dict[str, str]:
    return dict(zip(index.reports["community_id"], index.reports["full_content"], strict=True))


def _sentences(text: str) -> list[tuple[str, frozenset[str]]]:
    """Cut a text into sentences, each with its terms; where it has none, into lines."""
    found = split(text) or [" ".join(line.split()) for line in _LINE.findall(text)]
    found = [quoted(_CUT_LINK.sub(r"\1", sentence)) for sentence in found]
    return [(sentence, frozenset(terms(sentence))) for sentence in found if sentence]


def fence(text: str) -> str:
    """Give a line of dashes that is longer than any in the text."""
    longest = max(map(len, re.findall(r"-{8,}", text)), default=7)
    return "-" * (longest + 1)
