"""A model in, the same model out, whose replies are also appended to a JSONL file for replay."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from workbench.errors import InputError
from workbench.models.language import How, LanguageModel, Reply, ReplyCut, Schema
from workbench.models.replay import Entry, prompt_hash, read_replies

if TYPE_CHECKING:
    from workbench.models.calls import Request


class RecordingModel:
    """Wraps any model and appends what it answers to `file`, one JSON object a line.

    The first line says from which model, quantisation and date the replies are. A file of another
    model, or one written by hand, is refused. Replies that were cut are kept too, since a replay
    must meet the same ends as the run did.
    """

    def __init__(self, model: LanguageModel, file: str | Path) -> None:
        self.model, self.file = model, Path(file).expanduser()
        self.name, self.workers = model.name, model.workers
        self._lock = threading.Lock()
        self._recorded: dict[str, str] = {}
        if self.file.exists():
            header, entries = read_replies(self.file)
            if header.get("model") != model.name or header.get("written_by") != "model":
                raise InputError(
                    f"{self.file} holds replies of {header.get('model')!r}, not of {model.name!r}: "
                    "give another --record FILE."
                )
            self._recorded = {entry.prompt_hash: entry.reply for entry in entries}
        elif not self.file.parent.is_dir():
            raise InputError(f"There is no folder {self.file.parent}: make it, then record again.")

    @property
    def context_window(self) -> int:
        """The wrapped model's."""
        return self.model.context_window

    def check(self) -> None:
        """Check the wrapped model."""
        self.model.check()

    def generate(self, prompt: str, *, schema: Schema | None = None, **how: Unpack[How]) -> Reply:
        """Ask the wrapped model once, and record what it answers."""
        request = how.get("request")
        try:
            reply = self.model.generate(prompt, schema=schema, **how)
        except ReplyCut as cut:
            self.note(request, prompt, cut.reply)
            raise
        self.note(request, prompt, reply)
        return reply

    def note(self, request: Request | None, prompt: str, reply: Reply) -> None:
        """Append a reply, unless the file has this one; also those that a ledger has served."""
        entry = Entry(
            task=request.task if request else "",
            content_hash=request.content_hash if request else "",
            prompt_hash=prompt_hash(prompt),
            reply=reply.text,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            seconds=round(reply.seconds, 3),
            finish_reason=reply.finish_reason,
            first_prompt=prompt_hash(request.prompt)
            if request and request.prompt != prompt
            else "",
        )
        with self._lock:
            if self._recorded.get(entry.prompt_hash) == entry.reply:
                return
            self._recorded[entry.prompt_hash] = entry.reply
            header = "" if self.file.exists() else _line(self._header())
            with self.file.open(
                "a", encoding="utf-8", newline="\n", errors="backslashreplace"
            ) as stream:
                stream.write(header + _line(entry.as_dict()))

    def _header(self) -> dict[str, str]:
        return {
            "format": "workbench replies 1",
            "model": self.model.name,
            "quantisation": str(getattr(self.model, "quantisation", "")),
            "date": datetime.now(UTC).date().isoformat(),
            "written_by": "model",
        }


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def recorded(model: LanguageModel | None, file: str | Path | None) -> LanguageModel | None:
    """Give the model, recording into `file` when one is given; what `--record FILE` does."""
    if file is None:
        return model
    if model is None or model.name.startswith("replay/"):
        raise InputError("There is nothing to record: choose a model with --llm, no replay.")
    return RecordingModel(model, file)
