"""Words that this server has to know again and nobody else may read: encrypted, by a key made of `SECRET_KEY`."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


class CannotOpen(Exception):
    """The key is another one by now, or the words have been changed."""


def sealed(words: str) -> str:
    """Return words as they are kept."""
    return _cipher().encrypt(words.encode()).decode()


def opened(kept: str) -> str:
    """Return words that were sealed. Raises `CannotOpen`."""
    try:
        return _cipher().decrypt(kept.encode()).decode()
    except InvalidToken:
        raise CannotOpen from None


def _cipher() -> Fernet:
    return Fernet(
        urlsafe_b64encode(sha256(b"sealed for others" + settings.SECRET_KEY.encode()).digest())
    )
