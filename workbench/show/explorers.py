"""A run in, explorers out: of its corpus, an entity, communities, modes side by side, queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pandas as pd

from workbench.query.entity import entity_card
from workbench.query.methods import METHOD_NAMES
from workbench.show.explorer import Explorer, choice, slider, words
from workbench.show.tables import side_by_side, table
from workbench.show.text import escaped, visible
from workbench.show.theme import BLUE, GREEN, ORANGE, PURPLE, RED, SKY, YELLOW

if TYPE_CHECKING:
    from workbench.query.trace import Trace
    from workbench.run import Run

OFFERED = 1_000  # names that a field offers; any other can be written
_TEXT = "white-space:pre-wrap;font-family:monospace;font-size:90%;max-height:24em;overflow:auto;"
_TEXT += "border:1px solid rgba(128,128,128,.4);border-radius:4px;padding:8px"
_MARKS = (SKY, ORANGE, GREEN, PURPLE, YELLOW, RED, BLUE)
_NONE = "(none)"


def corpus_explorer(run: Run) -> Explorer:
    """Look through documents, chunk by chunk, with what the run found there marked in the text."""
    documents, chunks = run.read("documents"), run.read("chunks")
    mentions, entities = run.entity_mentions, run.entities.set_index("id")
    most = chunks.groupby("document_id").size().reindex(documents["id"]).fillna(0)

    def draw(document: str, chunk: int) -> str:
        own = chunks[chunks["document_id"] == document].sort_values("chunk_index")
        if own.empty:
            return "<p>This document has no chunk.</p>"
        row = own.iloc[min(chunk, len(own) - 1)]
        found = mentions[mentions["chunk_id"] == row["id"]].join(
            entities[["name", "type"]], on="entity_id"
        )
        text = marked(row, found)
        title = f"Chunk {row['short_id']}: {row['chunk_index'] + 1} of {len(own)}"
        listed = found.sort_values(["mention_count", "name"], ascending=[False, True])
        columns = ["name", "type", "mention_count", "signals"]
        shown = table(listed, "entities found in it", 30, columns=columns)._repr_html_()
        head = f"<p><b>{escaped(title)}</b>, {row['token_count']} tokens. "
        return f"{head}{escaped(row['heading_path'], 200)}</p>{text}{shown}"

    named = zip(documents["path"].map(lambda path: visible(path, 80)), documents["id"], strict=True)
    return Explorer(
        {
            "document": choice("document", list(named)),
            "chunk": slider("chunk", 0, 0, max(int(most.max()) - 1, 0), 1),
        },
        draw,
    )


def marked(chunk: pd.Series, found: pd.DataFrame) -> str:
    """Give a chunk's text with the first mention of each entity marked, by type."""
    text, start = str(chunk["text"]), chunk["start_char"]
    types = sorted(found["type"].unique())
    colour = {name: _MARKS[number % len(_MARKS)] for number, name in enumerate(types)}
    pieces, at = [], 0
    placed = found.dropna(subset=["start_char"]).sort_values(["start_char", "end_char"])
    for row in placed.itertuples(index=False):
        first, last = int(row.start_char - start), int(row.end_char - start)
        if first < at or last > len(text):
            continue
        label = escaped(f"{row.name}: {row.type}")
        style = f"background:{colour[row.type]}55;border-bottom:2px solid {colour[row.type]}"
        pieces.append(_lines(text[at:first]))
        pieces.append(f'<mark style="{style};color:inherit" title="{label}">')
        pieces.append(f"{_lines(text[first:last])}</mark>")
        at = last
    return f'<div dir="auto" style="{_TEXT}">{"".join(pieces)}{_lines(text[at:])}</div>'


def _lines(text: str) -> str:
    return "\n".join(escaped(line) for line in text.split("\n"))


def entity_explorer(run: Run) -> Explorer:
    """Look at an entity by name or alias: spellings, neighbours, mentions in context."""
    names = run.entities.sort_values(["mention_count", "name"], ascending=[False, True])["name"]

    def draw(name: str) -> str:
        card = entity_card(run, name)
        head = table(pd.DataFrame([card.entity]), "entity", columns=_present(card.entity))
        around = side_by_side(
            table(card.aliases, "other spellings", 15),
            table(card.neighbours, "neighbours", 15),
            table(card.communities, "communities", 15),
        )
        where = table(card.mentions, "mentions, in the words around the first", 15, width=200)
        return "".join(part._repr_html_() for part in (head, around, where))

    first = str(names.iloc[0]) if len(names) else ""
    return Explorer({"name": words("name or alias", first, names.head(OFFERED))}, draw)


def _present(entity: Mapping[str, object]) -> list[str]:
    wanted = ("short_id", "name", "type", "description", "mention_count", "chunk_count", "degree")
    return [name for name in wanted if name in entity]


