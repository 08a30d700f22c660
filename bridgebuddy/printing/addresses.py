"""Where the QR codes on paper lead: addresses that a phone in the room can open."""

from __future__ import annotations

from django.urls import reverse


def lookup_address(base: str, code: str) -> str:
    """Return where anybody finds their pair."""
    return base + reverse("lookup", args=[code])


def player_address(base: str, code: str, slug: str) -> str:
    """Return where one contestant's evening stands."""
    return base + reverse("player", args=[code, slug])


def table_address(base: str, code: str, table: int, secret: str) -> str:
    """Return where phones enter the results of a table."""
    return base + reverse("table-join", args=[code, table, secret])
