"""Errors of registration."""

from __future__ import annotations

from bridgebuddy.events.errors import ChangeRefused


class RegistrationRefused(ChangeRefused):
    """The session accepts no registrations: not turned on, begun, over or deleted."""


class OnlyPairs(ChangeRefused):
    """Only sessions of pairs accept registrations."""


class OwnPartner(ChangeRefused):
    """A player named themselves as their partner."""


class DoesNotCome(ChangeRefused):
    """The named partner has cancelled (fields: name)."""


class HasSomebody(ChangeRefused):
    """The named partner is registered with another player (fields: name)."""


class TooManyNames(ChangeRefused):
    """Too many names wait for the director."""


class PreparedAnew(ChangeRefused):
    """Registrations or their inputs have changed since a session was prepared."""