def community_explorer(run: Run) -> Explorer:
    """Walk down the tree of communities: members, children, report, and what it was made from."""
    from workbench.graph.inspect import members

    communities, reports = run.communities, run.read("community_reports").set_index("community_id")
    ordered = communities.sort_values(["level", "short_id"])
    labels = [
        f"{'  ' * row.level}L{row.level} · {row.short_id} · {visible(row.title, 60)} ({row.size})"
        for row in ordered.itertuples()
    ]

    def draw(community: str) -> str:
        row = communities[communities["id"] == community].iloc[0]
        below = communities[communities["parent_id"] == community]
        inside = members(
            community, communities, run.community_members, run.entities, run.relationships
        )
        parts = [
            side_by_side(
                table(inside.drop(columns="entity_id"), f"members of {row['title']}", 15),
                table(below, "split into", 15, columns=["short_id", "title", "size"]),
            )._repr_html_()
        ]
        if community in reports.index:
            report = reports.loc[community]
            parts.append(_report(report))
        return "".join(parts)

    pairs = list(zip(labels, ordered["id"], strict=True))
    if not pairs:
        return Explorer({}, lambda: "<p>The run has no communities: its graph has no edges.</p>")
    return Explorer({"community": choice("community", pairs)}, draw)


def _report(report: pd.Series) -> str:
    folded = f"<details><summary>{{}}</summary><div dir='auto' style='{_TEXT}'>{{}}</div></details>"
    told = f"<p><b>{escaped(report['title'])}</b> ({escaped(report['source'])}, rank "
    told += f"{escaped(report['rank'])}, context {escaped(report['context_action'])})</p>"
    parts = [told]
    for name in ("full_content", "context"):
        if isinstance(report[name], str):
            parts.append(folded.format(name.replace("_", " "), _lines(report[name][:20_000])))
    return "".join(parts)


def extraction_explorer(runs: Mapping[str, Run]) -> Explorer:
    """See one chunk through several runs over the same chunks, side by side."""
    first = next(iter(runs.values()))
    chunks = first.read("chunks").sort_values("short_id")
    frames = {
        label: (run.entities.set_index("id"), run.entity_mentions, run.relationships)
        for label, run in runs.items()
    }
    shows = {label: run.relationship_mentions for label, run in runs.items()}

    def draw(chunk: int) -> str:
        row = chunks.iloc[chunk]
        columns = [_seen_in(row["id"], label, *frames[label], shows[label]) for label in runs]
        heads = "".join(part._repr_html_() for part in columns)
        return f'<div dir="auto" style="{_TEXT}">{_lines(str(row["text"]))}</div>{heads}'

    return Explorer({"chunk": slider("chunk", 0, 0, len(chunks) - 1, 1)}, draw)


def _seen_in(
    chunk: str,
    label: str,
    entities: pd.DataFrame,
    mentions: pd.DataFrame,
    relationships: pd.DataFrame,
    shown: pd.DataFrame,
):
    inside = entities.loc[mentions.loc[mentions["chunk_id"] == chunk, "entity_id"]]
    ids = shown.loc[shown["chunk_id"] == chunk, "relationship_id"]
    ties = relationships[relationships["id"].isin(ids)]
    ends = {side: ties[f"{side}_id"].map(entities["name"]) for side in ("source", "target")}
    ties = ties.assign(**ends)[["source", "type", "target", "weight"]]
    return side_by_side(
        table(inside.sort_values("name"), f"{label}: entities", 25, columns=["name", "type"]),
        table(ties.sort_values(["source", "target"]), f"{label}: relationships", 25),
    )


def query_explorer(
    run: Run, question: str, *, method: str = "local", beside: str = _NONE, llm: str | None = None
) -> Explorer:
    """Ask by any method, move the budget, and see the trace; `beside` adds another and their diff.

    Nothing is saved. Without a model an answer is made of sentences of the documents.
    """
    methods = ["auto", *METHOD_NAMES]

    def draw(question: str, method: str, k: int, budget: int, texts: float, beside: str) -> str:
        settings = {"k": k, "top_k_entities": k, "max_context_tokens": budget}
        settings["text_unit_prop"] = texts
        one = _asked(run, question, method, llm, settings)
        if beside == _NONE:
            return one._repr_html_()
        from workbench.query.diff import diff

        other = _asked(run, question, beside, llm, settings)
        return "".join(part._repr_html_() for part in (diff(one, other), one, other))

    return Explorer(
        {
            "question": words("question", question),
            "method": choice("method", methods, value=method),
            "k": slider("k", 10, 1, 50, 1),
            "budget": slider("tokens", 12_000, 500, 32_000, 500),
            "texts": slider("share of texts", 0.5, 0.0, 0.85, 0.05),
            "beside": choice("beside", [_NONE, *methods], value=beside),
        },
        draw,
    )


def _asked(
    run: Run, question: str, method: str, llm: str | None, settings: Mapping[str, object]
) -> Trace:
    """Ask with those settings that the method has."""
    from workbench.query.ask import ask
    from workbench.query.methods import method as named

    if method == "auto":
        return ask(run, question, llm=llm, save=False)
    fields = named(method).params.model_fields
    known = {name: value for name, value in settings.items() if name in fields}
    if "community_prop" in fields and "text_unit_prop" in known:
        known["community_prop"] = min(0.15, round(1 - float(str(known["text_unit_prop"])), 2))
    return ask(run, question, method=method, llm=llm, save=False, **known)
