"""The files that `docker build` takes into the image: the whole program, and no secret."""

import re
import subprocess
import sys
import tomllib

import pytest

from tests.security.servers import ROOT

#: files that operators keep beside the program, as the pages for them say
SECRETS = (
    "deploy/.env",
    ".env",
    "deploy/.env.old",
    "bridgebuddy/.env",
    "bridgebuddy.env",
    "static/server.env",
    "var/secret-key",
    "var/bridgebuddy.sqlite3",
    "bridgebuddy/secret-key",
    "templates/bridgebuddy.sqlite3-wal",
    "movements/before-update",
    "bridgebuddy/backup-1",
    "static/backup-7.before-restore-2",
    "before-update",
    "backup-3",
)


def matches(pattern: str, path: str) -> bool:
    """Tell whether a pattern of .dockerignore names a path or a folder above it (docs.docker.com, `.dockerignore`)."""
    parts = []
    for part in pattern.strip("/").split("/"):
        one_name = re.escape(part).replace(r"\*", "[^/]*")
        for escaped, plain in ((r"\[", "["), (r"\]", "]"), (r"\-", "-")):
            one_name = one_name.replace(escaped, plain)
        parts.append(r"(?:[^/]+/)*" if part == "**" else f"{one_name}/")
    return re.match("".join(parts), f"{path}/") is not None


def context(paths: list[str]) -> set[str]:
    """Return the paths that get into the image: the last pattern that names a path decides."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    patterns = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    taken = set()
    for path in paths:
        is_left_out = False
        for pattern in patterns:
            if matches(pattern.removeprefix("!"), path):
                is_left_out = not pattern.startswith("!")
        if not is_left_out:
            taken.add(path)
    return taken


def tracked() -> list[str]:
    told = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True)
    return told.stdout.splitlines()


def program() -> list[str]:
    """Return the parts of the program: those of the wheel, and those that start and install it."""
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    parts = wheel["targets"]["wheel"]
    return [
        *parts["packages"],
        *parts["force-include"],
        *("manage.py", "requirements.lock", "LICENSE"),
    ]


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*", "deploy/.env", True),
        ("docs/help", "docs/help/en/desk.md", True),
        ("docs/help", "docs/helping.md", False),
        ("**/.env*", ".env", True),
        ("**/.env*", "deploy/.env.old", True),
        ("**/*.mo", "bridgebuddy/locale/de/django.mo", True),
        ("*.mo", "bridgebuddy/locale/de/django.mo", False),
        ("**/backup-[1-7]", "static/backup-8", False),
    ],
)
def test_patterns_are_read_as_docker_reads_them(pattern, path, expected):
    assert matches(pattern, path) is expected


def test_the_image_gets_exactly_the_program():
    files = tracked()
    expected = {
        path
        for path in files
        if any(path == part or path.startswith(f"{part}/") for part in program())
    }

    assert context(files) == expected


def test_the_image_gets_no_secret_and_nothing_that_lies_there_by_chance():
    here = [
        str(path.relative_to(ROOT))
        for part in program()
        for path in ((ROOT / part).rglob("*") if (ROOT / part).is_dir() else [ROOT / part])
        if path.is_file()
    ]
    assert len(here) > 1000

    assert context([*here, *SECRETS]) - set(tracked()) == set()


def test_git_never_offers_to_commit_a_secret():
    kept_as_template = {"static/server.env", "bridgebuddy.env"}
    asked = [path for path in SECRETS if path not in kept_as_template]

    done = subprocess.run(["git", "check-ignore", *asked], cwd=ROOT, capture_output=True, text=True)

    assert done.stdout.splitlines() == asked


def test_the_program_of_the_image_finds_its_help_styles_and_movements(tmp_path):
    for path in context(tracked()):
        copy = tmp_path / "program" / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / path).read_bytes())
    asked = (
        "from bridgebuddy.director.help import books\n"
        "from django.contrib.staticfiles import finders\n"
        "from django.template.loader import get_template\n"
        "pages = [books.long_page(name) for name in books.LONG]\n"
        "assert len(books.help_topics()) > 5 and all(pages)\n"
        "assert finders.find('css/print.css') and get_template('printing/sheet.html')\n"
        "from movements.engine.catalogue import FAMILIES\n"
        "print('families', len(FAMILIES))"
    )

    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "-c", asked],
        cwd=tmp_path / "program",
        env={"VAR_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr
    assert re.search(r"families \d\d", done.stdout)
