"""Bytes on a connection: no answer is longer than its header says."""

from unittest.mock import Mock

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.db import OperationalError, transaction
from django.test import Client
from django.urls import reverse

from bridgebuddy.clubs.sign_in.limits import AttemptLimit
from bridgebuddy.director.sessions import home
from tests.factories import section_with

from . import rights
from .raw_http import NotHttp, Wire, read_answers, request
from .servers import bridgebuddy, received


def test_the_reader_notices_what_follows_a_head():
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"

    assert read_answers(["HEAD", "GET"], head + head + b"ab")[1].body == b"ab"
    with pytest.raises(NotHttp):
        read_answers(["HEAD", "GET"], head + b"ab" + head + b"ab")
    with pytest.raises(NotHttp):
        read_answers(["GET"], head + b"a")


@pytest.fixture
def wire(db, settings):
    settings.ALLOWED_HOSTS = ["localhost", "testserver"]
    return Wire(WSGIHandler())


def cookie_of(user):
    client = Client()
    client.force_login(user)
    return f"sessionid={client.cookies['sessionid'].value}"


PING = request("GET", "/ping")
LOGIN = "/accounts/login/"


def trouble_with(wire, address, cookie):
    """Return the error of `HEAD` of an address, and of the next answer on the same connection; nothing is stored."""
    with transaction.atomic():
        head, *others = wire.ask(request("HEAD", address, Cookie=cookie), PING)
        transaction.set_rollback(True)
    if head.status >= 500:
        return f"status {head.status}"
    if head.status == 200 and "content-length" not in head.headers:
        return "the length is not said"
    if not head.closes and [other.body for other in others] != [b"BridgeBuddy\n"]:
        return "the next answer is another"
    return ""


def test_every_address_answers_head_with_a_head_alone(wire, club, alice, monkeypatch):
    monkeypatch.setattr("bridgebuddy.printing.rendering.cache.render_pdf", str.encode)
    section = section_with(10, "mitchell", round=2, club=club, by=alice)
    addresses = {**rights.addresses_of(section, alice), **rights.other_addresses()}
    addresses |= {path: path for path in ("/static/css/app.css", "/nowhere/", "/ping", "/healthz")}
    cookie = cookie_of(alice)

    troubles = {name: trouble_with(wire, address, cookie) for name, address in addresses.items()}

    assert {name: trouble for name, trouble in troubles.items() if trouble} == {}


@pytest.mark.parametrize("address", ["/", "/ping", "/sw.js", "/accounts/login/", "/nowhere/"])
def test_head_has_the_headers_of_the_page(wire, address):
    head, page = wire.ask(request("HEAD", address), request("GET", address))

    same = page.headers.keys() - {"date", "set-cookie"}
    assert head.status == page.status
    assert {key: head.headers.get(key) for key in same} == {key: page.headers[key] for key in same}
    assert head.headers["content-length"] == str(len(page.body))


def test_options_names_the_methods_and_others_are_refused(wire):
    trace, delete, options = (request(method, LOGIN) for method in ("TRACE", "DELETE", "OPTIONS"))

    *others, ping = wire.ask(trace, delete, PING)
    [allowed] = wire.ask(options)

    assert (allowed.status, allowed.headers["allow"]) == (204, "GET, HEAD, POST, OPTIONS")
    assert [(other.status, other.body) for other in others] == [(405, b""), (405, b"")]
    assert ping.body == b"BridgeBuddy\n"


TOKEN = "t" * 32


@pytest.fixture
def failing(monkeypatch):
    """Make home fail with an error, or every limit be reached, for the requests after this."""

    def fail(error=None):
        if error is None:
            for question in ("count", "is_reached"):
                monkeypatch.setattr(AttemptLimit, question, lambda limit, client: True)
        else:
            monkeypatch.setattr(home, "has_expired_data", Mock(side_effect=error))

    return fail


def test_every_status_leaves_the_connection_to_the_next_request(wire, skip_section, alice, failing):
    phone, desk = Client(), f"/s/{skip_section.code}/desk/"
    phone.get(f"/p/{skip_section.code}/")
    cookies = phone.cookies.output(header="", attrs=[], sep=";").strip()
    poll = request("GET", f"/p/{skip_section.code}/?v={skip_section.shown}", Cookie=cookies)
    known = {"If_None_Match": wire.ask(request("GET", "/static/brand.svg"))[0].headers["etag"]}
    by_alice = {"Cookie": f"{cookie_of(alice)}; csrftoken={TOKEN}", "X_CSRFToken": TOKEN}
    add_pair = reverse("add-pair", args=[skip_section.code])
    by_cookie = {"Cookie": cookie_of(alice)}

    def statuses(*sent):
        """The statuses of the answers; the last answer on each connection is that to a ping."""
        answers = [wire.ask(item, PING) for item in sent]
        assert all(a.closes or ping[0].body == b"BridgeBuddy\n" for a, *ping in answers)
        return [answer.status for answer, *_ in answers]

    assert statuses(request("HEAD", "/"), poll, request("HEAD", desk)) == [200, 204, 302]
    assert statuses(
        request("GET", "/static/brand.svg", **known), request("HEAD", "/static/brand.svg", **known)
    ) == [304, 304]
    assert statuses(
        request("POST", LOGIN, b"login=a"), request("HEAD", "/nowhere/"), request("HEAD", add_pair)
    ) == [403, 404, 405]
    assert statuses(request("POST", add_pair, b"first=", **by_alice)) == [422]
    failing(ZeroDivisionError("a mistake"))
    assert statuses(request("HEAD", "/", **by_cookie), request("GET", "/", **by_cookie)) == [
        500,
        500,
    ]
    failing(OperationalError("server closed the connection"))
    assert statuses(request("HEAD", "/", **by_cookie), request("GET", "/", **by_cookie)) == [
        503,
        503,
    ]
    failing()
    assert statuses(request("GET", f"/p/{skip_section.code}/")) == [429]


