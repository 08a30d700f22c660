"""BridgeBuddy as a release: sdist and wheel are built as `python -m build` does, installed and started."""

import re
import socket
import subprocess
import sys
from email import message_from_string

import pytest

from tests import prepared
from tests.security.servers import ROOT, running

CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
#: version and date of every release, the newest first
RELEASED = re.findall(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$", CHANGELOG, re.MULTILINE)


def test_the_changelog_has_each_version_with_its_date_on_a_screen():
    """Versions are semantic, the newest stands first, and a version's notes are at most 55 lines long."""
    headings = re.findall(r"^## (.+)$", CHANGELOG, re.MULTILINE)
    numbers = [tuple(map(int, version.split("."))) for version, _ in RELEASED]
    notes = re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)[1:]

    assert headings == ["Unreleased", *(f"{version} ({day})" for version, day in RELEASED)]
    assert numbers == sorted(numbers, reverse=True)
    assert [day for _, day in RELEASED] == sorted((day for _, day in RELEASED), reverse=True)
    list_length_error = [text.splitlines()[0] for text in notes if len(text.splitlines()) > 55]
    assert list_length_error == [], (
        "shorten it: details belong into docs/, lines of before 0.9.0 into docs/history.md"
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder into which pip has installed the wheel. The wheel is built from the sdist, so both are complete."""
    made, folder = tmp_path_factory.mktemp("made"), tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(made)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,), (_sdist,) = made.glob("*.whl"), made.glob("*.tar.gz")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
    subprocess.run([*pip, "--target", str(folder), str(wheel)], check=True, capture_output=True)
    return folder


def test_one_command_starts_it_with_its_pages_and_styles(installed, tmp_path):
    """It is ready once it has migrated; from nothing a club's box is, in test_admins_pages.py."""
    prepared.nearly(own := tmp_path / "own.sqlite3")
    empty = {"DATABASE_URL": f"sqlite:///{own}", "XDG_DATA_HOME": str(tmp_path)}

    with running("-u", "-m", "bridgebuddy", "--port", "0", cwd=installed, **empty) as server:
        assert b"200 OK" in server.ask("/healthz")
        assert b"BridgeBuddy" in server.ask("/")
        for file in ("/static/css/app.css", "/static/js/phone.js"):
            assert b"200 OK" in server.ask(file)
        assert b"Laufkarte" in server.ask("/p/", "Accept-Language: de")

    assert (tmp_path / "bridgebuddy" / "secret-key").exists()


def test_a_port_that_is_taken_is_said_in_a_sentence(installed, tmp_path):
    database = {"DATABASE_URL": f"sqlite:///{tmp_path / 'own.sqlite3'}", "VAR_DIR": str(tmp_path)}
    migrate = [sys.executable, "-m", "bridgebuddy", "migrate", "--verbosity", "0"]
    prepared.nearly(tmp_path / "own.sqlite3")
    subprocess.run(migrate, cwd=installed, env=database, check=True)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = subprocess.run(
            [sys.executable, "-m", "bridgebuddy", "serve", "--port", port],
            cwd=installed,
            env=database,
            capture_output=True,
            text=True,
        )

    assert said.returncode == 1
    assert said.stderr.startswith(
        f"CommandError: Port {port} is taken: BridgeBuddy is running already"
    )


def test_its_command_is_that_of_manage_py_too(installed, tmp_path):
    said = subprocess.run(
        [sys.executable, "-m", "bridgebuddy", "movement", "mitchell", "--tables", "3"],
        cwd=installed,
        env={"VAR_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )

    assert (said.returncode, "Mitchell" in said.stdout) == (0, True), said.stderr


def test_a_package_needs_what_is_locked_and_a_laptop_no_server(installed):
    (metadata,) = installed.glob("*.dist-info/METADATA")
    said = message_from_string(metadata.read_text())
    pins = {
        of: {
            pin.split(";")[0].strip()
            for pin in said.get_all("Requires-Dist")
            if (of in pin) == bool(of)
        }
        for of in ("extra == 'server'", "extra == 'search'")
    }
    everything = {pin.split(";")[0].strip() for pin in said.get_all("Requires-Dist")}
    lock = (ROOT / "requirements.lock").read_text()

    server, search = pins.values()
    assert everything == set(re.findall(r"^[\w.-]+==[\w.]+", lock, re.M))
    assert {name.split("==")[0] for name in server} >= {"psycopg", "psycopg-binary", "redis"}
    assert {name.split("==")[0] for name in search} >= {"ortools", "pandas"}
    without_an_extra = {name.split("==")[0] for name in everything - server - search}
    assert without_an_extra >= {"endplay", "numpy"}  # deals are solved everywhere
    assert not (server | search) & {
        pin for pin in everything if pin.startswith(("django", "waitress"))
    }


def test_what_is_asked_for_is_what_is_locked():
    """`make lock` locks the packages of requirements.txt: a package named only in the lock would be dropped."""
    asked = dict(
        re.findall(r"^([\w.-]+)(?:\[\w+\])?==(\S+)", (ROOT / "requirements.txt").read_text(), re.M)
    )
    lock = (ROOT / "requirements.lock").read_text()
    packages = re.split(r"\n(?=\w)", lock)
    locked = dict(
        package.split(" ")[0].split("==")
        for package in packages
        if "-r requirements.txt" in package
    )

    assert locked == {name.lower().replace("_", "-"): version for name, version in asked.items()}


def test_a_package_says_what_it_is_in_which_version(installed):
    (metadata,) = installed.glob("*.dist-info/METADATA")
    said = message_from_string(metadata.read_text())
    command = [str(installed / "bin" / "bridgebuddy"), "--version"]
    printed = subprocess.run(
        command, env={"PYTHONPATH": str(installed)}, capture_output=True, text=True
    )

    assert printed.stdout == f"BridgeBuddy {said['Version']}\n", printed.stderr
    assert said["Version"] == RELEASED[0][0]
    assert said["License-Expression"] == "MIT"
    assert said.get_payload().startswith("# BridgeBuddy")
    assert {"Framework :: Django :: 5.2"} <= set(said.get_all("Classifier"))
    tops = {path.relative_to(installed).parts[0] for path in installed.rglob("*.py")}
    assert tops == {"bridgebuddy", "movements"}


def test_what_plays_by_chance_is_said_to_be_elsewhere(installed, tmp_path):
    said = subprocess.run(
        [sys.executable, "-m", "bridgebuddy", "simulate", "--evenings", "1"],
        cwd=installed,
        env={"VAR_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )

    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr.endswith("in a folder with BridgeBuddy's sources\n")
    assert said.stderr.count("\n") == 1
