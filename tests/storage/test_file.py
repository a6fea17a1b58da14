from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from tests.storage.builders import empty_store, store_with_run
from workbench.errors import StoreError
from workbench.storage.file import store_file, wal_of
from workbench.store import Store

HOLD = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == "read")
print("held", flush=True)
sys.stdin.readline()
"""
LEAVE_LOG = """
import os, sys, pandas as pd
from workbench.store import Store
with Store(sys.argv[1]).writing() as connection:
    connection.execute("INSERT INTO wb.main.skipped VALUES ('x', 'y', 'z')")
    connection.execute("COMMIT")
    os.kill(os.getpid(), 9)
"""

FILL = """
import os, resource, signal, sys, pandas as pd
from workbench.store import Store
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
size = os.path.getsize(sys.argv[1]) + 100_000
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
rows = [{"id": str(number), "payload": os.urandom(1000).hex()} for number in range(3000)]
Store(sys.argv[1]).put("traces", pd.DataFrame(rows))
"""


def hold(path: Path, mode: str) -> subprocess.Popen:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path), mode],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "held\n"
    return process


def release(process: subprocess.Popen) -> None:
    process.communicate("\n")


@pytest.fixture
def path(tmp_path):
    return store_with_run(tmp_path / "s.duckdb").path


def everything(path: Path) -> int:
    """Read all tables, as a user might."""
    store = Store(path)
    rows = len(store.check())
    for name in ("documents", "chunks", "postings", "entities", "entity_mentions"):
        rows += len(store.read(name))
    return rows + len(store.vectors("chunks").ids)


def test_a_missing_file_says_how_to_make_one(tmp_path):
    store = Store(tmp_path / "none.duckdb")
    assert not store.exists()
    for call in (store.counts, store.check, store.runs, lambda: store.sql("SELECT 1")):
        with pytest.raises(StoreError, match=r"no store .*none.duckdb: .*index CORPUS --store"):
            call()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(StoreError, match="is a folder: give the path of a .duckdb file"):
        Store(tmp_path)


def test_a_device_is_refused():
    with pytest.raises(StoreError, match=r"/dev/null is no regular file: give the path"):
        Store("/dev/null")


def test_the_folder_of_a_new_store_must_exist(tmp_path):
    with pytest.raises(StoreError, match=r"folder .*nowhere does not exist"):
        empty_store(tmp_path / "nowhere" / "s.duckdb")


@pytest.mark.parametrize("content", [b"", b"hi", b"hello world " * 9000, b"SQLite format 3\0" * 99])
def test_another_kind_of_file_is_refused(tmp_path, content):
    path = tmp_path / "s.duckdb"
    path.write_bytes(content)
    with pytest.raises(StoreError, match="is no DuckDB file: give another --store FILE"):
        Store(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    "statement",
    ["SELECT 1", "CREATE TABLE meta (a INT)", "CREATE TABLE meta (key TEXT, value TEXT)"],
)
def test_a_duckdb_file_of_somebody_else_is_refused(tmp_path, statement):
    path = tmp_path / "s.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(statement)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="but no workbench store: give another --store FILE"):
        Store(path)
    assert path.read_bytes() == before


def test_a_newer_version_is_refused(path):
    with Store(path).writing() as connection:
        connection.execute("UPDATE wb.main.meta SET value = '2' WHERE key = 'schema_version'")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="schema version 2, and this workbench reads version 1"):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("part", [0.0, 0.002, 0.004, 0.007, 0.02, 0.3, 0.5, 0.7, 0.9, 0.9999])
def test_a_truncated_file_is_refused(path, part):
    size = path.stat().st_size
    os.truncate(path, int(size * part))
    with pytest.raises(StoreError, match="is damaged|is no DuckDB file") as caught:
        everything(path)
    assert re.search(r"restore a copy, or delete it|give another", str(caught.value))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("seed", range(8))
def test_a_flipped_byte_is_never_read_as_data(path, seed):
    sound = everything(path)
    content = bytearray(path.read_bytes())
    content[random.Random(seed).randrange(len(content))] ^= 0xFF
    path.write_bytes(content)
    try:
        assert everything(path) == sound  # the byte lay in a block that nothing uses
    except StoreError as error:
        assert "is damaged" in str(error) or "is no DuckDB file" in str(error)


def test_what_a_killed_process_committed_is_read_from_its_log(path):
    subprocess.run([sys.executable, "-c", LEAVE_LOG, str(path)], check=False)
    assert wal_of(path).stat().st_size > 0
    assert len(Store(path).read("skipped")) == 1
    assert wal_of(path).exists()  # a reader leaves it as it is
    Store(path).put("traces", pd.DataFrame([{"id": "t"}]))
    assert not wal_of(path).exists()
    assert len(Store(path).read("skipped")) == 1


def test_a_damaged_log_is_refused(path):
    subprocess.run([sys.executable, "-c", LEAVE_LOG, str(path)], check=False)
    log = wal_of(path)
    content = bytearray(log.read_bytes())
    content[len(content) // 2] ^= 0xFF
    log.write_bytes(content)
    with pytest.raises(StoreError, match=r"log .*s.duckdb.wal is damaged .*delete it"):
        Store(path).counts()
    log.unlink()
    assert Store(path).check().empty


def test_a_writer_that_waits_in_vain_names_the_holder(path):
    process = hold(path, "write")
    try:
        start = time.monotonic()
        with pytest.raises(StoreError) as caught:
            Store(path, wait=0.5)
        assert 0.3 < time.monotonic() - start < 3
        assert f"is held by process {process.pid} (" in str(caught.value)
        assert "-c" in str(caught.value)
    finally:
        release(process)
    assert Store(path).check().empty


def test_readers_share_and_keep_a_writer_waiting(path):
    process = hold(path, "read")
    try:
        store = Store(path, wait=0.3)
        assert len(store.read("chunks")) == 4
        with pytest.raises(StoreError, match=f"process {process.pid}"):
            store.delete_run("heuristic")
    finally:
        release(process)
    store.delete_run("heuristic")


def test_a_writer_gets_its_turn(path):
    process = hold(path, "write")
    store = Store.__new__(Store)
    waiter = subprocess.Popen(
        [sys.executable, "-c", f"from workbench.store import Store; Store({str(path)!r}).runs()"]
    )
    time.sleep(0.5)
    release(process)
    assert waiter.wait(20) == 0
    del store


def test_an_open_kernel_blocks_nobody(path):
    store = Store(path)
    store.read("chunks")
    store.delete_run("heuristic")
    process = hold(path, "write")  # fails when this process still held the file
    release(process)


def test_a_connection_of_ones_own_in_the_same_process_is_named(path):
    connection = duckdb.connect(str(path))
    with pytest.raises(StoreError, match="in this process through another DuckDB connection"):
        Store(path, wait=0.1).counts()
    connection.close()
    assert Store(path).counts()["documents"] == 2


def test_all_stores_of_a_path_share_one_file(path):
    link = path.with_name("link.duckdb")
    link.symlink_to(path)
    assert store_file(Store(link).path) is store_file(Store(path).path)


def test_the_fingerprint_changes_with_every_write(path):
    store = Store(path)
    before = store.fingerprint()
    store.counts()
    assert store.fingerprint() == before
    store.put("traces", pd.DataFrame([{"id": "t"}]))
    assert store.fingerprint() != before


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="changes its user id")
def test_a_file_without_write_permission_is_read_and_not_written():
    folder = Path(tempfile.mkdtemp())
    try:
        store = store_with_run(folder / "s.duckdb")
        folder.chmod(0o555)
        store.path.chmod(0o444)
        child = os.fork()
        if child == 0:
            os._exit(_as_nobody(store.path))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def _as_nobody(path: Path) -> int:
    """Give 0 when reading works and writing says why it does not."""
    os.setuid(65534)
    store = Store(path)
    if len(store.read("chunks")) != 4:
        return 1
    try:
        store.delete_run("heuristic")
    except StoreError as error:
        return 0 if "cannot be written: you lack the permission" in str(error) else 2
    return 3


def test_nothing_is_left_open_after_an_error(path):
    store = Store(path)
    with pytest.raises(StoreError), store.writing() as connection:
        connection.execute("INSERT INTO wb.main.skipped VALUES ('a', 'b', 'c')")
        connection.execute("SELECT nothing")
    assert store.read("skipped").empty
    release(hold(path, "write"))


@pytest.mark.skipif(sys.platform == "win32", reason="limits the size of files")
def test_a_full_disk_is_named_and_keeps_what_was_there(path):
    done = subprocess.run(
        [sys.executable, "-c", FILL, str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert "make room on the disk and run the command again" in done.stderr
    assert Store(path).check().empty
    assert Store(path).read("traces").empty
