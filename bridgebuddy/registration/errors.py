"""Why what somebody says of a session is not taken."""

from __future__ import annotations

from bridgebuddy.events.errors import ChangeRefused


class NotTaken(ChangeRefused):
    """The session takes nothing beforehand: not switched on, begun, over or deleted."""


class OnlyPairs(ChangeRefused):
    """Only sessions of pairs take entries beforehand."""


class OwnPartner(ChangeRefused):
    """Somebody names themselves as their partner."""


class DoesNotCome(ChangeRefused):
    """Who is named has said that they do not come (fields: name)."""


class HasSomebody(ChangeRefused):
    """Who is named comes with somebody else (fields: name)."""


class TooManyNames(ChangeRefused):
    """More names wait for the director of a session than may wait."""


class PreparedAnew(ChangeRefused):
    """Somebody has come or gone since an evening was prepared, or what it follows from was changed."""
