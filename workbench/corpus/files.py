"""A folder in, its files in sorted order out, and what is left out with the reason.

Links to files inside the folder are read; links to folders are not followed, since what they
hold is read where it lies; links that leave the folder are left out.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

NO_CORPUS = frozenset({"node_modules"})  # folders that hold other people's files by the thousand
Skip = Callable[[str, str, str], None]


def shown(path: Path) -> str:
    """Give a relative path with `/`, as text that can be stored whatever bytes the name has."""
    return path.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def walk(root: Path, skip: Skip) -> Iterator[tuple[str, Path]]:
    """Give (relative path, file) for each readable file below `root`, sorted by relative path.

    `skip(path, reason, detail)` is called for everything else. Sorting compares code points of the
    whole path, so that it is the same on every system and in every locale.
    """
    found: list[tuple[str, Path]] = []
    folders = [root]
    while folders:
        folder = folders.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError as error:
            skip(shown(folder.relative_to(root)), "unreadable", error.strerror or str(error))
            continue
        for entry in entries:
            path = Path(entry.path)
            name = shown(path.relative_to(root))
            problem = _problem(entry, path, root)
            if problem:
                skip(name, *problem)
            elif entry.is_dir(follow_symlinks=False):
                folders.append(path)
            else:
                found.append((name, path))
    yield from sorted(found)


def _problem(entry: os.DirEntry, path: Path, root: Path) -> tuple[str, str] | None:
    """Say why an entry is left out: reason and detail; None when it is read or walked into."""
    if entry.name.startswith("."):
        return "hidden", "its name begins with a dot"
    if entry.name in NO_CORPUS:
        return "hidden", f"{entry.name} is left out"
    if entry.is_symlink():
        return _link_problem(path, root)
    try:
        mode = entry.stat(follow_symlinks=False).st_mode
    except OSError as error:
        return "unreadable", error.strerror or str(error)
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        return "unreadable", "neither a file nor a folder"
    return None


def _link_problem(path: Path, root: Path) -> tuple[str, str] | None:
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:  # RuntimeError: how Python below 3.13 names a loop
        looped = isinstance(error, RuntimeError) or "symbolic links" in str(error)
        reason = "link_loop" if looped else "unreadable"
        return reason, "the link leads to itself" if looped else "the link's target is missing"
    if not target.is_relative_to(root):
        return "outside", "the link leaves the folder"
    if not target.is_dir():
        return None if target.is_file() else ("unreadable", "the link's target is no file")
    if path.parent.resolve().is_relative_to(target):
        return "link_loop", f"it leads to a folder it lies in, {shown(target.relative_to(root))}"
    return "duplicate", "a link to a folder of this corpus, which is read where it lies"
