"""Who sends half a request keeps nobody else waiting."""

from contextlib import ExitStack

import pytest

from .servers import bridgebuddy

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


def test_too_much_is_refused_before_it_has_come(server):
    with server.connect(BODY.replace(b"100000", b"9" * 9)) as connection:
        assert connection.recv(12) == b"HTTP/1.1 413"


def status(answer: bytes) -> bytes:
    return answer.split(b" ", 2)[1]
