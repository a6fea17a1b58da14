"""Names in, paths out: where the shipped notebooks and corpora lie, and where results go."""

from __future__ import annotations

import os
from pathlib import Path

from workbench.errors import InputError

_PACKAGE = Path(__file__).resolve().parent


def user_path(path: str | Path, what: str) -> Path:
    """Give a path with its `~` resolved; `what` names it in a message.

    Raises InputError when there can be no file of that name: empty, too long, in a home that
    nobody has, in a folder that may not be read.
    """
    shown = repr(str(path)[:60])
    if not str(path).strip():
        raise InputError(f"{what} is {shown}: give the path of a folder or a file.")
    try:
        found = Path(path).expanduser()
        found.exists()
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error).rstrip(".")
        raise InputError(f"{what} {shown} cannot be used ({reason}): give another path.") from error
    return found


def made_folder(path: str | Path, what: str) -> Path:
    """Give a folder, made when it is not there; InputError when it cannot be made or written."""
    folder = user_path(path, what)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "a file is there" if isinstance(error, FileExistsError) else error.strerror
        raise InputError(
            f"{what} {str(folder)!r} cannot be made ({reason}): give another folder."
        ) from error
    if not os.access(folder, os.W_OK):
        raise InputError(f"{what} {str(folder)!r} cannot be written: give another folder.")
    return folder


def root() -> Path:
    """Give the folder that results are written under: the checkout, else the working directory.

    Inside a checkout it is the folder of `pyproject.toml`, wherever the caller stands: JupyterLab
    and nbval run a notebook in its own folder, papermill runs it in the caller's.
    """
    checkout = _PACKAGE.parent
    return checkout if (checkout / "pyproject.toml").is_file() else Path.cwd()


def shipped(name: str) -> Path:
    """Give the path of something the project ships, such as `data/handbook` or `notebooks`.

    Raises InputError when neither the checkout nor the installed package holds it.
    """
    for base in (_PACKAGE.parent, _PACKAGE / "_shipped"):
        if (base / name).exists():
            return base / name
    raise InputError(f"The shipped folder {name!r} is missing: install graphrag-workbench again.")


def resolve_corpus(path: str | Path) -> Path:
    """Give the corpus folder or file: as given when it exists, else the shipped one of that name.

    >>> resolve_corpus("data/handbook").name
    'handbook'
    """
    given = user_path(path, "The corpus")
    if given.exists() or given.is_absolute():
        return given
    for base in (root(), _PACKAGE / "_shipped"):
        if (base / given).exists():
            return base / given
    return given
