"""The address of a Dask scheduler in, a cluster that work can be sent to out (extra `[dask]`)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.errors import InputError

if TYPE_CHECKING:
    from distributed import Client


@contextlib.contextmanager
def connected(address: str) -> Iterator[Client]:
    """Connect to a scheduler whose workers have one thread each.

    papermill's working folder is the process's, and joblib's too: two threads would share it.
    Raises InputError, with the remedy, where there is no such cluster.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError(
            'A Dask cluster needs the extra: pip install "graphrag-workbench[dask]".'
        ) from error
    try:
        client = Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(
            f"No Dask scheduler answers at {address!r} ({str(error)[:100]}): start one with "
            "`dask scheduler`, and workers with `dask worker ADDRESS --nthreads 1`."
        ) from error
    try:
        workers = client.scheduler_info(n_workers=-1)["workers"]
        many = sorted(name for name, said in workers.items() if said["nthreads"] != 1)
        if many or not workers:
            fault = f"the worker {many[0]} has several threads" if many else "it has no worker"
            raise InputError(
                f"The cluster at {address!r} cannot be used, {fault}: start workers with "
                "`dask worker ADDRESS --nthreads 1`."
            )
        yield client
    finally:
        client.close()


@contextlib.contextmanager
def spread(address: str | None) -> Iterator[None]:
    """Send what joblib runs meanwhile to a cluster; None: leave it here.

    A worker that dies makes joblib wait for ever (joblib 1.6): give workers the memory they need.
    """
    if address is None:
        yield
        return
    from joblib import parallel_config

    with connected(address) as client, client.as_current(), parallel_config(backend="dask"):
        yield
