"""The form for typing the hands of a played board."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.deals.rules.hands import SEATS, SUITS, format_pbn
from bridgebuddy.deals.rules.typed import HandError, read_typed_hands
from movements.words.sentences import CHAIRS

from .words import STRAINS, card_text, rank_text

LONGEST = 40


class HandsForm(forms.Form):
    """The form for typing a board's four hands by suit. One hand may stay empty and gets the remaining cards."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for seat in SEATS:
            for suit in SUITS:
                label = f"{CHAIRS[seat.lower()]}, {STRAINS[suit]}"
                how = {"autocomplete": "off", "spellcheck": "false", "aria-label": label}
                how |= {"autocapitalize": "characters", "size": "9"}
                self.fields[f"{seat}{suit}"] = forms.CharField(
                    label=label,
                    required=False,
                    max_length=LONGEST,
                    widget=forms.TextInput(attrs=how),
                )

    @property
    def seats(self) -> list[tuple[str, list[tuple[str, Any]]]]:
        """Return each seat with the form fields of its suits."""
        return [(seat, [(suit, self[f"{seat}{suit}"]) for suit in SUITS]) for seat in SEATS]

    def clean(self) -> dict[str, Any]:
        """Check the typed hands; add an error for each unknown, repeated or missing card."""
        data = self.cleaned_data
        typed = {seat: {suit: data.get(f"{seat}{suit}", "") for suit in SUITS} for seat in SEATS}
        letters = {str(rank_text(letter)).upper(): letter for letter in "AKQJ"}
        hands, wrong = read_typed_hands(typed, letters)
        for problem in wrong[:8]:
            self.add_error(None, hand_error_text(problem))
        if not wrong and not self.errors:
            data["pbn"] = format_pbn(hands)
        return data


def hand_error_text(error: HandError) -> str:
    """Return an error in typed hands as a translated sentence."""
    seat = str(CHAIRS[error.seat.lower()]) if error.seat else ""
    match error.why:
        case "unknown":
            return _("%(seat)s: “%(what)s” is no card.") % {"seat": seat, "what": error.what}
        case "twice" if error.seat == error.other:
            return _("%(seat)s: %(card)s is entered twice.") % {
                "seat": seat,
                "card": card_text(error.what),
            }
        case "twice":
            return _("The %(card)s is in two hands: %(other)s and %(seat)s.") % {
                "card": card_text(error.what),
                "other": CHAIRS[error.other.lower()],
                "seat": seat,
            }
        case "count":
            number = int(error.what)
            return ngettext(
                "%(seat)s has %(number)s card, not 13.",
                "%(seat)s has %(number)s cards, not 13.",
                number,
            ) % {"seat": seat, "number": number}
    return _("Type three hands; the fourth follows.")
