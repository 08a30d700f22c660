"""What settings were before they were last changed, so that they can be taken back for a day."""

from __future__ import annotations

import time

from django.http import HttpRequest

from bridgebuddy.clubs.models import Club

A_DAY = 24 * 3600


class Undo:
    """What a group of settings was before it was last changed on this device."""

    def __init__(self, request: HttpRequest, club: Club, group: str) -> None:
        self._session, self._name = request.session, f"settings-{club.pk}-{group}"

    @property
    def fields(self) -> dict[str, str]:
        kept = self._session.get(self._name)
        return kept["fields"] if kept and time.time() - kept["at"] < A_DAY else {}

    def keep(self, fields: dict[str, str]) -> None:
        self._session[self._name] = {"at": time.time(), "fields": fields}

    def forget(self) -> None:
        self._session.pop(self._name, None)
