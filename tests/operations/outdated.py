"""Which of the pinned packages have a newer version: `make update`."""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    pinned = {}
    for file in ("requirements.txt", "requirements-dev.txt"):
        lines = (ROOT / file).read_text()
        pinned |= {
            name.lower(): file for name in re.findall(r"^([\w.-]+)(?:\[\w+\])?==", lines, re.M)
        }
    command = [sys.executable, "-m", "pip", "list", "--outdated", "--format=json"]
    listed = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    newer = [one for one in listed if one["name"].lower() in pinned]
    for one in newer:
        file = pinned[one["name"].lower()]
        print(f"{one['name']} {one['version']} -> {one['latest_version']}   ({file})")
    print("Change the numbers there, then: make lock" if newer else "Everything is up to date.")


if __name__ == "__main__":
    main()
