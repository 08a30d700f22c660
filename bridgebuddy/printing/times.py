"""When something is printed, and what a browser remembers of it from one time to the next."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import TextChoices
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from bridgebuddy.events.models import Section
from bridgebuddy.http import read_number

TICKS_LAST = 400 * 24 * 3600
AN_EVENING = 24 * 3600
FIRST_VERSION = 1


class Time(TextChoices):
    """Three times of an evening at which there is paper to print."""

    BEFORE = "before", _("Before")
    CHANGED = "changed", _("What changed")
    AFTER = "after", _("After")


class Remembered:
    """What was printed last in this browser: which sheets for an evening, and of which version.

    A cookie, since a page that is only read writes nothing down.
    """

    def __init__(self, request: HttpRequest, section: Section) -> None:
        self.request, self.section = request, section

    @property
    def ticks(self) -> list[str] | None:
        """The sheets the club had for an evening before; None where it has printed none here."""
        kept = self.request.COOKIES.get(self._ticks)
        return None if kept is None else kept.split(".")

    @property
    def version(self) -> int:
        """The version of the movement whose sheets lie on the tables, as far as is known here."""
        return read_number(self.request.COOKIES.get("printed")) or FIRST_VERSION

    def keep(self, response: HttpResponse, sheets: Iterable[str], version: int) -> None:
        """Remember what has been printed for everybody; of a change only that it was."""
        if sheets:
            self._set(response, self._ticks, ".".join(sheets), TICKS_LAST, "/s/")
        if self.section.is_started is False and sheets:
            self._set(response, f"paper-{self.section.code}", "1", AN_EVENING, "/")
        if version:
            path = reverse("print", args=[self.section.code])
            self._set(response, "printed", str(version), AN_EVENING, path)

    @property
    def _ticks(self) -> str:
        return f"sheets-{self.section.club.pk}"

    def _set(self, response: HttpResponse, name: str, value: str, age: int, path: str) -> None:
        response.set_cookie(
            name,
            value,
            max_age=age,
            path=path,
            secure=self.request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
