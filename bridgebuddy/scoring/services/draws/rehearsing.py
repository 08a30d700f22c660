"""Rehearsals of contests drawn from results: results are invented, and rounds drawn from them."""

from __future__ import annotations

import random

from django.db import transaction

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Play, Section
from bridgebuddy.events.services.lifecycle import copies_of_sessions
from bridgebuddy.events.services.locking import lock_section
from bridgebuddy.scoring.checks.result_checks import SectionDoubts
from bridgebuddy.scoring.draws.drawing import CannotDraw, DrawWishes, RoundDraw
from bridgebuddy.scoring.draws.knockout import KnockOut
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.result_sources import ResultSource
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.kinds import KNOCKOUT
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot

from .. import rulings
from ..results import EnteredResult, enter_results
from .drawing import publish_draw

CONTRACTS = ("1NT", "2H", "2S", "3NT", "4H", "4S")
TRICKS_OF_THE_BOOK = 6
#: random tricks above or below those that a contract needs
MORE_OR_LESS = (-2, -1, -1, 0, 0, 0, 1, 1, 2)
#: share of tables in another contract
SELDOM = 0.4
#: suspicious results that a rehearsal shows at its end
LEFT_TO_CHECK = 1


@transaction.atomic
def play_rehearsal_to_end(section: Section, *, by: User) -> Section:
    """Advance a rehearsal to its end with an invented result for each board, and draw rounds from these.

    Few of them are left to check. Raises the errors of starting a round, and `NotDrawn` without a draw.
    """
    section = copies_of_sessions.advance_rehearsal(section, by=by, draw=_invent_and_draw)
    invent_results(section, by=by)
    doubts = SectionDoubts(SessionSnapshot(Section.objects.get(pk=section.pk))).open_doubts
    for doubt in doubts[LEFT_TO_CHECK:]:
        rulings.dismiss_doubt(section, doubt.key, by=by)
    return Section.objects.get(pk=section.pk)


@transaction.atomic
def invent_results(section: Section, *, by: User) -> int:
    """Invent the missing results of a rehearsal's rounds that have begun. Return their number."""
    section = lock_section(section)
    assert section.session.is_rehearsal
    return enter_invented_results(section, by=by)


@transaction.atomic
def invent_first_results(section: Section, *, by: User) -> int:
    """Invent the first result of every table in a rehearsal's running round. Return their number."""
    section = lock_section(section)
    assert section.session.is_rehearsal
    return enter_invented_results(section, by=by, is_first_board=True)


def enter_invented_results(section: Section, *, by: User, is_first_board: bool = False) -> int:
    """Enter a plausible result for every board without one, or for each table's first board. Return their number."""
    rng = random.Random(section.pk)
    plays = Play.objects.filter(section=section, taken_back_at=None)
    plays = plays.exclude(ns=None).exclude(ew=None).order_by("pk")
    with_outcome = Result.objects.filter(play__in=plays, stands=True).exclude(outcome=None)
    missing = list(plays.exclude(pk__in=with_outcome.values("play")))
    if is_first_board:
        missing = list({play.table: play for play in reversed(missing)}.values())
    invented = [EnteredResult(play.pk, _invented_outcome(rng, play.board)) for play in missing]
    enter_results(section, invented, source=ResultSource.DESK, by=by)
    return len(invented)


def _invented_outcome(rng: random.Random, board: int) -> dict[str, object]:
    """Return a random plausible outcome, for most tables with the same contract on a board."""
    usual = random.Random(board)
    side, contract = usual.choice(("NS", "EW")), usual.choice(CONTRACTS)
    if rng.random() < SELDOM:
        contract = rng.choice(CONTRACTS)
    tricks = TRICKS_OF_THE_BOOK + int(contract[0]) + rng.choice(MORE_OR_LESS)
    return {"contract": contract, "declarer": rng.choice(side), "tricks": tricks}


def _invent_and_draw(section: Section, by: User) -> None:
    """Invent the results of a rehearsal's round, and draw the next one."""
    invent_results(section, by=by)
    draw_as_proposed(section, by=by)


def draw_as_proposed(section: Section, *, by: User) -> None:
    """Draw the next round as the program proposes it. All earlier results must be known."""
    tonight = SessionSnapshot(Section.objects.get(pk=section.pk))
    scored, section = ScoredSession(tonight), tonight.section
    if section.stored.family == KNOCKOUT:
        wishes = _teams_going_on(KnockOut(scored, section))
        key = KnockOut(scored, section, wishes).key
        publish_draw(section, wishes, key=key, plan=section.plan, by=by)
        return
    for since in range(
        1, section.round + 2
    ):  # past meetings are ignored only if there is no other draw
        wishes = DrawWishes(since=since)
        try:
            key = RoundDraw(scored, section, wishes).key
        except CannotDraw:
            continue
        publish_draw(section, wishes, key=key, plan=section.plan, by=by)
        return


def _teams_going_on(knockout: KnockOut) -> DrawWishes:
    """Return the draw's wishes with the teams that qualify in a rehearsal; in a level match the better seeds."""
    on = [
        team.slug
        for tie in knockout.ties
        for team in tie.teams
        if team.number
        in (tie.numbers_by_score or sorted(x.number for x in tie.teams)[: tie.qualifier_count])
    ]
    return DrawWishes(through=tuple(on))