CONTENT = [b"0123456789", b"abc"]
SHAPES = {
    "of a known length": (lambda: CONTENT, [("Content-Length", "13")]),
    "in one piece": (lambda: CONTENT[:1], []),
    "in pieces of an unknown length": (lambda: iter(CONTENT), []),
    "empty": (list, []),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "status", ["200 OK", "204 No Content", "304 Not Modified", "404 Not Found", "500 Broken"]
)
def test_no_program_makes_the_server_send_content_where_none_may_be(status, shape):
    """The server frames answers by itself, independent of the application's headers."""
    content, headers = SHAPES[shape]

    def application(environ, start_response):
        start_response(status, headers)
        return content()

    wire = Wire(application)

    for methods in (["HEAD", "GET"], ["GET", "HEAD"], ["HEAD", "POST"], ["HEAD", "HEAD"]):
        answers = wire.ask(*(request(method, "/") for method in methods))
        assert len(answers) == 2 or answers[0].closes
        assert {answer.status for answer in answers} == {int(status[:3])}


def test_a_file_is_not_sent_past_the_head(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"0123456789")

    def application(environ, start_response):
        start_response("200 OK", [("Content-Length", "10")])
        opened = file.open("rb")
        wrap = environ.get("wsgi.file_wrapper")
        return wrap(opened) if wrap else opened

    head, page = Wire(application).ask(request("HEAD", "/"), request("GET", "/"))

    assert (head.headers["content-length"], page.body) == ("10", b"0123456789")


def test_a_program_that_breaks_is_answered_with_a_head_too(caplog):
    def application(environ, start_response):
        raise ZeroDivisionError

    [head], [page] = (Wire(application).ask(request(method, "/")) for method in ("HEAD", "GET"))

    assert (head.status, page.status, page.body != b"") == (500, 500, True)


def ten_bytes(environ, start_response):
    start_response("200 OK", [("Content-Length", "10")])
    return [b"0123456789"]


HOST = b"Host: localhost\r\n"
REFUSED = {
    "two hosts": (400, b"GET / HTTP/1.1\r\n" + 2 * HOST),
    "two other hosts": (400, b"GET / HTTP/1.1\r\nHost: other.example\r\n" + HOST),
    "two hosts in HTTP/1.0": (400, b"GET / HTTP/1.0\r\n" + 2 * HOST),
    "a list of hosts": (400, b"GET / HTTP/1.1\r\nHost: localhost, other.example\r\n"),
    "no host": (400, b"GET / HTTP/1.1\r\n"),
    "HTTP/9.9": (505, b"GET / HTTP/9.9\r\n" + HOST),
    "HTTP/2.0": (505, b"PRI * HTTP/2.0\r\n"),
    "HTTP/0.9": (505, b"GET / HTTP/0.9\r\n" + HOST),
    "HTTP/9.9 with content": (505, b"POST / HTTP/9.9\r\nContent-Length: 5\r\n" + HOST),
    "another coding": (501, b"POST / HTTP/1.1\r\nTransfer-Encoding: x\r\n" + HOST),
    "a head that is too long": (431, b"GET / HTTP/1.1\r\nX: " + 300_000 * b"a"),
    "no head": (400, b"GET /\x00 HTTP/1.1\r\n: x\r\n" + HOST),
}


@pytest.mark.parametrize("method", [b"GET", b"HEAD"])
@pytest.mark.parametrize("what", REFUSED)
def test_malformed_requests_are_refused_and_the_connection_closed(what, method):
    status, head = REFUSED[what]
    asked = head.replace(b"GET ", method + b" ", 1) + b"\r\n"

    received = Wire(ten_bytes).send(asked, request("GET", "/"))

    is_head = asked.startswith(b"HEAD ")
    [answer] = read_answers(["HEAD" if is_head else "GET"], received)
    assert (answer.status, answer.closes) == (status, True)
    assert is_head or answer.body


@pytest.mark.parametrize("version", ["1.0", "1.1", "1.2"])
def test_minor_versions_are_answered(version):
    asked = f"GET / HTTP/{version}\r\nHost: localhost\r\n\r\n".encode()

    assert read_answers(["GET"], Wire(ten_bytes).send(asked))[0].body == b"0123456789"


def test_a_running_server_keeps_head_form_and_page_of_one_connection_apart(tmp_path):
    """The answers to ten requests that were sent at once, as a browser or a proxy reads them."""
    form = request("POST", LOGIN, b"login=a&password=b")
    asked = 2 * [request("HEAD", "/sw.js"), form, request("HEAD", "/"), request("GET", "/ping")]
    last = request("GET", "/p/", Connection="close")
    with bridgebuddy(tmp_path) as server, server.connect(b"".join([*asked, last])) as connection:
        answers = read_answers([*2 * ["HEAD", "POST", "HEAD", "GET"], "GET"], received(connection))

    assert [answer.status for answer in answers] == [*2 * [200, 403, 200, 200], 200]
    assert b"</html>" in answers[-1].body
