"""Documents in, chunks out: exact slices of the text, cut along headings or in token windows.

`markdown` follows the headings, keeps code blocks and tables whole when they fit, and repeats the
end of a chunk at the start of the next one inside a section. `tokens` is Microsoft's: windows of
`size` tokens every `size - overlap` tokens, their edges moved outward to whole characters.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator

import joblib
import pandas as pd

from workbench import ids, schema
from workbench.corpus.cut import Piece, cut, overlap_start
from workbench.corpus.markdown import Tree, tree_of
from workbench.corpus.pack import pack
from workbench.corpus.tokens import count_tokens, token_offsets
from workbench.corpus.tree import SILENT_KINDS, Block
from workbench.frames import table_frame
from workbench.params import ChunkParams

Slice = tuple[int, int, int]  # start, end, tokens
_WHOLE_KINDS = frozenset({"fence", "code", "table_row", "html", "heading"})
_MAX_INDENT = 200  # blanks kept before the first line of a chunk


def chunk_documents(
    documents: pd.DataFrame, params: ChunkParams | None = None, jobs: int | None = None
) -> pd.DataFrame:
    """Cut documents into chunks: a frame of the table `chunks`, by path, id and place.

    `documents` needs the columns id, path, text and metadata; `jobs` is joblib's `n_jobs` (None:
    what the caller's `joblib.parallel_config` says, else one). Sizes are in tokens.
    """
    params = params or ChunkParams()
    ordered = documents.sort_values(["path", "id"], kind="stable")
    tasks = [
        joblib.delayed(cut_document)(text, json.loads(metadata).get("format", "plain"), params)
        for text, metadata in zip(ordered["text"], ordered["metadata"], strict=True)
    ]
    rows = []
    for (identity, text), slices in zip(
        zip(ordered["id"], ordered["text"], strict=True),
        joblib.Parallel(n_jobs=jobs)(tasks),
        strict=True,
    ):
        for index, (start, end, tokens, path) in enumerate(slices):
            chunk = ids.chunk_id(identity, start, end)
            values = (chunk, len(rows), identity, index, text[start:end], path, start, end, tokens)
            rows.append(values)
    names = schema.CHUNKS.plain_names
    return table_frame(schema.CHUNKS, pd.DataFrame(rows, columns=names))


def cut_document(text: str, format: str, params: ChunkParams) -> list[tuple[int, int, int, str]]:
    """Cut one text: start, end, tokens and heading path of each chunk, in order."""
    tree = tree_of(text, format)
    chunker = _markdown if params.chunker == "markdown" else _windows
    starts = [block.start for block in tree.blocks]
    rows = []
    for start, end, tokens in chunker(text, tree, params):
        first = start + len(text[start:end]) - len(text[start:end].lstrip())
        block = bisect_right(starts, first) - 1
        path = tree.section(block) if block >= 0 else ()
        rows.append((start, end, tokens, " > ".join(path)))
    return rows


def _stretches(text: str, tree: Tree) -> Iterator[tuple[int, int, list[Block]]]:
    """Give what lies between front matter and comment-only blocks, with its blocks."""
    start = 0
    blocks: list[Block] = []
    for block in tree.blocks:
        if block.kind not in SILENT_KINDS:
            blocks.append(block)
            continue
        yield start, block.start, blocks
        start, blocks = block.end, []
    yield start, len(text), blocks


def _windows(text: str, tree: Tree, params: ChunkParams) -> Iterator[Slice]:
    """Cut into windows of tokens (spec microsoft-graphrag 1.2), white space apart from others."""
    for begin, end, _ in _stretches(text, tree):
        starts, ends = token_offsets(text[begin:end], params.encoding)
        for first in range(0, len(starts), params.size - params.overlap):
            last = min(first + params.size, len(starts))
            a, b = begin + starts[first], begin + ends[last - 1]
            if text[a:b].strip():
                yield a, b, count_tokens(text[a:b], params.encoding)
            if last == len(starts):
                break


def _markdown(text: str, tree: Tree, params: ChunkParams) -> Iterator[Slice]:
    for begin, end, blocks in _stretches(text, tree):
        pieces = list(_pieces(text, begin, end, blocks, params))
        low = begin  # a repeat reaches back to the section's start, and not over a whole chunk
        for group in pack(pieces, params.size, params.overlap):
            start, last = group.pieces[0].start, group.pieces[-1].end
            if group.repeats:
                budget = min(params.overlap, params.size - group.tokens)
                repeat = overlap_start(text, low, start, budget, params.encoding)
                if count_tokens(text[repeat:last].rstrip(), params.encoding) <= params.size:
                    start = repeat
            for slice_ in _fitted(text, start, last, params):
                yield slice_
                low = slice_[0] + 1
            low = max([low, *(piece.start for piece in group.pieces if piece.level)])


def _pieces(
    text: str, begin: int, end: int, blocks: list[Block], params: ChunkParams
) -> Iterator[Piece]:
    """Give the pieces of a stretch: a block, with what stands before the next one, or parts of it.

    A table is one piece when it fits, as is code; running text that leaves no room for the repeat
    is cut into sentences, which are packed again.
    """
    edges = _edges(text, begin, end, blocks)
    for i, (start, block) in enumerate(edges):
        stop = edges[i + 1][0] if i + 1 < len(edges) else end
        tokens = count_tokens(text[start:stop], params.encoding)
        kind = block.kind if block else "paragraph"
        whole = kind in _WHOLE_KINDS
        level = block.level if block and kind == "heading" else 0
        if tokens <= (params.size if whole else params.size - params.overlap):
            yield Piece(start, stop, tokens, level)
            continue
        limit = params.size - params.overlap
        if block and whole:  # the blank lines behind it must not be what makes it too long
            tokens = count_tokens(text[start : block.end], params.encoding)
            if tokens <= params.size:
                yield Piece(start, block.end, tokens, level)
                yield from cut(text, block.end, stop, limit, params.encoding)
                continue
        for number, piece in enumerate(cut(text, start, stop, limit, params.encoding)):
            keeps = level if number == 0 else 0
            yield Piece(piece.start, piece.end, piece.tokens, keeps)


def _edges(text: str, begin: int, end: int, blocks: list[Block]) -> list[tuple[int, Block | None]]:
    """Give where each piece begins: at a block's first line, a table's first row."""
    edges: list[tuple[int, Block | None]] = []
    previous: Block | None = None
    for block in blocks:
        row_of_same = (
            previous is not None
            and previous.kind == block.kind == "table_row"
            and "\n\n" not in text[previous.end : block.start]
        )
        if not row_of_same:
            edges.append((block.start if edges else begin, block))
        previous = block
    if not edges and text[begin:end].strip():
        edges.append((begin, None))
    return edges


def _fitted(text: str, start: int, end: int, params: ChunkParams) -> Iterator[Slice]:
    """Trim white space around a slice and count it; cut it again in the rare case it is too big.

    The counts of pieces add up but for the odd token where a leading blank is trimmed.
    """
    while (trimmed := _trimmed(text, start, end)) is not None:
        start, stop = trimmed
        tokens = count_tokens(text[start:stop], params.encoding)
        if tokens <= params.size:
            yield start, stop, tokens
            return
        starts, _ = token_offsets(text[start:stop], params.encoding)
        at = start + starts[params.size - 2]
        blank = max(text.rfind(" ", start + 1, at), text.rfind("\n", start + 1, at))
        at = blank if blank > (start + at) // 2 else max(at, start + 1)
        yield from _fitted(text, start, at, params)
        start = at


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Leave out white space at both ends, but not the indentation of a first line."""
    part = text[start:end]
    first = start + len(part) - len(part.lstrip())
    if first == end:
        return None
    line = text.rfind("\n", max(start - 1, 0), first) + 1
    start = line if line >= start and first - line <= _MAX_INDENT else first
    return start, start + len(text[start:end].rstrip())
