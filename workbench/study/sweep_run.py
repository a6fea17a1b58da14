"""The jobs of a sweep in, their results out: on this machine or a Dask cluster, resumed, merged."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from workbench.dask_cluster import connected
from workbench.errors import InputError, WorkbenchError
from workbench.paths import made_folder, root
from workbench.progress import progress
from workbench.study.sweep import Job, jobs_of, read_sweep
from workbench.study.sweep_job import PARTIAL, finished, run_job
from workbench.study.sweep_pages import merge

LOCK = ".sweep.lock"
Submit = Callable[[Job], "Future[dict[str, Any]]"]


def sweep_notebooks(
    file: str | Path,
    *,
    name: str | None = None,
    out: str | Path | None = None,
    jobs: int = 1,
    dask: str | None = None,
) -> list[dict[str, Any]]:
    """Run what a sweep file asks for; give one result a job: name, fingerprint, error, figures.

    All lies in `out` (default `reports/<name>`, the name being the file's): a folder a job, and
    `summary.csv` and `index.html` over all. A job that is there with the same fingerprint is not
    run again; one that fails, or whose worker dies, is told with its error and the others go on.
    `jobs` processes run at once here, or the one-thread workers of the scheduler at `dask`.
    Raises InputError for what the file says wrong, before anything runs.
    """
    plan = read_sweep(file)
    folder = made_folder(out or root() / "reports" / (name or Path(file).stem), "The folder")
    every = jobs_of(plan, folder.resolve())
    with _alone(folder):
        for left in folder.glob(f"{PARTIAL}*"):
            shutil.rmtree(left)
        done = {job.name: result for job in every if (result := finished(job)) is not None}
        todo = [job for job in every if job.name not in done]
        runner = _on_dask(dask) if dask else _here(jobs)
        with runner as submit:
            waiting = {submit(job): job for job in todo}
            bar = progress(_completed(list(waiting)), "sweep", total=len(todo), unit="run")
            for future in bar:
                job = waiting[future]
                bar.set_postfix_str(job.name)
                done[job.name] = _result(job, future)
        results = [done[job.name] for job in every]
        merge(every, results, folder)
    return results


def _result(job: Job, future: Future[dict[str, Any]]) -> dict[str, Any]:
    """Give a job's result; a worker that died is an error of the job, not of the sweep."""
    failure = future.exception()
    if failure is None:
        return future.result()
    if not isinstance(failure, Exception):
        raise failure
    told = str(failure).splitlines() or [type(failure).__name__]
    return {"name": job.name, "fingerprint": "", "error": f"its worker died ({told[0]})"}


def _completed(futures: Sequence[Any]) -> Iterator[Any]:
    if futures and not isinstance(futures[0], Future):
        from distributed import as_completed as of_cluster

        return of_cluster(futures, loop=futures[0].client.loop)
    return as_completed(futures)


@contextlib.contextmanager
def _here(jobs: int) -> Iterator[Submit]:
    """Run each job in a process of its own: one that dies takes nothing with it."""
    if jobs < 1:
        raise InputError(f"--jobs is {jobs}: give at least 1.")
    cores = os.cpu_count() or 1
    threads = str(max(1, cores // jobs))
    environment = {**os.environ, "OMP_NUM_THREADS": threads, "WORKBENCH_QUIET": "1"}
    running: set[subprocess.Popen] = set()

    def work(job: Job) -> dict[str, Any]:
        process = subprocess.Popen(  # noqa: S603 (our own module)
            [sys.executable, "-m", "workbench.study.sweep_job"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=environment,
        )
        running.add(process)
        said, complaint = process.communicate(job.to_json())
        running.discard(process)
        if process.returncode != 0:
            last = (complaint.strip().splitlines() or [f"exit code {process.returncode}"])[-1]
            raise WorkbenchError(last)
        return json.loads(said)

    pool = ThreadPoolExecutor(jobs)
    try:
        yield lambda job: pool.submit(work, job)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in list(running):
            process.terminate()
        raise
    pool.shutdown()


@contextlib.contextmanager
def _on_dask(address: str) -> Iterator[Submit]:
    """Run the jobs on a cluster, whose scheduler tries a job again when its worker dies."""
    with connected(address) as client:
        yield lambda job: client.submit(run_job, job, pure=False)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep a second sweep out of the folder; the lock of a process that is gone does not count."""
    import psutil

    lock = folder / LOCK
    with contextlib.suppress(OSError, ValueError):
        holder = int(lock.read_text())
        if holder != os.getpid() and psutil.pid_exists(holder):
            raise InputError(
                f"The folder {folder} is being swept by process {holder}: wait until it is done."
            )
    lock.write_text(str(os.getpid()))
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
