"""Drawing the next round from the results: the published draw is the one the director saw."""

from __future__ import annotations

from django.db import transaction

from bridgebuddy.clubs.models import User
from bridgebuddy.events.errors import CannotGoBack, NotRunning, SectionChanged
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock_movement, lock_section
from bridgebuddy.events.services.play import changes, rounds
from bridgebuddy.scoring.draws.drawing import CannotDraw, DrawWishes, RoundDraw
from bridgebuddy.scoring.draws.knockout import KnockOut
from bridgebuddy.scoring.errors import DrawChanged, ImpossibleDraw, ResultsInRound
from bridgebuddy.scoring.models import Draw, Result
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.kinds import KNOCKOUT
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.services import BrokenMovement


@transaction.atomic
def publish_draw(section: Section, wishes: DrawWishes, *, key: str, plan: int, by: User) -> Draw:
    """Draw the next round with the director's exchanges, and show it on phones, room display and paper.

    The draw is repeated from the present results. Raises `SectionChanged` if the section's plan differs from the
    page's, and `DrawChanged` if the draw has changed. Raises `ImpossibleDraw` if no lawful movement allows it, and
    `NotRunning` if no round is open. A repeated press draws once.
    """
    section = lock_section(section)
    if changes.is_repeated(section, key, plan=plan, by=by):
        return section.draws.latest("pk")
    if section.plan != plan:
        raise SectionChanged()
    if section.movement is None or section.is_finished or not section.movement.open_rounds:
        raise NotRunning()
    tonight = SessionSnapshot(section)
    kind = KnockOut if section.movement.family == KNOCKOUT else RoundDraw
    drawing: RoundDraw | KnockOut = kind(ScoredSession(tonight), tonight.section, wishes)
    try:
        if drawing.key != key:
            raise DrawChanged()
        stored, after = drawing.stored_form(), drawing.movement_after_draw
    except CannotDraw as error:
        raise (DrawChanged() if error.is_missing else ImpossibleDraw()) from error
    try:
        changes.adopt_draw(section, after, round=drawing.round, plan=plan, way=key, by=by)
    except BrokenMovement as error:
        raise ImpossibleDraw() from error
    return Draw.objects.create(section=section, by=by, **stored)


@transaction.atomic
def take_back_draw(section: Section, round: int, *, plan: int, by: User) -> Section:
    """Undo the draw of a round without results, and its start.

    Raises `SectionChanged`, `ResultsInRound`, and `CannotGoBack` if another change was made since, or the round
    was not drawn from results.
    """
    section = lock_movement(section)
    if section.plan != plan:
        raise SectionChanged()
    if has_result(section, round):
        raise ResultsInRound(round=round)
    if section.round == round and not section.is_finished:
        section = rounds.take_back_round(section, round=round, by=by)
    drawn = changes.undoable_version(section)
    if drawn is None or drawn.change != changes.DRAWN or drawn.from_round != round:
        raise CannotGoBack()
    return changes.undo_change(section, plan=section.plan, by=by)


def has_result(section: Section, round: int) -> bool:
    """Return whether a result has been entered in a round of the section."""
    results = Result.objects.filter(
        play__section=section, play__round=round, play__taken_back_at=None, stands=True
    )
    return results.exclude(outcome=None).exists()
