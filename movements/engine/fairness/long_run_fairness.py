"""Seats in turn: sit-outs, lines and opponents balanced over the weeks.

For each former session the presence, sit-outs, rounds E-W and meetings of each person are known. The excess over the
person's share is summed, and the share covers only the rounds of presence. So a new person has neither too much nor
too little, and no person catches up on sessions missed.

People count, not numbers or pairs, because partners change. The optimum is the least sum of squares of all people's
figures; a pair's figure is the sum of its two. More important criteria come first:

1. stationary pairs stay, as far as there are seats; of too many, those that had to move most often before
2. the sit-outs: the longer ones to those that had least
3. strengths, if known and asked for: lines and comparisons as even as can be found
4. rounds E-W, and repeated meetings
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from random import Random

from movements.engine.model import Movement, players_of

from .seeding import SeedingEvenness

Person = Hashable
EXCHANGES_TRIED = 6000
#: smaller values count as 0, because figures are floats
NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class PastRounds:
    """The numbers of rounds that a person sat out, and sat East-West, in a former session."""

    person: Person
    rounds: float
    sat_out: float = 0.0
    ew: float = 0.0
    had_to_move: bool = False  # though they asked to stay seated


@dataclass(frozen=True, slots=True)
class FormerEvening:
    """A former session for seating in turns: each person's rounds, and how often two people were opponents."""

    had: tuple[PastRounds, ...]
    met: tuple[tuple[Person, Person, float], ...] = ()


@dataclass(frozen=True, slots=True)
class PastShares:
    """People's sit-outs, E-W rounds and meetings above their share, and unwished moves; 0 for all not listed."""

    sat_out: Mapping[Person, float] = field(default_factory=dict)
    ew: Mapping[Person, float] = field(default_factory=dict)
    moved: Mapping[Person, int] = field(default_factory=dict)
    met: Mapping[frozenset[Person], float] = field(default_factory=dict)


def past_shares(evenings: Iterable[FormerEvening]) -> PastShares:
    """Return by how much people had more than their share of sit-outs, E-W rounds and meetings in these sessions."""
    sat_out: defaultdict[Person, float] = defaultdict(float)
    ew: defaultdict[Person, float] = defaultdict(float)
    moved: defaultdict[Person, int] = defaultdict(int)
    met: defaultdict[frozenset[Person], float] = defaultdict(float)
    for evening in evenings:
        there = sum(turn.rounds for turn in evening.had)
        played = there - sum(turn.sat_out for turn in evening.had)
        if not played:
            continue
        share_out = sum(turn.sat_out for turn in evening.had) / there
        share_ew = sum(turn.ew for turn in evening.had) / played
        for turn in evening.had:
            sat_out[turn.person] += turn.sat_out - share_out * turn.rounds
            ew[turn.person] += turn.ew - share_ew * (turn.rounds - turn.sat_out)
            moved[turn.person] += turn.had_to_move
        for person, other, rounds in evening.met:
            met[frozenset((person, other))] += rounds
    return PastShares(dict(sat_out), dict(ew), dict(moved), dict(met))


@dataclass(frozen=True, slots=True)
class EnteredTogether:
    """The people of an entry that is to be seated, and whether it must be stationary."""

    people: tuple[Person, ...]
    must_stay: bool = False


def sit_outs_of(movement: Movement) -> dict[int, float]:
    """Return the number of rounds that each contestant of a movement sits out; those without are left out."""
    sit_outs: defaultdict[int, float] = defaultdict(float)
    for round in range(1, movement.rounds + 1):
        for number, share in movement.sit_outs(round):
            sit_outs[number] += float(share)
    return dict(sit_outs)


def seats_in_turn(
    movement: Movement,
    entries: Sequence[EnteredTogether],
    past: PastShares,
    *,
    order: Sequence[int],
    stationary: Sequence[int],
    strengths: Sequence[float] | None = None,
    rng: Random,
) -> tuple[int, ...]:
    """Return a seat (contestant number) for each entry that evens out sit-outs and directions over the sessions.

    `order` has all numbers in the order of filling seats without history; `stationary` are those that stay at a
    table, the best first. The same past gives the same seats, whatever the names. Raises `ValueError` unless there
    are as many entries as contestants.
    """
    if len(entries) != len(movement.contestants):
        raise ValueError("there must be as many entries as contestants")
    room = _SeatBalance(movement, entries, past, strengths)
    seats = _first_seats(entries, past, order, stationary)
    staying = frozenset(stationary)
    stays = [
        entry_turn.must_stay and seat in staying
        for entry_turn, seat in zip(entries, seats, strict=True)
    ]
    may = list(combinations(range(len(seats)), 2))

    def may_exchange(first: int, second: int) -> bool:
        """Return whether two people may exchange seats."""
        return not (stays[first] and seats[second] not in staying) and not (
            stays[second] and seats[first] not in staying
        )

    is_better = True
    while is_better:  # the sit-outs alone: the optimum
        is_better = False
        for seat, other in may:
            if may_exchange(seat, other) and room.sit_out_gain(seats, seat, other) > NOTHING:
                seats[seat], seats[other] = seats[other], seats[seat]
                is_better = True
    room.set_seats(seats)
    is_better, tried = True, 0
    while is_better and tried < EXCHANGES_TRIED:
        rng.shuffle(may)
        tried += len(may)
        gains = [
            room.exchange_if_better(seats, seat, other)
            for seat, other in may
            if may_exchange(seat, other)
        ]
        is_better = any(gains)
    return tuple(seats)


