"""Paths as people mistype them: one sentence, whatever the operating system says of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.corpus.read import read_corpus
from workbench.errors import InputError
from workbench.paths import made_folder, resolve_corpus, user_path
from workbench.store import Store


@pytest.mark.parametrize("path", ["", "  ", "x" * 5_000, "~nobody-has-this-name/x"])
@pytest.mark.parametrize("use", [Store, read_corpus, resolve_corpus])
def test_a_path_that_no_file_can_have_is_refused(use, path):
    with pytest.raises(InputError, match=r"^The (corpus|store) (is )?'.{0,70}'.* path"):
        use(path)


def test_a_usable_path_is_given_back_with_its_home():
    assert user_path("~/x", "The store") == Path.home() / "x"
    assert user_path(Path("x"), "The store") == Path("x")


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").write_text("mine")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(InputError, match=r"The folder '.*' cannot be .*give another"):
            made_folder(path, "The folder")
    assert (tmp_path / "file").read_text() == "mine"
    assert made_folder(tmp_path / "a" / "b", "The folder").is_dir()
