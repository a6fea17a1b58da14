"""SmolLM2 in this process: schema-constrained, bounded in time, and refusing what does not fit."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest

from workbench.errors import InputError
from workbench.models import llamacpp
from workbench.models.language import ModelUnavailable, ReplyCut, ReplyFailed, load_model
from workbench.models.llamacpp import LlamaCppModel

# One key and a short text: the grammar ends the reply after a few tokens.
SCHEMA = {
    "type": "object",
    "properties": {"type": {"type": "string", "enum": ["person", "technology"]}},
    "required": ["type"],
    "additionalProperties": False,
}


@pytest.mark.slow
def test_grammar_makes_json_of_the_shape_and_the_same_each_time(smollm2: LlamaCppModel) -> None:
    replies = [
        smollm2.generate("Is Docker a person or a technology?", schema=SCHEMA, max_tokens=32)
        for _ in range(2)
    ]
    assert replies[0].parsed["type"] in ("person", "technology")
    assert json.loads(replies[0].text) == replies[0].parsed
    assert replies[0].finish_reason == "stop"
    assert 0 < replies[0].completion_tokens <= 32
    assert replies[0].prompt_tokens > 10
    assert replies[0].text == replies[1].text


@pytest.mark.slow
def test_length_deadline_stop_and_context(smollm2: LlamaCppModel) -> None:
    assert (smollm2.name, smollm2.context_window) == ("llamacpp/smollm2", 2048)
    assert smollm2.quantisation == "Q4_1"
    with pytest.raises(ReplyCut) as cut:
        smollm2.generate("Tell a story.", max_tokens=4)
    assert cut.value.reply.completion_tokens == 4
    begin = time.monotonic()
    with pytest.raises(ReplyFailed, match="not whole after") as late:
        smollm2.generate("Tell a story.", max_tokens=900, deadline=0.3)
    assert late.value.reason == "deadline"
    assert time.monotonic() - begin < 3
    with pytest.raises(ReplyFailed) as stopped:
        smollm2.generate("Tell a story.", max_tokens=900, stop=lambda: True)
    assert stopped.value.reason == "stopped"
    with pytest.raises(ReplyFailed, match="exceeds the available context") as long:
        smollm2.generate("word " * 3000, max_tokens=4)
    assert (long.value.reason, long.value.again) == ("context", False)


def test_name_and_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"no GGUF file .*packaged model \(smollm2\)"):
        load_model("llamacpp/nowhere.gguf")
    file = tmp_path / "Model-Q8.gguf"
    file.write_bytes(b"GGUF")
    # the ledger's key holds no folder
    assert load_model(f"llamacpp/{file}").name == "llamacpp/Model-Q8.gguf"
    monkeypatch.setattr(llamacpp, "packaged_file", lambda name: None)
    with pytest.raises(ModelUnavailable, match="workbench pull smollm2"):
        load_model("llamacpp/smollm2")


def test_without_the_extra_the_remedy_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "m.gguf"
    file.write_bytes(b"GGUF")
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(ModelUnavailable, match=r"graphrag-workbench\[llamacpp\]"):
        load_model(f"llamacpp/{file}").check()


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed (extra `llamacpp`)")
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"no model at all")
    with pytest.raises(ModelUnavailable, match=r"cannot load .*broken\.gguf"):
        load_model(f"llamacpp/{file}").check()
