"""Encryption of secrets that this server needs in clear text, with a key made of `SECRET_KEY`."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


class CannotOpen(Exception):
    """Error: a stored secret cannot be decrypted, because the server's key or the text has changed."""


def encrypt_text(words: str) -> str:
    """Encrypt a text for the database with the server's key."""
    return _fernet_cipher().encrypt(words.encode()).decode()


def decrypt_text(encrypted: str) -> str:
    """Decrypt a text that `encrypt_text` made. Raises `CannotOpen`.

    Raises `CannotOpen`.
    """
    try:
        return _fernet_cipher().decrypt(encrypted.encode()).decode()
    except InvalidToken:
        raise CannotOpen from None


def _fernet_cipher() -> Fernet:
    """Return the cipher, with a key derived from the server's secret."""
    return Fernet(
        urlsafe_b64encode(sha256(b"sealed for others" + settings.SECRET_KEY.encode()).digest())
    )
