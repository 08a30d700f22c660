"""A half-sent request keeps no other client waiting."""

import socket
import types
from contextlib import ExitStack

import pytest
from waitress.adjustments import Adjustments

from bridgebuddy.operations import http_connections

from .servers import bridgebuddy, received, status

HEADERS = b"GET /p/ HTTP/1.1\r\nHost: localhost\r\nX: "
BODY = (
    b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100000\r\n\r\nlogin="
)
SCRIPT = b"GET /static/vendor/htmx-2.0.11.min.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF_SENT = {
    "4 headers": (4, HEADERS),
    "200 headers": (200, HEADERS),
    "64 idle": (64, b""),
    "200 bodies": (200, BODY),
    "64 answers nobody reads": (64, 20 * SCRIPT),
}
PAGES = ["/p/", "/accounts/login/", "/static/css/app.css", "/p/ABCDEF/?v=1"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with bridgebuddy(tmp_path_factory.mktemp("var")) as one:
        yield one


@pytest.mark.parametrize("what", HALF_SENT)
def test_other_pages_are_answered_while_half_requests_hang(server, what):
    count, sent = HALF_SENT[what]
    usual = {page: status(server.ask(page)) for page in PAGES}
    with ExitStack() as hanging:
        connections = [hanging.enter_context(server.connect(sent)) for _ in range(count)]
        for connection in connections[:: max(1, count // 10)]:
            connection.sendall(b"a")  # they go on, a letter at a time

        answers = {page: status(server.ask(page)) for page in PAGES}

    assert answers == usual


def test_a_request_that_comes_in_pieces_is_answered(server):
    with server.connect(HEADERS) as connection:
        server.ask("/p/")
        connection.sendall(b"y\r\nConnection: close\r\n\r\n")

        assert connection.recv(12) == b"HTTP/1.1 200"


TWICE = {
    "both": b"POST /p/ HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n",
    "the other way round": b"POST /p/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n",
    "of an older kind": b"POST /p/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n",
}


@pytest.mark.parametrize("what", TWICE)
def test_a_request_that_says_twice_how_long_it_is_is_refused_and_nothing_behind_it_read(
    server, what
):
    behind = b"0\r\n\r\nGET /p/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with server.connect(TWICE[what] + b"Host: localhost\r\n\r\n" + behind) as connection:
        answer = received(connection)

    assert answer.startswith(b"HTTP/1.%d 400" % (0 if b"1.0" in TWICE[what] else 1))
    assert answer.count(b"HTTP/1.") == 1


def test_a_request_in_chunks_is_answered(server):
    head = b"POST /p/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    with server.connect(head + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n") as connection:
        assert received(connection).startswith(b"HTTP/1.1 4")


#: what drips, and after how long it is over
DRIPS = {"a head": (HEADERS, 10), "a body": (BODY, 60)}


@pytest.mark.parametrize("what", DRIPS)
def test_who_drips_is_closed_by_the_first_drop_after_their_time(what, monkeypatch):
    sent, seconds = DRIPS[what]
    now = 1000.0
    monkeypatch.setattr(http_connections.time, "monotonic", lambda: now)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        server = types.SimpleNamespace(active_channels={}, add_task=lambda task: None)
        channel = http_connections.HttpConnection(server, ours, ("", 0), Adjustments(), map={})
        channel.received(sent)

        now += seconds - 1
        channel.received(b"a")
        in_time = channel.will_close
        now += 2
        channel.received(b"a")

        assert (in_time, channel.will_close) == (False, True)


def test_a_phone_that_keeps_its_connection_has_time_for_each_request_anew(monkeypatch):
    now = 1000.0
    monkeypatch.setattr(http_connections.time, "monotonic", lambda: now)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        server = types.SimpleNamespace(active_channels={}, add_task=lambda task: None)
        channel = http_connections.HttpConnection(server, ours, ("", 0), Adjustments(), map={})
        for _ in range(3):
            channel.received(b"GET /p/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
            channel.requests.clear()
            now += 29

        assert not channel.will_close


def test_too_much_is_refused_before_it_has_come(server):
    with server.connect(BODY.replace(b"100000", b"9" * 9)) as connection:
        assert connection.recv(12) == b"HTTP/1.1 413"
