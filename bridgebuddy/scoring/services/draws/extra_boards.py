"""Extra boards of a level knock-out match, played at both tables and counted like the others."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Max

from bridgebuddy.clubs.models import User
from bridgebuddy.events.errors import CannotGoBack, NoSuchProposal, NotRunning, SectionChanged
from bridgebuddy.events.models import Play, Section
from bridgebuddy.events.services.locking import lock_section
from bridgebuddy.events.services.play.plays import write_plays
from bridgebuddy.scoring.draws.knockout import KnockOut
from bridgebuddy.scoring.errors import NotLevel
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.kinds import KNOCKOUT
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot

from ..recording import note_revising_decision

#: above the number in a long match
MOST = 32


@transaction.atomic
def add_extra_boards(
    section: Section, first: int, second: int, *, boards: int, plan: int, by: User
) -> Section:
    """Extend the level match of two teams (by their entries) by extra boards.

    They follow the match's boards at its tables, with the same people. A repeated press adds them once. Raises
    `SectionChanged` if the section's plan differs from the page's, `NotRunning` if no round is being played, and
    `NoSuchProposal` for none or too many. Raises `NotLevel` if the match is not level or not finished, or the next
    round is drawn.
    """
    section = lock_section(section)
    extra = section.extension_decisions(section.round, (first, second))
    if extra and extra[-1]["plan"] == plan:
        return section
    if section.plan != plan:
        raise SectionChanged()
    if section.movement is None or not section.is_running:
        raise NotRunning()
    if not 0 < boards <= MOST:
        raise NoSuchProposal()
    knockout = _knockout_state(section)
    if knockout is None or frozenset((first, second)) not in knockout.pairs_for_extra_boards:
        raise NotLevel()
    last = _last_board(section, first, second, knockout.rounds_of_threes)
    section.extra_boards = [
        *section.extra_boards,
        {
            "round": section.round,
            "teams": [first, second],
            "boards": [last + 1, last + boards],
            "plan": plan,
        },
    ]
    write_plays(section, section.round)
    teams = _team_names(section, first, second)
    note_revising_decision(
        section, "section.extra_boards", by=by, round=section.round, boards=boards, **teams
    )
    return section


@transaction.atomic
def take_back_extra_boards(
    section: Section, round: int, first: int, second: int, *, plan: int, by: User
) -> Section:
    """Remove the extra boards last added to a match, if none has a result.

    Raises `SectionChanged`, and `CannotGoBack` if there are none, or one has a result.
    """
    section = lock_section(section)
    if section.plan != plan:
        raise SectionChanged()
    extra = section.extension_decisions(round, (first, second))
    if not extra or _has_result(section, extra[-1]):
        raise CannotGoBack()
    section.extra_boards = [each for each in section.extra_boards if each != extra[-1]]
    write_plays(section, round)
    teams = _team_names(section, first, second)
    note_revising_decision(section, "section.extra_boards_back", by=by, round=round, **teams)
    return section


def _last_board(section: Section, first: int, second: int, threes: int) -> int:
    """Return the highest board number that extra boards of a match may not use.

    `threes` is the number of coming rounds with possible three-way matches, whose boards stay free.
    """
    if not section.has_duplicated_matches:
        highest = _plays_of_match(section, section.round, first, second).aggregate(
            last=Max("board")
        )["last"]
        return int(highest)
    played = Play.objects.filter(section=section, taken_back_at=None)
    boards, movement = section.boards_of_matches, section.stored.movement
    rounds, others = boards.needed(movement)
    last: int = played.aggregate(last=Max("board"))["last"]
    threes_end = boards.after_triangles(movement, threes) if threes else others.stop
    return max(last, rounds.stop - 1, threes_end - 1)


def _knockout_state(section: Section) -> KnockOut | None:
    """Return the section's knockout before the next draw; None for other contests."""
    if section.stored.family != KNOCKOUT:
        return None
    tonight = SessionSnapshot(section)
    return KnockOut(ScoredSession(tonight), tonight.section)


def _has_result(section: Section, extra_boards: dict[str, Any]) -> bool:
    """Return whether one of these extra boards has a result."""
    plays = _plays_of_match(section, extra_boards["round"], *extra_boards["teams"]).filter(
        board__range=extra_boards["boards"]
    )
    results = Result.objects.filter(play__in=plays, stands=True)
    return results.exclude(outcome=None).exists()


def _plays_of_match(section: Section, round: int, first: int, second: int) -> Any:
    """Return the plays of two entries' match in a round."""
    return Play.objects.filter(
        section=section,
        round=round,
        ns__in=(first, second),
        ew__in=(first, second),
        taken_back_at=None,
    )


def _team_names(section: Section, first: int, second: int) -> dict[str, str]:
    """Return the names of both teams for the audit record."""
    entries = section.entries.in_bulk((first, second))
    return {"team": entries[first].team_name, "other": entries[second].team_name}
