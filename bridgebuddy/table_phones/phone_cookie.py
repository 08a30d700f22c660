"""The data on a phone: secrets of tables, and its contestant.

The contestant is stored once, so scanning a card again asks nothing. All of it is in one signed
cookie; the oldest sections are dropped.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

from django.core import signing
from django.http import HttpRequest, HttpResponse

from bridgebuddy.events.models import Section

from .models import PhoneSettings
from .secrets import is_table_secret

COOKIE = "table"
SALT = "bridgebuddy.table_phones.phone_cookie"
AGE = 36 * 3600  # seconds: the session, and the next morning
PATH = "/p/"
MOST_SECTIONS = 4


@dataclass
class PhoneCookie:
    """The signed cookie of a phone: the tables whose secrets it knows, and its contestant, for each section.

    `told` holds for each section the secrets by table, the contestant, and where the phone may
    choose one.
    """

    name: str = ""
    told: dict[str, dict[str, Any]] = field(default_factory=dict)
    is_other: bool = False  # whether it differs from its cookie

    @classmethod
    def of(cls, request: HttpRequest) -> PhoneCookie:
        """Return the cookie of a request; a missing or invalid one gives a new one."""
        phone: PhoneCookie | None = getattr(request, "phone", None)
        if phone is None:
            phone = request.phone = cls._from_request(request)  # type: ignore[attr-defined]
        return phone

    @classmethod
    def _from_request(cls, request: HttpRequest) -> PhoneCookie:
        """Read the cookie of a request, or make a new one."""
        try:
            data = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=AGE)
            return cls(data["name"], data["told"])
        except (signing.BadSignature, KeyError, TypeError):
            return cls(secrets.token_hex(8))

    def write_cookie(self, request: HttpRequest, response: HttpResponse) -> None:
        """Write the cookie to a response, if it has changed."""
        if not self.is_other:
            return
        recent = dict(list(self.told.items())[-MOST_SECTIONS:])
        response.set_cookie(
            COOKIE,
            signing.dumps({"name": self.name, "told": recent}, salt=SALT, compress=True),
            max_age=AGE,
            path=PATH,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )

    def store_secret(self, section: Section, table: int, secret: str) -> None:
        """Add a table's secret to the cookie; a phone without a contestant may then choose one there."""
        part = self._section_data(section)
        part.setdefault("secrets", {})[str(table)] = secret
        if part.get("who") is None:
            part["asks"] = table
        self._store_section_data(section, part)

    def store_holder(self, section: Section, entry: int, *, sees: bool) -> None:
        """Store in the cookie whose phone this is, and whether it may see the results of that contestant's boards."""
        part = self._section_data(section)
        part["who"], part["asks"], part["sees"], part["wants"] = entry, 0, sees, False
        self._store_section_data(section, part)

    def store_waiting_state(self, section: Section, does: bool) -> None:
        """Store in the cookie whether the phone waits for the director's answer about another contestant."""
        part = self._section_data(section)
        part["wants"] = does
        self._store_section_data(section, part)

    def is_waiting(self, section: Section) -> bool:
        """Return whether the phone has asked the director for another contestant and has had no answer yet."""
        return bool(self._section_data(section).get("wants"))

    def sees_results(self, section: Section) -> bool:
        """Return whether the phone may see the results of its contestant's boards."""
        return bool(self.entry_key(section.pk)) and self._section_data(section).get("sees", True)

    def has_shown_result(self, section: Section) -> bool:
        """Return whether the phone has shown a result; then only the director changes its contestant.

        Then only the director changes its contestant.
        """
        return bool(self._section_data(section).get("seen"))

    def note_shown_result(self, section: Section) -> None:
        """Store that the phone has shown a result."""
        if not self.has_shown_result(section):
            part = self._section_data(section)
            part["seen"] = True
            self._store_section_data(section, part)

    def entry_key(self, section: int) -> int | None:
        """Return the primary key of the phone's entry in a section, or None."""
        entry: int | None = self.told.get(str(section), {}).get("who")
        return entry

    def may_choose_holder(self, section: Section, table: int, phones: PhoneSettings) -> bool:
        """Return whether the phone may choose its contestant.

        It may at its first table, before it has shown a result.

        Without secrets it always may, since it sees only its own entries there.
        """
        if not phones.need_secret:
            return True
        has_said = self.entry_key(section.pk) is not None
        if has_said:
            return not self.has_shown_result(section)
        return bool(self._section_data(section).get("asks") == table)

    def may_enter_at(self, section: Section, table: int, phones: PhoneSettings) -> bool:
        """Return whether the phone may enter results at a table."""
        if not phones.need_secret:
            return phones.may_enter
        secret = self._section_data(section).get("secrets", {}).get(str(table), "")
        return bool(secret) and is_table_secret(secret, section, table, phones)

    def knows_secret(self, section: int, table: int) -> bool:
        """Return whether the phone has ever learned a secret of a table; `section` is a primary key."""
        return bool(self.told.get(str(section), {}).get("secrets", {}).get(str(table)))

    def _section_data(self, section: Section) -> dict[str, Any]:
        """Return the cookie's data about a section."""
        return self.told.get(str(section.pk), {})

    def _store_section_data(self, section: Section, part: dict[str, Any]) -> None:
        """Set the cookie's data about a section; old sections drop out."""
        self.told.pop(str(section.pk), None)
        self.told[str(section.pk)] = part
        self.is_other = True
