"""A page, a Word or a PDF file in, Markdown out, by `markitdown` (extra `[documents]`).

Its converters are called one by one: asked as a whole, it reads a damaged PDF as plain text.
"""

from __future__ import annotations

import functools
import logging
import warnings
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from workbench.corpus.decode import UndecodableError, clean

if TYPE_CHECKING:
    from markitdown import DocumentConverter, StreamInfo

SUFFIXES = frozenset({".html", ".htm", ".pdf", ".docx"})
REMEDY = 'pip install "graphrag-workbench[documents]"'


def convert(path: Path) -> str:
    """Give a file as Markdown with LF line ends; scripts, styles and images are left out.

    Raises UndecodableError: `unsupported` where the extra is not installed, `unreadable` for a file
    that is damaged or not what its name says.
    """
    suffix = path.suffix.lower()
    converter, about, damaged = _converter(suffix)
    with path.open("rb") as stream, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the parsers beneath, about odd fonts and old tags
        try:
            text = converter.convert(stream, about).markdown
        except damaged as error:
            reason = str(error).strip().splitlines() or [type(error).__name__]
            detail = f"it is no whole {suffix} file: {reason[-1][:200]}"
            raise UndecodableError("unreadable", detail) from error
    return clean(text).replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")


@functools.cache
def _converter(suffix: str) -> tuple[DocumentConverter, StreamInfo, tuple[type[Exception], ...]]:
    """Give the converter of a kind of file, what it is told of it, and how it fails."""
    try:
        from markitdown import MarkItDownException, StreamInfo, converters
        from pdfminer.pdfexceptions import PDFException
    except ImportError as error:
        detail = f"{suffix} files are read with an extra: {REMEDY}"
        raise UndecodableError("unsupported", detail) from error
    logging.getLogger("pdfminer").setLevel(logging.CRITICAL)
    kind = {".pdf": converters.PdfConverter, ".docx": converters.DocxConverter}
    made = kind.get(suffix, converters.HtmlConverter)()
    failures = (MarkItDownException, PDFException, BadZipFile, ValueError, KeyError, TypeError)
    return made, StreamInfo(extension=suffix), (*failures, AttributeError, RecursionError)
