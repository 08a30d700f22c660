"""Print the pinned packages that have a newer version, and those without a release for two years: `make update`."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = ("requirements.txt", "requirements-dev.txt")
COMPILE = [
    "-m",
    "uv",
    "pip",
    "compile",
    "--quiet",
    "--no-deps",
    "--no-header",
    "--no-annotate",
    "--python-version",
    "3.11",
]
TWO_YEARS = timedelta(days=2 * 365)


def pinned(file: str) -> list[str]:
    """Return the names of the packages that a file of requirements pins."""
    text = (ROOT / file).read_text()
    return [name.lower() for name in re.findall(r"^([\w.-]+)(?:\[\w+\])?==", text, re.M)]


def newest(name: str, *options: str) -> str | None:
    """Return the newest version of a package in the index, or None where there is none."""
    done = subprocess.run(
        [sys.executable, *COMPILE, *options, "-"],
        input=name,
        capture_output=True,
        text=True,
    )
    found = re.match(r"[\w.-]+==(\S+)", done.stdout)
    return found[1] if found else None


def unmaintained(names: Iterable[str], now: datetime) -> list[tuple[str, str]]:
    """Return the packages whose newest version is older than two years, each with its version.

    uv leaves out every version that the index dates later, and every version without a date.
    """
    day = f"{now - TWO_YEARS:%Y-%m-%d}"
    found = []
    for name in sorted(set(names)):
        before = newest(name, "--exclude-newer", day)
        if before is not None and before == newest(name):
            found.append((name, before))
    return found


def main() -> None:
    pins = {name: file for file in FILES for name in pinned(file)}
    command = [sys.executable, "-m", "pip", "list", "--outdated", "--format=json"]
    listed = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    newer = [package for package in listed if package["name"].lower() in pins]
    for package in newer:
        file = pins[package["name"].lower()]
        print(f"{package['name']} {package['version']} -> {package['latest_version']}   ({file})")
    print("Change the numbers there, then: make lock" if newer else "Everything is up to date.")
    locked = pinned("requirements.lock")
    print("\nPackages of the server without a release for two years:")
    for name, version in unmaintained(locked, datetime.now(UTC)):
        print(f"  {name} {version}{'' if name in pins else '   (needed by another package)'}")


if __name__ == "__main__":
    main()