def _first_seats(
    entries: Sequence[EnteredTogether],
    past: PastShares,
    order: Sequence[int],
    stationary: Sequence[int],
) -> list[int]:
    """Return seats to begin with: stationary entries first, then the others by their former sit-outs."""
    wish = [index for index, entry_turn in enumerate(entries) if entry_turn.must_stay]
    wish.sort(key=lambda index: -sum(past.moved.get(person, 0) for person in entries[index].people))
    seats = dict(zip(wish, stationary, strict=False))
    free = [number for number in order if number not in set(seats.values())]
    for index in range(len(entries)):
        if index not in seats:
            seats[index] = free.pop(0)
    return [seats[index] for index in range(len(entries))]


class _SeatBalance:
    """Computes how evenly seats are shared over sessions, from entries' past seats and the coming rounds."""

    def __init__(
        self,
        movement: Movement,
        entered: Sequence[EnteredTogether],
        past: PastShares,
        strengths: Sequence[float] | None,
    ) -> None:
        sit_outs = sit_outs_of(movement)
        self.out = {number: sit_outs.get(number, 0.0) for number in movement.contestants}
        self.ew = dict.fromkeys(movement.contestants, 0.0)
        self.meets: dict[int, defaultdict[int, float]] = {
            number: defaultdict(float) for number in movement.contestants
        }
        for weight, ns, ew in _meetings_with_share(movement):
            for number in ew:
                self.ew[number] += weight
            for contestant, other in product(ns, ew):
                self.meets[contestant][other] += weight
                self.meets[other][contestant] += weight
        self.had_out = [_sum_of_figures(past.sat_out, entry_turn.people) for entry_turn in entered]
        self.had_ew = [_sum_of_figures(past.ew, entry_turn.people) for entry_turn in entered]
        self.had_met = [
            [
                sum(
                    past.met.get(frozenset(two), 0.0)
                    for two in product(entry_turn.people, other.people)
                )
                for other in entered
            ]
            for entry_turn in entered
        ]
        self.evenness = SeedingEvenness(movement) if strengths else None
        self.strengths = list(strengths or ())

    def sit_out_gain(self, seats: Sequence[int], first: int, second: int) -> float:
        """Return by how much sit-outs become more even if two entries exchange seats."""
        more = self.out[seats[first]] - self.out[seats[second]]
        return more * (self.had_out[first] - self.had_out[second])

    def set_seats(self, seats: Sequence[int]) -> None:
        """Set the seats of all entries."""
        self.sits = {number: entry for entry, number in enumerate(seats)}
        self.unevenness = self._strength_unevenness()

    def exchange_if_better(self, seats: list[int], first: int, second: int) -> bool:
        """Exchange the seats of two entries if a criterion improves and no more important one suffers."""
        out = self.sit_out_gain(seats, first, second)
        if out < -NOTHING:
            return False
        before = self._repeated_burden(seats, first, second)
        self._exchange(seats, first, second)
        uneven = self._strength_unevenness()
        gains = (
            out,
            self.unevenness - uneven,
            before - self._repeated_burden(seats, first, second),
        )
        if next((gain > 0 for gain in gains if abs(gain) > NOTHING), False):
            self.unevenness = uneven
            return True
        self._exchange(seats, first, second)
        return False

    def _exchange(self, seats: list[int], first: int, second: int) -> None:
        """Exchange the seats of two entries."""
        seats[first], seats[second] = seats[second], seats[first]
        self.sits[seats[first]], self.sits[seats[second]] = first, second

    def _strength_unevenness(self) -> float:
        """Return how uneven the entries' strengths are seated; 0 if they have no effect."""
        if self.evenness is None:
            return 0.0
        seated = [self.strengths[self.sits[number]] for number in sorted(self.sits)]
        return self.evenness.figure(seated).cost

    def _repeated_burden(self, seats: Sequence[int], *entries: int) -> float:
        """Return how much entries would again sit East-West, and meet former opponents."""
        found = 0.0
        for entry in entries:
            seat = seats[entry]
            found += self.ew[seat] * self.had_ew[entry]
            met = self.had_met[entry]
            for opponent, rounds in self.meets[seat].items():
                sits = self.sits[opponent]
                found += rounds * met[sits] * (0.5 if sits in entries else 1.0)
        return found


def _sum_of_figures(figures: Mapping[Person, float], people: Iterable[Person]) -> float:
    """Return the sum of these people's past figures."""
    return sum(figures.get(person, 0.0) for person in people)


def _meetings_with_share(
    movement: Movement,
) -> Iterator[tuple[float, tuple[int, ...], tuple[int, ...]]]:
    """Yield the two sides of each game of a movement, with its share of a round."""
    for round in range(1, movement.rounds + 1):
        for part in movement.parts(round):
            if part.seating.is_played:
                ns, ew = players_of(part.seating.ns), players_of(part.seating.ew)
                yield 1 / part.parts, ns, ew
