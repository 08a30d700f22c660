"""What a phone carries: the secrets of tables it has learned, and whose phone it is.

Who has said it keeps it: a card scanned again asks nobody. All of it stands in one signed cookie; a section's part is forgotten as newer ones come.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

from django.core import signing
from django.http import HttpRequest, HttpResponse

from bridgebuddy.events.models import Section

from .models import Phones
from .secrets import is_secret

COOKIE = "table"
SALT = "bridgebuddy.table_phones.phone_cookie"
AGE = 36 * 3600  # seconds: the session, and the morning after
PATH = "/p/"
MOST_SECTIONS = 4


@dataclass
class PhoneCookie:
    """A phone as its cookie tells it. `told` is, by section: secrets by table, whose it is, where it may say so."""

    name: str = ""
    told: dict[str, dict[str, Any]] = field(default_factory=dict)
    is_other: bool = False  # than its cookie says

    @classmethod
    def of(cls, request: HttpRequest) -> PhoneCookie:
        """Return the phone of a request, the same all through it; one without a cookie, or with a wrong one, is new."""
        known: PhoneCookie | None = getattr(request, "phone", None)
        if known is None:
            known = request.phone = cls._told_by(request)  # type: ignore[attr-defined]
        return known

    @classmethod
    def _told_by(cls, request: HttpRequest) -> PhoneCookie:
        try:
            said = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=AGE)
            return cls(said["name"], said["told"])
        except (signing.BadSignature, KeyError, TypeError):
            return cls(secrets.token_hex(8))

    def write(self, request: HttpRequest, response: HttpResponse) -> None:
        """Put it into its cookie, if it is another one than it says."""
        if not self.is_other:
            return
        kept = dict(list(self.told.items())[-MOST_SECTIONS:])
        response.set_cookie(
            COOKIE,
            signing.dumps({"name": self.name, "told": kept}, salt=SALT, compress=True),
            max_age=AGE,
            path=PATH,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )

    def learn(self, section: Section, table: int, secret: str) -> None:
        """Keep a table's secret; as long as nobody has said whose phone it is, that may be said there."""
        part = self._part(section)
        part.setdefault("secrets", {})[str(table)] = secret
        if part.get("who") is None:
            part["asks"] = table
        self._renew(section, part)

    def belongs(self, section: Section, entry: int, *, sees: bool) -> None:
        """Keep whose phone it is, and whether it is shown what others say of their boards."""
        part = self._part(section)
        part["who"], part["asks"], part["sees"], part["wants"] = entry, 0, sees, False
        self._renew(section, part)

    def wants(self, section: Section, does: bool) -> None:
        """Keep that the director has been asked to let it be somebody else's, or has answered."""
        part = self._part(section)
        part["wants"] = does
        self._renew(section, part)

    def is_waiting(self, section: Section) -> bool:
        """Whether the director has been asked, and has not answered for all that it knows."""
        return bool(self._part(section).get("wants"))

    def sees(self, section: Section) -> bool:
        """Whether it is shown what others say of the boards of whose phone it is."""
        return bool(self.whose(section.pk)) and self._part(section).get("sees", True)

    def has_seen(self, section: Section) -> bool:
        """Whether it has been shown a result: whose it is the director alone can change then."""
        return bool(self._part(section).get("seen"))

    def see(self, section: Section) -> None:
        """Keep that it has been shown a result."""
        if not self.has_seen(section):
            part = self._part(section)
            part["seen"] = True
            self._renew(section, part)

    def whose(self, section: int) -> int | None:
        """The entry whose phone it is in a section (by its key)."""
        found: int | None = self.told.get(str(section), {}).get("who")
        return found

    def may_say_whose(self, section: Section, table: int, phones: Phones) -> bool:
        """Whether it may say whose it is: where it has learned the secret first, until it was shown a result.

        And always where no secret is asked, since it is shown there what it has said itself.
        """
        if not phones.need_secret:
            return True
        has_said = self.whose(section.pk) is not None
        if has_said:
            return not self.has_seen(section)
        return bool(self._part(section).get("asks") == table)

    def opens(self, section: Section, table: int, phones: Phones) -> bool:
        """Whether it may enter at a table, whoever sits there."""
        if not phones.need_secret:
            return phones.may_enter
        secret = self._part(section).get("secrets", {}).get(str(table), "")
        return bool(secret) and is_secret(secret, section, table, phones)

    def has_learned(self, section: int, table: int) -> bool:
        """Whether it has been let in at a table of a section (by its key) by a secret, of now or before."""
        return bool(self.told.get(str(section), {}).get("secrets", {}).get(str(table)))

    def _part(self, section: Section) -> dict[str, Any]:
        return self.told.get(str(section.pk), {})

    def _renew(self, section: Section, part: dict[str, Any]) -> None:
        self.told.pop(str(section.pk), None)
        self.told[str(section.pk)] = part
        self.is_other = True
