"""What the wheel needs: the pins of requirements.lock, so that pipx installs what `make run` does.

The headings of requirements.txt divide it: the extra `server` has PostgreSQL and Redis, the extra `search` the exact
search. Pages and messages never name an extra without an address: pip would look the name up in a public index.
"""

from __future__ import annotations

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

EXTRAS = ("server", "search")


def locked(lock: str) -> dict[str, tuple[list[str], set[str]]]:
    """Return the pins of each package with what it is there for."""
    found: dict[str, tuple[list[str], set[str]]] = {}
    for one in re.split(r"\n(?=\w)", lock):
        pin = re.match(r"([\w.-]+)==[^\\\n]+", one)
        if pin:
            pins, wanted = found.setdefault(pin[1], ([], set()))
            pins.append(pin[0].strip())
            wanted.update(re.findall(r"#  *(?:via )?([\w.-]+)$", one, re.M))
    return found


def named(requirements: str) -> dict[str, str]:
    """Return in which part of requirements.txt a package is named: "" or an extra."""
    parts: dict[str, str] = {}
    part = ""
    for line in requirements.splitlines():
        if heading := re.match(r"# \[(\w+)\]", line):
            part = heading[1]
        elif name := re.match(r"[\w.-]+", line):
            parts[name[0].lower().replace("_", "-")] = part
    return parts


def divided(requirements: str, lock: str) -> dict[str, list[str]]:
    """Return all pins by parts: what is needed by one extra alone is in that, all else in ""."""
    packages, parts = locked(lock), named(requirements)
    found: dict[str, list[str]] = {part: [] for part in ("", *EXTRAS)}

    def part_of(name: str) -> str:
        if name in parts:
            return parts[name]
        wanted = {part_of(one) for one in packages[name][1] if one in packages}
        return wanted.pop() if len(wanted) == 1 else ""

    for name, (pins, _) in packages.items():
        found[part_of(name)] += pins
    return found


class Pins(MetadataHookInterface):
    """Gives the wheel its requirements."""

    def update(self, metadata: dict) -> None:
        root = Path(self.root)
        found = divided(
            (root / "requirements.txt").read_text(), (root / "requirements.lock").read_text()
        )
        metadata["dependencies"] = found.pop("")
        metadata["optional-dependencies"] = found
