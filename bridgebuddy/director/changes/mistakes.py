"""Forms for mistakes at the tables, and their changes in the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.games import board_text
from movements.engine.changes import (
    BoardSpan,
    LineSatElsewhere,
    PlayedOtherBoards,
    PlayedTheOtherWay,
    SatInEachOthersPlace,
    TookOtherBoards,
)
from movements.engine.changes.change import Mistake

from .boards import foreign_boards, played_and_replaced_boards, read_boards
from .boards_of_other_sections import (
    boards_by_owning_section,
    is_compared_within_sections,
    owning_section,
)
from .change_form import ChangeForm, number_choices, tables_of


def boards_of_table(evening: SessionEvening, round: int, table: int) -> list[int]:
    """Return the numbers of the boards that a table plays in a round by the planned movement."""
    games = [game for game in evening.games[round] if game.table == table]
    return list(dict.fromkeys(board for game in games for board in game.boards))


class MistakeForm(ChangeForm):
    """Base form for recording a mistake (wrong seats or boards) in a current or past round."""

    round = forms.TypedChoiceField(label=_lazy("In which round?"), coerce=int)

    def fill_choices(self) -> None:
        """Offer the rounds that have begun."""
        self.offer("round", number_choices(self.rounds_begun[::-1]))

    @property
    def change(self) -> Mistake:
        """Return the mistake, as a change object for the movement engine."""
        raise NotImplementedError


class SwappedPairsForm(MistakeForm):
    """The form that records that two pairs, or two players, sat in each other's places."""

    one = forms.TypedChoiceField(label=_lazy("This pair"), coerce=int)
    other = forms.TypedChoiceField(label=_lazy("sat in the place of"), coerce=int)

    def fill_choices(self) -> None:
        """Offer the pairs that have played."""
        super().fill_choices()
        if self.section.contest.plays_alone:
            self.fields["one"].label = _("This player")
        for name in ("one", "other"):
            self.offer_contestants(name, self.contestants_who_played)

    def clean(self) -> dict[str, Any]:
        """Refuse the same pair twice."""
        cleaned = super().clean() or {}
        if cleaned.get("one") and cleaned.get("one") == cleaned.get("other"):
            alone = self.section.contest.plays_alone
            self.add_error(
                "other",
                _("Choose two different players.") if alone else _("Choose two different pairs."),
            )
        return cleaned

    @property
    def change(self) -> Mistake:
        """Return the exchange of the two pairs, as a change object for the movement engine."""
        cleaned = self.cleaned_data
        return SatInEachOthersPlace(cleaned["round"], cleaned["one"], cleaned["other"])


class WrongBoardsForm(MistakeForm):
    """The form that records that a table played other boards than its own, or that two tables exchanged boards."""

    answers = ("other_table", "boards")

    table = forms.TypedChoiceField(label=_lazy("This table"), coerce=int)
    boards = forms.CharField(
        label=_lazy("had these boards"),
        help_text=_lazy(
            "As printed on the boards: 7-8, or 7, 11. It does not matter where they were."
        ),
        max_length=60,
        required=False,
    )
    instead = forms.CharField(
        label=_lazy("instead of"),
        help_text=_lazy("May stay empty if it was all the boards of the round."),
        max_length=60,
        required=False,
    )
    other_table = forms.TypedChoiceField(
        label=_lazy("or exchanged its boards with table"),
        coerce=int,
        empty_value=None,
        required=False,
    )

    def fill_choices(self) -> None:
        """Offer the tables as choices of the table that played wrong boards."""
        super().fill_choices()
        self.exchanged: tuple[tuple[BoardSpan, ...], tuple[BoardSpan, ...]] = ((), ())
        for name in ("table", "other_table"):
            self.offer(name, [("", _("Choose")), *number_choices(tables_of(self.evening))])

    def clean(self) -> dict[str, Any]:
        """Read the typed boards; refuse the same table twice, and boards as well as another table."""
        cleaned = super().clean() or {}
        if cleaned.get("table") and cleaned.get("table") == cleaned.get("other_table"):
            self.add_error("other_table", _("Choose two different tables."))
        elif not self.errors and bool(cleaned.get("other_table")) == bool(cleaned.get("boards")):
            self.add_error("boards", _("Choose the other table, or else say which boards."))
        elif not self.errors and cleaned["boards"]:
            self._read_boards(cleaned)
        return cleaned

    def _read_boards(self, cleaned: dict[str, Any]) -> None:
        """Read the boards that were played and those that they replaced into `exchanged`, or add an error."""
        own = boards_of_table(self.evening, cleaned["round"], cleaned["table"])
        had, left = read_boards(cleaned["boards"]), read_boards(cleaned["instead"])
        for name, boards in (("boards", had), ("instead", left)):
            if cleaned[name] and not boards:
                self.add_error(name, _("Type boards like 7-8 or 7, 11."))
                return
        numbers = dict(self.evening.numbers)
        if unknown := foreign_boards(had, numbers):
            numbers |= self._sets_of_other_sections(unknown, cleaned["table"])
        if self.errors:
            return
        if not {*left} <= {*own}:
            self.add_error("instead", self._error_text(cleaned, own))
        elif not left and {*had} == {*own}:
            self.add_error("boards", _("These are the boards that this table was to play."))
        else:
            left = [board for board in left or own if board not in had]
            had = [board for board in had if board not in own]
            if not had or len(had) != len(left):
                self.add_error("instead", self._error_text(cleaned, own))
            else:
                self.exchanged = played_and_replaced_boards(had, left, numbers)

    def _error_text(self, cleaned: Mapping[str, Any], own: Sequence[int]) -> str:
        """Return the error text for a wrong number of typed boards; it names the boards that were to be played."""
        facts = {**cleaned, "own": board_text(own)}
        return (
            _(
                "Table %(table)s was to play boards %(own)s in round %(round)s. Enter one of these "
                "for each wrong board."
            )
            % facts
        )

    def _sets_of_other_sections(self, unknown: Sequence[int], table: int) -> dict[str, range]:
        """Return boards unknown in this section as sets of the sections that own them, or add an error."""
        owned = boards_by_owning_section(unknown, self.section)
        facts: dict[str, object] = {"boards": board_text(unknown), "table": table}
        if not owned:
            told = _("Board %(boards)s is not played in this session.")
            self.add_error("boards", told % facts)
        elif is_compared_within_sections(self.section.session):
            [facts["section"], *_others] = [owning_section(name) for name in owned]
            self.add_error(
                "boards",
                _(
                    "Board %(boards)s belongs to section %(section)s: there are no results here to "
                    "compare it with. Enter under Results that table %(table)s did not play its own "
                    "board."
                )
                % facts,
            )
        return owned

    @property
    def change(self) -> Mistake:
        """Return the boards that the table really played, as a change object for the movement engine."""
        cleaned = self.cleaned_data
        if cleaned["boards"]:
            return TookOtherBoards(cleaned["round"], cleaned["table"], *self.exchanged)
        return PlayedOtherBoards(cleaned["round"], cleaned["table"], cleaned["other_table"])


