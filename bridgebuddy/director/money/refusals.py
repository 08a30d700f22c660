"""Refused changes of money as sentences."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.money import errors
from bridgebuddy.money.rules.currencies import money_text
from bridgebuddy.money.rules.ledger import EntryKind

from ..refusals import change_refused


def money_refused(error: ChangeRefused, currency: str) -> str:
    """Return the sentence that says why a change of money was refused."""
    fields = error.fields
    match error:
        case errors.PaidMeanwhile():
            return _paid_meanwhile_text(error)
        case errors.OverLimit():
            language = get_language() or "en"
            balance, limit = (
                money_text(cast(int, fields[name]), currency, language)
                for name in ("balance", "limit")
            )
            words = {"name": fields["name"], "balance": balance, "limit": limit}
            return _("%(name)s has %(balance)s. The account may not go below %(limit)s.") % words
        case errors.NothingToPay():
            return _("%(name)s has nothing to pay.") % fields
        case errors.ReasonRequired():
            return _("Type the reason of the correction.")
        case errors.NoAccount():
            return _("This person is no longer in the list. Nothing was saved.")
        case errors.MoneyIsOff():
            return _("Table money is turned off for this session.")
        case errors.CurrencyInUse():
            return _("The ledger has entries already, so its currency stays.")
    return change_refused(error)


def _paid_meanwhile_text(error: errors.PaidMeanwhile) -> str:
    """Return the sentence that another user has just recorded the payment."""
    fields = error.fields
    words = {"name": str(fields["name"]), "by": str(fields["by"] or "–"), "time": "–"}
    if isinstance(fields["at"], datetime):
        words["time"] = time_format(timezone.localtime(fields["at"]), "H:i")
    match fields["kind"]:
        case EntryKind.CASH:
            return _("%(by)s ticked %(name)s at %(time)s: cash. Your tick changed nothing.") % words
        case EntryKind.ACCOUNT:
            return (
                _("%(by)s ticked %(name)s at %(time)s: account. Your tick changed nothing.") % words
            )
    return _("%(by)s took back the payment of %(name)s at %(time)s.") % words
