"""What a careful reader wrote of the shipped corpora in, the file of replies `reference.jsonl` out.

`python -m workbench.study.reference` writes it anew, in about a minute: after every change of what
the runs ask for. The sources (`data/replies/sources`) are keyed by document, by the words a chunk
begins with and by names, so they outlive ids, candidates and communities; the replies do not.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import typer

from workbench.corpus.read import read_corpus
from workbench.extraction.grounding import folded
from workbench.ids import content_hash, content_id
from workbench.index import index
from workbench.models.language import How, Reply, ReplyFailed, Schema, reply_of
from workbench.models.replay import Entry, prompt_hash
from workbench.params import LanguageParams
from workbench.paths import root
from workbench.reporting import report
from workbench.store import Store
from workbench.study.reference_reports import ReportsByHand
from workbench.study.side_by_side import part_of

if TYPE_CHECKING:
    from workbench.models.requests import Request
    from workbench.run import Run

Said = tuple[Any, str, dict[str, str]]  # a reply or None, what it is about, what else to note
CHAPTERS = 8  # of the novella; the others have no replies
_REJECTED = "A fragment or a common expression, not a name."
_GLEANINGS = 3
HEADER = {
    "written_by": "hand",
    "date": "2026-12-01",
    "model": "a careful reader",
    "note": "Not recorded from a model: what a careful reader would have answered, written by hand "
    "for this project (data/replies/sources). Reports with how=hand have title, summary and rank "
    "written as such; those with how=assembled, on small groups, are put together by a program "
    "from sentences written by hand. MIT licence.",
}


class Reader:
    """The careful reader as a language model: answers out of the sources, and keeps its entries."""

    name, context_window, workers = "a careful reader", 16_384, 1

    def __init__(self, data: Path) -> None:
        self.data = data
        sources = data / "replies" / "sources"
        self.documents = {
            self._hash_of(source["document"]): source for source in _rows(sources, "documents")
        }
        self.chunks: list[dict[str, Any]] = _rows(sources, "chunks")
        said = _rows(sources, "descriptions")
        self.descriptions = {source["name"]: source["description"] for source in said}
        self.reports = _rows(sources, "reports")
        self.entries: dict[tuple[str, str], dict[str, Any]] = {}
        self.missing: list[str] = []
        self._chunks: dict[str, dict[str, Any]] = {}
        self._reports: ReportsByHand | None = None

    def _hash_of(self, document: str) -> str:
        corpus, _, path = document.partition("/")
        documents = read_corpus(self.data / corpus).documents.set_index("path")
        return str(documents.loc[path, "content_hash"])

    def check(self) -> None:
        """Nothing to do: the sources have been read."""

    def read_chunks(self, run: Run) -> None:
        """Find the chunk that each source is about; gleanings have hashes of their own."""
        frame = run.read("chunks")
        flat = {" ".join(text.split()): text for text in frame["text"]}
        for source in self.chunks:
            for words, text in flat.items():
                if words.startswith(source["begins"]):
                    hashed = content_hash(text.encode())
                    self._chunks[hashed] = source
                    for number in range(_GLEANINGS):
                        self._chunks[content_id("gleaning", hashed, number)] = source

    def read_graph(self, run: Run, corpus: str) -> None:
        """Write a report on each community of a run."""
        mine = [source for source in self.reports if source["corpus"] == corpus]
        self._reports = ReportsByHand(run, mine)

    def generate(self, prompt: str, *, schema: Schema | None = None, **how: Unpack[How]) -> Reply:
        """Answer a request out of the sources; what they lack is noted in `missing`."""
        request = how.get("request")
        if request is None:
            raise ValueError("the careful reader answers requests only")
        said, about, how = getattr(self, f"_{request.task}")(prompt, request)
        if said is None:
            self.missing.append(f"{request.task} of {about}")
            raise ReplyFailed(f"The sources lack {self.missing[-1]}.", "no source", again=False)
        text = json.dumps(said, ensure_ascii=False)
        entry = Entry(request.task, request.content_hash, prompt_hash(prompt), text)
        row = {**entry.as_dict(), "about": about, **how, "reply": said}
        self.entries[request.task, request.content_hash] = row
        return reply_of(
            text,
            schema,
            prompt_tokens=None,
            completion_tokens=None,
            seconds=0.0,
            finish_reason="stop",
        )

    def _hybrid(self, prompt: str, request: Request) -> Said:
        source = self.documents.get(request.content_hash)
        if source is None:
            return None, request.content_hash, {}
        kept = [{**one, "verdict": one.get("verdict", "keep")} for one in source["entities"]]
        known = {folded(one["name"]) for one in kept}
        for name in _listed(prompt, "Candidates:"):
            if folded(name) not in known:
                why = source["rejected"].get(name, _REJECTED)
                kept.append(
                    {"name": name, "type": "concept", "verdict": "reject", "description": why}
                )
        said = {"entities": kept, "relationships": source["relationships"]}
        return said, source["document"], {}

    def _entities(self, prompt: str, request: Request) -> Said:
        return self._of_chunk(request, "entities")

    def _relationships(self, prompt: str, request: Request) -> Said:
        return self._of_chunk(request, "relationships")

    def _gleaning(self, prompt: str, request: Request) -> Said:
        said, about, how = self._of_chunk(request, "gleaned")
        listed = {folded(name) for name in _listed(prompt, "Listed already:")}
        new = [one for one in (said or {}).get("gleaned", []) if folded(one["name"]) not in listed]
        return said and {"entities": new}, about, how

    def _of_chunk(self, request: Request, part: str) -> Said:
        source = self._chunks.get(request.content_hash)
        if source is None:
            return None, request.content_hash, {}
        return {part: source.get(part, [])}, f"{source['document']}: {source['begins']}", {}

    def _description(self, prompt: str, request: Request) -> Said:
        name = prompt.split("\n", 1)[0].partition(": ")[2]
        said = self.descriptions.get(name)
        return said and {"description": said}, name, {}

    def _report(self, prompt: str, request: Request) -> Said:
        if self._reports is None:
            raise ValueError("the careful reader has to read the graph first")
        said, how = self._reports.write(request.content_hash)
        return said, self._reports.title(request.content_hash), {"how": how}


def _rows(folder: Path, name: str) -> list[dict[str, Any]]:
    lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line.strip()]


def _listed(prompt: str, heading: str) -> Iterator[str]:
    """Give the names that a prompt lists under a heading."""
    found = re.search(rf"^{heading}\n((?:- .*\n)*)", prompt, re.M)
    for line in (found[1] if found else "").splitlines():
        yield line[2:]


def build(data: Path, folder: Path) -> Reader:
    """Make the runs of notebooks 03 and 06 with the reader as their model; stores in `folder`."""
    reader = Reader(data)
    handbook = index(data / "handbook", Store(folder / "h.duckdb"), mode="hybrid", llm=reader)
    reader.read_graph(handbook, "handbook")
    report(handbook, llm=reader)
    story = part_of(data / "novella", CHAPTERS, folder / "n.duckdb")
    store = Store(folder / "n.duckdb")
    reader.read_chunks(index(story, store))
    run = index(None, store, mode="llm", llm=reader)
    reader.read_graph(run, "novella")
    report(run, llm=reader)
    more = LanguageParams(gleanings=1)
    index(None, store, mode="llm", run="gleaned", llm=reader, language=more)
    index(None, store, mode="hybrid", llm=reader)
    return reader


def text_of(reader: Reader) -> str:
    """Give the file: its header, and its entries by task, in the order in which they were asked."""
    tasks = ("hybrid", "entities", "gleaning", "relationships", "description", "report")
    rows = sorted(reader.entries.values(), key=lambda row: tasks.index(row["task"]))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in [HEADER, *rows])


def main(check: bool = False) -> None:
    """Write data/replies/reference.jsonl anew; with --check only say whether it would change."""
    data = root() / "data"
    with tempfile.TemporaryDirectory() as folder:
        reader = build(data, Path(folder))
    file, text = data / "replies" / "reference.jsonl", text_of(reader)
    typer.echo(f"{len(reader.entries)} replies; {len(reader.missing)} missing")
    for one in reader.missing:
        typer.echo(f"  no source: {one}")
    if not check:
        file.write_text(text, encoding="utf-8", newline="\n")
    elif file.read_text(encoding="utf-8") != text:
        raise SystemExit(f"{file} is not what its sources give: run this without --check.")


if __name__ == "__main__":
    typer.run(main)
