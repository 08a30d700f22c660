"""Numbers of the public pages as decimal texts with a point, so that JSON has the same figures as the page."""

from __future__ import annotations

from django.utils.formats import get_format

from bridgebuddy.scoring.words import MINUS


def decimal_text(text: str) -> str | None:
    """Return a number in the active language's format as text with a decimal point; None for no number.

    >>> decimal_text("−12.50"), decimal_text("+3"), decimal_text("")
    ('-12.50', '+3', None)
    """
    separator = str(get_format("DECIMAL_SEPARATOR"))
    return text.replace(separator, ".").replace(MINUS, "-") or None
