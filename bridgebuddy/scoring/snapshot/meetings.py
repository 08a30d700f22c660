"""The matches of teams in the form of the session's document.

A match is played at two tables with the same boards. In a draw both tables play in one round (in a triangle in two).
In a movement of teams the second table may get the boards many rounds later. So there all boards that two teams play
against each other are one match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bridgebuddy.events.models import Section

from ..rules.model import Match
from .drawn_matches import byes_of_section
from .kinds import KNOCKOUT, SWISS
from .lines import PlayLine
from .play_snapshot import PlayedSession
from .ruled import match_with_ruling

Teams = frozenset[str]
BOTH_TABLES = 2


def matches_of_teams(played_session: PlayedSession, section: Section) -> Iterator[Match]:
    """Yield the matches of a section's teams, in the order in which they begin."""
    met: defaultdict[tuple[Teams, tuple[int, ...]], list[PlayLine]] = defaultdict(list)
    long = _long_triangles(played_session, section)
    is_draw = section.stored.is_draw
    whole: set[Teams] = set()
    for line in _lines_in_drawn_order(played_session, section):
        teams = frozenset((line.ns[0].slug, line.ew[0].slug))
        met[teams, _rounds_of_match(teams, line.round, long) if is_draw else ()].append(line)
    for (teams, rounds), lines in met.items():
        boards = comparable_boards(lines) or _half_played(section, rounds, lines)
        if not boards:
            continue  # ended before the other table reached them
        first = min(lines, key=lambda line: (line.round, line.table, line.part))
        in_rounds = rounds or tuple(sorted({x.round for x in lines if x.board in boards}))
        home = _first_named(section, first) if is_draw else first.ns[0].slug
        is_half = (
            is_draw and len(in_rounds) == 1 and _is_in_short_triangle(section, in_rounds[0], first)
        )
        match = Match(
            0,
            section.name,
            in_rounds[-1],
            home,
            next(team for team in teams if team != home),
            boards,
            in_rounds,
            half=is_half,
        )
        if is_draw:
            deals = _deals_name(played_session, section, teams, in_rounds, is_usual=not is_half)
            match = replace(match, deals=deals)
        entries = {contestant.slug: contestant.entry for contestant in (first.ns[0], first.ew[0])}
        whole.add(teams)
        yield ruled_match(played_session, section, match, entries[home], set(entries.values()))
    if section.stored.family == SWISS:
        yield from byes_of_section(played_session, section)
    elif section.stored.family != KNOCKOUT:
        yield from _missed_matches(played_session, section, whole)


def _lines_in_drawn_order(played_session: PlayedSession, section: Section) -> list[PlayLine]:
    """Return the plays of a section, those of drawn rounds in the order of the draw.

    In a draw teams stay at tables of their own numbers. The order of tables would reverse the halves of a chart.
    """
    lines = played_session.lines_of_section(section)
    if not section.stored.is_draw:
        return lines
    place = {
        (seating.round, frozenset(seating.contestants)): place
        for place, seating in enumerate(section.stored.movement.seatings)
    }
    last = len(place)
    return sorted(
        lines,
        key=lambda line: (
            line.round,
            place.get((line.round, frozenset((line.ns[0].number, line.ew[0].number))), last),
        ),
    )


def _missed_matches(
    played_session: PlayedSession, section: Section, whole: set[Teams]
) -> Iterator[Match]:
    """Yield the matches that teams could not play because their opponents had left."""
    evening = played_session.plans[section.pk].drawn
    gone = [contestant for contestant in evening.contestants.values() if contestant.has_left]
    if not gone:
        return
    waits: defaultdict[str, list[int]] = defaultdict(list)
    for round in range(
        min(contestant.left_after or 0 for contestant in gone) + 1, section.rounds + 1
    ):
        waiting = {out.slug for out in evening.sit_outs(round)}
        waiting |= {
            sitting.contestant.slug
            for game in evening.games.get(round, ())
            if not game.is_played
            for sitting in game.ns + game.ew
        }
        for label in waiting - {contestant.slug for contestant in gone}:
            waits[label].append(round)
    for three in section.stored.movement.triangles:  # the other two play on without a waiting round
        teams = [evening.contestants[team] for team in three.teams]
        if any(
            contestant.has_left and (contestant.left_after or 0) < three.rounds[0]
            for contestant in teams
        ):
            for contestant in teams:
                if not contestant.has_left:
                    waits[contestant.slug].append(three.rounds[-1])
    for label, rounds in sorted(waits.items()):
        left = [
            contestant.slug
            for contestant in gone
            if frozenset((label, contestant.slug)) not in whole
        ]
        times = rounds if section.stored.is_draw else rounds[-1:] * len(left)
        for gone_one, round in zip(left, times, strict=False):
            yield Match(0, section.name, round, label, gone_one, rounds=(round,), missing="away")


