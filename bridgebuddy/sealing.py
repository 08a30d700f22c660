"""A file that nobody reads who does not know the passphrase, written and read by OpenSSL.

It needs nothing of ours to be opened in ten years:
openssl enc -d -aes-256-cbc -pbkdf2 -iter 600000 -in FILE -out whole.tar
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

#: OpenSSL's own mark
BEGINS_WITH = b"Salted__"
CIPHER = ("-aes-256-cbc", "-pbkdf2", "-iter", "600000")
VARIABLE = "BRIDGEBUDDY_PASSPHRASE"


class CannotSeal(Exception):
    """What stands in the way, as a sentence."""


def is_sealed(file: Path) -> bool:
    """Whether a passphrase is needed to read a file."""
    with file.open("rb") as opened:
        return opened.read(len(BEGINS_WITH)) == BEGINS_WITH


def seal(file: Path, sealed: Path, passphrase: str) -> None:
    """Write a file so that nobody reads it without the passphrase. Raises `CannotSeal`."""
    if told := _openssl("-e", file, sealed, passphrase):
        raise CannotSeal(f"The backup could not be encrypted: {told}")


def unseal(sealed: Path, file: Path, passphrase: str) -> None:
    """Write what a passphrase opens. Raises `CannotSeal`; a wrong one may pass, and what it opens is nothing."""
    if _openssl("-d", sealed, file, passphrase):
        raise CannotSeal("The passphrase is another one, or the backup is damaged.")


def _openssl(way: str, file: Path, to: Path, passphrase: str) -> str:
    """Return what OpenSSL complains of; a passphrase on the command line others could read."""
    if shutil.which("openssl") is None:
        raise CannotSeal("openssl is missing: apt-get install openssl")
    command = ["openssl", "enc", way, *CIPHER, "-pass", f"env:{VARIABLE}"]
    done = subprocess.run(
        [*command, "-in", str(file), "-out", str(to)],
        env={**os.environ, VARIABLE: passphrase},
        capture_output=True,
        text=True,
    )
    return (done.stderr.strip() or "openssl failed") if done.returncode else ""
