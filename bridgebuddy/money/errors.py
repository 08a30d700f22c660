"""Reasons to refuse a change of money. Pages turn these into translated sentences."""

from __future__ import annotations

from bridgebuddy.events.errors import ChangeRefused


class MoneyIsOff(ChangeRefused):
    """Error: the club has not turned table money on."""


class PaidMeanwhile(ChangeRefused):
    """Error: another user has just recorded or reversed the payment (fields: name, kind, by, at)."""


class OverLimit(ChangeRefused):
    """Error: the account would fall below its limit (fields: name, balance, limit)."""


class NothingToPay(ChangeRefused):
    """Error: the person has nothing to pay (fields: name)."""


class ReasonRequired(ChangeRefused):
    """Error: a correction of an account needs a reason."""


class NoAccount(ChangeRefused):
    """Error: the account's person is no longer on the roster."""


class CurrencyInUse(ChangeRefused):
    """Error: the currency cannot be changed, because the ledger has entries in it."""
