"""Forms for several sections: dividing, and starting rounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from bridgebuddy.director.desk.section_tabs import round_field_name
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.services.setup.sections import MOST_SECTIONS

from ..entries.dividing import DivisionMethod

PLAYS_IN = "in-"  # followed by the entry's key


class DividingForm(forms.Form):
    """The form for dividing entries into sections: number, criterion, deals, and each entry's section."""

    sections = forms.TypedChoiceField(
        label=_("Sections"),
        coerce=int,
        widget=forms.RadioSelect,
        error_messages={
            "invalid_choice": _("There are too few entries for this number of sections.")
        },
    )
    how = forms.ChoiceField(
        label=_("Divide"), choices=DivisionMethod.choices, widget=forms.RadioSelect
    )
    deals = forms.ChoiceField(
        label=_("Boards"),
        choices=[("same", _("the same deals everywhere")), ("different", _("different deals"))],
        widget=forms.RadioSelect,
    )

    def __init__(self, data: Any, *, maximum: int, defaults: Mapping[str, object]) -> None:
        """Create the form with defaults from `defaults`; at most `maximum` sections are possible."""
        sent = data.dict()
        super().__init__({**defaults, **sent})
        count = min(max(maximum, 1), MOST_SECTIONS)
        sections = self.fields["sections"]
        sections.choices = [(n, str(n)) for n in range(1, count + 1)]  # type: ignore[attr-defined]

    def chosen_letters(self, entries: Iterable[Entry]) -> dict[int, str]:
        """Return the chosen section's letter by the entry's primary key."""
        letters = {}
        for entry in entries:
            letter = self.data.get(f"{PLAYS_IN}{entry.pk}", "")
            if len(letter) == 1 and letter in ascii_uppercase:
                letters[entry.pk] = letter
        return letters

    def entry_keys_by_section(self) -> list[list[int]]:
        """Return the primary keys of the entries, section by section, without empty sections."""
        keys: dict[str, list[int]] = {}
        for name, letter in sorted(self.data.items()):
            key = name.removeprefix(PLAYS_IN)
            if name.startswith(PLAYS_IN) and key.isascii() and key.isdigit() and len(key) < 19:
                keys.setdefault(str(letter), []).append(int(key))
        return [sorted(keys[letter]) for letter in sorted(keys)]


class NextRoundForm(forms.Form):
    """The form that starts the next round of several sections, with the rounds that the page showed."""

    def __init__(self, data: Any, sections: Sequence[Section]) -> None:
        super().__init__(data)
        for section in sections:
            self.fields[round_field_name(section)] = forms.IntegerField(
                min_value=0, max_value=200, required=False
            )
        self.names = {round_field_name(section): section.name for section in sections}

    @property
    def chosen_rounds(self) -> dict[str, int]:
        """Return the round that the page showed for each chosen section, by letter."""
        return {
            letter: self.cleaned_data[field]
            for field, letter in self.names.items()
            if self.cleaned_data[field] is not None
        }
