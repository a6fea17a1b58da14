"""The few exceptions a user can meet: each message names the thing, the value and the remedy.

The command line prints the message and exits with 2; a notebook shows it through `show.error`.
"""

from __future__ import annotations


class WorkbenchError(Exception):
    """Something the user can mend; the base of all exceptions raised on purpose."""


class InputError(WorkbenchError):
    """A corpus, a table, a question or a parameter cannot be used as given."""


class StoreError(WorkbenchError):
    """A store cannot be opened, read or written: wrong file, version, embedder, or a lock."""


class ModelError(WorkbenchError):
    """An embedding or language model cannot be loaded or does not do what it must."""


class WorkbenchWarning(UserWarning):
    """A result that is there but cannot be trusted, said loudly: most replies unusable, say."""
