"""Files of questions in, what is asked and where its answer stands out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from workbench.corpus.decode import clean
from workbench.errors import InputError
from workbench.paths import shipped

if TYPE_CHECKING:
    from workbench.store import Store


@dataclass(frozen=True)
class Asked:
    """A question with the documents that answer it, as ids of the store.

    `kind` and `method` (the one that suits it) are empty where the file does not say; `evidence`
    holds pairs of document id and quotation; `odd`: the half of the file it belongs to.
    """

    id: str
    text: str
    gold: tuple[str, ...]
    odd: bool = True
    kind: str = ""
    method: str = ""
    evidence: tuple[tuple[str, str], ...] = ()


def questions(name: str | Path) -> pd.DataFrame:
    """Give a shipped set (`handbook`, `novella`) or a JSONL file, one row a question.

    Columns: those of the file: id, question, kind, method, answer, gold, evidence.
    """
    return pd.DataFrame([row for _, row in _rows(question_file(name))])


def evidence_spans(store: Store, name: str | Path) -> pd.DataFrame:
    """Find each quotation of a set of questions in a store: one row a quotation.

    Columns: id (of the question), document_id, document, quote, start_char, end_char (of its first
    place in the document's text; null when it is not there), chunk_ids (the chunks it touches).
    """
    with store.session():
        documents = store.sql("SELECT id, path, text FROM documents")
        chunks = store.sql("SELECT id, document_id, start_char, end_char FROM chunks ORDER BY id")
        asked = read_questions(question_file(name), documents)
    by_id = documents.set_index("id")
    of_document = dict(tuple(chunks.groupby("document_id")))
    rows = []
    for item in asked:
        for document, quote in item.evidence:
            start = by_id.loc[document, "text"].find(quote)
            end = start + len(quote)
            near = of_document.get(document, chunks[:0])
            touched = near["id"][(near["start_char"] < end) & (near["end_char"] > start)]
            found = (start, end, touched.tolist()) if start >= 0 else (None, None, [])
            rows.append((item.id, document, by_id.loc[document, "path"], quote, *found))
    columns = ["id", "document_id", "document", "quote", "start_char", "end_char", "chunk_ids"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.astype({"start_char": "Int64", "end_char": "Int64"})


def question_file(name: str | Path) -> Path:
    """Give the file of a shipped set, or the path as it stands; InputError lists the sets."""
    path = Path(name)
    if path.suffix or path.exists():
        return path
    sets = {file.stem: file for file in sorted(shipped("data/questions").glob("*.jsonl"))}
    if str(name) not in sets:
        raise InputError(
            f"There are no questions {str(name)[:200]!r}: give a JSONL file, or one of "
            f"{', '.join(sets)}."
        )
    return sets[str(name)]


def read_questions(path: str | Path, documents: pd.DataFrame) -> list[Asked]:
    """Read questions, with gold and evidence as ids of `documents` (columns id, path).

    Lines without `gold`, with an empty one or without `question` are malformed; blank ones are
    passed over. A number as id says which half a question belongs to; else its place does.
    """
    single = documents[~documents["path"].duplicated(keep=False)]  # rows of a table share its path
    known = dict(zip(single["path"].astype(str), single["id"].astype(str), strict=True))
    known |= {str(id_): str(id_) for id_ in documents["id"]}
    asked, unknown = [], []
    for number, row in _rows(question_file(path)):
        quoted = [(str(item["document"]), clean(item["quote"])) for item in row.get("evidence", [])]
        gold = dict.fromkeys(str(entry) for entry in row["gold"])
        unknown += [entry for entry in [*gold, *dict(quoted)] if entry not in known]
        ids = tuple(dict.fromkeys(known[entry] for entry in gold if entry in known))
        id_ = row.get("id", number)
        asked.append(
            Asked(
                clean(str(id_)),
                clean(row["question"]),
                ids,
                (id_ if isinstance(id_, int) else len(asked) + 1) % 2 == 1,
                str(row.get("kind", "")),
                str(row.get("method", "")),
                tuple((known[name], quote) for name, quote in quoted if name in known),
            )
        )
    if unknown:
        shown = ", ".join(repr(entry) for entry in list(dict.fromkeys(unknown))[:10])
        raise InputError(
            f"The store holds no document {shown}, which {path} names as gold: index the corpus "
            "that the questions are about."
        )
    if not asked:
        raise InputError(f"Questions {str(path)!r} has none: give a line of JSON a question.")
    return asked


def jsonl_lines(path: str | Path, what: str) -> list[tuple[int, str]]:
    """Give the lines of a JSONL file that are not blank, with their numbers from 1."""
    try:
        lines = Path(path).read_text("utf-8-sig").split("\n")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no UTF-8 text"
        raise InputError(
            f"{what} {str(path)[:200]!r} cannot be read ({reason}): give a JSONL file."
        ) from error
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def _rows(path: str | Path) -> list[tuple[int, dict[str, Any]]]:
    lines = jsonl_lines(path, "Questions")
    return [(number, _row(line, f"{path}, line {number}")) for number, line in lines]


def json_of(line: str, where: str, form: str) -> Any:
    """Parse a line of JSON; InputError says where it cannot be."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:  # also numbers of 5,000 digits, 100,000 brackets
        reason = getattr(error, "msg", None) or str(error).split(";")[0]
        raise InputError(f"{where} is no JSON ({reason}): write {form}.") from error


def _row(line: str, where: str) -> dict[str, Any]:
    """Parse one line and look whether it can be used."""
    form = '{"id": …, "question": "…", "gold": ["document id", …]}'
    row = json_of(line, where, form)
    sound = (
        isinstance(row, dict)
        and isinstance(row.get("question"), str)
        and row["question"].strip()
        and isinstance(row.get("gold"), list)
        and row["gold"]
    )
    if not sound:
        raise InputError(f"{where} lacks a question or its gold documents: write {form}.")
    quotes = row.get("evidence", [])
    if not isinstance(quotes, list) or not all(_is_quote(item) for item in quotes):
        raise InputError(
            f'{where} has evidence that is none: write [{{"document": "…", "quote": "…"}}].'
        )
    return row


def _is_quote(item: object) -> bool:
    return (
        isinstance(item, dict)
        and "document" in item
        and isinstance(item.get("quote"), str)
        and bool(item["quote"])
    )
