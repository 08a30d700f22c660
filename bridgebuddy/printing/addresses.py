"""The addresses behind the QR codes on paper, which phones in the club's network can open."""

from __future__ import annotations

from django.urls import reverse


def lookup_address(base: str, code: str) -> str:
    """Return the full address of the section's page where players find their pair."""
    return base + reverse("lookup", args=[code])


def player_address(base: str, code: str, slug: str) -> str:
    """Return the full address of a contestant's page; `slug` is its label in addresses."""
    return base + reverse("player", args=[code, slug])


def table_address(base: str, code: str, table: int, secret: str) -> str:
    """Return the full address, with the table's secret, where phones enter the results of a table."""
    return base + reverse("table-join", args=[code, table, secret])
