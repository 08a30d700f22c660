"""Tables of an Access database as CSV, read by the external program mdb-export (see decision 0019).

The file is untrusted. So the program gets little time and memory, sees only this file (`sandbox`), and writes only
its answer. A crash affects nothing else.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bridgebuddy.operations import sandbox

PROGRAM = "mdb-export"
#: first bytes of both kinds of Access databases
MARKS = (b"Standard Jet DB\0", b"Standard ACE DB\0")
MARK = slice(4, 20)
MOST_BYTES, MOST_ANSWER = 8_000_000, 4_000_000
SECONDS, MEMORY = 5, 400_000_000
#: command that limits a child process before it starts the program
LIMITED = (
    sys.executable,
    "-I",
    "-S",
    sandbox.__file__,
    str(SECONDS),
    str(MEMORY),
    str(MOST_ANSWER),
)


class CannotRead(ValueError):
    """Error: an Access database cannot be read; `why` is "program" (mdb-export is missing), "large" or "unknown"."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


def can_read_databases() -> bool:
    """Return whether mdb-export, which reads Access databases, is installed."""
    return shutil.which(PROGRAM) is not None


def read_tables(file: bytes, name: str, *others: str) -> list[str]:
    """Return the table `name` of an Access database as CSV, followed by those of `others` that exist.

    Raises `CannotRead`.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        raise CannotRead("program")
    if len(file) > MOST_BYTES:
        raise CannotRead("large")
    if file[MARK] not in MARKS:
        raise CannotRead("unknown")
    with TemporaryDirectory() as folder:
        database = Path(folder, "file.bws")
        database.write_bytes(file)
        tables = [_read_table(program, database, other) for other in (name, *others)]
    if tables[0] is None:
        raise CannotRead("unknown")
    return [value or "" for value in tables]


def _read_table(program: str, database: Path, name: str) -> str | None:
    """Return a table of an Access database as CSV; None if it does not exist or cannot be read."""
    answer = database.with_suffix(".csv")
    how = ("--datetime-format", "%Y-%m-%d %H:%M:%S")
    with answer.open("wb") as out:
        try:
            subprocess.run(
                [*LIMITED, database.parent, program, *how, database, name],
                env={"LANG": "C.UTF-8"},  # the server's own tells the database's address
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.DEVNULL,
                timeout=4 * SECONDS,
                check=True,
            )
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
            return None
    return answer.read_bytes().decode("utf-8", "replace").replace("\0", "")
