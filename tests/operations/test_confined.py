"""Processes that read strangers' files cannot see our files."""

import ctypes
import shutil
import socket
import subprocess
import sys

import pytest

from bridgebuddy.operations import sandbox


def landlock():
    return sys.platform == "linux" and ctypes.CDLL(None).syscall(444, None, 0, 1) > 0


pytestmark = pytest.mark.skipif(not landlock(), reason="this kernel has no Landlock")


@pytest.fixture
def run(tmp_path):
    """Run a line of shell in the sandbox for strangers' files, in a folder of its own."""
    folder = tmp_path / "given"
    folder.mkdir()

    def line(said, *limits):
        limits = limits or ("5", "400000000", "1000000")
        program = [sys.executable, "-I", "-S", sandbox.__file__, *limits, str(folder)]
        return subprocess.run(
            [*program, shutil.which("bash"), "-c", said], capture_output=True, text=True, env={}
        )

    line.folder = folder
    return line


def test_it_reads_what_it_is_given(run):
    (run.folder / "file.bws").write_text("a line of a file")

    assert run(f"cat {run.folder}/file.bws").stdout == "a line of a file"


def test_it_reads_nothing_else(run, tmp_path):
    (tmp_path / "bridgebuddy.sqlite3").write_text("everybody")

    for said in (
        f"cat {tmp_path}/bridgebuddy.sqlite3",
        f"cat {run.folder}/../bridgebuddy.sqlite3",
        f"ls {tmp_path}",
        "cat /proc/$PPID/environ",
        "cat /etc/passwd",
        "ln -s / root; cat root/etc/passwd",
    ):
        done = run(said)
        assert (done.returncode != 0, done.stdout) == (True, ""), said


def test_it_writes_nothing_and_ends_nobody(run):
    for said in (f"echo x > {run.folder}/new", "echo x > /tmp/new", "kill -0 $PPID"):
        assert run(said).returncode != 0, said
    assert list(run.folder.iterdir()) == []


def test_it_has_no_network(run):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        assert run(f"exec 3<>/dev/tcp/127.0.0.1/{port}").returncode != 0


def test_it_has_no_more_memory_and_time_than_it_is_given(run):
    assert run(
        "x=$(head -c 90000000 /dev/null; printf '%0100000000d' 1)", "5", "60000000", "9"
    ).returncode
    assert run("while :; do :; done", "1", "400000000", "9").returncode
