"""Encrypted files, written and read by OpenSSL with a passphrase.

They can be opened in ten years without this program:

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
    """Error: encryption or decryption is impossible; the text is a sentence with the reason."""


def is_sealed(file: Path) -> bool:
    """Return whether a file is encrypted."""
    with file.open("rb") as opened:
        return opened.read(len(BEGINS_WITH)) == BEGINS_WITH


def encrypt_file(file: Path, sealed: Path, passphrase: str) -> None:
    """Encrypt a file with a passphrase into the file `sealed`.

    Raises `CannotSeal`.
    """
    if told := _run_openssl("-e", file, sealed, passphrase):
        raise CannotSeal(f"The backup could not be encrypted: {told}")


def decrypt_file(sealed: Path, file: Path, passphrase: str) -> None:
    """Decrypt the file `sealed` with a passphrase into `file`. Raises `CannotSeal`.

    Raises `CannotSeal`. A wrong passphrase may pass undetected, and gives a useless file.
    """
    if _run_openssl("-d", sealed, file, passphrase):
        raise CannotSeal("The passphrase is another one, or the backup is damaged.")


def _run_openssl(way: str, file: Path, target: Path, passphrase: str) -> str:
    """Run OpenSSL to encrypt or decrypt (`way`) a file; return its error message.

    The passphrase is not on the command line, where other users could read it.
    """
    if shutil.which("openssl") is None:
        raise CannotSeal("openssl is missing: apt-get install openssl")
    command = ["openssl", "enc", way, *CIPHER, "-pass", f"env:{VARIABLE}"]
    done = subprocess.run(
        [*command, "-in", str(file), "-out", str(target)],
        env={**os.environ, VARIABLE: passphrase},
        capture_output=True,
        text=True,
    )
    return (done.stderr.strip() or "openssl failed") if done.returncode else ""
