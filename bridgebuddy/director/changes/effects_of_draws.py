"""The effects of a change on drawn rounds: contestants without opponents, and later draws."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from movements.engine.changes import Proposal
from movements.engine.contest import Contest
from movements.engine.drawing.draws import DRAWN_ON_RESULTS
from movements.engine.drawing.open_rounds import contestants_to_draw
from movements.engine.model import Movement
from movements.words.sentences import contestant_count_text, label_of

KNOCKOUT = "knockout"


def is_match_movement(movement: Movement) -> bool:
    """Return whether a movement consists of drawn matches, for which fairness is not computed."""
    return movement.is_draw or movement.family in DRAWN_ON_RESULTS


def effects_of_draw(proposal: Proposal, odd: str) -> Iterator[tuple[str, str]]:
    """Yield the effects of a change on a contest with drawn opponents as texts, each with a label.

    `odd` is the treatment of an odd number of contestants.
    """
    movement = proposal.movement
    byes: defaultdict[int, list[int]] = defaultdict(list)
    for contestant, round, _share in proposal.consequences.sit_outs:
        byes[round].append(contestant)
    last = movement.open_rounds[0] - 1 if movement.open_rounds else movement.rounds
    if proposal.from_round <= last:
        yield _("No opponents"), _without_opponents_text(byes, movement)
    if movement.open_rounds and movement.family != KNOCKOUT:
        yield _("Draws to come"), _later_draws_text(movement, odd)


def _without_opponents_text(byes: dict[int, list[int]], movement: Movement) -> str:
    """Return the contestants without opponents in each round as text."""
    if not byes:
        return _("nobody")
    return "; ".join(
        _("round %(round)s: %(who)s")
        % {"round": round, "who": _contestants_text(sorted(contestant), movement)}
        for round, contestant in sorted(byes.items())
    )


def _contestants_text(contestants: Iterable[int], movement: Movement) -> str:
    """Return the labels of contestants in a movement as text."""
    return ", ".join(label_of(movement, number) for number in contestants)


def _later_draws_text(movement: Movement, odd: str) -> str:
    """Return a sentence on whether every contestant has an opponent in later draws, after the change."""
    round = movement.open_rounds[0]
    busy = {
        team
        for triangle in movement.triangles
        if round in triangle.rounds
        for team in triangle.teams
    }
    many = len(contestants_to_draw(movement)) + len(busy)
    facts = {"who": contestant_count_text(movement.contest, many)}
    if many % 2 == 0:
        return _("%(who)s: everybody has an opponent.") % facts
    if movement.contest != Contest.TEAMS or odd == "bye":
        return _("%(who)s: in each round one has a bye.") % facts
    return _("%(who)s: in each round three play a triangle.") % facts
