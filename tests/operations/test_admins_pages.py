"""Commands of hosting.md and federation.md, read from the pages and run: each is in one of these tests."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands, load_command_class

from tests.security.servers import ROOT

DEPLOY, ADMIN = ROOT / "deploy", ROOT / "docs" / "admin"
PAGES = {name: (ADMIN / f"{name}.md").read_text() for name in ("hosting", "federation")}
#: of Debian: what installs the commands of the page
PACKAGE_OF = {
    "git": "git",
    "createuser": "postgresql",
    "createdb": "postgresql",
    "pg_dump": "postgresql",  # brings the client
    "caddy": "caddy",
    "mdb-export": "mdbtools",
    "python3": "python3-venv",  # which the installer makes folders of packages with
}
#: what would change the machine only says that it was called
STUBS = (
    "useradd",
    "git",
    "createuser",
    "createdb",
    "systemctl",
    "pip",
    "chown",
    "runuser",
    "hostnamectl",
    "dpkg-query",
    "release",
)


def blocks(page: str) -> list[str]:
    """The commands of a page that stand in paragraphs of their own."""
    matches = re.findall(r"(?:^    .+\n)+", PAGES[page], re.M)
    return [re.sub(r"^    ", "", text, flags=re.M) for text in matches]


def said(page: str) -> list[str]:
    """Return all parts of a page between backticks."""
    return re.findall(r"`([^`]+)`", re.sub(r"(?:^    .+\n)+", "\n", PAGES[page], flags=re.M))


@pytest.fixture
def machine(tmp_path):
    """Return a machine for a page's shell commands: folders of its own, and stubs that note their arguments."""
    for folder in ("bin", "etc/systemd/system", "etc/caddy", "var", "opt"):
        (tmp_path / folder).mkdir(parents=True)
    for name in STUBS:
        stub = tmp_path / "bin" / name
        more = '[ "$1" = -u ] && shift 3; exec "$@"' if name == "runuser" else "exit 0"
        more = 'echo "install ok installed"' if name == "dpkg-query" else more
        stub.write_text(f'#!/bin/sh\necho "{name} $*" >>"{tmp_path}/called"\n{more}\n')
        stub.chmod(0o755)
    return tmp_path


