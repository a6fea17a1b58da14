"""A folder or a file in, the tables `documents` and `skipped` out.

Read are Markdown (`.md`, `.markdown`), plain text (`.txt`) and tables (`.jsonl`, `.csv`,
`.parquet`) with a text column, and with the extra `[documents]` pages, PDF and Word files
(`.html`, `.pdf`, `.docx`), as Markdown. Every other file stands in `skipped` with its reason:
binary, unreadable, empty, unsupported, hidden, duplicate, outside (a link that leaves the folder),
link_loop, malformed (a row), no_text (a table without the text column, beside other files).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from workbench import ids, schema
from workbench.corpus import convert, files, tables
from workbench.corpus.clean import embed_text
from workbench.corpus.decode import Decoded, UndecodableError, clean, decode
from workbench.corpus.front_matter import front_matter
from workbench.corpus.markdown import parse
from workbench.errors import InputError
from workbench.frames import table_frame
from workbench.paths import user_path

FORMATS = {".md": "markdown", ".markdown": "markdown", ".txt": "plain"}
HEAD = 20_000  # characters in which the first heading is looked for before all is parsed
SUPPORTED = (*FORMATS, *sorted(tables.SUFFIXES), *sorted(convert.SUFFIXES))


@dataclass(frozen=True)
class Corpus:
    """What was read, and what was not: frames of the tables `documents` and `skipped`."""

    documents: pd.DataFrame
    skipped: pd.DataFrame


@dataclass(frozen=True)
class Columns:
    """Which columns of a table hold a document's id, title and text."""

    id: str = "id"
    title: str = "title"
    text: str = "text"


class _Reader:
    """Collects documents and skipped files, and watches over ids and contents."""

    def __init__(self, columns: Columns, *, alone: bool) -> None:
        self.columns = columns
        self.alone = alone  # one file was asked for, so its faults are the user's to mend
        self.documents: list[dict[str, str]] = []
        self.skipped: list[dict[str, str]] = []
        self.places: dict[str, str] = {}  # id -> where it was met first
        self.contents: dict[str, str] = {}  # hash of a whole file -> its path

    def skip(self, path: str, reason: str, detail: str) -> None:
        self.skipped.append({"path": path, "reason": reason, "detail": clean(detail)})

    def read(self, name: str, path: Path) -> None:
        """Read one file, or say why not."""
        suffix = path.suffix.lower()
        try:
            if suffix in tables.SUFFIXES:
                self._table(name, path)
            elif suffix in FORMATS:
                self._file(name, path, FORMATS[suffix], decode(path.read_bytes()))
            elif suffix in convert.SUFFIXES:
                made = Decoded(convert.convert(path), suffix.removeprefix("."))
                self._file(name, path, "markdown", made)
            else:
                kind = f"{suffix} files are" if suffix else "files without an extension are"
                self.skip(name, "unsupported", f"{kind} not read (read: {', '.join(SUPPORTED)})")
        except UndecodableError as error:
            self.skip(name, error.reason, error.detail)
        except OSError as error:
            self.skip(name, "unreadable", error.strerror or str(error))

    def _file(self, name: str, path: Path, format: str, decoded: Decoded) -> None:
        text = decoded.text
        end, matter = front_matter(text) if format == "markdown" else (0, {})
        body = embed_text(text[end:]) if format == "markdown" else text
        if not body.strip():
            self.skip(name, "empty", "nothing but white space, front matter and comments")
            return
        metadata: dict[str, Any] = {"format": format, "encoding": decoded.encoding}
        if decoded.guessed:
            metadata["encoding_guessed"] = True
        if matter:
            metadata["front_matter"] = matter
        content = ids.content_hash(text.encode())
        if self._known(name, content):
            return
        title = _title(text, matter) if format == "markdown" else ""
        stem = files.shown(Path(path.stem))
        self._add(ids.document_id(name), name, title or stem, text, content, metadata)

    def _known(self, name: str, content: str) -> bool:
        """Say whether a file with this content was read before, and note it as skipped then."""
        first = self.contents.setdefault(content, name)
        if first != name:
            self.skip(name, "duplicate", f"the same content as {first}")
        return first != name

    def _table(self, name: str, path: Path) -> None:
        if self._known(name, ids.content_hash(path.read_bytes())):
            return
        checked = False
        for number, row in tables.rows(path):
            place = f"{name}:{number}"
            if isinstance(row, str):
                self.skip(place, "malformed", row)
                continue
            problem = "" if checked else self._missing_column(name, row)
            if problem and self.alone:
                raise InputError(problem)
            if problem:
                self.skip(name, "no_text", problem)
                return
            checked = True
            self._row(name, place, f"{files.shown(Path(path.stem))}:{number}", row)
        if not checked:
            self.skip(name, "empty", "no row")

    def _missing_column(self, name: str, row: dict[str, Any]) -> str:
        """Say that a table lacks its text column, or another one that was asked for."""
        asked = {"text": self.columns.text}
        asked |= {key: value for key, value in vars(self.columns).items() if value != key}
        for role, column in asked.items():
            if column not in row:
                present = ", ".join(map(str, row)) or "none"
                return (
                    f"{name} has no {role} column {column!r} (columns present: {present}): "
                    f"name it with {role}_column."
                )
        return ""

    def _row(self, name: str, place: str, fallback: str, row: dict[str, Any]) -> None:
        own = (self.columns.id, self.columns.title, self.columns.text)
        identity, title, text = (_as_text(row.get(column)) for column in own)
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if not text.strip():
            self.skip(place, "empty", f"nothing in column {self.columns.text!r}")
            return
        further = {key: value for key, value in row.items() if key not in own}
        metadata = {"format": "plain"} | ({"columns": further} if further else {})
        identity = identity or fallback
        content = ids.content_hash(text.encode())
        self._add(identity, name, title or identity, text, content, metadata, place)

    def _add(
        self,
        identity: str,
        path: str,
        title: str,
        text: str,
        content: str,
        metadata: dict[str, Any],
        place: str = "",
    ) -> None:
        place = place or path
        if identity in self.places:
            raise InputError(
                f"The id {identity!r} stands twice, in {self.places[identity]} and in {place}: "
                "give each document an id of its own, or choose another id_column."
            )
        self.places[identity] = place
        values = (identity, path, title, text, content, tables.to_json(metadata))
        self.documents.append(dict(zip(schema.DOCUMENTS.names, values, strict=True)))


