"""Errors of registration."""

from __future__ import annotations

from bridgebuddy.events.errors import ChangeRefused


class RegistrationRefused(ChangeRefused):
    """Error: the session accepts no registrations (not turned on, begun, over or deleted)."""


class NotForPairs(ChangeRefused):
    """Error: only sessions of pairs accept registrations."""


class SelfAsPartner(ChangeRefused):
    """Error: a player named himself or herself as the partner."""


class PartnerHasCancelled(ChangeRefused):
    """Error: the named partner has cancelled (fields: name)."""


class PartnerIsTaken(ChangeRefused):
    """Error: the named partner is registered with another player (fields: name)."""


class TooManyNames(ChangeRefused):
    """Error: too many names of unknown visitors wait for the director."""


class PreparationOutdated(ChangeRefused):
    """Error: the start computed in advance is outdated, because registrations or settings have changed."""