def shell(machine: Path, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    own = {"PATH": f"{machine}/bin:{os.environ['PATH']}", "HOME": str(machine), **environment}
    return subprocess.run(
        ["sh", "-eu", "-c", script], cwd=ROOT, env=own, capture_output=True, text=True
    )


def called(machine: Path) -> str:
    return (machine / "called").read_text()


# ── federation.md ──


def test_a_server_is_set_up_by_what_the_page_says(machine):
    """The installer's own steps are tried in a Debian of its own: `installed/`."""
    (block,) = [block for block in blocks("federation") if "useradd" in block]
    script = re.sub(r"\s+#.*", "", block)
    for theirs, ours in {
        " /etc/": f" {machine}/etc/",
        " /usr/local/bin/": f" {machine}/bin/",
        "install -d -o bridgebuddy -m 700 /var/lib/bridgebuddy": "true",
        " cd /usr/local/src/bridgebuddy": f" cd {ROOT}",
        "python3 deploy/release.py install": "release install",
    }.items():
        assert theirs in script, theirs
        script = script.replace(theirs, ours)

    done = shell(machine, script)

    assert done.returncode == 0, done.stderr
    assert (machine / "etc/bridgebuddy.env").stat().st_mode & 0o777 == 0o600
    assert (machine / "bin/bridgebuddy").stat().st_mode & 0o777 == 0o755
    steps = called(machine)
    assert steps.index("release install") < steps.index("systemctl enable")
    (enabled,) = re.findall(r"systemctl enable --now (.*)", steps)
    assert commands_of_units(machine / "etc/systemd/system", enabled.split()) == ALL_WORK


#: what runs wherever BridgeBuddy is installed: the server, the jobs' worker (in the server, or beside it), the night
ALL_WORK = {"serve", "work", "night"}


def commands_of_units(folder: Path, enabled: list[str]) -> set[str]:
    """Return the commands that run once some units are enabled; each unit must be in the folder."""
    found = set()
    for name in enabled:
        unit = folder / re.sub(r"@\d+", "@", name if "." in name else f"{name}.service")
        if unit.suffix == ".timer":
            assert unit.exists()
            unit = unit.with_suffix(".service")
        (command,) = re.findall(r"^ExecStart=.* manage.py (.*)$", unit.read_text(), re.M)
        found.add(command.split()[0])
        if command.startswith("serve") and "--without-jobs" not in command:
            found.add("work")
    return found


def test_the_clubs_box_runs_everything_too():
    script = (DEPLOY / "club-box.sh").read_text()
    enabled = re.findall(r"systemctl enable --quiet --now (.*)$", script, re.M)
    ours = [name for line in enabled for name in line.split() if name.startswith("bridgebuddy")]
    (copied,) = re.findall(r"^for unit in (.*); do$", script, re.M)

    assert commands_of_units(DEPLOY / "systemd", ours) == ALL_WORK
    assert {*ours, "bridgebuddy.service"} - {"bridgebuddy"} <= set(copied.split())


def test_containers_run_everything_too():
    commands = "".join(str(service.get("command", "")) for service in COMPOSE["services"].values())

    assert set(re.findall(r"manage\.py\W+(\w+)", commands)) == ALL_WORK | {"migrate"}


@pytest.mark.parametrize("also", ["", "set -u\n"])
def test_the_environment_of_a_server_is_one_that_a_shell_reads_to_its_end(machine, also):
    names = re.findall(r"^([A-Z_]+)=", (DEPLOY / "bridgebuddy.env").read_text(), re.M)
    told = f"{also}set -a && . {DEPLOY}/bridgebuddy.env && set +a\nenv"

    done = shell(machine, told)

    assert done.returncode == 0, done.stderr
    found = dict(line.partition("=")[::2] for line in done.stdout.splitlines())
    assert set(names) <= found.keys()
    assert found["DEFAULT_FROM_EMAIL"] == "BridgeBuddy <bridge@example.org>"


def test_what_the_page_installs_has_all_that_it_then_calls():
    (line,) = [item for item in said("federation") if item.startswith("apt-get install")]
    installed = set(line.split()[2:])
    page = PAGES["federation"] + (DEPLOY / "compose.yaml").read_text() + PAGES["hosting"]

    for command, package in PACKAGE_OF.items():
        assert command in page
        assert package in installed, command
    makefile = (ROOT / "Makefile").read_text()
    to_run = re.findall(r"^RUN_PACKAGES := (.*)$", makefile, re.M)[0].split()
    box = re.findall(r"system-packages.sh\" (.*)$", (DEPLOY / "club-box.sh").read_text(), re.M)[0]
    assert set(to_run) <= installed
    assert set(box.split()) - {"avahi-daemon"} <= installed


@pytest.mark.skipif(not shutil.which("apt-cache"), reason="no Debian")
def test_debian_knows_every_package_of_the_pages():
    packages = {
        package
        for page in PAGES
        for item in said(page)
        if re.match(r"(sudo )?apt(-get)? install ", item)
        for package in item.partition(" install ")[2].partition("&&")[0].split()
    }
    known = subprocess.run(["apt-cache", "pkgnames"], capture_output=True, text=True).stdout.split()
    if "postgresql" not in known:
        pytest.skip("this machine has no lists of packages: apt-get update")

    assert packages - set(known) == set()


def test_caddy_is_told_where_the_processes_are_by_what_the_page_says():
    (told,) = [item for item in said("federation") if item.startswith("Environment=")]
    said_there = dict(
        part.partition("=")[::2] for part in shlex.split(told.removeprefix("Environment="))
    )
    asked = set(re.findall(r"\{\$(\w+)", (DEPLOY / "Caddyfile").read_text()))

    assert {"BRIDGEBUDDY_SITE"} <= set(said_there) <= asked


# ── containers ──


COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def test_the_image_has_the_client_of_the_servers_own_postgresql():
    server = re.fullmatch(r"postgres:(\d+)", COMPOSE["services"]["database"]["image"])[1]
    dockerfile = (DEPLOY / "Dockerfile").read_text()

    assert re.findall(r"postgresql-client\S*", dockerfile) == [f"postgresql-client-{server}"]
    debian = {"bookworm": "15", "trixie": "17"}[
        re.findall(r"^FROM \S+-(\w+)$", dockerfile, re.M)[0]
    ]
    assert debian == server


def test_containers_are_backed_up_at_once_and_then_every_night(machine):
    night = COMPOSE["services"]["night"]
    shell_, flag, script = night["command"]
    assert (shell_, flag, night["volumes"]) == ("sh", "-c", ["backups:/backups"])
    for name, does in {
        "python": "exit 1",
        "sleep": "exit 1",
    }.items():  # a night that fails is no end
        stub = machine / "bin" / name
        stub.write_text(f'#!/bin/sh\necho "{name} $*" >>"{machine}/called"\n{does}\n')
        stub.chmod(0o755)

    shell(machine, f"set +eu\n{script.replace('$$', '$')}")

    first, slept = called(machine).splitlines()
    assert first == "python manage.py night /backups"
    hours = int(slept.split()[1]) / 3600
    assert 4 <= hours <= 28.1  # until four in the night that comes


def test_containers_run_commands_of_ours_with_options_that_these_take():
    commands = [
        service["command"] for service in COMPOSE["services"].values() if "command" in service
    ]
    ours = [command[2:] for command in commands if command[:2] == ["python", "manage.py"]]
    image = re.findall(r"^CMD (.*)$", (DEPLOY / "Dockerfile").read_text(), re.M)
    ours += [json.loads(command)[2:] for command in image]

    assert sorted(name for name, *_options in ours) == ["migrate", "serve", "serve", "work"]
    for name, *options in ours:
        parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
        parser.parse_args(options)  # ends the test where it does not know one


def test_what_the_page_says_of_containers_is_what_compose_asks_for():
    (block,) = [block for block in blocks("federation") if "POSTGRES_PASSWORD=" in block]
    asked = set(re.findall(r"\$\{(\w+):\?", (DEPLOY / "compose.yaml").read_text()))

    assert set(re.findall(r"^(\w+)=", block, re.M)) == asked
    assert "docker compose -f deploy/compose.yaml --env-file deploy/.env up -d --build" in "".join(
        blocks("federation")
    )


# ── hosting.md ──


def commands_of(text: str) -> list[list[str]]:
    return [
        shlex.split(found.partition(" `")[0].rstrip(" …).;,"))
        for found in re.findall(r"manage\.py ([a-z_]+(?: [A-Z-][^`|;\n&]*)?)", text)
    ]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_ours_on_a_page_is_one_that_we_have(page):
    asked = commands_of(PAGES[page])
    assert len(asked) > 3
    for name, *arguments in asked:
        app = get_commands()[name]
        command = app if not isinstance(app, str) else load_command_class(app, name)
        needed = ["FILE"] if name in ("backup", "restore") and not arguments else []
        command.create_parser("manage.py", name).parse_args([*arguments, *needed])


@pytest.mark.parametrize("page", PAGES)
def test_every_file_and_make_target_on_a_page_is_there(page):
    text = PAGES[page]
    for path in re.findall(r"(?<![\w/])((?:deploy|docs|tests)/[\w./@*-]+[\w*])", text):
        assert path == "deploy/.env" or list(ROOT.glob(path)), path
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"`make ([\w-]+)", text):
        assert f"\n{target}:" in makefile
    for module in re.findall(r"python -m (tests[\w.]+)", text):
        assert (ROOT / f"{module.replace('.', '/')}.py").exists(), module
