"""A server behind Caddy and nginx: answers reach the right browser, and optional parts may be missing."""

import shutil
import socket
import subprocess
import tempfile
import threading
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from django.db import connection

from tests.postgres import free_port
from tests.security.raw_http import read_answers, request
from tests.security.servers import bridgebuddy, received, running

from .proxies import BEHIND_A_PROXY, caddy_before, nginx_before, program, started

ROUNDS = 40
QUICKLY = "100ms"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("web")


@pytest.fixture(scope="module")
def web(folder):
    with bridgebuddy(folder, WEB_PROCESSES="1", **BEHIND_A_PROXY) as server:
        yield server


@pytest.fixture(params=["caddy", "nginx"])
def proxy(request, web, tmp_path):
    with ExitStack() as stack:
        if request.param == "caddy":
            yield stack.enter_context(caddy_before(web.port, folder=tmp_path))[0]
        else:
            yield stack.enter_context(nginx_before(web.port, folder=tmp_path, https=True))


def conversation(proxy, asked):
    """Ask on one kept connection again and again; return the answers that differ from the first."""
    connection = proxy.connect()
    others, first = set(), {}
    for number in range(ROUNDS):
        method, path = asked[number % len(asked)]
        connection.request(method, path)
        answer = connection.getresponse()
        said = answer.status, answer.read()[-20:]
        if said != first.setdefault((method, path), said):
            others.add((method, path, said))
    connection.close()
    return first, others


def test_no_answer_reaches_another_browser(proxy):
    """One browser asks for heads and sends forms, another asks for pages, over the proxy's kept connections."""
    heads = [("HEAD", "/sw.js"), ("POST", "/accounts/login/"), ("HEAD", "/"), ("HEAD", "/nowhere/")]
    pages = [("GET", "/p/"), ("GET", "/ping"), ("OPTIONS", "/p/"), ("GET", "/accounts/login/")]
    found = {}

    def talk(name, asked):
        found[name] = conversation(proxy, asked)

    browsers = [
        threading.Thread(target=talk, args=(f"{number}", asked))
        for number, asked in enumerate([heads, pages, heads, pages])
    ]
    for browser in browsers:
        browser.start()
    for browser in browsers:
        browser.join()

    first = {**found["0"][0], **found["1"][0]}
    assert [found[f"{number}"][1] for number in range(4)] == [set()] * 4
    assert {asked: status for asked, (status, _end) in first.items()} == {
        ("HEAD", "/sw.js"): 200,
        ("POST", "/accounts/login/"): 403,
        ("HEAD", "/"): 200,
        ("HEAD", "/nowhere/"): 404,
        ("GET", "/p/"): 200,
        ("GET", "/ping"): 200,
        ("OPTIONS", "/p/"): 204,
        ("GET", "/accounts/login/"): 200,
    }
    assert first["GET", "/ping"][1] == b"BridgeBuddy\n"
    assert first["GET", "/p/"][1].rstrip().endswith(b"</html>")


def test_two_hosts_reach_no_page_through_a_proxy(web):
    """A proxy may be more lenient than the server, which has the last word."""
    head = b"GET /p/ HTTP/1.1\r\nHost: localhost\r\nHost: other.example\r\n\r\n"
    with web.connect(head) as connection:
        [answer] = read_answers(["GET"], received(connection))

    assert answer.status == 400


def test_a_redis_that_is_killed_takes_no_server_out(tmp_path):
    redis = program("redis-server", "redis-server")
    port = free_port()
    own = {"CACHE_URL": f"redis://127.0.0.1:{port}/0", "WEB_PROCESSES": "1", **BEHIND_A_PROXY}
    options = ("--port", str(port), "--save", "", "--dir", str(tmp_path))
    with ExitStack() as stack:
        beside = stack.enter_context(started(redis, *options))
        server = stack.enter_context(bridgebuddy(tmp_path, **own))
        caddy, _ = stack.enter_context(
            caddy_before(server.port, folder=tmp_path, check_every=QUICKLY)
        )
        assert b'"cache": "ok"' in server.ask("/readyz")

        beside.kill()
        beside.wait()

        assert b'"cache": "not ok"' in server.ask("/readyz")  # it is noticed
        assert server.ask("/readyz").startswith(b"HTTP/1.1 200")
        assert {caddy.ask("/p/")[0] for _ in range(20)} == {200}
        assert server.ask("/healthz").endswith(b"ok\n")
        assert {caddy.ask("/accounts/login/")[0] for _ in range(20)} == {200}


