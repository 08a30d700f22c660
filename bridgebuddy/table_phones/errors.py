"""Errors of a phone's submissions, which pages turn into translated sentences."""

from __future__ import annotations

from bridgebuddy.events.errors import ChangeRefused


class PhoneEntryClosed(ChangeRefused):
    """Error: the board cannot be entered from a phone now; it is too early, or phones may not enter."""
