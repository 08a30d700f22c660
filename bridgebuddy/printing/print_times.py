"""The times of printing, and the browser's memory of printed sheets."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import TextChoices
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from bridgebuddy.events.models import Section
from bridgebuddy.web.http import read_number

TICKS_LAST = 400 * 24 * 3600
AN_EVENING = 24 * 3600
FIRST_VERSION = 1


class PrintTime(TextChoices):
    """The times for printing sheets: before the session, after a change of the movement, after the session."""

    BEFORE = "before", _("Before")
    CHANGED = "changed", _("What changed")
    AFTER = "after", _("After")


class PrintHistory:
    """The kinds of sheet printed last from this browser and their version, kept in a cookie.

    It is a cookie, because pages that are only read write no data.
    """

    def __init__(self, request: HttpRequest, section: Section) -> None:
        self.request, self.section = request, section

    @property
    def ticked_sheets(self) -> list[str] | None:
        """Return the kinds of sheet that this browser printed for an earlier session; None without one."""
        cookie = self.request.COOKIES.get(self._ticks_cookie_name)
        return None if cookie is None else cookie.split(".")

    @property
    def version(self) -> int:
        """Return the version of the movement that this browser printed last."""
        return read_number(self.request.COOKIES.get("printed")) or FIRST_VERSION

    def store_printed(self, response: HttpResponse, sheets: Iterable[str], version: int) -> None:
        """Store in cookies which kinds of sheet were printed, and in which version of the movement."""
        if sheets:
            self._set_cookie(response, self._ticks_cookie_name, ".".join(sheets), TICKS_LAST, "/s/")
        if self.section.is_started is False and sheets:
            self._set_cookie(response, f"paper-{self.section.code}", "1", AN_EVENING, "/")
        if version:
            path = reverse("print", args=[self.section.code])
            self._set_cookie(response, "printed", str(version), AN_EVENING, path)

    @property
    def _ticks_cookie_name(self) -> str:
        """Return the name of the cookie that holds the ticked kinds of sheet."""
        return f"sheets-{self.section.club.pk}"

    def _set_cookie(
        self, response: HttpResponse, name: str, value: str, age: int, path: str
    ) -> None:
        """Set a cookie that scripts cannot read."""
        response.set_cookie(
            name,
            value,
            max_age=age,
            path=path,
            secure=self.request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
