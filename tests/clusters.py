"""A real Dask scheduler with two workers of one thread, as processes of their own."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Running = tuple[str, list[subprocess.Popen]]


@contextlib.contextmanager
def dask_cluster(folder: Path) -> Iterator[Running]:
    """Give the scheduler's address and the workers' processes."""
    pytest.importorskip("distributed", reason="the extra [dask] is not installed")
    file = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0"]
    scheduler += ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-dashboard"]
    worker += ["--scheduler-file", str(file), "--nthreads", "1", "--no-nanny"]
    worker += ["--local-directory", str(folder / "space"), "--host", "127.0.0.1"]
    processes = [subprocess.Popen(scheduler, **quiet)]
    try:
        wait_for(lambda: file.exists() and file.read_text().endswith("}"), processes[0])
        processes += [subprocess.Popen(worker, **quiet) for _ in range(2)]
        address = json.loads(file.read_text())["address"]
        wait_for(lambda: _workers(address) == 2, processes[0])
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _workers(address: str) -> int:
    from distributed import Client

    with Client(address, set_as_default=False, timeout="10s") as client:
        return len(client.scheduler_info(n_workers=-1)["workers"])


def wait_for(what: Callable[[], object], process: subprocess.Popen, seconds: float = 90) -> None:
    """Wait until something is so, as long as the process runs."""
    end = time.monotonic() + seconds
    while not what():
        assert process.poll() is None, "it ended early"
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
