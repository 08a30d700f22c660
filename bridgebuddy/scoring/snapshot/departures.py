"""Boards that can no longer be played because a contestant has left: White Book 2.4.

After a pair has left, its opponents would meet an empty seat. Those games are in the version of the movement in which
the pair was last present. If the opponents play another game instead, nothing is lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bridgebuddy.events.models import Section, SectionMovement
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.queries.plan.games import Contestant, TableGame

from .kinds import is_swiss_of_pairs

#: index, in an entry's seats in a version, of the round after which it left
LEFT_AFTER = 2


@dataclass(frozen=True)
class LostBoard:
    """A board that is not played because one of the contestants has left."""

    round: int
    table: int
    board: int
    ns: tuple[Contestant, ...]
    ew: tuple[Contestant, ...]


def lost_boards(
    section: Section, plan: SectionPlan, games: Iterable[tuple[int, int, tuple[Contestant, ...]]]
) -> list[LostBoard]:
    """Return the boards of a section that are not played because a contestant has left.

    Matches are judged as a whole elsewhere.
    """
    if section.contest.has_halves or section.stored.is_draw or is_swiss_of_pairs(section):
        return []
    everybody = plan.drawn.contestants
    gone = [contestant for contestant in everybody.values() if contestant.left_after is not None]
    if not gone:
        return []
    busy: defaultdict[int, set[int]] = defaultdict(set)
    boards: defaultdict[int, set[int]] = defaultdict(set)
    for round, board, people in games:
        for person in people:
            busy[person.entry].add(round)
            boards[person.entry].add(board)
    boards_by_place: dict[tuple[int, int, int], LostBoard] = {}
    by_entry = {contestant.entry: contestant for contestant in everybody.values()}
    for leaver in gone:
        version = _last_version_with(plan, leaver)
        if version is None:
            continue
        for game in _missed_games(plan.plan_in_version(version), leaver, section.rounds):
            sides = _sides_of_game(game, by_entry)
            if sides is None:
                continue
            others = [
                contestant
                for side in sides
                for contestant in side
                if not contestant.is_away(game.round)
            ]
            if any(game.round in busy[other.entry] for other in others):
                continue
            for board in game.boards:
                if not any(board in boards[other.entry] for other in others):
                    boards_by_place[game.round, game.table, board] = LostBoard(
                        game.round, game.table, board, *sides
                    )
    return [boards_by_place[place] for place in sorted(boards_by_place)]


def _last_version_with(plan: SectionPlan, leaver: Contestant) -> SectionMovement | None:
    """Return the newest version of the movement in which a departed contestant still played."""
    there = [
        version
        for version in plan.versions
        if (seat := version.seats.get(str(leaver.entry))) and seat[LEFT_AFTER] is None
    ]
    return there[-1] if there else None


def _missed_games(old_plan: SectionPlan, leaver: Contestant, rounds: int) -> Iterator[TableGame]:
    """Yield the table assignments that an earlier plan gave a contestant after its departure."""
    for round in range(1, rounds + 1):
        if not leaver.is_away(round):
            continue
        for game in old_plan.evening.games.get(round, ()):
            sitting = {contestant.contestant.entry for contestant in game.ns + game.ew}
            if game.is_played and leaver.entry in sitting:
                yield game


def _sides_of_game(
    game: TableGame, by_entry: dict[int, Contestant]
) -> tuple[tuple[Contestant, ...], tuple[Contestant, ...]] | None:
    """Return both sides at a table by their present numbers; None if one is no longer in the movement."""
    entries = [[contestant.contestant.entry for contestant in side] for side in (game.ns, game.ew)]
    if not all(entry in by_entry for side in entries for entry in side):
        return None
    ns, ew = (tuple(by_entry[entry] for entry in side) for side in entries)
    return ns, ew
