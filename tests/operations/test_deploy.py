"""The set-ups of `deploy/`, followed as written, where this machine has their programs."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
import yaml

from tests.postgres import free_port
from tests.security.servers import ROOT, bridgebuddy, children, running

from .proxies import BEHIND_A_PROXY, DEPLOY, caddy_before, nginx_before

#: what is said to programs that are none of ours
OTHERS = {
    "POSTGRES_PASSWORD",
    "POSTGRES_USER",
    "POSTGRES_DB",
    "BRIDGEBUDDY_SITE",
    "BRIDGEBUDDY_WEB",
}
OTHERS |= {"PYTHONUNBUFFERED"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("web")


@pytest.fixture(scope="module")
def web(folder):
    """A server of two processes, behind a proxy: the same for all that is asked of it, until it is killed."""
    with bridgebuddy(folder, WEB_PROCESSES="2", **BEHIND_A_PROXY) as server:
        yield server


@pytest.fixture(scope="module")
def caddy(web, folder):
    with caddy_before(web.port, folder=folder) as both:
        yield both


@pytest.fixture
def nginx(web, tmp_path):
    with nginx_before(web.port, folder=tmp_path, https=False) as proxy:
        yield proxy


def test_caddy_speaks_https_and_leads_there(caddy):
    proxy, plain = caddy

    status, headers, body = proxy.ask("/p/")

    assert (status, b"</html>" in body) == (200, True)
    assert headers["Strict-Transport-Security"]
    assert "Secure" in proxy.ask("/accounts/login/")[1]["Set-Cookie"]
    status, headers, _ = plain.ask("/p/")
    assert (status, headers["Location"].startswith("https://")) == (308, True)


def test_caddy_keeps_figures_inside(caddy):
    proxy, _ = caddy

    assert [proxy.ask(path)[0] for path in ("/healthz", "/readyz", "/metrics")] == [404] * 3


def test_pages_are_answered_while_half_requests_hang_at_caddy(caddy):
    proxy, plain = caddy
    with ExitStack() as hanging:
        for _ in range(200):
            connection = socket.create_connection(("127.0.0.1", plain.port))
            hanging.enter_context(connection).sendall(b"GET /p/ HTTP/1.1\r\nX: ")

        assert proxy.ask("/p/")[0] == 200


def test_a_process_that_is_killed_is_not_missed(caddy, web):
    proxy, _ = caddy

    kill_a_process(web)

    assert {proxy.ask("/p/")[0] for _ in range(20)} == {200}


def test_nginx_hands_on_what_is_asked(nginx, web):
    status, headers, _ = nginx.ask("/p/")

    assert status == 301  # there is no certificate yet: certbot adds it
    assert headers["Location"] == f"https://localhost:{nginx.port}/p/"
    assert [nginx.ask(path)[0] for path in ("/healthz", "/readyz", "/metrics")] == [404] * 3
    kill_a_process(web)
    assert {nginx.ask("/p/")[0] for _ in range(20)} == {301}


def test_the_health_check_of_containers_asks_whether_a_server_can_answer(web):
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    kind, program, *words = compose["services"]["web"]["healthcheck"]["test"]
    assert (kind, program) == ("CMD", "python")

    found = [
        subprocess.run(
            [sys.executable, *(word.replace(":8000/", f":{port}/") for word in words)],
            capture_output=True,
        ).returncode
        for port in (web.port, free_port())
    ]

    assert found == [0, 1]


def test_a_server_that_is_killed_and_started_again_answers_at_once(caddy, web, folder):
    """The last that is asked of it."""
    proxy, _ = caddy

    web.process.kill()
    web.process.wait()
    same = {"VAR_DIR": str(folder), "DATABASE_URL": f"sqlite:///{folder / 'empty.sqlite3'}"}
    command = ("-u", "manage.py", "serve", "--port", str(web.port))
    with running(*command, **same, **BEHIND_A_PROXY):
        assert {proxy.ask("/p/")[0] for _ in range(20)} == {200}


def kill_a_process(web):
    """Kill one of those that answer; the first one only watches."""
    os.kill(min(children(web)), signal.SIGKILL)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze")
def test_systemd_understands_the_units(tmp_path):
    for unit in (DEPLOY / "systemd").iterdir():
        text = unit.read_text().replace("/opt/bridgebuddy/current/.venv/bin/python", sys.executable)
        name = unit.name.replace("@.", "@8000.")
        (tmp_path / name).write_text(
            re.sub(r"^User=.*\n", "", text, flags=re.M).replace(
                "/opt/bridgebuddy/current", str(ROOT)
            )
        )

    done = subprocess.run(
        ["systemd-analyze", "verify", *map(str, tmp_path.iterdir())], capture_output=True, text=True
    )

    about_ours = [line for line in done.stderr.splitlines() if "bridgebuddy" in line]
    assert about_ours == []


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze")
@pytest.mark.parametrize(
    "unit", sorted((DEPLOY / "systemd").glob("*.service")), ids=lambda x: x.name
)
def test_systemd_finds_little_that_a_unit_could_do_to_the_machine(unit):
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", unit],
        capture_output=True,
        text=True,
    )

    exposed = float(re.findall(r"Overall exposure level for .*: ([\d.]+)", done.stdout)[0])
    assert exposed < 5, done.stdout  # what it calls OK begins below 5


def test_every_variable_of_a_set_up_is_one_that_the_settings_read():
    settings = (ROOT / "bridgebuddy/settings.py").read_text()
    known = set(re.findall(r'env(?:\.\w+)?\(\s*"([A-Z_]+)"', settings))
    said = set(re.findall(r"^ *([A-Z_]+)[=:] ?", (DEPLOY / "bridgebuddy.env").read_text(), re.M))
    said |= set(re.findall(r"^ +([A-Z_]+): ", (DEPLOY / "compose.yaml").read_text(), re.M))

    assert said - known - OTHERS == set()


@pytest.mark.parametrize("script", ["club-box.sh"])
def test_a_script_is_one_that_a_shell_understands(script):
    subprocess.run(["sh", "-n", DEPLOY / script], check=True)


def pinned(file: Path) -> dict[str, str]:
    matches = re.findall(r"^([\w.-]+)(?:\[\w+\])?==([\w.]+)", file.read_text(), re.M)
    return {name.lower().replace("_", "-"): version for name, version in matches}


def test_everything_that_is_required_is_locked_in_that_version():
    """`make lock` writes the lock anew."""
    required, locked = pinned(ROOT / "requirements.txt"), pinned(ROOT / "requirements.lock")

    assert {name: locked.get(name) for name in required} == required
    lock = (ROOT / "requirements.lock").read_text()
    assert all("--hash=sha256:" in part for part in re.split(r"\n(?=[\w])", lock) if "==" in part)
