"""The laws of a movement, checked on the finished seatings.

`check` shares no code with any generator: it looks at who sits where with which sets, and at
nothing else. It finds every violation at once, each naming round, table, contestants and sets.

The laws (names as in `LAWS` and `Violation.law`):

structure     rounds and tables count from 1 to as many as there are (the tables of teams may have
              other numbers), and every round has its tables, unless it is declared to be drawn
              later (and then it has none) or to have fewer; triangles are for draws; what is played
              is played with known sets
field         everybody seated is known, and everybody known plays at some time (in the end), unless
              declared not to be there
present       nobody is seated in a round in which they are declared not to be there
one-place     nobody is at two places at the same time
board-once    nobody plays the same set twice
meet-once     no two contestants meet in more than one round (opponents or partners); where players
              of an individual may meet more often, one meeting in three is as partners
copies        a set is at no more tables at once than there are copies, sharing tables counting once
stands        no more of a set lies on tables and stands than there are copies
no-self       a team never meets itself
full-match    two teams that meet play the same sets in both directions
draw          in a draw of teams nobody is idle, no two meet twice and every two meet; a Swiss or a
              knock-out declares that not all meet (and how often they may), and who has left
unequal-plays the sets are played unequally often within the movement (a warning)

Of where every copy of every set is (`check_places`) one more is asked:

places        every copy is at one place at a time and never lost from sight once it has left its box;
              every table has what it plays, a copy to itself unless it shares; nothing lies where
              nobody wants it; on the stands waits what is declared; what is put aside lies where it was

What happened by mistake is declared, and then forgiven for those contestants in exactly these rounds:
board-once and copies as well as meet-once.

In a team movement the half that sits N-S and the half that sits E-W are two people for one-place
and board-once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..model import Movement
from .asked import Kind, kind_of
from .boards import board_once, copies, stands, unequal_plays
from .places import check_places
from .seats import fields, meet_once, one_place, present, structure
from .teams import draw, full_match, no_self
from .violation import Violation

__all__ = ["LAWS", "Violation", "check", "check_places", "errors"]


def check(movement: Movement) -> tuple[Violation, ...]:
    """Return every violation of the laws, errors before warnings; an empty tuple is a clean movement."""
    kind = kind_of(movement)
    return tuple(
        violation
        for violations, kinds in LAWS.values()
        if kind in kinds
        for violation in violations(movement)
    )


def errors(movement: Movement) -> tuple[Violation, ...]:
    """Return the violations that forbid playing the movement: all but warnings."""
    return tuple(violation for violation in check(movement) if violation.severity == "error")


Check = Callable[[Movement], Iterator[Violation]]

_ANY: frozenset[Kind] = frozenset({"draw", "teams", "others"})
_DRAW: frozenset[Kind] = frozenset({"draw"})
_TEAMS: frozenset[Kind] = frozenset({"teams"})
_OTHERS: frozenset[Kind] = frozenset({"others"})

LAWS: Mapping[str, tuple[Check, frozenset[Kind]]] = {
    "structure": (structure, _ANY),
    "field": (fields, _ANY),
    "present": (present, _ANY),
    "draw": (draw, _DRAW),
    "one-place": (one_place, _TEAMS | _OTHERS),
    "board-once": (board_once, _TEAMS | _OTHERS),
    "copies": (copies, _TEAMS | _OTHERS),
    "stands": (stands, _TEAMS | _OTHERS),
    "no-self": (no_self, _TEAMS),
    "full-match": (full_match, _TEAMS),
    "meet-once": (meet_once, _OTHERS),
    "unequal-plays": (unequal_plays, _TEAMS | _OTHERS),
}
"""Every law by its name, and what it holds for, in the order in which they are checked: the only one
that warns comes last."""
