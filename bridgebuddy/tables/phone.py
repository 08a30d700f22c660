"""What a phone carries: the secrets of tables it has learned, and whose phone it is.

All of it stands in one signed cookie; a section's part is forgotten as newer ones come.
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
SALT = "bridgebuddy.tables.phone"
AGE = 36 * 3600  # seconds: the session, and the morning after
PATH = "/p/"
MOST_SECTIONS = 4


@dataclass
class Phone:
    """A phone as its cookie tells it. `told` is, by section: secrets by table, whose it is, where it may say so."""

    name: str = ""
    told: dict[str, dict[str, Any]] = field(default_factory=dict)
    is_other: bool = False  # than its cookie says

    @classmethod
    def of(cls, request: HttpRequest) -> Phone:
        """Return the phone of a request; one that has no cookie, or a wrong one, is new."""
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

    def learn(self, section: Section, table: int, secret: str, *, asks: bool) -> None:
        """Keep a table's secret; where it `asks`, whose phone it is may be said there once."""
        part = self._part(section)
        part.setdefault("secrets", {})[str(table)] = secret
        part["asks"] = table if asks else 0
        self._renew(section, part)

    def belongs(self, section: Section, entry: int) -> None:
        """Keep whose phone it is."""
        part = self._part(section)
        part["who"], part["asks"] = entry, 0
        self._renew(section, part)

    def whose(self, section: Section) -> int | None:
        """The entry whose phone it is in a section."""
        found: int | None = self._part(section).get("who")
        return found

    def may_say_whose(self, section: Section, table: int, phones: Phones) -> bool:
        """Whether it may say whose it is: where it has just learned the secret, and where none is asked."""
        return not phones.need_secret or self._part(section).get("asks") == table

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
