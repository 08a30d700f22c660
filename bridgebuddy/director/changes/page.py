"""What the page of a change shows: the question, the ways, and what is different in each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from bridgebuddy.events.models import Contest, Section
from bridgebuddy.events.queries.evening import Evening, board_text
from bridgebuddy.events.queries.part_played import joining
from bridgebuddy.events.services.changes import Way
from movements.engine.boards import boards_of
from movements.engine.changes import Difference, moves_as_one
from movements.engine.model import Movement, Seating, players_of
from movements.words import proposing
from movements.words.sentences import label_of

from ..wording import words_of
from . import forms

ROUNDS_AT_FIRST = 3
#: so many differences are shown at first, and so many at most with those that unfold; all of them on
#: request, since a dozen ways of forty tables would be a page of a megabyte
ROWS_AT_FIRST, MOST_ROWS = 24, 60
#: proposals whose title says already from when, or for which round
SAYS_ITS_ROUND = {
    *("free-seat", "rebuilt", "arrow-switch", "as-played", "repaired"),
    *("skip", "shorter", "longer"),
}


@dataclass(frozen=True)
class Wish:
    """A change the director can ask for."""

    name: str
    icon: str
    title: str
    question: str
    form: type[forms.ChangeForm]
    nothing: str  # what to say when there is no way, with the way out
    is_before_start: bool = True
    asks: bool = field(default=True)  # whether the form has to be filled in first
    is_history: bool = (
        False  # whether it says what happened, in rounds that are otherwise left alone
    )
    is_for_rounds_to_come: bool = False  # whether there is nothing to ask in the last round


WISHES = {
    wish.name: wish
    for wish in (
        Wish(
            "late",
            "user-plus",
            _lazy("Late pair"),
            _lazy("Where does the pair play?"),
            forms.LateForm,
            _lazy(
                "There is no seat for a pair more. Search all rounds to come, or end after this one."
            ),
            is_before_start=False,
            asks=False,
        ),
        Wish(
            "leaves",
            "user-minus",
            _lazy("Pair leaves"),
            _lazy("Who leaves?"),
            forms.LeavesForm,
            _lazy("Nothing is left to change for this pair: the last round is being played."),
            is_before_start=False,
            is_for_rounds_to_come=True,
        ),
        Wish(
            "back",
            "user-plus",
            _lazy("A pair comes back"),
            _lazy("Who is back?"),
            forms.BackForm,
            _lazy("There is no seat for this pair in the rounds to come."),
            is_before_start=False,
            is_for_rounds_to_come=True,
        ),
        Wish(
            "stays",
            "armchair",
            _lazy("A pair cannot move"),
            _lazy("Who has to stay at a table?"),
            forms.StaysForm,
            _lazy("This pair stays at its table already, or no round is left."),
            is_before_start=False,
            is_for_rounds_to_come=True,
        ),
        Wish(
            "skip",
            "skip-forward",
            _lazy("Skip or unskip"),
            _lazy("When is the skip?"),
            forms.SkipForm,
            _lazy(
                "From here on no other skip is possible: somebody would meet a pair or a board again."
            ),
            asks=False,
            is_for_rounds_to_come=True,
        ),
        Wish(
            "arrows",
            "arrow-left-right",
            _lazy("Arrow-switch"),
            _lazy("Which round is turned?"),
            forms.ArrowsForm,
            _lazy("This movement has two winners. Turning the arrows would mix its two fields."),
            is_for_rounds_to_come=True,
        ),
        Wish(
            "length",
            "clock",
            _lazy("Fewer or more rounds"),
            _lazy("How many rounds are played?"),
            forms.LengthForm,
            _lazy("So many rounds are not possible: somebody would meet a pair or a board again."),
        ),
        Wish(
            "boards",
            "minus",
            _lazy("Fewer boards a round"),
            _lazy("How many boards from now on?"),
            forms.FewerBoardsForm,
            _lazy(
                "So few boards are not possible: every part of a round needs one, and all tables as many."
            ),
            is_before_start=False,
            is_for_rounds_to_come=True,
        ),
        Wish(
            "places",
            "users",
            _lazy("Two pairs sat wrong"),
            _lazy("Who sat where?"),
            forms.PairsForm,
            _lazy("These two cannot have changed places in this round."),
            is_before_start=False,
            is_history=True,
        ),
        Wish(
            "wrong-boards",
            "triangle-alert",
            _lazy("Wrong boards were played"),
            _lazy("Which boards were played where?"),
            forms.WrongBoardsForm,
            _lazy("These two tables cannot have exchanged their boards in this round."),
            is_before_start=False,
            is_history=True,
        ),
        Wish(
            "other-way",
            "refresh-cw",
            _lazy("A table sat the wrong way"),
            _lazy("Which table sat the wrong way?"),
            forms.OtherWayForm,
            _lazy("This table cannot have sat the other way round in this round."),
            is_before_start=False,
            is_history=True,
        ),
        Wish(
            "rebuild",
            "route",
            _lazy("Make all rounds to come anew"),
            _lazy("Shall everybody get a new plan?"),
            forms.RebuildForm,
            _lazy("Nothing has been found yet that breaks no rule."),
            is_before_start=False,
            asks=False,
            is_for_rounds_to_come=True,
        ),
    )
}


def asked_of(wish: Wish, section: Section) -> tuple[str, str]:
    """Return what a change is called and what it asks, in a contest of pairs, players or teams."""
    words = words_of(section)
    titles = {
        "late": (words.late, words.where),
        "leaves": (words.leaves, wish.question),
        "back": (words.back, wish.question),
    }
    title, question = titles.get(wish.name, (wish.title, wish.question))
    return str(title), str(question)


def why_not(wish: Wish, section: Section) -> str:
    """Say why a change cannot even be asked for now; empty where it can."""
    if wish.is_for_rounds_to_come and section.is_last_round:
        return _("The last round is being played: there is no round left to change.")
    if wish.name == "boards" and section.boards_per_round == 1:
        return _("One board is played in a round; there are no fewer.")
    return ""


def nothing_of(wish: Wish, section: Section) -> str:
    """Say that there is no way to do what was asked, with the way out where there is one."""
    if wish.name == "late" and section.is_last_round:
        return _("The last round is being played, and there is no free seat in it.")
    if wish.name == "late" and section.contest != Contest.PAIRS:
        return _("There is no free seat in the rounds to come.")
    if wish.name == "skip" and section.movement and not moves_as_one(section.movement.movement):
        return _("There is no skip here: not all who move go the same way round the tables.")
    return wish.nothing


@dataclass(frozen=True)
class Impossible:
    """A way that directors look for and that does not exist now, with the reason."""

    title: str
    reason: str


@dataclass(frozen=True)
class Cell:
    """What stood in a cell of the plan and what stands there now."""

    was: str
    becomes: str

    @property
    def is_changed(self) -> bool:
        return self.was != self.becomes


@dataclass(frozen=True)
class DifferentRow:
    """A table in a round, before and after."""

    round: int
    table: int
    ns: Cell
    ew: Cell
    boards: Cell


class Choice:
    """One way, as the page shows it."""

    def __init__(self, way: Way, evening: Evening, section: Section, whole: str = "") -> None:
        """Show a way; all of its differences where its key is `whole`."""
        self.way, self.evening, self.section = way, evening, section
        self.is_whole = way.key == whole
        self.proposal = way.proposal
        self.told = way.proposal.consequences
        self.key = way.key

    @property
    def title(self) -> str:
        return proposing.title(self.proposal)

    @property
    def from_round(self) -> int:
        """The round from which a title that does not say it should be read; 0 where it says it."""
        return 0 if self.proposal.kind in SAYS_ITS_ROUND else self.proposal.from_round

    @property
    def description(self) -> str:
        return proposing.description(self.proposal)

    @property
    def button(self) -> str:
        return proposing.button(self.proposal)

    @property
    def before(self) -> int:
        return self.told.score_before

    @property
    def after(self) -> int:
        return self.told.score

    @property
    def is_one_winner(self) -> bool:
        """Whether labels leave open in which line somebody sits."""
        return self.proposal.movement.winners == 1

    @property
    def is_clean(self) -> bool:
        return not self.told.repeats

    @property
    def score_word(self) -> str:
        return proposing.score_word(self.after)

    @property
    def word_before(self) -> str:
        return proposing.score_word(self.before)

    @cached_property
    def effects(self) -> list[tuple[str, str]]:
        boards = boards_of(self.told.new_sets, self.way.numbers)
        return proposing.effects(self.proposal, boards)

    @cached_property
    def time_note(self) -> str:
        """Which boards a pair that joins the round being played can still play."""
        found = joining(self.section, self.proposal, self.way.numbers)
        if found is None:
            return ""
        facts = {
            "minutes": found.minutes,
            "boards": _boards(found.playable),
            "table": found.table,
            "not_played": _boards(found.not_played),
        }
        if not found.not_played:
            return _("There is time for all boards at table %(table)s.") % facts
        if not found.playable:
            return (
                _("There is no time left for a board in this round (%(minutes)s minutes).") % facts
            )
        return (
            _(
                "%(minutes)s minutes are left: time for %(boards)s at table %(table)s. Not played, through nobody’s fault: %(not_played)s."
            )
            % facts
        )

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """Where the way differs; rounds that are not played any more have nothing to compare."""
        return () if self.proposal.kind == "shorter" else self.told.differences

    @property
    def held_back(self) -> bool:
        """Whether there are more differences than the page shows unasked."""
        return len(self.differences) > MOST_ROWS and not self.is_whole

    @cached_property
    def first_rows(self) -> list[DifferentRow]:
        """The next rounds' differences."""
        last = self.proposal.from_round + ROUNDS_AT_FIRST
        near = [one for one in self.differences if one.round < last]
        return [self._row(one) for one in (near[:ROWS_AT_FIRST] if self.held_back else near)]

    @cached_property
    def other_rows(self) -> list[DifferentRow]:
        """All further differences, unless there are too many."""
        rest = () if self.held_back else self.differences[len(self.first_rows) :]
        return [self._row(one) for one in rest]

    def _row(self, difference: Difference) -> DifferentRow:
        before, after = difference.before, difference.after

        def cell(line: str) -> Cell:
            return Cell(self._who(before, line), self._who(after, line))

        return DifferentRow(
            difference.round,
            difference.table,
            cell("ns"),
            cell("ew"),
            Cell(self._boards(before, self._old_numbers), self._boards(after, self.way.numbers)),
        )

    @property
    def _old_numbers(self) -> Mapping[str, range]:
        assert self.section.movement is not None
        return self.section.movement.numbers

    def _boards(self, seatings: tuple[Seating, ...], numbers: Mapping[str, range]) -> str:
        sets = tuple(name for s in seatings if s.is_played for name in s.sets)
        return board_text(boards_of(sets, numbers)) if sets else ""

    def _who(self, seatings: tuple[Seating, ...], line: str) -> str:
        """The labels of who sits in a line, with surnames; one after the other where they change."""
        sides = dict.fromkeys(players_of(getattr(s, line)) for s in seatings)
        return " / ".join(
            " + ".join(self._name(number) for number in side) for side in sides if side
        )

    def _name(self, number: int) -> str:
        movement: Movement = self.proposal.movement
        old = self._old_number.get(number)
        if old is None:
            return _("%(label)s new") % {"label": label_of(movement, number)}
        one = self.evening.contestants.get(old)
        label = label_of(movement, number)
        return f"{label} {one.surnames}" if one else label

    @cached_property
    def _old_number(self) -> dict[int, int]:
        return {new: old for old, new in self.proposal.numbers.items()}


