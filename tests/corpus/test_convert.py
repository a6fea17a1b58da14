"""Pages, Word and PDF files as documents; damaged ones, and machines without the extra."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from workbench.corpus import convert
from workbench.corpus.read import read_corpus

pytest.importorskip("markitdown", reason="the extra [documents] is not installed")

PAGE = """<html><head><title>t</title><script>steal()</script><style>p {color: red}</style></head>
<body><h1>Tides of Skerrow</h1><p>The <b>tide</b> at <a href="pier.md">the pier</a> is high.</p>
<img src=x onerror=alert(1)></body></html>"""
_WORD = "http://schemas.openxmlformats.org"
_OFFICE = f"{_WORD}/officeDocument/2006/relationships/officeDocument"


def write_docx(path: Path, text: str) -> None:
    """Write the smallest Word file that holds one paragraph."""
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_WORD}/package/2006/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" ContentType="application/'
        'vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_WORD}/package/2006/relationships">'
        f'<Relationship Id="r1" Type="{_OFFICE}" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{_WORD}/wordprocessingml/2006/main"><w:body>'
        f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def write_pdf(path: Path, text: str) -> None:
    """Write the smallest PDF that shows one line."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size, start = len(objects) + 1, len(body)
    body += b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    body += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, start)
    path.write_bytes(body)


def test_pages_and_office_files_are_documents(tmp_path: Path) -> None:
    (tmp_path / "tides.html").write_text(PAGE, "utf-8")
    write_docx(tmp_path / "letter.docx", "Edwin Cray writes to Judith Brandt.")
    write_pdf(tmp_path / "chart.pdf", "Depths near Skerrow in fathoms.")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing follows")
    (tmp_path / "broken.docx").write_bytes(b"PK\x03\x04 no archive")
    corpus = read_corpus(tmp_path)
    texts = corpus.documents.set_index("path")["text"]
    assert list(texts.index) == ["chart.pdf", "letter.docx", "tides.html"]
    assert "# Tides of Skerrow" in texts["tides.html"]
    assert "The **tide** at [the pier](pier.md) is high." in texts["tides.html"]
    assert "steal" not in texts["tides.html"] and "color" not in texts["tides.html"]
    assert texts["letter.docx"].strip() == "Edwin Cray writes to Judith Brandt."
    assert texts["chart.pdf"].strip() == "Depths near Skerrow in fathoms."
    title = corpus.documents.set_index("path")["title"]
    assert title["tides.html"] == "Tides of Skerrow"
    skipped = corpus.skipped.set_index("path")["reason"].to_dict()
    assert skipped == {"broken.docx": "unreadable", "broken.pdf": "unreadable"}


def test_without_the_extra_the_remedy_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tides.html").write_text(PAGE, "utf-8")
    (tmp_path / "other.md").write_text("# Other\n\nA text.", "utf-8")
    convert._converter.cache_clear()
    monkeypatch.setitem(sys.modules, "markitdown", None)
    row = read_corpus(tmp_path).skipped.iloc[0]
    assert row["reason"] == "unsupported"
    assert convert.REMEDY in row["detail"]
    convert._converter.cache_clear()
