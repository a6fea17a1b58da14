"""Jobs and a function in, results kept as they come: threads that no interrupt waits for."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

J = TypeVar("J")
R = TypeVar("R")

_GRACE = 1.5  # seconds after an interrupt in which finished results are still kept
_LOOK = 0.1  # seconds between two looks at how far it is
_SHARE = 4  # so many times what keeping takes: then at most a fifth of the time goes into keeping


def work_through(
    jobs: Sequence[J],
    work: Callable[[J, threading.Event], R],
    keep: Callable[[list[R]], None],
    show: Callable[[], None],
    *,
    workers: int,
) -> None:
    """Run `work(job, stop)` for each job in `workers` threads, and `keep` the results as they come.

    `keep` is called in one thread, with all results since its last call; `show` in the caller's.
    The first exception of a job or of `keep` ends the work and is raised here, after what was
    finished is kept; so does an interrupt, which does not wait for calls that are under way: their
    threads see `stop` set, and end with the process at the latest.

    A job that takes longer than keeping (about 0.07 s) is kept before its thread takes the next
    one, so that a process that is killed loses none; of quicker jobs many are kept at once.
    """
    threads = _Threads(jobs, work, keep, workers)
    keeper = threading.Thread(target=threads.keep_all, name="keeper", daemon=True)
    keeper.start()
    for number in range(min(workers, len(jobs))):
        threading.Thread(target=threads.work_off, name=f"caller-{number}", daemon=True).start()
    try:
        while keeper.is_alive():
            keeper.join(_LOOK)
            show()
    finally:  # by Ctrl-C, too
        threads.stop.set()
        keeper.join(_GRACE)
    if threads.fault is not None:
        raise threads.fault


class _Threads:
    def __init__(
        self,
        jobs: Sequence[J],
        work: Callable[[J, threading.Event], R],
        keep: Callable[[list[R]], None],
        workers: int,
    ) -> None:
        self._work, self._keep, self._workers, self._left = work, keep, workers, len(jobs)
        self._waiting: queue.SimpleQueue[J] = queue.SimpleQueue()
        for job in jobs:
            self._waiting.put(job)
        self._finished: queue.SimpleQueue[tuple[R, threading.Event]] = queue.SimpleQueue()
        self._seconds = 0.02  # what the last keeping took
        self.stop = threading.Event()
        self.fault: BaseException | None = None

    def work_off(self) -> None:
        """Take one job after the other, until there is none or the work is stopped."""
        while not self.stop.is_set():
            try:
                job = self._waiting.get_nowait()
            except queue.Empty:
                return
            begin, kept = time.monotonic(), threading.Event()
            try:
                result = self._work(job, self.stop)
            except BaseException as fault:  # noqa: BLE001 (raised again in the caller's thread)
                self._end_by(fault)
                return
            self._finished.put((result, kept))
            if time.monotonic() - begin > self._seconds:
                kept.wait(_GRACE)

    def keep_all(self) -> None:
        """Keep results until all are kept, or the work is stopped and those finished are kept."""
        pause = 0.0
        while self._left:
            last = self.stop.is_set() or self.stop.wait(pause)
            results = self._collect(0 if last else _LOOK)
            if results:
                begin = time.monotonic()
                try:
                    self._keep([result for result, _ in results])
                except BaseException as fault:  # noqa: BLE001 (raised again in the caller's thread)
                    self._end_by(fault)
                    return
                for _, kept in results:
                    kept.set()
                self._left -= len(results)
                self._seconds = time.monotonic() - begin
                pause = _SHARE * self._seconds if len(results) > self._workers else 0.0
            if last:
                return

    def _collect(self, wait: float) -> list[tuple[R, threading.Event]]:
        results: list[tuple[R, threading.Event]] = []
        try:
            results.append(
                self._finished.get(timeout=wait) if wait else self._finished.get_nowait()
            )
            while True:
                results.append(self._finished.get_nowait())
        except queue.Empty:
            return results

    def _end_by(self, fault: BaseException) -> None:
        self.fault = self.fault or fault
        self.stop.set()
