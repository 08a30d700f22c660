"""A table's secrets: the key in its card's QR code, and four digits that the desk can show.

Both are computed from the server's key, so no readable secret is stored. A new version changes all
of them.
"""

from __future__ import annotations

import base64

from django.utils.crypto import constant_time_compare, salted_hmac

from bridgebuddy.events.models import Section

from .models import PhoneSettings

LENGTH = 12
DIGITS = 4


def secret_of(section: Section, table: int, phones: PhoneSettings) -> str:
    """Return a table's secret, which its QR code contains."""
    digest = _digest_of_table(section, table, phones, "card")
    return base64.b32encode(digest).decode()[:LENGTH].lower()


def digits_of(section: Section, table: int, phones: PhoneSettings) -> str:
    """Return the four digits that give a phone access to a table."""
    digest = _digest_of_table(section, table, phones, "digits")
    return f"{int.from_bytes(digest[:8], 'big') % 10**DIGITS:0{DIGITS}}"


def is_table_secret(secret: str, section: Section, table: int, phones: PhoneSettings) -> bool:
    """Return whether `secret` is the secret of a table."""
    return constant_time_compare(secret, secret_of(section, table, phones))


def are_table_digits(digits: str, section: Section, table: int, phones: PhoneSettings) -> bool:
    """Return whether `digits` are the four digits of a table."""
    return constant_time_compare(digits, digits_of(section, table, phones))


def _digest_of_table(section: Section, table: int, phones: PhoneSettings, purpose: str) -> bytes:
    """Return the digest from which a table's QR secret and its four digits are made."""
    return salted_hmac(
        f"bridgebuddy.table_phones.{purpose}",
        f"{section.pk} {table} {phones.version}",
        algorithm="sha256",
    ).digest()
