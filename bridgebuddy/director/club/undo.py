"""The earlier values of settings, so that a change can be undone for a day."""

from __future__ import annotations

import time

from django.http import HttpRequest

from bridgebuddy.clubs.models import Club

A_DAY = 24 * 3600


class SettingsUndo:
    """The former values of a group of settings, kept in the browser session to undo the last change."""

    def __init__(self, request: HttpRequest, club: Club, group: str) -> None:
        self._session, self._name = request.session, f"settings-{club.pk}-{group}"

    @property
    def fields(self) -> dict[str, str]:
        """Return the former values within a day after the change; else an empty dictionary."""
        stored = self._session.get(self._name)
        return stored["fields"] if stored and time.time() - stored["at"] < A_DAY else {}

    def store_values(self, fields: dict[str, str]) -> None:
        """Store the values of the settings before a change."""
        self._session[self._name] = {"at": time.time(), "fields": fields}

    def delete_values(self) -> None:
        """Delete the stored values."""
        self._session.pop(self._name, None)
