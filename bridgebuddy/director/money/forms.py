"""Forms of table money. Amounts are typed as people write them, and stored as whole numbers."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.money.models import MOST_MONEY, REASON_LENGTH, MoneySettings, PriceClass
from bridgebuddy.money.rules.currencies import (
    BadAmount,
    currency_title,
    current_currencies,
    field_text,
    notes_and_coins,
    read_amount,
)
from bridgebuddy.money.rules.ledger import Prices

#: the most notes or coins of a kind that can be counted
MOST_PIECES = 9999


def _field_text(amount: int, currency: str) -> str:
    """Return an amount in cents as a form field shows it in the current language."""
    return field_text(amount, currency, get_language() or "en")


class AmountField(forms.CharField):
    """A form field for an amount of money; its value is a whole number of cents."""

    def __init__(self, *, currency: str, signed: bool = False, **rest: Any) -> None:
        super().__init__(max_length=20, **rest)
        self.currency, self.signed = currency, signed
        self.widget.attrs.update({"inputmode": "text" if signed else "decimal", "size": "8"})

    def prepare_value(self, value: Any) -> Any:
        """Return an amount in cents as the text of the field."""
        return _field_text(value, self.currency) if isinstance(value, int) else value

    def clean(self, value: Any) -> int | None:
        """Return the typed amount in cents, None if empty; refuse one that is unreadable or too large."""
        text = super().clean(value)
        if not text:
            return None
        try:
            amount = read_amount(text, self.currency)
        except BadAmount:
            example = _field_text(1250, self.currency)
            message = _("Type an amount like %(example)s.") % {"example": example}
            raise forms.ValidationError(message) from None
        if amount < 0 and not self.signed:
            raise forms.ValidationError(_("Type an amount without a minus."))
        if abs(amount) > MOST_MONEY:
            raise forms.ValidationError(_("This amount is too large."))
        return amount


class PricesForm(forms.Form):
    """The form for the prices of a session for each price class."""

    def __init__(self, data: Any = None, *, currency: str, prices: Prices) -> None:
        super().__init__(data)
        labels = {
            "members": _("Members"),
            "visitors": _("Visitors"),
            "youth": _("Youth"),
        }
        for name, label in labels.items():
            self.fields[name] = AmountField(
                currency=currency, label=label, initial=getattr(prices, name)
            )
        self.fields["for_series"] = forms.BooleanField(
            label=_("Later sessions of this series have these prices too"), required=False
        )

    @property
    def prices(self) -> Prices:
        """Return the typed prices of a valid form as a `Prices` object: for members, visitors and youth."""
        typed = self.cleaned_data
        return Prices(typed["members"], typed["visitors"], typed["youth"])


class MoneySettingsForm(forms.Form):
    """The form for a club's usual prices, currency and limits."""

    def __init__(self, data: Any = None, *, settings: MoneySettings, may_change: bool) -> None:
        super().__init__(data)
        currency, language = settings.currency, get_language() or "en"
        typed = data.get("currency") if data is not None else None
        if may_change and typed in current_currencies():
            currency = typed
        codes = current_currencies() if may_change else (currency,)
        titles = sorted((currency_title(code, language), code) for code in codes)
        self.fields["currency"] = forms.ChoiceField(
            label=_("Currency"),
            choices=[(code, title) for title, code in titles],
            initial=settings.currency,
            help_text="" if may_change else _("It stays, because the ledger has entries."),
        )
        labels = {
            "members": (_("Members pay"), ""),
            "visitors": (_("Visitors pay"), _("Players of another club, by your list.")),
            "youth": (_("Youth pays"), ""),
            "overdraft": (
                _("Accounts may go below zero by"),
                _("An account can have its own limit."),
            ),
            "cash_float": (_("Change in the cash box"), _("Before the first payment.")),
        }
        for name, (label, hint) in labels.items():
            self.fields[name] = AmountField(
                currency=currency, label=label, help_text=hint, initial=getattr(settings, name)
            )
        words = {
            "youth_category": (
                _("Category with the youth price"),
                _("A word of your list of players, for example juniors."),
            ),
            "free_category": (
                _("Category that pays nothing"),
                _("A word of your list of players, for example helpers."),
            ),
        }
        for name, (label, hint) in words.items():
            self.fields[name] = forms.CharField(
                label=label,
                help_text=hint,
                required=False,
                max_length=40,
                initial=getattr(settings, name),
            )
        order = ["currency", "members", "visitors", "youth", "youth_category", "free_category"]
        self.order_fields([*order, "overdraft", "cash_float"])


