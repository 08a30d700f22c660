"""Reasons to refuse a change of money. Pages turn these into translated sentences."""

from __future__ import annotations

from bridgebuddy.events.errors import ChangeRefused


class MoneyIsOff(ChangeRefused):
    """The club keeps no table money."""


class PaidMeanwhile(ChangeRefused):
    """Somebody else has ticked or taken back the payment (fields: name, kind, by, at)."""


class OverLimit(ChangeRefused):
    """The account may not go that far below zero (fields: name, balance, limit)."""


class NothingToPay(ChangeRefused):
    """The person has nothing to pay (fields: name)."""


class ReasonAsked(ChangeRefused):
    """A correction needs a reason."""


class NoAccount(ChangeRefused):
    """The person is no longer on the roster."""


class CurrencyInUse(ChangeRefused):
    """The ledger has entries in another currency, so the club keeps that one."""