class WrongDirectionForm(MistakeForm):
    """The form that records that a table sat the wrong way round: arrow-switched, or not, by mistake."""

    answers = ("table",)

    table = forms.TypedChoiceField(label=_lazy("Which table?"), coerce=int)
    boards = forms.CharField(
        label=_lazy("For which boards?"),
        help_text=_lazy("As on the boards: 7-8, or 7, 11. Empty for all of the round."),
        max_length=60,
        required=False,
    )

    def fill_choices(self) -> None:
        """Offer the tables as choices of the table that sat the wrong way round."""
        super().fill_choices()
        self.turned: tuple[BoardSpan, ...] = ()
        self.offer("table", [("", _("Choose")), *number_choices(tables_of(self.evening))])

    def clean(self) -> dict[str, Any]:
        """Read the typed boards; refuse boards that the table did not play."""
        cleaned = super().clean() or {}
        if not self.errors and cleaned["boards"]:
            boards = read_boards(cleaned["boards"])
            own = boards_of_table(self.evening, cleaned["round"], cleaned["table"])
            if not boards:
                self.add_error("boards", _("Type boards like 7-8 or 7, 11."))
            elif not {*boards} <= {*own}:
                facts = {**cleaned, "own": board_text(own)}
                told = _("Table %(table)s was to play boards %(own)s in round %(round)s.")
                self.add_error("boards", told % facts)
            elif {*boards} != {*own}:
                boards.sort()
                self.turned, _same = played_and_replaced_boards(
                    boards, boards, self.evening.numbers
                )
        return cleaned

    @property
    def change(self) -> Mistake:
        """Return the boards played the wrong way round, as a change object for the movement engine."""
        cleaned = self.cleaned_data
        return PlayedTheOtherWay(cleaned["round"], cleaned["table"], self.turned)


class ShiftedDirectionForm(MistakeForm):
    """The form that records that all pairs of a direction sat several tables away, as after a wrong skip."""

    line = forms.ChoiceField(label=_lazy("Which line?"))
    up = forms.TypedChoiceField(label=_lazy("Where did the line sit in this round?"), coerce=int)
    since = forms.BooleanField(
        label=_lazy("The line has sat like this ever since, including this round"), required=False
    )

    def fill_choices(self) -> None:
        """Offer North-South and East-West, and how many tables too high or too low they may have sat."""
        super().fill_choices()
        self.offer("line", [("ew", _("East-West")), ("ns", _("North-South"))])
        tables = len(tables_of(self.evening))
        steps = sorted(
            {*range(-(tables // 2), tables // 2 + 1)} - {0}, key=lambda up: (abs(up), up)
        )
        if tables % 2 == 0:
            steps = [up for up in steps if up != -(tables // 2)]
        self.offer("up", [("", _("Choose")), *((str(up), self._shift_text(up)) for up in steps)])

    @staticmethod
    def _shift_text(up: int) -> str:
        """Return the label of the choice that a direction sat `up` tables too high (negative: too low)."""
        if up > 0:
            return ngettext(
                "%(count)s table further up than planned",
                "%(count)s tables further up than planned",
                up,
            ) % {"count": up}
        return ngettext(
            "%(count)s table further down: a skip that was not called",
            "%(count)s tables further down than planned",
            -up,
        ) % {"count": -up}

    @property
    def change(self) -> Mistake:
        """Return the direction that sat at wrong tables, as a change object for the movement engine."""
        cleaned = self.cleaned_data
        return LineSatElsewhere(cleaned["round"], cleaned["line"], cleaned["up"], cleaned["since"])


#: the mistakes after which a search may plan the rest again
MISTAKES: dict[str, type[MistakeForm]] = {
    "places": SwappedPairsForm,
    "wrong-boards": WrongBoardsForm,
    "other-way": WrongDirectionForm,
    "line": ShiftedDirectionForm,
}
