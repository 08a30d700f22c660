"""Forms with the director's facts on a change, filled in before proposals are computed."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from movements.engine.changes import (
    ArrowsTurn,
    Change,
    FewerBoards,
    LengthChanges,
    PairArrives,
    PairLeaves,
    PairReturns,
    PairStays,
    Rebuild,
    SkipIsMoved,
)

from .change_form import ChangeForm, number_choices, tables_of
from .mistakes import MISTAKES, MistakeForm

#: the steps of the search's length; the director sees the best result after each step
EFFORTS = (1, 4, 12)


class LatePairForm(ChangeForm):
    """The form for a live change: a late pair joins."""

    @property
    def change(self) -> Change:
        """Return the arrival of a late pair, as a change object for the movement engine."""
        seated = frozenset(
            entry.number for entry in self.present_contestants if entry.must_stay_seated
        )
        return PairArrives(joins_running=self.section.round > 0, spared=seated)


class DepartureForm(ChangeForm):
    """The form for a live change: a pair goes home."""

    contestant = forms.TypedChoiceField(label=_lazy("Who leaves?"), coerce=int)

    def fill_choices(self) -> None:
        """Offer the contestants that are playing."""
        self.offer_contestants("contestant", self.present_contestants)

    @property
    def change(self) -> Change:
        """Return the departure of the chosen contestant, as a change object for the movement engine."""
        return PairLeaves(self.cleaned_data["contestant"])


class ReturnForm(ChangeForm):
    """The form for a live change: a pair that went home comes back."""

    contestant = forms.TypedChoiceField(label=_lazy("Who is back?"), coerce=int)

    def fill_choices(self) -> None:
        """Offer the contestants that have left."""
        self.offer_contestants("contestant", self.departed_contestants)

    @property
    def change(self) -> Change:
        """Return the comeback of the chosen contestant, as a change object for the movement engine."""
        return PairReturns(self.cleaned_data["contestant"])


class KeepSeatForm(ChangeForm):
    """The form for a live change: a pair keeps its seat from the next round on."""

    contestant = forms.TypedChoiceField(label=_lazy("Who cannot move?"), coerce=int)

    def fill_choices(self) -> None:
        """Offer the contestants that are playing."""
        self.offer_contestants("contestant", self.present_contestants)

    @property
    def change(self) -> Change:
        """Return the wish of the chosen pair to stay at its table, as a change object for the movement engine."""
        return PairStays(self.cleaned_data["contestant"])


class SkipForm(ChangeForm):
    """The form for a live change: the skip is moved to another round, removed or added."""

    @property
    def change(self) -> Change:
        """Return the move of the skip, as a change object for the movement engine."""
        return SkipIsMoved()


class RoundCountForm(ChangeForm):
    """The form for a live change: more or fewer rounds."""

    rounds = forms.TypedChoiceField(label=_lazy("How many rounds in all?"), coerce=int)

    def fill_choices(self) -> None:
        """Offer the possible numbers of rounds."""
        first = max(self.section.round, 1)
        lengths = [n for n in range(first, self.evening.rounds + 5) if n != self.evening.rounds]
        self.offer("rounds", [("", _("Choose")), *number_choices(lengths)])

    @property
    def change(self) -> Change:
        """Return the new number of rounds, as a change object for the movement engine."""
        return LengthChanges(self.cleaned_data["rounds"])


class FewerBoardsForm(ChangeForm):
    """The form for a live change: fewer boards in every coming round."""

    boards = forms.TypedChoiceField(label=_lazy("How many boards a round from now on?"), coerce=int)

    def fill_choices(self) -> None:
        """Offer the possible numbers of boards a round."""
        boards = range(1, self.section.boards_per_round or 1)
        self.offer("boards", [("", _("Choose")), *number_choices(boards)])

    @property
    def change(self) -> Change:
        """Return the new number of boards a round, as a change object for the movement engine."""
        return FewerBoards(self.cleaned_data["boards"], self.section.boards_per_round or 1)


class ArrowSwitchForm(ChangeForm):
    """The form for a live change: a coming round is arrow-switched, at all tables or at one."""

    round = forms.TypedChoiceField(label=_lazy("Which round?"), coerce=int)
    table = forms.TypedChoiceField(
        label=_lazy("Which table?"), coerce=int, empty_value=None, required=False
    )

    def fill_choices(self) -> None:
        """Offer the rounds to come and the tables."""
        self.offer("round", [("", _("Choose")), *number_choices(self.rounds_to_come)])
        self.offer("table", [("", _("all tables")), *number_choices(tables_of(self.evening))])

    @property
    def change(self) -> Change:
        """Return the arrow-switch of the chosen round and table, as a change object for the movement engine."""
        table = self.cleaned_data["table"]
        return ArrowsTurn((self.cleaned_data["round"],), (table,) if table else ())


class RebuildForm(ChangeForm):
    """The form for a live change: all coming rounds are planned anew."""

    # set by the page; unreadable values count as the first
    effort = forms.CharField(required=False)
    arrives = forms.BooleanField(required=False)
    leaves = forms.TypedChoiceField(required=False, coerce=int, empty_value=None)
    back = forms.TypedChoiceField(required=False, coerce=int, empty_value=None)
    after = forms.ChoiceField(
        required=False, choices=[("", ""), *((name, name) for name in MISTAKES)]
    )

    def fill_choices(self) -> None:
        """Offer the contestants who may leave or come back."""
        self.offer_contestants("leaves", self.present_contestants)
        self.offer_contestants("back", self.departed_contestants)
        self.mistake: MistakeForm | None = None

    def clean_after(self) -> str:
        """Validate the form of the chosen kind of mistake, which the search takes into account; return the kind."""
        kind = str(self.cleaned_data["after"])
        if kind:
            self.mistake = MISTAKES[kind](self.section, self.evening, self.data)
            if not self.mistake.is_valid():
                raise forms.ValidationError(_("This cannot be chosen now. Choose from the list."))
        return kind

    def clean_effort(self) -> int:
        """Return how long to search; the least if the given value does not exist."""
        asked = self.cleaned_data["effort"]
        return next((effort for effort in EFFORTS if str(effort) == asked), EFFORTS[0])

    @property
    def change(self) -> Rebuild:
        """Return the replanning of all coming rounds, as a change object for the movement engine."""
        cleaned = self.cleaned_data
        leaves = (cleaned["leaves"],) if cleaned["leaves"] else ()
        happened = self.mistake.change if self.mistake else None
        return Rebuild(
            cleaned["effort"], cleaned["arrives"], leaves, cleaned["back"] or 0, happened
        )

    @property
    def sent_values(self) -> dict[str, Any]:
        """Return the sent values, with those of the mistake that the search takes into account."""
        return super().sent_values | (self.mistake.sent_values if self.mistake else {})

    @property
    def purpose_query(self) -> str:
        """Return the sent values except the search time as a query string, to repeat the search with more time."""
        asked = {name: value for name, value in self.sent_values.items() if name != "effort"}
        return f"&{urlencode(asked)}" if asked else ""
