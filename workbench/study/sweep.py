"""A sweep file in, the runs it asks for out: corpora x modes x parameters x questions x notebooks.

    corpora: {handbook: data/handbook, novella: data/novella}   # a name each, and where it lies
    modes: [heuristic, hybrid]
    llm: replay/data/replies/reference.jsonl      # of all modes, or {hybrid: …, llm: …}
    parameters: {default: {}, small: {size: 256}} # a name each, and what the notebook declares
    questions: []                                 # texts for the parameter `question`, if any
    gold: {handbook: handbook}                    # labels by corpus, if any
    evidence: {handbook: data/questions/handbook.jsonl}  # … and questions with gold documents,
    methods: [basic]                              # … that are asked by these
    notebooks: [10_your_corpus]                   # shipped ones, or paths

Only `corpora` has to be there.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, field_validator

import workbench
from workbench.corpus.read import read_corpus
from workbench.errors import InputError
from workbench.extraction.modes import ASKING, MODES
from workbench.params import Params, validated
from workbench.paths import resolve_corpus, root, user_path
from workbench.study.notebook_parameters import checked_parameters, declared, nearest
from workbench.study.notebooks import notebook_paths

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]{0,40}")
_OWN = ("store_path", "corpus_dir", "mode", "llm", "question")  # set by the sweep itself


class Sweep(Params):
    """What a sweep file says; names become parts of folder names."""

    corpora: dict[str, str] = Field(min_length=1)
    modes: tuple[str, ...] = Field(("heuristic",), min_length=1)
    llm: str | dict[str, str] = "none"
    parameters: dict[str, dict[str, Any]] = Field({"default": {}}, min_length=1)
    questions: tuple[str, ...] = ()
    gold: dict[str, str] = {}
    evidence: dict[str, str] = {}
    methods: tuple[str, ...] = ("basic",)
    notebooks: tuple[str, ...] = Field(("10_your_corpus",), min_length=1)

    @field_validator("corpora", "parameters")
    @classmethod
    def _plain_names(cls, value: dict[str, Any]) -> dict[str, Any]:
        for name in value:
            if not _NAME.fullmatch(name):
                raise ValueError(f"the name {name!r} must be of letters, digits and _")
        return value


@dataclass(frozen=True)
class Job:
    """One run: where it goes, the notebook, its parameters, and what it is measured with.

    Paths are absolute, since a worker may stand elsewhere. `fingerprint` changes with everything
    that the result hangs on.
    """

    name: str
    folder: str
    corpus: str
    mode: str
    variant: str
    question: str
    notebook: str
    parameters: dict[str, Any]
    gold: str | None = None
    evidence: str | None = None
    methods: tuple[str, ...] = ()
    fingerprint: str = ""

    def to_json(self) -> str:
        """Give the job as JSON."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)


def read_sweep(path: str | Path) -> Sweep:
    """Read a sweep file; InputError names what is wrong with it, with the nearest known name."""
    file = user_path(path, "The sweep")
    try:
        said = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"The sweep {str(file)!r} cannot be read ({reason}): check it.") from error
    if not isinstance(said, dict):
        raise InputError(f"The sweep {str(file)!r} holds no settings: give at least `corpora`.")
    for name in said:
        if name not in Sweep.model_fields:
            raise InputError(f"The sweep has no setting {name!r}{nearest(str(name), _SETTINGS)}")
    sweep = validated(Sweep, **said)
    for mode in sweep.modes:
        if mode not in MODES:
            raise InputError(f"There is no mode {mode!r}{nearest(mode, MODES)}")
    for kind in ("gold", "evidence"):
        for corpus in getattr(sweep, kind):
            if corpus not in sweep.corpora:
                raise InputError(
                    f"`{kind}` names the corpus {corpus!r}{nearest(corpus, sweep.corpora)}"
                )
    return sweep


_SETTINGS = tuple(Sweep.model_fields)


def jobs_of(sweep: Sweep, out: Path) -> list[Job]:
    """Give the jobs of a sweep in order; unknown or ill-typed parameters raise InputError."""
    notebooks = [_notebook(name) for name in sweep.notebooks]
    variants = {
        name: checked_parameters(notebooks, _free(values))
        for name, values in sweep.parameters.items()
    }
    contents = {name: _content(path) for name, path in sweep.corpora.items()}
    found = []
    questions = list(enumerate(sweep.questions)) or [(-1, "")]
    axes = product(sweep.corpora, sweep.modes, sweep.parameters, questions, notebooks)
    for corpus, mode, variant, (number, question), notebook in axes:
        own = {
            "store_path": "",
            "corpus_dir": str(resolve_corpus(sweep.corpora[corpus]).resolve()),
            "mode": mode,
            "llm": _model(sweep, mode),
            "question": question or None,
        }
        known = declared(notebook)
        own = {name: value for name, value in own.items() if name in known and value is not None}
        parts = [corpus, mode, variant, *([f"q{number + 1}"] if question else [])]
        parts += [notebook.stem] if len(notebooks) > 1 else []
        name = "-".join(parts)
        job = Job(
            name,
            str(out / name),
            corpus,
            mode,
            variant,
            question,
            str(notebook),
            {**own, **variants[variant][notebook]},
            sweep.gold.get(corpus),
            _absolute(sweep.evidence.get(corpus)),
            sweep.methods,
        )
        found.append(replace(job, fingerprint=_fingerprint(job, contents[corpus])))
    return found


def _notebook(name: str) -> Path:
    path = user_path(name, "The notebook")
    return (
        path.resolve() if path.suffix == ".ipynb" and path.is_file() else notebook_paths([name])[0]
    )


def _free(values: dict[str, Any]) -> dict[str, Any]:
    """Give a parameter set, unless it sets what the sweep sets itself."""
    for name in values:
        if name in _OWN:
            raise InputError(f"{name!r} is set by the sweep itself: take it out of `parameters`.")
    return values


def _model(sweep: Sweep, mode: str) -> str:
    """Give the model of a mode; a replay's file as an absolute path."""
    choice = sweep.llm if isinstance(sweep.llm, str) else sweep.llm.get(mode, "none")
    if mode not in ASKING and isinstance(sweep.llm, str):
        return "none"
    kind, _, name = choice.partition("/")
    return f"replay/{resolve_corpus(name).resolve()}" if kind == "replay" and name else choice


def _absolute(path: str | None) -> str | None:
    return None if path is None else str(resolve_corpus(path).resolve())


def _content(path: str) -> str:
    """Give the hash of what a corpus holds, by its documents."""
    documents = read_corpus(resolve_corpus(path)).documents
    rows = zip(documents["path"], documents["content_hash"], strict=True)
    return hashlib.sha256(json.dumps(list(rows)).encode()).hexdigest()


def _fingerprint(job: Job, content: str) -> str:
    files = [job.notebook, job.evidence, job.parameters.get("llm", "").removeprefix("replay/")]
    hashes = [
        hashlib.sha256(Path(name).read_bytes()).hexdigest()
        for name in files
        if name and Path(name).is_file()
    ]
    # Where the checkout lies is no part of it: a sweep moves with its folder.
    said = replace(job, folder="").to_json().replace(str(root()), "")
    whole = json.dumps([workbench.__version__, said, content, hashes])
    return hashlib.sha256(whole.encode()).hexdigest()[:16]
