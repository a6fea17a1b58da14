"""A file of recorded replies in, a language model out that gives each of them to its prompt."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import pandas as pd

from workbench.errors import InputError
from workbench.ids import content_id
from workbench.models.language import How, ReplayMiss, Reply, ReplyFailed, Schema, reply_of

if TYPE_CHECKING:
    from workbench.models.calls import Request


@dataclass(frozen=True)
class Entry:
    """One recorded reply: what it was about, the prompt's hash, and what the model counted."""

    task: str
    content_hash: str
    prompt_hash: str
    reply: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float = 0.0
    finish_reason: str = "stop"
    first_prompt: str = ""  # of a second try: the hash of the prompt that was asked first

    def as_dict(self) -> dict[str, Any]:
        """Give the entry as a JSON-able dict, without what is empty."""
        return {key: value for key, value in asdict(self).items() if value not in ("", None)}

    def key(self, by_hand: bool) -> tuple[str, str]:
        """Give what a file's replies are found by: task and content, or the prompt."""
        return (self.task, self.content_hash) if by_hand else ("", self.prompt_hash)


def prompt_hash(prompt: str) -> str:
    """Give the 16 hex digits by which a prompt is found again."""
    return content_id("prompt", prompt)


def read_replies(file: str | Path) -> tuple[dict[str, Any], list[Entry]]:
    """Read a JSONL file of replies: its header line, and its entries in order.

    A `reply` may be a JSON object instead of text, which is easier to write by hand. Raises
    InputError with the line that cannot be read.
    """
    path = Path(file).expanduser()
    try:
        lines = path.read_text(encoding="utf-8").split("\n")  # U+2028 ends no line of JSONL
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The replies {path} cannot be read ({error}): check the path.") from error
    header: dict[str, Any] = {}
    entries = []
    known = {field.name for field in fields(Entry)}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if not header and "written_by" in row:
                header = row
                continue
            row = {key: value for key, value in row.items() if key in known}
            if not isinstance(row["reply"], str):
                row["reply"] = json.dumps(row["reply"], ensure_ascii=False)
            entries.append(Entry(**{"task": "", "content_hash": "", "prompt_hash": "", **row}))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"Line {number} of {path} is no reply ({type(error).__name__}: {error}): it needs "
                "task, content_hash, prompt_hash and reply."
            ) from error
    if not header:
        raise InputError(
            f"{path} has no header: its first line must tell model, date and written_by."
        )
    return header, entries


class ReplayModel:
    """Recorded replies as a model.

    A recording of a model is matched by prompt, the last of equal ones. A file whose header says
    `"written_by": "hand"` is matched by task and content hash, whatever the prompt; when the
    prompt has changed since, that is warned of once a task. A miss raises ReplayMiss in a
    recording, which is to repeat a run; a file by hand has then failed to reply, and a mode does
    without.
    """

    workers = 1

    def __init__(self, file: str, *, context_window: int = 16_384) -> None:
        self.file = Path(file).expanduser()
        self.header, self.entries = read_replies(self.file)
        self.name, self.context_window = f"replay/{self.file.name}", context_window
        self.by_hand = self.header["written_by"] == "hand"
        # Part of the ledger's key: after an edit of the file no old reply is served.
        self.fingerprint = hashlib.sha256(self.file.read_bytes()).hexdigest()[:16]
        self._found = {entry.key(self.by_hand): entry for entry in self.entries}
        self._used: set[tuple[str, str]] = set()
        if self.by_hand and len(self._found) < len(self.entries):
            twice = sorted(_repeated(entry.key(True) for entry in self.entries))[0]
            raise InputError(f"{self.file} has two replies to task {twice[0]!r} on {twice[1]!r}.")
        self._warned: set[str] = set()

    @property
    def quantisation(self) -> str:
        """How the weights of the recorded model were stored."""
        return str(self.header.get("quantisation", ""))

    def check(self) -> None:
        """Nothing to do: the file has been read."""

    def generate(self, prompt: str, *, schema: Schema | None = None, **how: Unpack[How]) -> Reply:
        """Give the recorded reply; raises ReplyCut where the recorded one was cut."""
        request = how.get("request")
        key = _key(prompt, request, self.by_hand)
        entry = self._found.get(key)
        if entry is None:
            missing = self._missing(prompt, request)
            if self.by_hand:
                raise ReplyFailed(missing, "no recorded reply", again=False)
            raise ReplayMiss(missing)
        self._used.add(key)
        if self.by_hand:
            self._warn_when_changed(entry, prompt)
        return reply_of(
            entry.reply,
            schema,
            prompt_tokens=entry.prompt_tokens,
            completion_tokens=entry.completion_tokens,
            seconds=entry.seconds,
            finish_reason=entry.finish_reason,
        )

    def unused(self) -> pd.DataFrame:
        """Give the entries that no call has found so far, as `stale_replies` does."""
        rows = enumerate(self.entries, start=1)
        return _table([(n, one) for n, one in rows if one.key(self.by_hand) not in self._used])

    def _warn_when_changed(self, entry: Entry, prompt: str) -> None:
        if entry.prompt_hash not in ("", prompt_hash(prompt)) and entry.task not in self._warned:
            self._warned.add(entry.task)
            warnings.warn(
                f"{self.file.name}: the prompt of task {entry.task!r} has changed since its "
                "replies were written by hand; they may answer another question.",
                stacklevel=2,
            )

    def _missing(self, prompt: str, request: Request | None) -> str:
        task = f"task {request.task!r}" if request else "a prompt"
        about = f" on content {request.content_hash}" if request and request.content_hash else ""
        beginning = " ".join(prompt.split())[:60]
        if self.by_hand:
            remedy = "write it there, with this task and content_hash"
        else:
            remedy = (
                f"record it by the same command with `--llm {self.header.get('model', 'MODEL')} "
                f"--record {self.file}`"
            )
        return (
            f"{self.file} has no reply to {task}{about} (prompt {prompt_hash(prompt)}: "
            f"{beginning!r}…): {remedy}."
        )


def stale_replies(file: str | Path, requests: Iterable[Request]) -> pd.DataFrame:
    """Give the entries of a file that none of `requests` would find (a second try: its first).

    Columns: line (of the entries, from 1), task, content_hash, prompt_hash, reply (its beginning).
    """
    header, entries = read_replies(file)
    by_hand = header["written_by"] == "hand"
    asked = {_key(request.prompt, request, by_hand) for request in requests}
    stale = [
        by_hand or not entry.first_prompt or ("", entry.first_prompt) not in asked
        for entry in entries
    ]
    rows = [
        (line, entry)
        for line, (entry, alone) in enumerate(zip(entries, stale, strict=True), start=1)
        if alone and entry.key(by_hand) not in asked
    ]
    return _table(rows)


def _table(rows: list[tuple[int, Entry]]) -> pd.DataFrame:
    shown = ["task", "content_hash", "prompt_hash"]
    return pd.DataFrame(
        [
            {"line": line, **{name: getattr(entry, name) for name in shown}}
            | {"reply": entry.reply[:60]}
            for line, entry in rows
        ],
        columns=["line", *shown, "reply"],
    )


def _key(prompt: str, request: Request | None, by_hand: bool) -> tuple[str, str]:
    if by_hand:
        return (request.task, request.content_hash) if request else ("", "")
    return "", prompt_hash(prompt)


def _repeated(keys: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    seen: set[tuple[str, str]] = set()
    return {key for key in keys if key in seen or seen.add(key)}