def _boards(numbers: tuple[int, ...]) -> str:
    words = ngettext("board %(numbers)s", "boards %(numbers)s", len(numbers))
    return words % {"numbers": board_text(numbers)}


def choices(ways: list[Way], evening: Evening, section: Section, whole: str = "") -> list[Choice]:
    """Return what the page shows of each way; of ways that look the same only the first.

    Of the way with the key `whole` every difference is shown, however many there are.
    """
    found: dict[tuple[str, str], Choice] = {}
    for way in ways:
        choice = Choice(way, evening, section, whole)
        found.setdefault((choice.title, choice.description), choice)
    return list(found.values())


def impossible(found: list[Choice], evening: Evening, section: Section) -> list[Impossible]:
    """Return which of the usual places for a late pair do not exist, and why."""
    kinds = {choice.proposal.kind for choice in found}
    to_come = range(section.round + 1, evening.rounds + 1)
    again = _("Somebody would meet a pair or a board again.")
    missing = []
    if "free-seat" not in kinds:
        games = [game for round in to_come for game in evening.games.get(round, ())]
        has_half = any(not game.is_played for game in games)
        reason = again if has_half else _("There is no half table.")
        missing.append(Impossible(_("The free seat"), reason))
    if "party-table" not in kinds:
        sits_out = all(evening.sit_outs(round) for round in to_come)
        reason = again if sits_out else _("Needs a pair that sits out: for a second late pair.")
        missing.append(Impossible(_("Party table"), reason))
    return missing
