"""Bytes in, text out, or the reason why they are none: byte order mark, UTF-8, else cp1252."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

MAX_CONTROL_SHARE = 0.05
_MARKS = (  # the longer ones first: UTF-32's begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Control bytes that text does not hold: all but tab, line feed, form feed and carriage return.
_CONTROL = bytes(set(range(32)) - set(b"\t\n\f\r")) + b"\x7f"
_SURROGATES = re.compile("[\ud800-\udfff]")


class UndecodableError(Exception):
    """Bytes that are no text; `reason` is one of the reasons in the table `skipped`."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


@dataclass(frozen=True)
class Decoded:
    """A text without byte order mark and with LF line ends, and how it was read."""

    text: str
    encoding: str
    guessed: bool = False


def decode(data: bytes) -> Decoded:
    """Decode a file: by its byte order mark, else as strict UTF-8, else as cp1252 (a guess).

    More than 5 % control characters mean binary, in each of the three. Raises UndecodableError.

    >>> decode("\\ufeffa\\r\\nb".encode()).text, decode(b"caf\\xe9").text
    ('a\\nb', 'café')
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                text = data[len(mark) :].decode(encoding)
            except UnicodeDecodeError as error:
                detail = f"its byte order mark says {encoding}, but {error.reason} at {error.start}"
                raise UndecodableError("unreadable", detail) from error
            _refuse_binary(text.encode())
            return Decoded(_line_feeds(text), encoding)
    _refuse_binary(data)
    try:
        return Decoded(_line_feeds(data.decode()), "utf-8")
    except UnicodeDecodeError:
        return Decoded(_line_feeds(data.decode("cp1252", "replace")), "cp1252", guessed=True)


def _refuse_binary(data: bytes) -> None:
    control = len(data) - len(data.translate(None, _CONTROL))
    if control > MAX_CONTROL_SHARE * len(data):
        detail = f"{control / len(data):.0%} of its bytes are control characters"
        raise UndecodableError("binary", detail)


def _line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def clean(text: str) -> str:
    """Make a string from JSON or a file name storable: lone surrogates become U+FFFD.

    A pair of them, as JSON escapes may give, becomes its character.
    """
    if not _SURROGATES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
