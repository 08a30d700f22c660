"""The changes that a director can ask for during a session, and the obstacles to each.

Obstacles are checked whenever a desk is rendered, so they may only ask cheap questions. If the
proposals themselves show that nothing is possible, the change's page says so (`nothing`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from movements.engine.changes import moves_as_one
from movements.engine.model import Movement

from ..wording import contestant_words
from . import change_form, forms, mistakes

Obstacle = Callable[[Section, SessionEvening], str]
"""Returns the reason why a change is impossible in a section now; empty if it is possible."""


def obstacle_last_round(section: Section, evening: SessionEvening) -> str:
    """Return why a change is impossible in the last round; empty before it."""
    if section.is_last_round:
        return _("The last round is being played: there is no round left to change.")
    return ""


def obstacle_not_pairs(section: Section, evening: SessionEvening) -> str:
    """Return why a change is only possible for pairs; empty in a contest of pairs."""
    if not section.contest.fills_a_side:
        return _("This is possible in pairs events only.")
    return ""


def obstacle_matches(section: Section, evening: SessionEvening) -> str:
    """Return why a change is impossible in team matches; empty in other contests."""
    if section.contest.has_halves:
        return _(
            "Both tables of a match play the same boards. If a table missed a board or played "
            "another, enter a ruling under Results."
        )
    return ""


def obstacle_undrawn_rounds(section: Section, evening: SessionEvening) -> str:
    """Return why a change must wait until the coming rounds are drawn; empty afterwards."""
    if _movement_of(section).open_rounds:
        return _("The rounds to come are not drawn yet.")
    return ""


def obstacle_teams(section: Section, evening: SessionEvening) -> str:
    """Return why arrow-switches are impossible in team matches; empty in other contests."""
    if section.contest.has_halves:
        return _("Teams meet at two tables, once in either direction: there is nothing to turn.")
    return ""


def obstacle_nobody_has_left(section: Section, evening: SessionEvening) -> str:
    """Return the sentence that no contestant has left who could come back; empty if one has left."""
    if not any(entry.has_left for entry in evening.entries):
        return _("Nobody has left.")
    return ""


def obstacle_no_skip(section: Section, evening: SessionEvening) -> str:
    """Return why a skip is impossible: moving pairs go different ways; empty if it is possible."""
    if not moves_as_one(_movement_of(section)):
        return _("A skip is not possible: the players who move do not all go the same way.")
    return ""


def obstacle_no_moving_direction(section: Section, evening: SessionEvening) -> str:
    """Return why no direction can sit at wrong tables: none moves together; empty otherwise."""
    movement = _movement_of(section)
    if not section.contest.fills_a_side or not (
        moves_as_one(movement) or not movement.is_one_winner
    ):
        return _(
            "No line moves together in this movement. Enter two pairs at a time as seated wrongly."
        )
    return ""


def obstacle_two_winners(section: Section, evening: SessionEvening) -> str:
    """Return why arrow-switches make no sense: there are two winners; empty with one winner."""
    if not _movement_of(section).is_one_winner:
        return _("This movement has two winners. Turning the arrows would mix its two fields.")
    return ""


def obstacle_single_board(section: Section, evening: SessionEvening) -> str:
    """Return why fewer boards are impossible: a round has one board; empty otherwise."""
    if section.boards_per_round == 1:
        return _("One board is played in a round; there are no fewer.")
    return ""


def _movement_of(section: Section) -> Movement:
    """Return the movement of a section that is being played."""
    return section.stored.movement


@dataclass(frozen=True, kw_only=True)
class ChangeRequest:
    """A kind of live change for which the director can ask: menu title, question, form, and obstacles."""

    name: str  # in addresses
    icon: str
    title: str | Promise
    question: str | Promise
    form: type[change_form.ChangeForm]
    nothing: str | Promise  # the message if there is no way, with an alternative
    obstacles: tuple[Obstacle, ...] = ()
    is_at_hand: bool = False  # whether it has a button on the desk itself, not under "More"
    is_before_start: bool = False  # whether it is possible before the first round too
    asks: bool = True  # whether the form must be filled in first
    is_history: bool = False  # whether it reports a mistake


#: in the order of the menu
WISHES = {
    wish.name: wish
    for wish in (
        ChangeRequest(
            name="late",
            icon="user-plus",
            title=_lazy("Late pair"),
            question=_lazy("Where does the pair play?"),
            form=forms.LatePairForm,
            nothing=_lazy(
                "There is no seat for another pair. Search all rounds to come, or end after "
                "this round."
            ),
            is_at_hand=True,
            asks=False,
        ),
        ChangeRequest(
            name="leaves",
            icon="user-minus",
            title=_lazy("Pair leaves"),
            question=_lazy("Who leaves?"),
            form=forms.DepartureForm,
            nothing=_lazy("Nothing is left to change: the last round is being played."),
            obstacles=(obstacle_last_round,),
            is_at_hand=True,
        ),
        ChangeRequest(
            name="skip",
            icon="skip-forward",
            title=_lazy("Add or remove a skip"),
            question=_lazy("When is the skip?"),
            form=forms.SkipForm,
            nothing=_lazy("No other skip is possible now: opponents or boards would be repeated."),
            obstacles=(obstacle_last_round, obstacle_no_skip),
            is_at_hand=True,
            is_before_start=True,
            asks=False,
        ),
        ChangeRequest(
            name="arrows",
            icon="arrow-left-right",
            title=_lazy("Arrow-switch"),
            question=_lazy("Which round is turned?"),
            form=forms.ArrowSwitchForm,
            nothing=_lazy(
                "This movement has two winners. Turning the arrows would mix its two fields."
            ),
            obstacles=(
                obstacle_last_round,
                obstacle_teams,
                obstacle_two_winners,
                obstacle_undrawn_rounds,
            ),
            is_at_hand=True,
            is_before_start=True,
        ),
        ChangeRequest(
            name="length",
            icon="clock",
            title=_lazy("Fewer or more rounds"),
            question=_lazy("How many rounds are played?"),
            form=forms.RoundCountForm,
            nothing=_lazy(
                "This number of rounds is not possible: opponents or boards would be repeated."
            ),
            is_before_start=True,
        ),
        ChangeRequest(
            name="stays",
            icon="armchair",
            title=_lazy("A pair cannot move"),
            question=_lazy("Who has to stay at a table?"),
            form=forms.KeepSeatForm,
            nothing=_lazy("This pair stays at its table already, or no round is left."),
            obstacles=(obstacle_last_round, obstacle_not_pairs, obstacle_undrawn_rounds),
        ),
        ChangeRequest(
            name="back",
            icon="user-plus",
            title=_lazy("A pair comes back"),
            question=_lazy("Who is back?"),
            form=forms.ReturnForm,
            nothing=_lazy("There is no seat in the rounds to come."),
            obstacles=(obstacle_last_round, obstacle_nobody_has_left),
        ),
        ChangeRequest(
            name="boards",
            icon="minus",
            title=_lazy("Fewer boards a round"),
            question=_lazy("How many boards from now on?"),
            form=forms.FewerBoardsForm,
            nothing=_lazy(
                "The number of boards is too small. Each part of a round needs a board, and "
                "all tables the same number."
            ),
            obstacles=(obstacle_last_round, obstacle_single_board),
        ),
        ChangeRequest(
            name="places",
            icon="users",
            title=_lazy("Two pairs sat wrong"),
            question=_lazy("Who sat where?"),
            form=mistakes.SwappedPairsForm,
            nothing=_lazy(
                "This changes nothing: they are partners, or did not both play in this round."
            ),
            obstacles=(obstacle_matches,),
            is_history=True,
        ),
        ChangeRequest(
            name="wrong-boards",
            icon="triangle-alert",
            title=_lazy("Wrong boards were played"),
            question=_lazy("Which boards were played where?"),
            form=mistakes.WrongBoardsForm,
            nothing=_lazy(
                "This table played no boards in this round, or has these as planned. Choose another round or table."
            ),
            obstacles=(obstacle_matches,),
            is_history=True,
        ),
        ChangeRequest(
            name="other-way",
            icon="refresh-cw",
            title=_lazy("A table sat the wrong way"),
            question=_lazy("Which table sat the wrong way?"),
            form=mistakes.WrongDirectionForm,
            nothing=_lazy("No players sat at this table in this round, or they had other boards."),
            obstacles=(obstacle_matches,),
            is_history=True,
        ),
        ChangeRequest(
            name="line",
            icon="move",
            title=_lazy("A line moved wrongly"),
            question=_lazy("Where did the line sit?"),
            form=mistakes.ShiftedDirectionForm,
            nothing=_lazy(
                "Tables change in the middle of this round. Enter two pairs at a time as "
                "seated wrongly."
            ),
            obstacles=(obstacle_matches, obstacle_no_moving_direction),
            is_history=True,
        ),
        ChangeRequest(
            name="rebuild",
            icon="route",
            title=_lazy("Plan all rounds to come again"),
            question=_lazy("Shall everybody get a new plan?"),
            form=forms.RebuildForm,
            nothing=_lazy("No plan without a repeated board or opponent has been found yet."),
            obstacles=(obstacle_last_round, obstacle_not_pairs, obstacle_undrawn_rounds),
            asks=False,
        ),
    )
}


def obstacle_to(kind: ChangeRequest, section: Section, evening: SessionEvening) -> str:
    """Return why a kind of change cannot be asked for now; empty if it can."""
    reasons = (obstacle(section, evening) for obstacle in kind.obstacles)
    return next(filter(None, reasons), "")


def possible_wishes(section: Section, evening: SessionEvening) -> list[ChangeRequest]:
    """Return the kinds of change that the director can ask for now, in the order of the menu."""
    if section.is_finished:
        return []
    return [
        wish
        for wish in WISHES.values()
        if (section.is_started or wish.is_before_start) and not obstacle_to(wish, section, evening)
    ]


def title_and_question(kind: ChangeRequest, section: Section) -> tuple[str, str]:
    """Return the title and the question of a kind of change, worded for pairs, players or teams."""
    words = contestant_words(section)
    titles = {
        "late": (words.late, words.where),
        "leaves": (words.leaves, kind.question),
        "back": (words.back, kind.question),
        "places": (words.sat_wrong, kind.question),
    }
    title, question = titles.get(kind.name, (kind.title, kind.question))
    return str(title), str(question)


def impossible_message(kind: ChangeRequest, section: Section) -> str:
    """Return the message that a kind of change has no proposal, with an alternative if there is one."""
    if kind.name == "late" and section.is_last_round:
        return _("The last round is being played, and there is no free seat in it.")
    if kind.name == "late" and not section.contest.fills_a_side:
        return _("There is no free seat in the rounds to come.")
    return str(kind.nothing)