class CountForm(forms.Form):
    """The form for counting a cash box: notes and coins, and other money as one sum."""

    def __init__(self, data: Any = None, *, currency: str, at_start: int) -> None:
        super().__init__(data)
        self.values = notes_and_coins(currency)
        self.fields["at_start"] = AmountField(
            currency=currency, label=_("In the box at the start"), initial=at_start
        )
        for value in self.values:
            self.fields[f"piece-{value}"] = forms.IntegerField(
                label=_field_text(value, currency),
                required=False,
                min_value=0,
                max_value=MOST_PIECES,
                widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
            )
        label = _("Other money") if self.values else _("Counted")
        self.fields["rest"] = AmountField(currency=currency, label=label, required=False)
        self.fields["reason"] = forms.CharField(
            label=_("Reason for a difference"), required=False, max_length=REASON_LENGTH
        )

    @property
    def piece_fields(self) -> list[forms.BoundField]:
        """Return the form fields for notes and coins."""
        return [self[f"piece-{value}"] for value in self.values]

    @property
    def pieces(self) -> list[tuple[int, int]]:
        """Return value and number of each note or coin of a valid form."""
        return [(value, self.cleaned_data[f"piece-{value}"] or 0) for value in self.values]

    def clean(self) -> dict[str, Any]:
        """Refuse a form without any amount; the cash box may hold 0."""
        cleaned = super().clean() or {}
        if not self.errors and cleaned["rest"] is None and not any(n for _v, n in self.pieces):
            given = {name for name in self.data if str(self.data[name]).strip()}
            if not given & {"rest", *(f"piece-{value}" for value in self.values)}:
                raise forms.ValidationError(_("Type what is in the cash box, also if it is 0."))
        return cleaned


class PayForm(forms.Form):
    """The form for money paid into an account or out of it."""

    def __init__(
        self, data: Any = None, *, currency: str, boxes: list[tuple[str, str]], auto_id: str
    ) -> None:
        super().__init__(data, auto_id=auto_id)
        self.fields["amount"] = AmountField(currency=currency, label=_("Amount"))
        self.fields["box"] = forms.ChoiceField(label=_("Payment method"), choices=boxes)

    def clean_amount(self) -> int:
        """Return the amount; refuse 0."""
        return _refuse_zero(self.cleaned_data["amount"])


class CorrectionForm(forms.Form):
    """The form for a correction of an account with its reason."""

    def __init__(self, data: Any = None, *, currency: str) -> None:
        super().__init__(data, auto_id="correct-%s")
        self.fields["amount"] = AmountField(
            currency=currency,
            signed=True,
            label=_("Amount"),
            help_text=_("With a minus if the balance goes down."),
        )
        self.fields["reason"] = forms.CharField(label=_("Reason"), max_length=REASON_LENGTH)

    def clean_amount(self) -> int:
        """Return the amount; refuse 0."""
        return _refuse_zero(self.cleaned_data["amount"])


class TermsForm(forms.Form):
    """The form for a person's own overdraft limit and price class."""

    def __init__(self, data: Any = None, *, currency: str, initial: dict[str, Any]) -> None:
        super().__init__(data, initial=initial, auto_id="terms-%s")
        self.fields["overdraft"] = AmountField(
            currency=currency,
            required=False,
            label=_("The account may go below zero by"),
            help_text=_("Empty: as the club says."),
        )
        self.fields["price_class"] = forms.ChoiceField(
            label=_("Pays as"),
            required=False,
            choices=[("", _("as in the list of players")), *PriceClass.choices],
        )


class SwitchOffForm(forms.Form):
    """The form that confirms turning table money off although accounts have balances."""

    sure = forms.BooleanField(label=_lazy("I have seen these balances"))


def _refuse_zero(amount: int) -> int:
    """Return the amount; raise `ValidationError` if it is 0."""
    if amount == 0:
        raise forms.ValidationError(_("Type an amount that is not 0."))
    return amount
