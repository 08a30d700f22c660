"""Install, use, break and update BridgeBuddy as the documents say, in a Debian of its own: `make installed`.

Writes docs/dev/installed.md: each step, and what still worked after it. Says why where it cannot run.

    python -m tests.operations.installed            both machines
    python -m tests.operations.installed box        one of them; the table of the other (server) stays
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from .box import walk_a_box
from .debian import ROOT, SUITE, CannotRun, forget_old_downloads
from .server import walk_a_server

PAGE = ROOT / "docs/dev/installed.md"
HEAD = """# What an installation survives

Written by `make installed`: BridgeBuddy is installed in a Debian root of its own, with a club and an evening in play, and
walks through these steps. After most steps the machine loses its power and starts again. "All" means: the server answers,
all sessions of the director are there, every help page is 200, table cards are printed as PDF, pages are translated.

systemd is played by a small program that does what the units say (`tests/operations/installed/systemctl.py`).
"""
COLUMNS = """
| step | what the operator reads | the version that runs | what still works |
|---|---|---|---|
"""
WALKS = {"box": walk_a_box, "server": walk_a_server}
TITLES = {
    "box": "The club's box: `deploy/club-box.sh`, SQLite",
    "server": "A server: `docs/admin/federation.md`, PostgreSQL, Redis, Caddy",
}


def with_table(page: str, title: str, rows: list[str]) -> str:
    """Return the page with a machine's table in place of its old one."""
    old = re.search(f"## {re.escape(title)}\n.*?(?=\n## |\\Z)", page, re.DOTALL)
    new = f"## {title}\n{COLUMNS}" + "\n".join(rows) + "\n"
    return page.replace(old[0], new) if old else f"{page}\n{new}"


def main(names: list[str], page: Path = PAGE) -> int:
    """Return the exit status: 0 even if this machine cannot make a Debian root; a message reports this."""
    tables = re.search(r"\n## .*", page.read_text(), re.DOTALL) if page.exists() else None
    text = HEAD + (tables[0] if tables else "")
    try:
        for name in names or WALKS:
            text = with_table(text, TITLES[name], WALKS[name]())
            if SUITE == "bookworm":
                page.write_text(text)
    except CannotRun as why:
        print(f"NOT RUN: the installation in a Debian root, because {why}.")
        return 0
    finally:
        forget_old_downloads()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