def _as_text(value: Any) -> str:
    if value is None or (isinstance(value, float) and value != value):
        return ""
    return clean(str(value))


def _title(text: str, matter: dict[str, Any]) -> str:
    """Give the front matter's title, else the first heading, else nothing."""
    title = matter.get("title")
    if isinstance(title, str | int | float) and str(title).strip():
        return clean(" ".join(str(title).split()))
    for part in (text[:HEAD], text) if len(text) > HEAD else (text,):
        for block in parse(part).blocks:
            if block.kind == "heading" and block.info:
                return block.info
    return ""


def _sources(root: Path, reader: _Reader) -> Iterator[tuple[str, Path]]:
    if root.is_dir():
        yield from files.walk(root, reader.skip)
    else:
        yield files.shown(Path(root.name)), root


def read_corpus(
    path: str | Path,
    *,
    id_column: str = "id",
    title_column: str = "title",
    text_column: str = "text",
) -> Corpus:
    """Read a folder or one file, in the order of the relative paths.

    A document's id is the hash of its relative path; a table row's is its own id as text, or
    `stem:row` when it has none. Of files with the same content the first is kept; rows of a table
    are kept as they are.

    Raises InputError when the path is missing, when nothing could be read, when a single table
    lacks a column, and when an id stands twice.
    """
    root = user_path(path, "The corpus")
    if not root.exists():
        raise InputError(f"The corpus {str(path)!r} does not exist: give a folder or a file.")
    if not (root.is_dir() or root.is_file()):  # reading a pipe waits for ever
        raise InputError(
            f"The corpus {str(path)!r} is a device or a pipe: give a folder or a file."
        )
    columns = Columns(id_column, title_column, text_column)
    reader = _Reader(columns, alone=not root.is_dir())
    for name, file in _sources(root.resolve(), reader):
        reader.read(name, file)
    skipped = table_frame(
        schema.SKIPPED, sorted(reader.skipped, key=lambda row: (row["path"], row["reason"]))
    )
    if not reader.documents:
        raise InputError(
            f"Nothing in {str(path)!r} could be read ({_reasons(skipped)}): "
            f"give a folder or a file of {', '.join(SUPPORTED)}."
        )
    return Corpus(table_frame(schema.DOCUMENTS, reader.documents), skipped)


def _reasons(skipped: pd.DataFrame) -> str:
    """Say why all was skipped: the one fault in full, several counted by reason."""
    if len(skipped) == 1:
        return f"{skipped['reason'].iloc[0]}: {skipped['detail'].iloc[0]}"
    counts = sorted(skipped["reason"].value_counts().items())
    return ", ".join(f"{n} {reason}" for reason, n in counts) or "no file"
