"""A block's content in, its inline mark-up out, with positions: what markdown-it does not give.

Every inline rule is wrapped so that it leaves the span it matched on its token. Positions are in
the content; `blocks` maps them to the document.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

LIMIT = 4_000  # characters parsed at once: hostile brackets cost the square of a piece, no more
_MARKUP = re.compile(r"[`*_\[<!]")
_ADDRESS = re.compile(r"https?://[^\s<>\"'`|\]]+")
# [[Page]], [[Page|as it reads]], [[Page#Section]]: an embedded ![[file]] is no link
_WIKI = re.compile(r"(?<![!\[])\[\[([^\[\]|#\n]+)(?:#[^\[\]|\n]*)?(?:\|([^\[\]\n]+))?\]\]")
_AFTER_ADDRESS = ".,:;!?*_~)”’"  # what closes a sentence or a bracket around an address
_RULES = ("backticks", "emphasis", "link", "image", "autolink", "html_inline")
_TOKENS = {"image": "image", "code_inline": "code", "html_inline": "html"}
_PAIRS = {"link": "link", "strong": "strong", "em": "emphasis"}


@dataclass(frozen=True, slots=True)
class Found:
    """An inline in its content: `content[start:end]` with markers, the visible part inside."""

    kind: str
    start: int
    end: int
    text: str
    target: str
    text_start: int
    text_end: int


def _positioned(name: str, rule: Callable[[StateInline, bool], bool]) -> Callable:
    """Wrap an inline rule: the token it opens with gets `meta["span"]`, (start, end, label end)."""

    def wrapped(state: StateInline, silent: bool) -> bool:
        start, before = state.pos, len(state.tokens)
        label_end = -1
        if name == "link" and not silent and state.src[start] == "[":
            label_end = state.md.helpers.parseLinkLabel(state, start, True)
            state.pos = start
        if not rule(state, silent):
            return False
        if not silent:
            made = state.tokens[before:]
            if name == "emphasis":  # one token a marker; pairs are found after all of them
                made = state.tokens[start - state.pos :]
                for offset, token in enumerate(made):
                    token.meta = {"span": (start + offset, start + offset + 1, -1)}
            elif made:  # the first may be the plain text before it
                opening = made[1] if made[0].type == "text" and len(made) > 1 else made[0]
                opening.meta = {"span": (start, state.pos, label_end)}
        return True

    return wrapped


@functools.cache
def parser() -> MarkdownIt:
    """Build the CommonMark inline parser once per process, its rules wrapped."""
    md = MarkdownIt("commonmark")
    for rule in md.inline.ruler.__rules__:
        if rule.name in _RULES:
            md.inline.ruler.at(rule.name, _positioned(rule.name, rule.fn))
    return md


def find(content: str, references: dict) -> tuple[list[Found], str]:
    """Give the inlines of a content in order, and its visible text.

    `references` are the link definitions of the document, as markdown-it's block parser left them.
    Content longer than LIMIT is parsed in pieces cut at white space; mark-up across a cut is lost.
    """
    found: list[Found] = []
    visible: list[str] = []
    start = 0
    while start < len(content):
        end = _piece_end(content, start)
        part = content[start:end]
        if _MARKUP.search(part):
            tokens: list[Token] = []
            parser().inline.parse(part, parser(), {"references": references}, tokens)
            inlines, text = _collect(tokens, part, start)
            found += inlines
            visible.append(text)
        else:
            visible.append(part)
        start = end
    shown = "".join(visible)
    if "[[" in content:
        found += _wiki_links(content, found)
        shown = _WIKI.sub(lambda link: link[2] or link[1], shown)
    if "://" in content:
        found += _bare_addresses(content, found)
    found.sort(key=lambda inline: (inline.start, -inline.end))
    return found, " ".join(shown.split())


def _free(pattern: re.Pattern, content: str, found: list[Found]) -> Iterator[re.Match]:
    """Give the matches that touch no code, link, image or tag."""
    taken = sorted((i.start, i.end) for i in found if i.kind not in ("strong", "emphasis"))
    at = 0
    for match in pattern.finditer(content):
        while at < len(taken) and taken[at][1] <= match.start():
            at += 1
        if at == len(taken) or taken[at][0] >= match.end():
            yield match


def _wiki_links(content: str, found: list[Found]) -> list[Found]:
    """Give links by the name of a page; their target is `./` and the name, wherever it lies."""
    links = []
    for match in _free(_WIKI, content, found):
        start, end = match.span(2 if match[2] else 1)
        target = f"./{match[1].strip()}"
        links.append(Found("link", *match.span(), match[2] or match[1], target, start, end))
    return links


def _bare_addresses(content: str, found: list[Found]) -> list[Found]:
    """Give the addresses that stand in the text without mark-up, as links to themselves."""
    bare: list[Found] = []
    for match in _free(_ADDRESS, content, found):
        url = match[0]
        while url[-1] in _AFTER_ADDRESS and not (url[-1] == ")" and "(" in url):
            url = url[:-1]
        start, end = match.start(), match.start() + len(url)
        bare.append(Found("link", start, end, url, url, start, end))
    return bare


def _piece_end(content: str, start: int) -> int:
    if len(content) - start <= LIMIT:
        return len(content)
    limit = start + LIMIT
    for sign in "\n ":
        cut = content.rfind(sign, start + LIMIT // 2, limit)
        if cut >= 0:
            return cut + 1
    return limit


def _collect(tokens: list[Token], part: str, base: int) -> tuple[list[Found], str]:
    """Pair opening and closing tokens, and gather what each of them shows."""
    found: list[Found] = []
    shown: list[str] = []  # visible text so far; an open pair remembers where it began
    stack: list[tuple[Token, int]] = []
    for token in tokens:
        kind, _, side = token.type.rpartition("_")
        if kind in _PAIRS and side == "open":
            stack.append((token, len(shown)))
        elif kind in _PAIRS and side == "close":
            opening, since = stack.pop()
            span = _pair_span(opening, token, part)
            if span:
                target = str(opening.attrs.get("href", ""))
                text = " ".join("".join(shown[since:]).split())
                found.append(_placed(_PAIRS[kind], span, text, target, base))
        elif token.type in _TOKENS:
            inline = _single(token, part, base)
            if inline:
                found.append(inline)
            shown.append("" if token.type == "html_inline" else token.content)
        elif token.type in ("softbreak", "hardbreak"):
            shown.append(" ")
        else:
            shown.append(token.content)
    return found, "".join(shown)


def _placed(kind: str, span: tuple[int, int, int, int], text: str, target: str, base: int) -> Found:
    start, end, text_start, text_end = (base + position for position in span)
    return Found(kind, start, end, text, target, text_start, text_end)


def _pair_span(opening: Token, closing: Token, part: str) -> tuple[int, int, int, int] | None:
    """Give start, end and visible span of a link or an emphasis, checked against the source."""
    span = opening.meta.get("span")
    if span is None:
        return None
    if opening.type == "link_open":
        start, end, label_end = span
        if part[start] == "<":  # <https://…>
            return start, end, start + 1, end - 1
        return (start, end, start + 1, label_end) if part[start] == "[" else None
    last = closing.meta.get("span")
    if last is None:
        return None
    width = len(opening.markup)
    start, end = span[0] - width + 1, last[0] + width
    inside = (start, end, start + width, end - width)
    fits = part[start:].startswith(opening.markup) and part[:end].endswith(closing.markup)
    return inside if fits else None


def _single(token: Token, part: str, base: int) -> Found | None:
    span = token.meta.get("span")
    if span is None:
        return None
    start, end, _ = span
    kind, target = _TOKENS[token.type], ""
    text_start, text_end = start, end
    if kind == "code":
        text_start, text_end = start + len(token.markup), end - len(token.markup)
    elif kind == "image":
        target = str(token.attrs.get("src", ""))
    elif token.content.startswith("<!--"):
        kind = "comment"
    return _placed(kind, (start, end, text_start, text_end), token.content, target, base)
