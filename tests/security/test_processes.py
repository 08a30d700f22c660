"""A server has a process for each core at one address; an ended process is started again without lost requests."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from contextlib import ExitStack

import pytest

from bridgebuddy.operations import process_supervisor

from .servers import ROOT, bridgebuddy, children, running, status
from .test_stopping import wait_until

#: a program that says which process answers, and in which some end as soon as they have begun
WHO = """
import os, sys
from bridgebuddy.operations.server import serve

def application(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [str(os.getpid()).encode()]

serve(application, host="127.0.0.1", port=int(sys.argv[1]), threads=2, processes=2,
      ready=lambda port: print(f"answers on :{port}", flush=True))
"""
DIES = """
import os, sys, threading
from pathlib import Path
import bridgebuddy.operations.process_supervisor as processes
import bridgebuddy.operations.server as serving
processes.SOON = 0.01
told, = map(Path, sys.argv[1:])

def die(*_):
    with told.open("a") as file:
        file.write(".")
    os._exit(3)

serving._answer_requests = die
serving.serve(None, host="127.0.0.1", port=0, threads=2, processes=1 + 1,
              ready=lambda port: print(f"answers on :{port}", flush=True))
"""


def who_answers(server) -> Counter[int]:
    """Ask some times, and count which process has answered."""
    answers = (server.ask("/").partition(b"\r\n\r\n")[2] for _ in range(60))
    return Counter(int(answer) for answer in answers)


def test_a_process_that_is_killed_is_started_again_and_not_missed():
    with running("-c", WHO, "0") as server:
        wait_until(lambda: len(children(server)) == 2)
        before = children(server)
        killed, other = sorted(before)

        os.kill(killed, signal.SIGKILL)
        while_it_is_away = [server.ask("/")[:12] for _ in range(20)]
        wait_until(lambda: len(children(server) - {killed}) == 2)

        assert set(while_it_is_away) == {b"HTTP/1.1 200"}
        assert other in children(server)
        assert set(who_answers(server)) <= children(server)
        assert server.process.poll() is None


def test_when_the_first_process_is_killed_the_others_end_too():
    with running("-c", WHO, "0") as server:
        wait_until(lambda: len(children(server)) == 2)
        family = children(server)

        server.process.kill()
        server.process.wait()

        wait_until(lambda: not any(lives(pid) for pid in family))
        with pytest.raises(OSError):
            server.connect()


def test_who_comes_after_one_that_was_killed_waits_for_its_port():
    with running("-c", WHO, "0") as killed:
        wait_until(lambda: len(children(killed)) == 2)
        family = children(killed)
        for pid in family:  # they hold the port, and notice nothing
            os.kill(pid, signal.SIGSTOP)
        killed.process.kill()
        killed.process.wait()
        noticing = threading.Timer(1, lambda: [os.kill(pid, signal.SIGCONT) for pid in family])
        noticing.start()

        with running("-c", WHO, str(killed.port)) as server:
            noticing.join()
            wait_until(lambda: len(children(server)) == 2)
            assert set(who_answers(server)) <= children(server)


def lives(pid: int) -> bool:
    """Return whether a process runs; a zombie does not."""
    told = os.popen(f"ps -o stat= -p {pid}").read().strip()
    return bool(told) and not told.startswith("Z")


def test_a_process_that_dies_at_once_ten_times_is_said_and_tried_seldom(tmp_path, capfd):
    told = tmp_path / "told"
    said = ""

    def is_said() -> bool:
        nonlocal said
        said += capfd.readouterr().err
        return said.count("10 times in a row") == 2

    with running("-c", DIES, str(told)) as server:
        wait_until(is_said)

        assert told.read_text() == 20 * "."
        assert said.count("is started again") == 18
        assert "exit status 3" in said
        assert server.process.poll() is None


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """BridgeBuddy in two processes."""
    folder = tmp_path_factory.mktemp("var")
    with bridgebuddy(folder, WEB_PROCESSES="2", METRICS_TOKEN="t") as server:
        yield server


def test_what_two_processes_did_is_counted_together(two):
    for _ in range(20):
        two.ask("/p/")
    figures = two.ask("/metrics", "Authorization: Bearer t").decode()

    matches = re.findall(r'^bridgebuddy_requests_total.*status="200".* ([\d.]+)', figures, re.M)
    assert [float(text) for text in matches] == [20]


def test_other_pages_are_answered_while_400_half_requests_hang_at_two_processes(two):
    with ExitStack() as hanging:
        for _ in range(400):
            hanging.enter_context(two.connect(b"GET /p/ HTTP/1.1\r\nHost: lo"))

        assert {status(two.ask("/p/")) for _ in range(10)} == {b"200"}


def test_a_port_that_is_taken_is_said_in_a_sentence(two, tmp_path):
    with bridgebuddy(tmp_path):  # which leaves a database with all that this version adds
        pass
    command = [sys.executable, "manage.py", "serve", "--port", str(two.port)]
    database = {"VAR_DIR": str(tmp_path), "DATABASE_URL": f"sqlite:///{tmp_path / 'empty.sqlite3'}"}

    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **database}, capture_output=True, text=True
    )

    assert done.returncode == 1
    assert f"Port {two.port} is taken: BridgeBuddy is running already" in done.stderr
    assert f"take another port: {two.port + 1}." in done.stderr


@pytest.mark.parametrize(
    ("limits", "found"),
    [
        ({}, 4),
        ({"": "max 100000"}, 4),
        ({"": "max 100000", "club": "150000 100000"}, 2),
        ({"club": "300000 100000", "club/web": "max 100000"}, 3),
        ({"club/web": "10000 100000"}, 1),
        ({"club/web": "nonsense"}, 4),
    ],
)
def test_a_container_that_grants_fewer_cores_has_fewer_processes(
    tmp_path, monkeypatch, limits, found
):
    (tmp_path / "club/web").mkdir(parents=True)
    member_of = tmp_path / "member-of"
    member_of.write_text("1:name=systemd:/elsewhere\n0::/club/web\n")
    for group, limit in limits.items():
        (tmp_path / group / "cpu.max").write_text(f"{limit}\n")
    monkeypatch.setattr(process_supervisor, "CGROUPS", tmp_path)
    monkeypatch.setattr(process_supervisor, "MEMBER_OF", member_of)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(4)), raising=False)

    assert process_supervisor.usable_cores() == found
