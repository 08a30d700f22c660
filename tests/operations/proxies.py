"""Caddy and nginx before a server, with the files of `deploy/`."""

from __future__ import annotations

import http.client
import os
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from pathlib import Path

import pytest

from tests.postgres import free_port
from tests.security.servers import PATIENCE, ROOT

DEPLOY = ROOT / "deploy"
#: what the settings of a server behind a proxy say
BEHIND_A_PROXY = {"HTTPS": "true", "ALLAUTH_TRUSTED_PROXY_COUNT": "1", "SECRET_KEY": "s" * 50}


class Proxy:
    """A running proxy, as a browser asks it."""

    def __init__(self, port: int, *, https: bool) -> None:
        self.port, self.https = port, https

    @property
    def address(self) -> str:
        return f"http{'s' if self.https else ''}://localhost:{self.port}"

    def connect(self) -> http.client.HTTPConnection:
        """Open a connection that is kept."""
        if not self.https:
            return http.client.HTTPConnection("localhost", self.port, timeout=PATIENCE)
        unchecked = ssl._create_unverified_context()
        return http.client.HTTPSConnection(
            "localhost", self.port, timeout=PATIENCE, context=unchecked
        )

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[int, Message, bytes]:
        """Ask on a connection of its own."""
        connection = self.connect()
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    def wait(self, path: str = "/ping", status: int = 200) -> None:
        """Wait until a page is answered with this status."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                if self.ask(path)[0] == status:
                    return
            except OSError:
                pass
            assert time.monotonic() < until, f"{path} is never answered with {status}"
            time.sleep(0.1)


def program(name: str, package: str) -> str:
    """Return where a program lies; skip the test where it does not."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip(f"no {name}; install the package {package} to include it")
    return found


@contextmanager
def started(*command: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program until the end of the block."""
    process = subprocess.Popen(
        command,
        env={**os.environ, **environment},
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


@contextmanager
def caddy_before(
    *ports: int, folder: Path, check_every: str = "5s"
) -> Iterator[tuple[Proxy, Proxy]]:
    """Start Caddy before servers at these ports; yield it as it speaks HTTPS, and as it leads there."""
    file, https, plain = folder / "Caddyfile", free_port(), free_port()
    text = (DEPLOY / "Caddyfile").read_text()
    assert "health_interval 5s" in text
    file.write_text(text.replace("health_interval 5s", f"health_interval {check_every}"))
    with started(
        program("caddy", "caddy"), "run", "--config", str(file), "--adapter", "caddyfile",
        BRIDGEBUDDY_SITE="localhost",
        BRIDGEBUDDY_WEB=" ".join(f"127.0.0.1:{port}" for port in ports),
        HTTP_PORT=str(plain),
        HTTPS_PORT=str(https),
        CADDY_ADMIN_AT="off",
        XDG_DATA_HOME=str(folder / "caddy"),
        XDG_CONFIG_HOME=str(folder / "caddy"),
    ):  # fmt: skip
        proxy = Proxy(https, https=True)
        proxy.wait()
        yield proxy, Proxy(plain, https=False)


@contextmanager
def nginx_before(port: int, *, folder: Path, https: bool) -> Iterator[Proxy]:
    """Start nginx before a server; with `https` it has a certificate, as certbot adds one."""
    nginx, at = program("nginx", "nginx"), free_port()
    listen = f"listen 127.0.0.1:{at};"
    if https:
        listen = f"listen 127.0.0.1:{at} ssl; {_certificate(folder)}"
    text = (DEPLOY / "nginx.conf").read_text()
    assert "listen 80;" in text
    text = text.replace("listen 80;", listen).replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    temporary = "".join(
        f"{what}_temp_path {folder}/{what};"
        for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/errors; events {{}}"
        f"http {{ access_log off; {temporary} {text} }}"
    )
    with started(nginx, "-c", str(file), "-e", str(folder / "errors")):
        proxy = Proxy(at, https=https)
        proxy.wait()
        yield proxy


def _certificate(folder: Path) -> str:
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        [program("openssl", "openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes",
         "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost"],
        check=True, capture_output=True,
    )  # fmt: skip
    return f"ssl_certificate {certificate}; ssl_certificate_key {key};"