def ruled_match(
    played_session: PlayedSession, section: Section, match: Match, home: int, entries: set[int]
) -> Match:
    """Return a team match with the director's newest ruling on it, if there is one."""
    rulings = [
        ruling
        for ruling in played_session.match_rulings
        if (ruling.section_id, ruling.round) == (section.pk, match.round)
        and {ruling.one_id, ruling.other_id} == entries
    ]
    return match_with_ruling(match, rulings[-1], home) if rulings else match


def _half_played(
    section: Section, rounds: Sequence[int], lines: Iterable[PlayLine]
) -> tuple[int, ...]:
    """Return the boards of a three-way match of which only the first of two rounds has been drawn."""
    is_to_come = len(rounds) > 1 and rounds[-1] in section.stored.movement.open_rounds
    if not is_to_come or section.is_finished:
        return ()
    return tuple(sorted({line.board for line in lines}))


def comparable_boards(lines: Iterable[PlayLine]) -> tuple[int, ...]:
    """Return the boards that a match plays at two tables in opposite directions, so that they count."""
    homes: defaultdict[int, list[str]] = defaultdict(list)
    for line in lines:
        homes[line.board].append(line.ns[0].slug)
    return tuple(
        sorted(
            board
            for board, ns in homes.items()
            if len(ns) == BOTH_TABLES and len(set(ns)) == BOTH_TABLES
        )
    )


def _first_named(section: Section, line: PlayLine) -> str:
    """Return the team that the draw names first in a match, and that may choose its seats."""
    teams = {contestant.number: contestant.slug for contestant in (line.ns[0], line.ew[0])}
    drawn = section.stored.movement.in_round(line.round)
    first = (x.ns for x in drawn if isinstance(x.ns, int) and {x.ns, x.ew} == set(teams))
    return teams[next(first, line.ns[0].number)]


def _deals_name(
    played_session: PlayedSession,
    section: Section,
    teams: Teams,
    rounds: Sequence[int],
    *,
    is_usual: bool,
) -> str:
    """Return the name of the set of deals that a drawn match plays: its own, or that of all tables."""
    name = " ".join(map(str, rounds))
    is_usual = is_usual and len(rounds) == 1
    if section.has_duplicated_matches:
        name, is_usual = str(rounds[0]), True  # a triangle has the boards of the round it began in
    if played_session.has_same_cards(section) and is_usual:
        alone = played_session.has_several and not played_session.session.same_deals
        return f"{section.name} {name}" if alone else name
    return f"{section.name} {name} {'-'.join(sorted(teams))}"


Long = Sequence[tuple[Teams, tuple[int, ...]]]


def _long_triangles(played_session: PlayedSession, section: Section) -> Long:
    """Return the teams and rounds of each three-way match that lasts several rounds."""
    if not section.stored.is_draw:
        return []
    people = played_session.plans[section.pk].drawn.contestants
    return [
        (
            frozenset(people[team].slug for team in triangle.teams if team in people),
            tuple(triangle.rounds),
        )
        for triangle in section.stored.movement.triangles
        if len(triangle.rounds) > 1
    ]


def _rounds_of_match(teams: Teams, round: int, long: Long) -> tuple[int, ...]:
    """Return the rounds of a drawn match: one, or several if it belongs to a three-way match in `long`."""
    lists_of_rounds = (rounds for members, rounds in long if teams <= members and round in rounds)
    return next(lists_of_rounds, (round,))


def _is_in_short_triangle(section: Section, round: int, line: PlayLine) -> bool:
    """Return whether a play belongs to a three-way match of one round, with half the boards for each pairing."""
    teams = {line.ns[0].number, line.ew[0].number}
    return any(
        teams <= set(triangle.teams) and tuple(triangle.rounds) == (round,)
        for triangle in section.stored.movement.triangles
    )
