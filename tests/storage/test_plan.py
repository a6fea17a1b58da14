from __future__ import annotations

import pandas as pd

from workbench.storage.plan import BATCH_CHUNKS, batches, numbered, plan


def documents(**texts: str) -> pd.DataFrame:
    rows = [
        {"id": key, "path": f"{key}.md", "title": key, "content_hash": text, "metadata": "{}"}
        for key, text in texts.items()
    ]
    return pd.DataFrame(rows, columns=["id", "path", "title", "content_hash", "metadata"])


def chunks(*rows: tuple[str, str, int], **more: list[int]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["id", "document_id", "chunk_index"])
    return frame.assign(**more)


def test_tells_new_changed_vanished_and_unchanged_documents_apart():
    found = plan(documents(d="new", b="changed", a="same"), documents(a="same", b="old", c="gone"))
    assert list(found.pending["id"]) == ["b", "d"]
    assert found.vanished == ["c"]
    assert found.unchanged == 1


def test_a_new_title_makes_a_document_pending():
    other = documents(a="same").assign(title="Other")
    assert list(plan(other, documents(a="same")).pending["id"]) == ["a"]


def test_nothing_stored_and_nothing_read():
    assert list(plan(documents(a="x"), documents()).pending["id"]) == ["a"]
    assert plan(documents(), documents(a="x")).vanished == ["a"]


def test_numbers_follow_the_path_and_what_leaves_comes_last():
    read = documents(a="new", b="same", c="changed")
    stored = chunks(("b0", "b", 0), ("b1", "b", 1), ("c0", "c", 0), short_id=[0, 1, 2])
    fresh = chunks(("a0", "a", 0), ("c0x", "c", 0), ("c1x", "c", 1))
    fresh, moved = numbered(read, stored, fresh, {"a", "c"})
    assert dict(zip(fresh["id"], fresh["short_id"], strict=True)) == {"a0": 0, "c0x": 3, "c1x": 4}
    assert dict(moved.itertuples(index=False, name=None)) == {"b0": 1, "b1": 2, "c0": 5}


def test_a_chunk_that_comes_back_with_its_id_gets_two_numbers_meanwhile():
    stored = chunks(("a0", "a", 0), short_id=[0])
    fresh, moved = numbered(documents(a="x"), stored, chunks(("a0", "a", 0)), {"a"})
    assert list(fresh["short_id"]) == [0]
    assert list(moved["short_id"]) == [1]


def test_chunks_of_vanished_documents_get_no_number():
    stored = chunks(("z0", "z", 0), ("a0", "a", 0), short_id=[1, 0])
    fresh, moved = numbered(documents(a="x"), stored, chunks(), set())
    assert fresh.empty
    assert moved.empty


def test_batches_hold_whole_documents_and_resume_where_they_stopped():
    read = documents(a="", b="", c="", d="", e="")
    rows = [
        ("x", key, n)
        for key, size in zip("abcd", (200, 100, 300, 10), strict=True)
        for n in range(size)
    ]
    found = batches(read, chunks(*rows))
    assert BATCH_CHUNKS == 256
    assert found == [["a"], ["b"], ["c"], ["d", "e"]]
    rest = read[read["id"].isin(["c", "d", "e"])]
    assert batches(rest, chunks(*rows)) == found[2:]
    assert batches(documents(), chunks()) == []