@contextmanager
def small_disk(folder: Path, size: str):
    """A file system of its own in memory; the test is skipped where none may be mounted."""
    at = Path(tempfile.mkdtemp(prefix="small-", dir=folder))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(at)]
    done = subprocess.run(mount, capture_output=True, text=True) if shutil.which("mount") else None
    if done is None or done.returncode:
        why = done.stderr.strip() if done else "no mount"
        pytest.skip(f"a full disk is not tried: this machine mounts no small one ({why})")
    try:
        yield at
    finally:
        subprocess.run(["umount", "--lazy", str(at)], check=True)


def test_a_full_disk_is_named_and_pages_stay(tmp_path):
    with small_disk(tmp_path, "60m") as disk, ExitStack() as stack:
        server = stack.enter_context(bridgebuddy(disk, WEB_PROCESSES="1", **BEHIND_A_PROXY))
        caddy, _ = stack.enter_context(
            caddy_before(server.port, folder=tmp_path, check_every=QUICKLY)
        )
        assert b'"disk": "nearly full' in server.ask("/readyz")

        fill(disk / "film")
        full = server.ask("/readyz")
        pages = {caddy.ask(path)[0] for path in ("/p/", "/accounts/login/", "/ping") for _ in "123"}
        refused = sign_up(server)
        (disk / "film").unlink()

        assert full.startswith(b"HTTP/1.1 503")
        assert b'"disk": "full: 0 MB free"' in full
        assert pages == {200}
        assert refused.status == 503
        assert "The server’s disk is full".encode() in refused.body
        assert server.ask("/readyz").startswith(b"HTTP/1.1 200")
        assert sign_up(server).status == 302


def fill(file: Path) -> None:
    """Write until the disk is full."""
    with file.open("wb", buffering=0) as film, suppress(OSError):
        while film.write(bytes(100_000)):
            pass


TOKEN = "t" * 32


def sign_up(server):
    """Make an account, which is stored at once."""
    path = "/accounts/signup/"
    headers = {
        "Cookie": f"csrftoken={TOKEN}",
        "X_CSRFToken": TOKEN,
        "X_Forwarded_Proto": "https",
        "Referer": f"https://localhost{path}",
    }
    account = b"email=alice@example.org&password1=right-horse-battery"
    with server.connect(
        request("POST", path, account, Connection="close", **headers)
    ) as connection:
        return read_answers(["POST"], received(connection))[0]


class ProxyConnection:
    """A connection to a server that a test cuts and restores; to clients the server itself seems to stop."""

    def __init__(self, host, port):
        self._to = host, port
        self.port = free_port()
        self._open = []
        self.mend()

    def mend(self):
        self._listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._serve, args=(self._listener,), daemon=True).start()

    def cut(self):
        for item in (self._listener, *self._open):
            with suppress(OSError):
                item.shutdown(socket.SHUT_RDWR)
            item.close()
        self._open.clear()

    def _serve(self, listener):
        with suppress(OSError):
            while True:
                ours = listener.accept()[0]
                theirs = socket.create_connection(self._to)
                self._open += [ours, theirs]
                for source, target in ((ours, theirs), (theirs, ours)):
                    threading.Thread(
                        target=self._pass_on, args=(source, target), daemon=True
                    ).start()

    def _pass_on(self, source, target):
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="the tests' own PostgreSQL")
@pytest.mark.django_db(transaction=True)
def test_a_postgresql_that_stops_and_comes_back_is_noticed(tmp_path):
    database = connection.settings_dict
    line = ProxyConnection(database["HOST"], int(database["PORT"]))
    own = {
        "DATABASE_URL": f"postgres://{database['USER']}@127.0.0.1:{line.port}/{database['NAME']}"
    }
    own |= {"VAR_DIR": str(tmp_path), "WEB_PROCESSES": "1", **BEHIND_A_PROXY}
    command = ("-u", "manage.py", "serve", "--port", "0", "--without-jobs")
    with ExitStack() as stack:
        server = stack.enter_context(running(*command, **own))
        caddy, _ = stack.enter_context(
            caddy_before(server.port, folder=tmp_path, check_every=QUICKLY)
        )
        assert caddy.ask("/p/ABCDEF/")[0] == 404

        line.cut()
        assert server.ask("/healthz").startswith(b"HTTP/1.1 503")
        caddy.wait("/ping", 503)  # Caddy has left it out, and says so itself
        status, headers, body = caddy.ask("/p/ABCDEF/")
        assert (status, headers["Retry-After"]) == (503, "30")
        assert b"BridgeBuddy does not answer at the moment" in body

        line.mend()
        caddy.wait("/p/ABCDEF/", 404)
        assert server.ask("/healthz").startswith(b"HTTP/1.1 200")
    line.cut()
