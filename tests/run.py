"""Run the whole test suite: on SQLite with the browser journeys, then on PostgreSQL.

`make test` calls it. The PostgreSQL part starts a cluster of its own, on a free port, in a temporary
directory, and says so when there is no server binary.
"""

from __future__ import annotations

import os
import subprocess
import sys

from .postgres import NoServer, cluster

PYTEST = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup"]
#: what touches the database; the engine's tests would only be run twice
WITH_DATABASE = ["audit", "clubs", "director", "events", "movements", "players", "printing"]


def main() -> int:
    """Return the exit status: 0 when everything passed everywhere."""
    print("== SQLite", flush=True)
    failed = subprocess.call([*PYTEST, *sys.argv[1:]])
    if failed:
        return failed
    print("== PostgreSQL", flush=True)
    try:
        with cluster() as url:
            folders = [f"tests/{name}" for name in WITH_DATABASE if os.path.isdir(f"tests/{name}")]
            return subprocess.call([*PYTEST, *folders], env={**os.environ, "DATABASE_URL": url})
    except NoServer as missing:
        print(f"Not run on PostgreSQL: {missing}")
        return 0


if __name__ == "__main__":
    sys.exit(main())
