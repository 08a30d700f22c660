"""Licences of the server's packages, as a page: `make licences`."""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def locked() -> list[str]:
    """The names of all packages in the lock."""
    return re.findall(r"^([\w.-]+)==", (ROOT / "requirements.lock").read_text(), re.M)


def main() -> None:
    command = [
        sys.executable,
        "-m",
        "piplicenses",
        "--python",
        sys.executable,
        "--format=json",
        "--with-urls",
    ]
    found = subprocess.run(
        [*command, "--packages", *locked()], check=True, capture_output=True, text=True
    )
    print("# What BridgeBuddy is made of\n")
    print("Written by `make licences` from the packages of requirements.lock that are installed.\n")
    print("| package | version | licence |\n|---|---|---|")
    for item in sorted(json.loads(found.stdout), key=lambda row: row["Name"].lower()):
        name = (
            f"[{item['Name']}]({item['URL']})" if item["URL"].startswith("http") else item["Name"]
        )
        licence = " ".join(item["License"].split())
        print(
            f"| {name} | {item['Version']} | {licence if len(licence) < 80 else licence[:77] + '…'} |"
        )


if __name__ == "__main__":
    main()
