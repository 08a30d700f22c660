"""The laws of a movement, checked on the finished seatings.

`find_violations` shares no code with any generator: it sees only seats and sets. It finds every violation at once,
each with round, table, contestants and sets.

The laws (names as in `LAWS` and `Violation.law`):

structure     rounds and tables count from 1 to as many as there are (the tables of teams may have
              other numbers), and every round has its tables, unless it is declared to be drawn
              later (and then it has none) or to have fewer; triangles are for draws; played tables
              use known sets
field         all contestants seated are known, and each plays in some round. Excused is a contestant
              that is absent in some round, or has no opponents in some round because others are
              absent (in a draw: declared without a match), or is declared to play in no round
present       no contestant is seated in a round in which it is declared absent
one-place     no contestant is at two places at the same time
board-once    no contestant plays the same set twice
meet-once     no two contestants meet in more than one round (opponents or partners); if players
              of an individual may meet more often, one meeting in three is as partners
copies        a set is at no more tables at once than there are copies, sharing tables counting once
stands        no more of a set lies on tables and stands than there are copies
no-self       a team never meets itself
full-match    two teams that meet play the same sets in both directions
draw          in a draw of teams no team is idle, no two meet twice and every two meet; a Swiss or a
              knock-out declares that not all meet (and how often they may), and which teams have left
unequal-plays the sets are played unequally often within the movement (a warning)

One more law applies to the positions of all copies (`find_misplaced_boards`):

places        every copy is at one place at a time and its position is known once it has left its box;
              every table has the boards it plays, a copy to itself unless it shares; no boards lie
              where they are not needed; stands hold the declared sets; boards put aside stay there

Mistakes that happened are declared, and then forgiven for those contestants in exactly these rounds: board-once and
copies as well as meet-once. In a team movement the N-S half and the E-W half are two people for one-place and
board-once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..model import Movement
from .asked import Kind, contest_kind, contestants_never_playing
from .boards import boards_in_use_on_stands, boards_played_twice, missing_copies, unequal_plays
from .places import find_misplaced_boards
from .seats import (
    absent_players,
    contestants_in_two_places,
    repeated_meetings,
    seatings_outside,
    wrong_contestants,
)
from .teams import draw_violations, incomplete_matches, teams_against_themselves
from .violation import Violation

__all__ = [
    "LAWS",
    "Violation",
    "contestants_never_playing",
    "find_errors",
    "find_misplaced_boards",
    "find_violations",
]


def find_violations(movement: Movement) -> tuple[Violation, ...]:
    """Return every violation of the laws, errors before warnings; empty for a lawful movement."""
    kind = contest_kind(movement)
    return tuple(
        violation
        for violations, kinds in LAWS.values()
        if kind in kinds
        for violation in violations(movement)
    )


def find_errors(movement: Movement) -> tuple[Violation, ...]:
    """Return the violations because of which a movement cannot be played; warnings are left out."""
    return tuple(
        violation for violation in find_violations(movement) if violation.severity == "error"
    )


Check = Callable[[Movement], Iterator[Violation]]

_ANY: frozenset[Kind] = frozenset({"draw", "teams", "others"})
_DRAW: frozenset[Kind] = frozenset({"draw"})
_TEAMS: frozenset[Kind] = frozenset({"teams"})
_OTHERS: frozenset[Kind] = frozenset({"others"})

LAWS: Mapping[str, tuple[Check, frozenset[Kind]]] = {
    "structure": (seatings_outside, _ANY),
    "field": (wrong_contestants, _ANY),
    "present": (absent_players, _ANY),
    "draw": (draw_violations, _DRAW),
    "one-place": (contestants_in_two_places, _TEAMS | _OTHERS),
    "board-once": (boards_played_twice, _TEAMS | _OTHERS),
    "copies": (missing_copies, _TEAMS | _OTHERS),
    "stands": (boards_in_use_on_stands, _TEAMS | _OTHERS),
    "no-self": (teams_against_themselves, _TEAMS),
    "full-match": (incomplete_matches, _TEAMS),
    "meet-once": (repeated_meetings, _OTHERS),
    "unequal-plays": (unequal_plays, _TEAMS | _OTHERS),
}
"""The laws by name, with the movements that they apply to, in the order of the check. The only
one that warns comes last."""
