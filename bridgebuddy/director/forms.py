"""What the director types and taps, checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from movements.engine.offers import Offer, Size


def size_value(size: Size) -> str:
    """Return a size as a form carries it: "7x4", or "5x5/24" with a shorter last set."""
    value = f"{size.rounds}x{size.boards_per_round}"
    return f"{value}/{size.total}" if size.total else value


class MovementForm(forms.Form):
    """The movement chosen out of those offered, with its size and the family's own choices."""

    family = forms.CharField()
    size = forms.CharField(required=False)
    line = forms.ChoiceField(choices=[("ns", "NS"), ("ew", "EW")], required=False)

    def __init__(self, data: Any, offered: Sequence[Offer]) -> None:
        super().__init__(data)
        self.offered = {offer.family.name: offer for offer in offered}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        offer = self.offered.get(cleaned.get("family", ""))
        if offer is None:
            raise forms.ValidationError(
                _("This movement does not work with the pairs on the list. Choose one of these.")
            )
        sizes = {size_value(size): size for size in offer.sizes}
        cleaned["size"] = sizes.get(cleaned.get("size") or size_value(offer.size))
        if cleaned["size"] is None:
            raise forms.ValidationError(
                _("This movement cannot have so many rounds and boards. Choose from the list.")
            )
        cleaned["options"] = self._options(offer)
        return cleaned

    def _options(self, offer: Offer) -> dict[str, Any]:
        """Read the family's own options, named option-…; what is left empty keeps its default."""
        options = {}
        for option in offer.family.options:
            typed = str(self.data.get(f"option-{option.name}", "")).strip()
            if typed:
                try:
                    options[option.name] = option.read(typed)
                except ValueError:
                    raise forms.ValidationError(
                        _("“%(typed)s” is not possible here. Leave it empty for the usual way.")
                        % {"typed": typed[:20]}
                    ) from None
        return options


class RoundForm(forms.Form):
    """Which round the page showed when the button was pressed."""

    after = forms.IntegerField(min_value=0, max_value=200)
