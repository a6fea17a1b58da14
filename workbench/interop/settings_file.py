"""The folder of an index in, what its settings.yaml says of sizes, types and models out.

Only these are taken: the file holds keys and connection strings, too.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from workbench.params import ChunkParams

_NAMES = ("settings.yaml", "settings.yml")


@dataclass(frozen=True)
class Settings:
    """What was found; None where the file, or the setting in it, is not there.

    `fault` says why a file that is there could not be read.
    """

    size: int | None = None
    overlap: int | None = None
    encoding: str | None = None
    entity_types: tuple[str, ...] | None = None
    llm: str | None = None
    embedding: str | None = None
    fault: str | None = None

    def known(self) -> dict[str, Any]:
        """Give what was found, for the run's parameters."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    def chunk_params(self, version: str, longest: int) -> ChunkParams:
        """Give how the text units were cut; `longest` (tokens) stands in for a size not told."""
        old = version != "v3"
        encoding = self.encoding or ("cl100k_base" if old else "o200k_base")
        size = self.size or min(max(longest, 8), 100_000)
        overlap = 100 if self.overlap is None else self.overlap
        told = {"chunker": "tokens", "encoding": encoding, "size": size, "overlap": overlap}
        try:
            return ChunkParams.model_validate(told)
        except ValidationError:  # what GraphRAG allows and we do not: it stands in the run's params
            return ChunkParams(chunker="tokens", size=max(longest, 8), overlap=0)


def read_settings(folder: Path) -> Settings:
    """Read the settings beside the tables, or in the project that they are the output of."""
    places = [folder, folder.parent]
    if folder.name == "artifacts":
        places.append(folder.parents[2])
    path = next(
        (place / name for place in places for name in _NAMES if (place / name).is_file()), None
    )
    if path is None:
        return Settings()
    import yaml

    try:
        told = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        return Settings(fault=f"{path.name}: {next(iter(str(error).splitlines()), 'unreadable')}")
    chunks = _at(told, "chunking") or _at(told, "chunks")
    graph = _at(told, "extract_graph") or _at(told, "entity_extraction")
    types = _at(graph, "entity_types")
    chat = (
        _at(told, "completion_models", "default_completion_model")
        or _at(told, "models", "default_chat_model")
        or _at(told, "llm")
    )
    embedding = (
        _at(told, "embedding_models", "default_embedding_model")
        or _at(told, "models", "default_embedding_model")
        or _at(told, "embeddings", "llm")
    )
    return Settings(
        size=_number(_at(chunks, "size")),
        overlap=_number(_at(chunks, "overlap")),
        encoding=_word(_at(chunks, "encoding_model") or _at(told, "encoding_model")),
        entity_types=tuple(map(str, types)) if isinstance(types, list) else None,
        llm=_word(_at(chat, "model")),
        embedding=_word(_at(embedding, "model")),
    )


def _at(told: Any, *keys: str) -> Any:
    for key in keys:
        told = told.get(key) if isinstance(told, dict) else None
    return told


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _word(value: Any) -> str | None:
    """Give a plain name; `${MODEL}` is one that stood in the environment."""
    return value if isinstance(value, str) and value and "$" not in value else None
