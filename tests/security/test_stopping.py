"""A stopping server answers the open requests, and drops those whose client has gone."""

import signal
import socket
import time

import pytest

from .servers import PATIENCE, received, running

#: a program whose one page takes until a file is there, and is longer than a connection holds
SLOW = """
import sys, time
from pathlib import Path
from bridgebuddy.operations.server import serve
begun, enough, processes = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])

def application(environ, start_response):
    begun.touch()
    while not enough.exists():
        time.sleep(0.01)
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"x" * 20_000_000]

serve(application, host="127.0.0.1", port=0, threads=2, processes=processes,
      ready=lambda port: print(f"answers on :{port}", flush=True))
"""
ECHO = """
from bridgebuddy.operations.server import serve

def application(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"{environ['HTTP_X_FORWARDED_FOR']} {environ['HTTP_X_FORWARDED_PROTO']}".encode()]

serve(application, host="127.0.0.1", port=0, threads=2,
      ready=lambda port: print(f"answers on :{port}", flush=True))
"""
ONE_AT_A_TIME = """
import sys, time
from pathlib import Path
from bridgebuddy.operations.server import serve
asked, enough = map(Path, sys.argv[1:])

def application(environ, start_response):
    with asked.open("a") as told:
        told.write(environ["PATH_INFO"])
    while not enough.exists():
        time.sleep(0.01)
    start_response("200 OK", [("Content-Length", "0")])
    return []

serve(application, host="127.0.0.1", port=0, threads=1,
      ready=lambda port: print(f"answers on :{port}", flush=True))
"""


@pytest.mark.parametrize("processes", ["1", "2"])
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_what_is_being_answered_is_answered_to_its_end(tmp_path, how, processes):
    begun, enough = tmp_path / "begun", tmp_path / "enough"
    with running("-c", SLOW, str(begun), str(enough), processes) as server:
        with server.connect(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") as connection:
            wait_until(begun.exists)

            server.process.send_signal(how)

            wait_until(lambda: refuses(server))
            enough.touch()
            head, _, body = received(connection).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200")
        assert body == b"x" * 20_000_000
        assert server.process.wait(PATIENCE) == 0


def test_who_has_hung_up_before_their_turn_keeps_nobody_waiting(tmp_path):
    asked, enough = tmp_path / "asked", tmp_path / "enough"
    request = b"GET /%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with running("-c", ONE_AT_A_TIME, str(asked), str(enough)) as server:
        first = server.connect(request % b"first")
        wait_until(asked.exists)
        impatient, patient = (server.connect(request % item) for item in (b"impatient", b"patient"))
        with first, impatient, patient:
            impatient.shutdown(socket.SHUT_WR)

            assert received(impatient) == b""
            enough.touch()
            assert received(first).startswith(b"HTTP/1.1 200")
            assert received(patient).startswith(b"HTTP/1.1 200")
        assert asked.read_text() == "/first/patient"


def test_what_a_proxy_says_of_the_phone_reaches_the_program():
    with running("-c", ECHO) as server:
        answer = server.ask("/", "X-Forwarded-For: 192.0.2.7", "X-Forwarded-Proto: https")

        assert answer.endswith(b"192.0.2.7 https")
        assert b"\r\nServer:" not in answer


def refuses(server) -> bool:
    try:
        server.connect().close()
    except OSError:
        return True
    return False


def wait_until(is_so) -> None:
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.02)
