"""The base of all change forms: fields, choices from the section, and the engine's value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.games import Contestant
from movements.engine.changes import Change

from ..wording import contestant_words


class ChangeForm(forms.Form):
    """Base form for a live change of the movement; `change` is its input for the movement engine."""

    #: an answer holds at least one of these; an address without them only fills in fields
    answers: tuple[str, ...] = ()

    @classmethod
    def is_answered(cls, form_data: Mapping[str, Any]) -> bool:
        """Return whether `form_data` has all required fields, so that proposals can be made."""
        needed = [name for name, field in cls.base_fields.items() if field.required]
        return all(name in form_data for name in needed) and (
            any(name in form_data for name in cls.answers or cls.base_fields)
        )

    def __init__(self, section: Section, evening: SessionEvening, data: Any = None) -> None:
        super().__init__(data)
        self.section, self.evening = section, evening
        for field in self.fields.values():
            field.error_messages |= {
                "required": _("Choose from the list."),
                "invalid_choice": _("This cannot be chosen now. Choose from the list."),
            }
        self.fill_choices()

    def fill_choices(self) -> None:
        """Fill the choices of the form's fields from the section."""

    def offer(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        """Set the choices of the form field `name`."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def offer_contestants(self, name: str, contestants: Sequence[Contestant]) -> None:
        """Let the director choose one of these contestants in the form field `name`."""
        named = [
            (
                str(contestant.number),
                f"{contestant.label}  {contestant.surnames if contestant.halves else contestant.names}",
            )
            for contestant in contestants
        ]
        self.offer(name, [("", str(contestant_words(self.section).choose)), *named])

    @property
    def change(self) -> Change:
        """Return the change that the valid form describes, as an object for the movement engine."""
        raise NotImplementedError

    @property
    def sent_values(self) -> dict[str, Any]:
        """Return the valid values as they were sent, for the hidden fields of the form that confirms the change."""
        understood = getattr(self, "cleaned_data", {})
        told = {name: self.data.get(name) for name in self.fields if understood.get(name)}
        return {name: value for name, value in told.items() if value}

    @property
    def rounds_to_come(self) -> range:
        """Return the numbers of the rounds that have not begun."""
        return range(self.section.round + 1, self.evening.rounds + 1)

    @property
    def rounds_begun(self) -> range:
        """Return the numbers of the rounds that have begun."""
        return range(1, self.section.round + 1)

    @property
    def present_contestants(self) -> list[Contestant]:
        """Return the contestants that are present."""
        at = min(self.section.round + 1, self.evening.rounds)
        return [
            contestant
            for contestant in self.evening.contestants.values()
            if contestant.is_present_in(at)
        ]

    @property
    def contestants_who_played(self) -> list[Contestant]:
        """Return the contestants that have played in the current or an earlier round."""
        everybody = self.evening.contestants.values()
        return [
            contestant for contestant in everybody if contestant.first_round <= self.section.round
        ]

    @property
    def departed_contestants(self) -> list[Contestant]:
        """Return the contestants that have left."""
        return [
            contestant for contestant in self.evening.contestants.values() if contestant.has_left
        ]


def number_choices(rounds: Sequence[int]) -> list[tuple[str, str]]:
    """Return numbers as choices of a form field."""
    return [(str(number), str(number)) for number in rounds]


def tables_of(evening: SessionEvening) -> list[int]:
    """Return the numbers of all tables at which a session is played."""
    return sorted({game.table for games in evening.games.values() for game in games})
