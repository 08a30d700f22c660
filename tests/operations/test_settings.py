"""Settings from the machine and the environment."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def start(folder, *, program="import bridgebuddy.settings", **environment):
    environment = {"VAR_DIR": str(folder), "PATH": os.environ["PATH"], **environment}
    return subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=ROOT, capture_output=True, text=True
    )


def test_nobody_else_reads_the_embedded_database(tmp_path):
    start(tmp_path)

    assert (tmp_path / "bridgebuddy.sqlite3").stat().st_mode & 0o777 == 0o600


def test_nobody_else_reads_a_database_of_before_any_more(tmp_path):
    names = [f"bridgebuddy.sqlite3{end}" for end in ("", "-wal", "-shm")]
    for name in names:
        (tmp_path / name).touch(mode=0o644)

    start(tmp_path)

    assert {(tmp_path / name).stat().st_mode & 0o777 for name in names} == {0o600}


def test_errors_are_not_reported_in_silence_to_nobody(tmp_path):
    (tmp_path / "sentry_sdk.py").write_text("raise ImportError")

    done = start(tmp_path, SENTRY_DSN="https://key@errors.example.org/1", PYTHONPATH=str(tmp_path))

    assert "SENTRY_DSN is set: pip install -r requirements-sentry.txt" in done.stderr


def test_errors_are_reported_without_people(tmp_path):
    (tmp_path / "sentry_sdk.py").write_text("def init(**said): print({**said, 'before_send': 0})")

    done = start(tmp_path, SENTRY_DSN="https://key@errors.example.org/1", PYTHONPATH=str(tmp_path))

    assert "'send_default_pii': False" in done.stdout
    assert "'include_local_variables': False" in done.stdout


@pytest.mark.parametrize(
    ("package", "requirement", "variable", "value"),
    [
        (
            "psycopg",
            "psycopg[binary]",
            "DATABASE_URL",
            "postgres://bridgebuddy@127.0.0.1:1/bridgebuddy",
        ),
        ("redis", "redis", "CACHE_URL", "redis://127.0.0.1:1/0"),
    ],
)
def test_what_is_not_installed_on_a_laptop_is_said_where_it_is_asked_for(
    tmp_path, package, requirement, variable, value
):
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as util\n"
        "found = util.find_spec\n"
        f"util.find_spec = lambda name, *more: None if name == {package!r} else found(name, *more)\n"
    )

    done = start(tmp_path, PYTHONPATH=str(tmp_path), **{variable: value})

    assert f"{variable} needs {package}: pip install '{requirement}'" in done.stderr
