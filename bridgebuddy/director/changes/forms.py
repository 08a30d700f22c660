"""What a director has to say about a change, before it can be answered with proposals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.evening import Evening
from bridgebuddy.events.queries.games import Contestant, board_text
from movements.engine.changes import (
    ArrowsTurn,
    Change,
    FewerBoards,
    LengthChanges,
    PairArrives,
    PairLeaves,
    PairReturns,
    PairStays,
    Piece,
    PlayedOtherBoards,
    PlayedTheOtherWay,
    Rebuild,
    SatInEachOthersPlace,
    SkipIsMoved,
    TookOtherBoards,
)
from movements.engine.changes.change import Mistake

from ..wording import words_of
from .boards import pieces, read_boards, strangers
from .others_boards import is_compared_within_sections, others_boards, whose

#: how long the search goes on, step by step; the director sees the best so far after each
EFFORTS = (1, 4, 12)


class ChangeForm(forms.Form):
    """What happens to a section: fields the director fills in, and the engine's value for it."""

    #: one of these has to be there in an answer; an address with less only fills in its fields
    answers: tuple[str, ...] = ()

    @classmethod
    def is_answered(cls, sent: Mapping[str, Any]) -> bool:
        """Whether a page's address, or what was sent, is an answer and not only the beginning of one."""
        needed = [name for name, field in cls.base_fields.items() if field.required]
        return all(name in sent for name in needed) and (
            any(name in sent for name in cls.answers or cls.base_fields)
        )

    def __init__(self, section: Section, evening: Evening, data: Any = None) -> None:
        super().__init__(data)
        self.section, self.evening = section, evening
        for field in self.fields.values():
            field.error_messages |= {
                "required": _("Choose from the list."),
                "invalid_choice": _("This cannot be chosen now. Choose from the list."),
            }
        self.prepare()

    def prepare(self) -> None:
        """Fill the fields' choices from the section."""

    def offer(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        """Let a field choose one of these."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def offer_those(self, name: str, contestants: Sequence[Contestant]) -> None:
        """Let a field choose one of those who play."""
        named = [
            (str(one.number), f"{one.label}  {one.surnames if one.halves else one.names}")
            for one in contestants
        ]
        self.offer(name, [("", str(words_of(self.section).choose)), *named])

    @property
    def change(self) -> Change:
        """What the valid form says."""
        raise NotImplementedError

    @property
    def sent(self) -> dict[str, Any]:
        """What was told and understood, to be told again with the decision."""
        understood = getattr(self, "cleaned_data", {})
        told = {name: self.data.get(name) for name in self.fields if understood.get(name)}
        return {name: value for name, value in told.items() if value}

    @property
    def rounds_to_come(self) -> range:
        return range(self.section.round + 1, self.evening.rounds + 1)

    @property
    def rounds_begun(self) -> range:
        return range(1, self.section.round + 1)

    @property
    def there(self) -> list[Contestant]:
        """Those who are there and have not left."""
        at = min(self.section.round + 1, self.evening.rounds)
        return [one for one in self.evening.contestants.values() if one.is_there(at)]

    @property
    def have_played(self) -> list[Contestant]:
        """Those who were there in some round that is over or being played."""
        everybody = self.evening.contestants.values()
        return [one for one in everybody if one.first_round <= self.section.round]

    @property
    def gone(self) -> list[Contestant]:
        """Those who have left."""
        return [one for one in self.evening.contestants.values() if one.has_left]


def whole(rounds: Sequence[int]) -> list[tuple[str, str]]:
    """Return numbers as choices."""
    return [(str(number), str(number)) for number in rounds]


class LateForm(ChangeForm):
    """A pair comes late."""

    @property
    def change(self) -> Change:
        seated = frozenset(one.number for one in self.there if one.must_stay_seated)
        return PairArrives(joins_running=self.section.round > 0, spared=seated)


class LeavesForm(ChangeForm):
    """A pair goes home."""

    contestant = forms.TypedChoiceField(label=_lazy("Who leaves?"), coerce=int)

    def prepare(self) -> None:
        self.offer_those("contestant", self.there)

    @property
    def change(self) -> Change:
        return PairLeaves(self.cleaned_data["contestant"])


class BackForm(ChangeForm):
    """A pair that went home is here again."""

    contestant = forms.TypedChoiceField(label=_lazy("Who is back?"), coerce=int)

    def prepare(self) -> None:
        self.offer_those("contestant", self.gone)

    @property
    def change(self) -> Change:
        return PairReturns(self.cleaned_data["contestant"])


class StaysForm(ChangeForm):
    """A pair cannot move any more."""

    contestant = forms.TypedChoiceField(label=_lazy("Who cannot move?"), coerce=int)

    def prepare(self) -> None:
        self.offer_those("contestant", self.there)

    @property
    def change(self) -> Change:
        return PairStays(self.cleaned_data["contestant"])


class SkipForm(ChangeForm):
    """The skip is moved, taken out or put in."""

    @property
    def change(self) -> Change:
        return SkipIsMoved()


class LengthForm(ChangeForm):
    """The evening gets shorter or longer."""

    rounds = forms.TypedChoiceField(label=_lazy("How many rounds in all?"), coerce=int)

    def prepare(self) -> None:
        first = max(self.section.round, 1)
        lengths = [n for n in range(first, self.evening.rounds + 5) if n != self.evening.rounds]
        self.offer("rounds", [("", _("Choose")), *whole(lengths)])

    @property
    def change(self) -> Change:
        return LengthChanges(self.cleaned_data["rounds"])


class FewerBoardsForm(ChangeForm):
    """Fewer boards are played in every round to come."""

    boards = forms.TypedChoiceField(label=_lazy("How many boards a round from now on?"), coerce=int)

    def prepare(self) -> None:
        boards = range(1, self.section.boards_per_round or 1)
        self.offer("boards", [("", _("Choose")), *whole(boards)])

    @property
    def change(self) -> Change:
        return FewerBoards(self.cleaned_data["boards"], self.section.boards_per_round or 1)


class ArrowsForm(ChangeForm):
    """A round to come is turned, at all tables or at one."""

    round = forms.TypedChoiceField(label=_lazy("Which round?"), coerce=int)
    table = forms.TypedChoiceField(
        label=_lazy("Which table?"), coerce=int, empty_value=None, required=False
    )

    def prepare(self) -> None:
        self.offer("round", [("", _("Choose")), *whole(self.rounds_to_come)])
        self.offer("table", [("", _("all tables")), *whole(_tables(self.evening))])

    @property
    def change(self) -> Change:
        table = self.cleaned_data["table"]
        return ArrowsTurn((self.cleaned_data["round"],), (table,) if table else ())


class MistakeForm(ChangeForm):
    """Something went another way in a round that is over or being played."""

    round = forms.TypedChoiceField(label=_lazy("In which round?"), coerce=int)

    def prepare(self) -> None:
        self.offer("round", whole(self.rounds_begun[::-1]))

    @property
    def change(self) -> Mistake:
        raise NotImplementedError


class PairsForm(MistakeForm):
    """Two pairs, or single players, sat where the other should have."""

    one = forms.TypedChoiceField(label=_lazy("This pair"), coerce=int)
    other = forms.TypedChoiceField(label=_lazy("sat in the place of"), coerce=int)

    def prepare(self) -> None:
        super().prepare()
        if self.section.contest.plays_alone:
            self.fields["one"].label = _("This player")
        for name in ("one", "other"):
            self.offer_those(name, self.have_played)

    def clean(self) -> dict[str, Any]:
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
        said = self.cleaned_data
        return SatInEachOthersPlace(said["round"], said["one"], said["other"])


class WrongBoardsForm(MistakeForm):
    """Two tables had each other's boards, or a table had any boards of the session instead of some of its own."""

    answers = ("other_table", "boards")

    table = forms.TypedChoiceField(label=_lazy("This table"), coerce=int)
    boards = forms.CharField(
        label=_lazy("had these boards"),
        help_text=_lazy("As on the boards: 7-8, or 7, 11. Wherever they lay."),
        max_length=60,
        required=False,
    )
    instead = forms.CharField(
        label=_lazy("instead of"),
        help_text=_lazy("May stay empty where it was all boards of the round."),
        max_length=60,
        required=False,
    )
    other_table = forms.TypedChoiceField(
        label=_lazy("or exchanged its boards with table"),
        coerce=int,
        empty_value=None,
        required=False,
    )

    def prepare(self) -> None:
        super().prepare()
        self.exchanged: tuple[tuple[Piece, ...], tuple[Piece, ...]] = ((), ())
        for name in ("table", "other_table"):
            self.offer(name, [("", _("Choose")), *whole(_tables(self.evening))])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("table") and cleaned.get("table") == cleaned.get("other_table"):
            self.add_error("other_table", _("Choose two different tables."))
        elif not self.errors and bool(cleaned.get("other_table")) == bool(cleaned.get("boards")):
            self.add_error("boards", _("Choose the other table, or else say which boards."))
        elif not self.errors and cleaned["boards"]:
            self._read_boards(cleaned)
        return cleaned

    def _read_boards(self, cleaned: dict[str, Any]) -> None:
        """Understand which boards were played instead of which of those the table was to have."""
        own = self._own(cleaned["round"], cleaned["table"])
        had, left = read_boards(cleaned["boards"]), read_boards(cleaned["instead"])
        for name, boards in (("boards", had), ("instead", left)):
            if cleaned[name] and not boards:
                self.add_error(name, _("Type boards like 7-8 or 7, 11."))
                return
        numbers = dict(self.evening.numbers)
        if unknown := strangers(had, numbers):
            numbers |= self._of_others(unknown, cleaned["table"])
        if self.errors:
            return
        if not {*left} <= {*own}:
            self.add_error("instead", self._meant(cleaned, own))
        elif not left and {*had} == {*own}:
            self.add_error("boards", _("These are the boards that this table was to play."))
        else:
            left = [board for board in left or own if board not in had]
            had = [board for board in had if board not in own]
            if not had or len(had) != len(left):
                self.add_error("instead", self._meant(cleaned, own))
            else:
                self.exchanged = pieces(had, left, numbers)

    def _own(self, round: int, table: int) -> list[int]:
        """The boards that a table has in a round, as far as anybody knows."""
        games = [game for game in self.evening.games[round] if game.table == table]
        return list(dict.fromkeys(board for game in games for board in game.boards))

    def _meant(self, cleaned: Mapping[str, Any], own: Sequence[int]) -> str:
        facts = {**cleaned, "own": board_text(own)}
        return (
            _(
                "Table %(table)s was to play boards %(own)s in round %(round)s."
                " Say as many boards as it had others."
            )
            % facts
        )

    def _of_others(self, unknown: Sequence[int], table: int) -> dict[str, range]:
        """Return boards that nobody of the section plays as sets of the sections whose they are."""
        found = others_boards(unknown, self.section)
        facts: dict[str, object] = {"boards": board_text(unknown), "table": table}
        if not found:
            told = _("Nobody in this session plays board %(boards)s.")
            self.add_error("boards", told % facts)
        elif is_compared_within_sections(self.section.session):
            [facts["section"], *_others] = [whose(name) for name in found]
            self.add_error(
                "boards",
                _(
                    "Board %(boards)s belongs to section %(section)s: here its result could be compared with"
                    " nobody’s. Rule under Results that table %(table)s did not play its own."
                )
                % facts,
            )
        return found

    @property
    def change(self) -> Mistake:
        said = self.cleaned_data
        if said["boards"]:
            return TookOtherBoards(said["round"], said["table"], *self.exchanged)
        return PlayedOtherBoards(said["round"], said["table"], said["other_table"])


class OtherWayForm(MistakeForm):
    """A table sat the other way round, or forgot to switch."""

    table = forms.TypedChoiceField(label=_lazy("Which table?"), coerce=int)

    def prepare(self) -> None:
        super().prepare()
        self.offer("table", [("", _("Choose")), *whole(_tables(self.evening))])

    @property
    def change(self) -> Mistake:
        return PlayedTheOtherWay(self.cleaned_data["round"], self.cleaned_data["table"])


#: after which a search may make the rest anew
MISTAKES: dict[str, type[MistakeForm]] = {
    "places": PairsForm,
    "wrong-boards": WrongBoardsForm,
    "other-way": OtherWayForm,
}


class RebuildForm(ChangeForm):
    """All rounds to come are made anew."""

    effort = forms.CharField(required=False)  # nobody types it: what cannot be read is the first
    arrives = forms.BooleanField(required=False)
    leaves = forms.TypedChoiceField(required=False, coerce=int, empty_value=None)
    back = forms.TypedChoiceField(required=False, coerce=int, empty_value=None)
    after = forms.ChoiceField(
        required=False, choices=[("", ""), *((name, name) for name in MISTAKES)]
    )

    def prepare(self) -> None:
        self.offer_those("leaves", self.there)
        self.offer_those("back", self.gone)
        self.mistake: MistakeForm | None = None

    def clean_after(self) -> str:
        """Read the mistake after which the search begins, by its own form."""
        kind = str(self.cleaned_data["after"])
        if kind:
            self.mistake = MISTAKES[kind](self.section, self.evening, self.data)
            if not self.mistake.is_valid():
                raise forms.ValidationError(_("This cannot be chosen now. Choose from the list."))
        return kind

    def clean_effort(self) -> int:
        """Return the effort; the least where none was asked for that there is."""
        asked = self.cleaned_data["effort"]
        return next((effort for effort in EFFORTS if str(effort) == asked), EFFORTS[0])

    @property
    def change(self) -> Rebuild:
        said = self.cleaned_data
        leaves = (said["leaves"],) if said["leaves"] else ()
        happened = self.mistake.change if self.mistake else None
        return Rebuild(said["effort"], said["arrives"], leaves, said["back"] or 0, happened)

    @property
    def sent(self) -> dict[str, Any]:
        return super().sent | (self.mistake.sent if self.mistake else {})

    @property
    def asked(self) -> str:
        """What the search is for, to be said again in an address."""
        asked = {name: value for name, value in self.sent.items() if name != "effort"}
        return f"&{urlencode(asked)}" if asked else ""


def _tables(evening: Evening) -> list[int]:
    return sorted({game.table for games in evening.games.values() for game in games})
