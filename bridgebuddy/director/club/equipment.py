"""A club's equipment: the form beside its chart."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.clubs.single_rows import SingleRowForm, save_single_row
from bridgebuddy.planning.models import Equipment
from bridgebuddy.planning.rules.equipment import parse_board_sets


class EquipmentForm(SingleRowForm):
    """The form for a club's equipment: board sets by colour, tables, bidding boxes, scoring terminals."""

    class Meta:
        model = Equipment
        fields = ("board_sets", "tables", "boxes", "terminals")
        labels = {
            "board_sets": _lazy("Sets of boards"),
            "tables": _lazy("Tables"),
            "boxes": _lazy("Bidding boxes for so many tables"),
            "terminals": _lazy("Scoring terminals for so many tables"),
        }
        help_texts = {"board_sets": _lazy("By colour: red, blue. Of one colour: 2 red.")}

    def __init__(self, data: Any = None, *, instance: Equipment) -> None:
        super().__init__(data, instance=instance, auto_id="id_owned_%s")

    def clean_board_sets(self) -> str:
        """Return the typed board sets; refuse a text that is not colours with numbers."""
        typed = " ".join(str(self.cleaned_data["board_sets"]).split())
        try:
            parse_board_sets(typed)
        except ValueError:
            raise forms.ValidationError(
                _("Enter each colour with its number of sets: 2 red, blue.")
            ) from None
        return typed


def store_equipment(form: EquipmentForm) -> str:
    """Store the club's equipment from a form; return its errors as text, or an empty string."""
    if not form.is_valid():
        return " ".join(str(error) for errors in form.errors.values() for error in errors)
    save_single_row(form)
    return ""
