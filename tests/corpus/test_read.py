"""What is read, under which id and title, and what is skipped, with its reason."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pandas as pd
import pytest

from workbench import ids
from workbench.corpus.chunk import chunk_documents
from workbench.corpus.read import Corpus, read_corpus
from workbench.errors import InputError


def write(folder: Path, **files: str | bytes) -> Path:
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_md", ".md").replace("_txt", ".txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def reasons(corpus: Corpus) -> dict[str, str]:
    return dict(zip(corpus.skipped["path"], corpus.skipped["reason"], strict=True))


def test_documents_in_the_order_of_their_paths(tmp_path: Path) -> None:
    write(
        tmp_path,
        B_md="# Bee\n",
        a_md="no heading",
        a__z_txt="plain",
        ä_md="---\ntitle: T\n---\n# H",
    )
    corpus = read_corpus(tmp_path)
    assert list(corpus.documents["path"]) == ["B.md", "a.md", "a/z.txt", "ä.md"]
    assert list(corpus.documents["title"]) == ["Bee", "a", "z", "T"]
    assert corpus.documents["id"][2] == ids.document_id("a/z.txt")
    assert [json.loads(m)["format"] for m in corpus.documents["metadata"]] == [
        *("markdown", "markdown", "plain", "markdown")
    ]
    assert json.loads(corpus.documents["metadata"][3])["front_matter"] == {"title": "T"}
    assert len(corpus.skipped) == 0


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        ("\ufeffä\r\nb".encode(), "ä\nb", "utf-8"),
        ("ä".encode("utf-16"), "ä", "utf-16-le"),
        (b"\xfe\xff" + "ä\rb".encode("utf-16-be"), "ä\nb", "utf-16-be"),
        ("ä🦊".encode("utf-32"), "ä🦊", "utf-32-le"),
        ("na\xefve \u201cquote\u201d".encode("cp1252"), "naïve “quote”", "cp1252"),
        (b"lone \xed\xa0\x80 surrogate", "lone í\xa0€ surrogate", "cp1252"),
    ],
)
def test_encodings(tmp_path: Path, data: bytes, text: str, encoding: str) -> None:
    document = read_corpus(write(tmp_path, a_txt=data)).documents.iloc[0]
    metadata = json.loads(document["metadata"])
    assert document["text"] == text
    assert metadata["encoding"] == encoding
    assert metadata.get("encoding_guessed", False) == (encoding == "cp1252")
    assert document["content_hash"] == ids.content_hash(text.encode())


def test_what_is_skipped_and_why(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    write(
        folder,
        good_md="# Good\n",
        copy_md="# Good\n",
        empty_md=b"",
        blank_md=" \n\t\n",
        silent_md="---\ntitle: X\n---\n<!-- nothing -->\n",
        png_md=b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 4,
        nul_md=b"text" + b"\0" * 100,
        broken_md=b"\xff\xfea",
        node_modules__x_md="# X",
    )
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "x.md").write_text("# X")
    (folder / "data.xlsx").write_bytes(b"x")
    (folder / "Makefile").write_text("all:")
    corpus = read_corpus(folder)
    assert list(corpus.documents["path"]) == ["copy.md"]
    assert reasons(corpus) == {
        ".hidden": "hidden",
        "Makefile": "unsupported",
        "blank.md": "empty",
        "broken.md": "unreadable",
        "data.xlsx": "unsupported",
        "empty.md": "empty",
        "good.md": "duplicate",
        "node_modules": "hidden",
        "nul.md": "binary",
        "png.md": "binary",
        "silent.md": "empty",
    }
    assert list(corpus.skipped["path"]) == sorted(corpus.skipped["path"])
    detail = corpus.skipped.set_index("path")["detail"]
    assert detail["good.md"] == "the same content as copy.md"


@pytest.mark.skipif(os.name == "nt", reason="links and such names need rights on Windows")
def test_links_and_odd_names(tmp_path: Path) -> None:
    folder = write(tmp_path / "corpus", a__b_md="# Inside\n")
    outside = write(tmp_path / "other", secret_md="# Outside\n")
    (folder / "leaves.md").symlink_to(outside / "secret.md")
    (folder / "folder_leaves").symlink_to(outside)
    (folder / "inside.md").symlink_to(folder / "a" / "b.md")
    (folder / "a" / "up").symlink_to(folder)
    (folder / "same").symlink_to(folder / "a")
    (folder / "itself.md").symlink_to(folder / "itself.md")
    (folder / "gone.md").symlink_to(folder / "nowhere.md")
    os.mkfifo(folder / "pipe.md")
    (folder / 'it\'s "odd"\nname.md').write_text("# Odd\n")
    corpus = read_corpus(folder)
    assert list(corpus.documents["path"]) == ["a/b.md", 'it\'s "odd"\nname.md']
    assert reasons(corpus) == {
        "a/up": "link_loop",
        "folder_leaves": "outside",
        "gone.md": "unreadable",
        "inside.md": "duplicate",
        "itself.md": "link_loop",
        "leaves.md": "outside",
        "pipe.md": "unreadable",
        "same": "duplicate",
    }


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, a_md="# A", b_md="# B")
    read_bytes = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "a.md":
            raise PermissionError(13, "Permission denied")
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    corpus = read_corpus(tmp_path)
    assert list(corpus.documents["path"]) == ["b.md"]
    assert corpus.skipped.iloc[0].to_list() == ["a.md", "unreadable", "Permission denied"]


ROWS = [{"id": 7, "title": "One", "text": "First.\r\nLine", "n": 1.5}, {"id": 8, "text": "Second."}]


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_tables(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"rows.{suffix}"
    frame = pd.DataFrame(ROWS)
    if suffix == "jsonl":
        path.write_text("\n".join(map(json.dumps, ROWS)))
    elif suffix == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path)
    documents = read_corpus(path).documents
    assert list(documents["id"]) == ["7", "8"]
    assert list(documents["title"]) == ["One", "8"]
    assert list(documents["text"]) == ["First.\nLine", "Second."]
    assert list(documents["path"]) == [f"rows.{suffix}"] * 2
    metadata = json.loads(documents["metadata"][0])
    assert metadata == {"format": "plain", "columns": {"n": "1.5" if suffix == "csv" else 1.5}}


def test_rows_without_ids_and_other_column_names(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"body": "One."}\n\n{"body": "Two.", "name": "N"}\n')
    documents = read_corpus(path, text_column="body", title_column="title").documents
    assert list(documents["id"]) == ["t:0", "t:2"]
    with pytest.raises(InputError, match=r"no text column 'text' \(columns present: body\)"):
        read_corpus(path)
    with pytest.raises(InputError, match="no id column 'key'"):
        read_corpus(path, text_column="body", id_column="key")


def test_broken_rows_are_skipped_by_line(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(
        '{"text": "a"}\n{broken\n[1]\n{"text": " "}\n{"text": "\\ud83d\\ude00 \\ud800"}\n'
    )
    corpus = read_corpus(path)
    assert list(corpus.documents["text"]) == ["a", "😀 \ufffd"]
    assert reasons(corpus) == {
        "t.jsonl:1": "malformed",
        "t.jsonl:2": "malformed",
        "t.jsonl:3": "empty",
    }
    assert corpus.skipped["detail"][0].startswith("line 2 is no JSON")


def test_an_id_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"id": "x", "text": "a"}\n{"id": "x", "text": "b"}\n')
    with pytest.raises(InputError, match="'x' stands twice, in t.jsonl:0 and in t.jsonl:1"):
        read_corpus(path)


def test_a_table_of_another_kind_beside_documents_is_skipped(tmp_path: Path) -> None:
    write(tmp_path, a_md="# A")
    (tmp_path / "q.jsonl").write_text('{"question": "?"}\n')
    (tmp_path / "bad.parquet").write_bytes(b"no parquet")
    corpus = read_corpus(tmp_path)
    assert reasons(corpus) == {"q.jsonl": "no_text", "bad.parquet": "unreadable"}


def test_a_csv_field_of_any_length(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('id,text\n1,"' + "word " * 40_000 + '"\n2,short,too many\n3,ok\n')
    corpus = read_corpus(path)
    assert [len(text) for text in corpus.documents["text"]] == [200_000, 2]
    assert reasons(corpus) == {"t.csv:1": "malformed"}


def test_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_corpus(tmp_path / "missing")
    with pytest.raises(InputError, match=r"could be read \(no file\)"):
        read_corpus(tmp_path)
    write(tmp_path, a_md="", b_md=" ")
    with pytest.raises(InputError, match=r"could be read \(2 empty\)"):
        read_corpus(tmp_path)


def test_eight_bad_files_are_read_or_skipped_and_cut(tmp_path: Path) -> None:
    write(
        tmp_path,
        empty_md="",
        binary_md=bytes(range(256)) * 40,
        line_md="The line goes on. " * 20_000,
        surrogate_md=b"# S\n\nlone \xed\xa0\x80 here\n",
        deep_md="- " * 10_000 + "x\n",
        nested_md="".join("  " * level + "- x\n" for level in range(500)),
        repeat_txt="word " * 100_000,
    )
    corpus = read_corpus(tmp_path)
    assert reasons(corpus) == {"empty.md": "empty", "binary.md": "binary"}
    chunks = chunk_documents(corpus.documents)
    assert set(chunks["document_id"]) == set(corpus.documents["id"])
    assert chunks["token_count"].max() <= 512


def test_a_csv_of_a_spreadsheet_has_semicolons_or_tabs(tmp_path: Path) -> None:
    for sign in ";\t,":
        path = tmp_path / "t.csv"
        path.write_text(f"\ufeffid{sign}title{sign}text\n1{sign}A{sign}B.C\n", "utf-8")
        assert read_corpus(path).documents[["id", "title", "text"]].to_numpy().tolist() == [
            ["1", "A", "B.C"]
        ]


def test_a_parquet_file_whose_strings_are_no_text_is_skipped(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    raw = pa.array([b"\xff\xfe"], pa.binary())
    text = pa.StringArray.from_buffers(1, *raw.buffers()[1:])
    pq.write_table(pa.table({"text": text}), tmp_path / "t.parquet")
    (tmp_path / "good.md").write_text("# Good")
    assert reasons(read_corpus(tmp_path)) == {"t.parquet": "unreadable"}


def test_the_one_fault_of_a_single_file_is_told_in_full(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_bytes(b"")
    with pytest.raises(InputError, match=r"\(unreadable: no parquet: .*0 bytes\)"):
        read_corpus(tmp_path / "t.parquet")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with a name")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.md")
    with pytest.raises(InputError, match="device or a pipe"):
        read_corpus(tmp_path / "p.md")
