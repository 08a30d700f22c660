"""What a director can ask to have changed while an evening runs, and when that makes no sense."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.events.models import Contest, Section
from movements.engine.changes import moves_as_one

from ..wording import words_of
from . import forms


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
