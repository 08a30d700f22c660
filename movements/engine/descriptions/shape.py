"""The shape of a movement in the room, the source of pictures and sentences about it.

Everything is derived from the seatings: whether people circle the room or follow each other from seat to seat, ways
and waits of boards, shares, unusual calls, and the rover.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from ..board_copies.copies import copy_places
from ..model import Movement
from .wording import (
    Announcement,
    BoardStep,
    ContestantStep,
    announcements,
    board_steps,
    contestant_steps,
    tables_up,
)

#: number of copies with a colour of their own
TOLD_APART = range(2, 5)
#: at so few tables up and down are the same
SMALLEST_RING = 3
#: a chair in the first round: its table and line; only the table beside a contestant that stays
Chair = tuple[int, str]


@dataclass(frozen=True, slots=True)
class ChairFollower:
    """A moving contestant, in the order in which each takes the seat of the one before it."""

    contestant: int
    table: int
    line: str


@dataclass(frozen=True, slots=True)
class RoomShape:
    """A movement as seen in the room: how E-W and the boards move, who follows whom, what is shared."""

    tables: int
    usual: Announcement | None  # the call of most rounds
    ew: int | None
    boards: int | None
    board_steps: tuple[BoardStep, ...]  # after a usual round
    weave: tuple[tuple[int, int], ...]  # East-West's ways, if odd and even tables go opposite ones
    skips: tuple[tuple[int, int], ...]  # East-West's move after each round
    shares: tuple[tuple[int, ...], ...]  # tables that always share
    stands: tuple[int, ...]  # after which tables
    copies: Mapping[int, int]  # the copy of each table, if each copy keeps to its own tables
    rover: int | None
    rover_tables: Mapping[int, int]  # by round
    followers: tuple[ChairFollower, ...]  # contestants that take each other's chairs, in a chain
    stays: tuple[int, ...]  # contestants that never leave their table
    turned_rounds: tuple[int, ...]  # rounds played with the boards turned

    @property
    def circles_room(self) -> bool:
        """Return whether East-West move round the room by one rule."""
        return bool(self.ew)

    @property
    def follows(self) -> bool:
        """Return whether people move by following one other contestant each, instead of round the room."""
        return not self.circles_room and bool(self.followers)


def needs_guide_cards(movement: Movement) -> bool:
    """Return whether people need guide cards or phones to find their seats, because no rule describes the moves."""
    the_shape = room_shape(movement)
    return not (the_shape.circles_room or the_shape.follows or movement.contest.has_halves)


def has_stationary_line(movement: Movement) -> bool:
    """Return whether at every table one contestant stays, even if boards are arrow-switched."""
    return len(movement.stationary_contestants) >= movement.tables > len(movement.stationary)


def without_switches(movement: Movement) -> Movement:
    """Return a switched Mitchell without its arrow-switches, with the stationary pairs N-S.

    The moves are the same as in other rounds; turning the boards is only an additional call.
    """
    if not has_stationary_line(movement):
        return movement
    stays = set(movement.stationary_contestants)
    seatings = tuple(
        seating.turned() if seating.ew in stays else seating for seating in movement.seatings
    )
    return replace(movement, seatings=seatings)


@lru_cache(maxsize=512)
def room_shape(movement: Movement) -> RoomShape:
    """Return how a movement looks in the room.

    >>> from movements.engine import catalogue
    >>> found = room_shape(catalogue.build_movement("skip-mitchell", 8))
    >>> found.ew, found.boards, found.skips
    (1, -1, ((4, 2),))
    """
    plain = without_switches(movement)
    calls = announcements(plain)
    usual = _usual_call(calls)
    goes_round = bool(usual and usual.ew)
    rover = _find_rover(plain, calls) if goes_round else None
    return RoomShape(
        tables=movement.tables,
        usual=usual,
        ew=usual.ew if usual else None,
        boards=usual.boards if usual else None,
        board_steps=board_steps(plain, usual.after_round) if usual else (),
        weave=_woven_ways(plain, usual),
        skips=tuple((call.after_round, call.ew or 0) for call in calls if call.is_skip),
        shares=_always_shared_tables(movement),
        stands=copy_places(movement).stands,
        copies=_copies_by_table(movement, usual),
        rover=rover,
        rover_tables=_tables_of(plain, rover) if rover else {},
        followers=() if goes_round else _chain_of_followers(movement),
        stays=movement.stationary_contestants,
        turned_rounds=_turned_rounds(movement),
    )


def _always_shared_tables(movement: Movement) -> tuple[tuple[int, ...], ...]:
    """Return the tables that share boards in all rounds; a missing pair may make that unnecessary."""
    if movement.copies > 1:
        return ()
    really = {
        tables
        for round in range(1, movement.rounds + 1)
        for tables in movement.shares(round).values()
    }
    return tuple(
        share.tables
        for share in movement.shared
        if not share.round and any(len({*share.tables} & {*tables}) > 1 for tables in really)
    )


def _usual_call(calls: Sequence[Announcement]) -> Announcement | None:
    """Return the announcement that holds after most rounds."""
    times = Counter((call.ew, call.ns, call.boards) for call in calls)
    most = max(times, key=lambda way: times[way], default=None)
    return next((call for call in calls if (call.ew, call.ns, call.boards) == most), None)


def _woven_ways(movement: Movement, usual: Announcement | None) -> tuple[tuple[int, int], ...]:
    """Return East-West's tables before and after a usual round, if odd and even tables go opposite ways.

    The boards must go against them. Empty for all other movements.
    """
    if usual is None or usual.ns != 0 or movement.tables <= SMALLEST_RING:
        return ()
    is_in_parts = any(
        part.parts > 1 for r in range(1, movement.rounds + 1) for part in movement.parts(r)
    )
    if (
        is_in_parts or len(movement.stationary_contestants) < movement.tables - 1
    ):  # one may be missing
        return ()
    people = tuple(
        (step.before.table, step.after.table)
        for step in contestant_steps(movement, usual.after_round)
        if step.before and step.after and step.before.line == step.after.line == "ew"
    )
    boards = [
        (before, after)
        for step in board_steps(movement, usual.after_round)
        for before in step.before
        for after in step.after
    ]
    odd, even = _shifts_by_parity(people, movement.tables)
    is_woven = len(odd) == len(even) == 1 and sum(odd) == -sum(even) != 0
    return people if is_woven and _shifts_by_parity(boards, movement.tables) == (even, odd) else ()


def _shifts_by_parity(ways: Iterable[tuple[int, int]], tables: int) -> tuple[set[int], set[int]]:
    """Return by how many tables up ways from odd tables lead, and those from even ones."""
    odd: set[int] = set()
    even: set[int] = set()
    for before, after in ways:
        (odd if before % 2 else even).add(tables_up(before, after, tables))
    return odd, even


def _find_rover(movement: Movement, calls: Sequence[Announcement]) -> int | None:
    """Return the contestant that moves differently from all others in nearly every round; None if there are several."""
    times = Counter(
        step.contestant for call in calls for step in call.others if step.after is not None
    )
    rovers = [
        number
        for number, count in times.items()
        if count > 0.6 * (movement.rounds - 2)
        and 2 * len(set(_tables_of(movement, number).values())) > movement.rounds
    ]
    return rovers[0] if len(rovers) == 1 and movement.rounds > 3 else None


def _tables_of(movement: Movement, contestant: int) -> dict[int, int]:
    """Return the tables at which a contestant plays, round by round."""
    return {s.round: s.table for s in movement.seatings_of(contestant) if s.is_played}


def _copies_by_table(movement: Movement, usual_announcement: Announcement | None) -> dict[int, int]:
    """Return the number of the copy that each table uses; empty if copies move through the room."""
    where = copy_places(movement)
    if (
        usual_announcement is None
        or where.copies not in TOLD_APART
        or not usual_announcement.copies_keep_apart
    ):
        return {}
    copies = {}
    for seating in movement.in_round(usual_announcement.after_round):
        for name in seating.sets:
            copy = where.copy_at(usual_announcement.after_round, seating.table, name)
            if copy is not None and where.copies_used[name] > 1:
                copies[seating.table] = copy
    return copies


def _turned_rounds(movement: Movement) -> tuple[int, ...]:
    """Return the rounds that are arrow-switched at all tables: stationary contestants sit East-West."""
    if not has_stationary_line(movement):
        return ()
    stays = set(movement.stationary_contestants)
    played = {
        round: [seating for seating in movement.in_round(round) if seating.is_played]
        for round in range(1, movement.rounds + 1)
    }
    return tuple(
        round
        for round, seatings in played.items()
        if seatings and all(seating.ew in stays for seating in seatings)
    )


def _chain_of_followers(movement: Movement) -> tuple[ChairFollower, ...]:
    """Return the moving contestants in the ring of seats; empty if they do not form a single ring."""
    if movement.rounds < 2 or not movement.contest.fills_a_side:
        return ()
    stays = set(movement.stationary_contestants)
    moves = [step for step in contestant_steps(movement, 1) if step.contestant not in stays]
    if len(moves) < 3:
        return ()
    ring = _movers_by_number(moves) or _movers_by_chair(movement, moves, stays)
    return ring if _is_ring_stable(movement, ring) else ()


def _movers_by_number(moves: Sequence[ContestantStep]) -> tuple[ChairFollower, ...]:
    """Return the moving contestants if each goes to the table of the next number; otherwise none."""
    if any(step.before is None or step.after is None for step in moves):
        return ()
    ring = sorted(moves, key=lambda step: -step.contestant)
    for step, leader in pairwise([*ring, ring[0]]):
        if step.after and leader.before and step.after.table != leader.before.table:
            return ()
    return tuple(
        ChairFollower(step.contestant, step.before.table, step.before.line)
        for step in ring
        if step.before
    )


def _movers_by_chair(
    movement: Movement, moves: Sequence[ContestantStep], stationary: set[int]
) -> tuple[ChairFollower, ...]:
    """Return the moving contestants in the order of their seats instead of their numbers."""
    tables = {s.table for s in movement.in_round(1) if set(s.contestants) & stationary}
    before: dict[Chair, ContestantStep] = {}
    then: dict[int, Chair] = {}
    for step in moves:
        if step.before and step.after:
            before[_chair_of(tables, step.before.table, step.before.line)] = step
            then[step.contestant] = _chair_of(tables, step.after.table, step.after.line)
    return _followers_in_order(before, then) if 3 <= len(before) == len(moves) else ()


def _is_ring_stable(movement: Movement, ring: Sequence[ChairFollower]) -> bool:
    """Return whether after every round each contestant takes the seat of the next one in the ring."""
    at = {
        (seating.round, c): seating.table
        for seating in movement.seatings
        for c in seating.contestants
    }
    return all(
        at.get((round + 1, follower.contestant)) == at.get((round, leader.contestant))
        for follower, leader in pairwise(ring)
        for round in range(1, movement.rounds)
    )


def _followers_in_order(
    steps: Mapping[Chair, ContestantStep], next_seats: Mapping[int, Chair]
) -> tuple[ChairFollower, ...]:
    """Return the moving contestants seat by seat, from two consecutive rounds."""
    reached = set(next_seats.values())
    start = next((chair for chair in steps if chair not in reached), next(iter(steps)))
    ring: list[ChairFollower] = []
    chair = start
    while chair in steps and len(ring) < len(steps):
        step = steps[chair]
        place = step.before
        if place is not None:
            ring.append(ChairFollower(step.contestant, place.table, place.line))
        chair = next_seats[step.contestant]
        if chair == start:
            break
    return tuple(ring) if len(ring) == len(steps) else ()


def _chair_of(stationary: set[int], table: int, direction: str) -> Chair:
    """Return a follower's seat: the table, and the direction unless a stationary contestant decides it."""
    return (table, "" if table in stationary else direction)
