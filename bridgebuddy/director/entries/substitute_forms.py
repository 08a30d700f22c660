"""Forms for substitutes: the person replaced, and the rounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.people.names import one_line
from bridgebuddy.events.errors import ChangeRefused, NoSuchRound, PersonTwice
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.names import problem_of_name
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.substitutes import SubstituteRounds

from ..refusals import change_refused
from .forms import PROBLEMS

#: the name field; the roster's suggestions include people already entered
SUBSTITUTE = "substitute"
TO_THE_END = ""
LONGEST_REASON = 200


class StintForm(forms.Form):
    """The form for a substitute with the first and last round."""

    substitute = forms.CharField(
        label=_lazy("Who is the substitute?"),
        max_length=Person.NAME_LENGTH,
        error_messages={"required": _lazy("A name is missing.")},
    )
    from_round = forms.TypedChoiceField(label=_lazy("From round"), coerce=int)
    until_round = forms.TypedChoiceField(
        label=_lazy("Until round"), coerce=int, required=False, empty_value=None
    )
    reason = forms.CharField(
        label=_lazy("Why? (may stay empty)"), max_length=LONGEST_REASON, required=False
    )

    def __init__(
        self, section: Section, data: Any = None, stint: SubstituteRounds | None = None
    ) -> None:
        super().__init__(data)
        rounds = range(1, (section.movement.rounds if section.movement else 0) + 1)
        named = [(round, _round_label(section, round)) for round in rounds]
        self.fields["from_round"].choices = named  # type: ignore[attr-defined]
        self.fields["until_round"].choices = [  # type: ignore[attr-defined]
            (TO_THE_END, _("to the end")),
            *named,
        ]
        self.initial = {"from_round": section.shown_round}
        if stint:
            self.initial = {
                SUBSTITUTE: stint.name,
                "from_round": stint.first,
                "until_round": stint.last or TO_THE_END,
            }

    def clean_substitute(self) -> str:
        """Return the substitute's name in its stored form; refuse an unusable name."""
        name = one_line(self.cleaned_data[SUBSTITUTE])
        if problem := problem_of_name(name):
            raise forms.ValidationError(PROBLEMS[problem])
        return name

    def add_refusal(self, refusal: ChangeRefused) -> None:
        """Add the reason why a substitute was refused, at the field concerned."""
        field = None
        if isinstance(refusal, PersonTwice):
            field = SUBSTITUTE
        elif isinstance(refusal, NoSuchRound):
            field = "until_round"
        self.add_error(field, change_refused(refusal))

    @property
    def answers(self) -> dict[str, Any]:
        """Return the rounds and the reason as keyword arguments for the functions that store a substitute."""
        return {name: self.cleaned_data[name] for name in ("from_round", "until_round", "reason")}


class SubstituteForm(StintForm):
    """The form for a substitute and the player to be replaced."""

    #: an entry, a place in it, and the link of the person that the page showed there
    who = forms.CharField(label=_lazy("Who is being replaced?"), widget=forms.Select)

    def __init__(
        self,
        section: Section,
        evening: SessionEvening,
        data: Any = None,
        entry: Entry | None = None,
    ) -> None:
        super().__init__(section, data)
        select = self.fields["who"].widget
        select.choices = list(_replaceable_people(section, evening, entry))

    def clean_who(self) -> tuple[int, int, int]:
        """Return who is replaced, as the keys of entry, seat in it, and `EntryPerson`, from the sent choice."""
        parts = self.cleaned_data["who"].split("-")
        if len(parts) != 3 or not all(p.isascii() and p.isdigit() and len(p) < 16 for p in parts):
            raise forms.ValidationError(_("Choose from the list."))
        entry, place, link = map(int, parts)
        return entry, place, link


def _replaceable_people(
    section: Section, evening: SessionEvening, entry: Entry | None
) -> Iterator[tuple[str, str]]:
    """Yield the players who can be replaced, with their pairs' labels; only those of `entry` if given."""
    labels = {contestant.entry: contestant.label for contestant in evening.contestants.values()}
    listed = [entry] if entry else sorted(evening.entries, key=lambda e: e.contestant or 10_000)
    for choice in listed:
        for link in choice.links_in(section.shown_round):
            if link.is_reserve:
                continue
            key = f"{choice.pk}-{link.position}-{link.pk}"
            yield key, f"{labels.get(choice.pk, '')}  {link.person.name}".strip()


def _round_label(section: Section, round: int) -> str:
    """Return the label of a round in the choices."""
    if section.is_running and round == section.round:
        return _("%(round)s (now)") % {"round": round}
    return str(round)
