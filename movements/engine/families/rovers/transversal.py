"""A rover's path: a table in every round, without repeating an opponent, a displaced pair or a set.

A rover takes the place of one pair of a line at a table. Its path is a partial transversal of the movement:
opponents, displaced pairs and sets all different. One path serves a North-South rover (it meets the East-West pairs),
an East-West rover, and half and half a two-way rover.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import Literal

from movements.engine.model import Field, Movement, Seating, Side

Line = Literal["ns", "ew"]
MOST_STEPS = 20_000
"""Steps after which a search gives up; all paths of the catalogue but the longest take few."""
_ATTEMPT = 300
_REPEATING_ATTEMPT = 1500


@dataclass(frozen=True, slots=True)
class RoverStop:
    """A table at which a rover could play in a round, in place of one of its two pairs."""

    round: int
    table: int
    ns: int
    ew: int
    sets: tuple[str, ...]


def rover_path(
    movement: Movement,
    first_round: int,
    last_round: int | None = None,
    steps: int = MOST_STEPS,
    *,
    replaces: Line | None = None,
    bumps_twice: bool = False,
    spared: Collection[int] = (),
) -> dict[int, int] | None:
    """Return a rover's table in every round, without repeated opponents and board sets; None if there is none.

    No North-South pair, no East-West pair and no set occurs twice on it, so that the rover may take either line's
    seats. `replaces` is the line whose seats it takes. Then, if there is no such path, pairs of that line may be
    displaced twice, as few as possible, while opponents and sets stay all different. With `bumps_twice` the East-West
    pair of the first round may occur again: a two-way rover that displaces it there displaces it once more. `spared`
    contestants are never displaced.

    Works on any movement of pairs, of one winner or two, complete or in progress: tables with a missing pair are no
    stops, and at a table that plays its round in parts the rover plays all of them. Deterministic. Gives up after
    `steps` steps, and returns None then too.
    """
    rounds = range(first_round, (last_round or movement.rounds) + 1)
    offered = [
        stop
        for round in rounds
        for stop in possible_stops(movement, round)
        if not spared
        or not {"ns": {stop.ns}, "ew": {stop.ew}}.get(
            replaces or "", {stop.ns, stop.ew}
        ).intersection(spared)
    ]
    if bumps_twice:
        return _search_path(offered, rounds, [steps], "ew", (first_round,))
    budget = [steps]
    path = _search_path(offered, rounds, budget, replaces or "ns", ())
    if path is not None or not replaces:
        return path
    budget = [steps]
    for repeats in range(1, len(rounds)):
        for freed in combinations(rounds, repeats):
            here = min(budget[0], _REPEATING_ATTEMPT)
            left = [here]
            path = _search_path(offered, rounds, left, replaces, freed)
            budget[0] -= here - left[0]
            if path is not None or budget[0] <= 0:
                return path
    return None


def possible_stops(movement: Movement, round: int) -> Iterator[RoverStop]:
    """Yield the tables at which a rover could play in a round."""
    for table in dict.fromkeys(seating.table for seating in movement.in_round(round)):
        stop = _stop_at_table(movement, round, table)
        if stop is not None:
            yield stop


def _stop_at_table(movement: Movement, round: int, table: int) -> RoverStop | None:
    """Return a rover's possible stop at a table; None unless the same pairs play there for the whole round."""
    seatings = movement.seatings_at_table(round, table)
    first = seatings[0]
    if not isinstance(first.ns, int) or not isinstance(first.ew, int):
        return None
    if any({seating.ns, seating.ew} != {first.ns, first.ew} for seating in seatings):
        return None
    sets = tuple(dict.fromkeys(name for seating in seatings for name in seating.sets))
    return RoverStop(round, table, first.ns, first.ew, sets)


def _search_path(
    stops: Sequence[RoverStop],
    rounds: Sequence[int],
    budget: list[int],
    direction: Line,
    freed: tuple[int, ...],
) -> dict[int, int] | None:
    """Search a rover's path with a limited number of steps, in other orders after failures.

    In the freed rounds the pair of the line may be displaced elsewhere too.
    """
    required = _RequiredClaims(
        [_claims_of_stop(stop, direction, stop.round in freed) for stop in stops], rounds
    )
    attempt = 0
    while budget[0] > 0:
        attempt += 1
        lengths = attempt & -attempt  # 1 2 1 4 1 2 1 8 …: many short attempts, and some long ones
        here = min(budget[0], _ATTEMPT * lengths)
        choice = _ClaimSearch(required, here, Random(attempt) if attempt > 1 else None)
        is_done = choice.is_complete()
        budget[0] -= here - max(choice.steps, 0)
        if is_done:
            path = {stops[index].round: stops[index].table for index in choice.chosen}
            return {round: path[round] for round in rounds}
        if choice.steps > 0:
            return None  # all paths were tried
    return None


_Claim = tuple[str, int | str]


def _claims_of_stop(stop: RoverStop, direction: Line, is_freed: bool) -> tuple[_Claim, ...]:
    """Return what a stop uses up and the rover may have only once: the round, the pairs, the board sets."""
    claims: list[_Claim] = [("round", stop.round)]
    claims += [
        (name, getattr(stop, name)) for name in ("ns", "ew") if name != direction or not is_freed
    ]
    claims += [("set", name) for name in stop.sets]
    return tuple(claims)


class _RequiredClaims:
    """The constraints of a rover's path: every round once, each pair and board set at most once.

    Claims are numbered, the rounds first; a set of options is an integer, one bit for each.
    """

    def __init__(self, options: Sequence[tuple[_Claim, ...]], rounds: Sequence[int]) -> None:
        self.to_choose = len(rounds)
        numbers: dict[_Claim, int] = {("round", round): n for n, round in enumerate(rounds)}
        self.options = [
            frozenset(numbers.setdefault(claim, len(numbers)) for claim in option)
            for option in options
        ]
        self.kinds = [kind for kind, _ in numbers]
        self.users = [0] * len(numbers)
        for index, option in enumerate(self.options):
            for number in option:
                self.users[number] |= 1 << index
        self.to_spare = _spare_counts(options, self.kinds)


class _ClaimSearch:
    """A search for a rover's stops that covers every round, and uses each pair and board set at most once.

    It decides first on the claim with the fewest remaining options: a round, or a pair or set if none of that kind
    can be left out any more.
    """

    def __init__(self, asked: _RequiredClaims, steps: int, rng: Random | None) -> None:
        self.asked = asked
        self.steps = steps
        self.rng = rng
        self.chosen: list[int] = []

    def is_complete(self) -> bool:
        """Choose stops for all rounds; return False if it is impossible or no steps are left."""
        return self._complete_choice(
            (1 << len(self.asked.options)) - 1, range(len(self.asked.users))
        )

    def _complete_choice(self, free: int, unclaimed: Sequence[int]) -> bool:
        """Choose stops for all remaining rounds among the options still free."""
        if len(self.chosen) == self.asked.to_choose:
            return True
        self.steps -= 1
        if self.steps <= 0:
            return False
        tightest = self._tightest_claim(free, unclaimed)
        if tightest is None:
            return False
        users = self.asked.users
        possible = list(_positions_of_bits(users[tightest] & free))
        if self.rng:
            self.rng.shuffle(possible)
        for index in possible:
            option = self.asked.options[index]
            still_free = free
            for claim in option:
                still_free &= ~users[claim]
            self.chosen.append(index)
            if self._complete_choice(
                still_free, [claim for claim in unclaimed if claim not in option]
            ):
                return True
            self.chosen.pop()
        return False

    def _tightest_claim(self, free: int, unclaimed: Sequence[int]) -> int | None:
        """Return the round, pair or set with the fewest options left; None if the path cannot be completed."""
        users, kinds = self.asked.users, self.asked.kinds
        counts = [(users[claim] & free).bit_count() for claim in unclaimed]
        spare = dict(self.asked.to_spare)
        for claim, count in zip(unclaimed, counts, strict=True):
            if not count:
                spare[kinds[claim]] -= 1
        if min(spare.values()) < 0:
            return None
        needed = [
            (claim, count)
            for claim, count in zip(unclaimed, counts, strict=True)
            if count and not spare[kinds[claim]]
        ]
        fewest = min(count for _, count in needed)
        tightest = [claim for claim, count in needed if count == fewest]
        return self.rng.choice(tightest) if self.rng else tightest[0]


def _spare_counts(options: Sequence[tuple[_Claim, ...]], kinds: Sequence[str]) -> dict[str, int]:
    """Return how many pairs and board sets may remain unused by a complete path."""
    spare = {"round": 0, "ns": 0, "ew": 0, "set": 0}
    fewest: dict[tuple[int | str, str], int] = {}
    for option in options:
        for kind in spare:
            count = sum(claimed == kind for claimed, _ in option)
            key = (option[0][1], kind)
            fewest[key] = min(count, fewest.get(key, count))
    for kind in kinds:
        spare[kind] += 1
    for (_, kind), count in fewest.items():
        spare[kind] -= count
    spare["round"] = 0
    return spare


def _positions_of_bits(number: int) -> Iterator[int]:
    """Yield the positions of an integer's 1 bits, lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def is_rover_path(movement: Movement, path: Mapping[int, int]) -> bool:
    """Return whether a sequence of tables is a lawful rover path, for either direction."""
    claimed: set[_Claim] = set()
    for round, table in path.items():
        stop = _stop_at_table(movement, round, table)
        claims = _claims_of_stop(stop, "ns", False) if stop else ()
        if not claims or not claimed.isdisjoint(claims):
            return False
        claimed.update(claims)
    return True


def add_contestant(movement: Movement, field: int, label: str) -> tuple[Movement, int]:
    """Return the movement with one more contestant in a field, and the number it gets.

    It is placed before the first higher label, or at the end of the field. The numbers behind it increase by one; no
    seats change.
    """
    labels = movement.fields[field].labels
    behind = sum(
        1 for other in labels if label.isdecimal() and other.isdecimal() and int(other) > int(label)
    )
    added = movement.members(movement.fields[field]).stop - behind

    def renumbered(side: Side) -> Side:
        """Return a side with numbers that leave room for the new one."""
        if side is None:
            return None
        if isinstance(side, tuple):
            return (side[0] + (side[0] >= added), side[1] + (side[1] >= added))
        return side + (side >= added)

    fields = list(movement.fields)
    at = len(labels) - behind
    fields[field] = Field(fields[field].name, (*labels[:at], label, *labels[at:]))
    return (
        replace(
            movement,
            fields=tuple(fields),
            seatings=tuple(
                replace(seating, ns=renumbered(seating.ns), ew=renumbered(seating.ew))
                for seating in movement.seatings
            ),
            exemptions=tuple(
                replace(e, contestants=tuple(c + (c >= added) for c in e.contestants))
                for e in movement.exemptions
            ),
        ),
        added,
    )


def add_rover(movement: Movement, direction: Line, path: Mapping[int, int]) -> Movement:
    """Return a movement of pairs with a rover that displaces pairs of a direction, at the tables of its path.

    The rover gets the next number of its line, or of all with one winner. The pair that sits there at the beginning
    of the round sits it out.
    """
    names = [field.name for field in movement.fields]
    index = 0 if movement.is_one_winner else names.index(direction)
    label = str(max(int(label) for label in movement.fields[index].labels) + 1)
    grown, rover = add_contestant(movement, index, label)

    def seating_with_rover(seating: Seating) -> Seating:
        """Return a seating in which the rover takes the seat of its direction."""
        if path.get(seating.round) != seating.table:
            return seating
        there = grown.at(seating.round, seating.table)
        displaced = there.ns if direction == "ns" else there.ew
        if seating.ns == displaced:
            return replace(seating, ns=rover)
        return replace(seating, ew=rover)

    return replace(grown, seatings=tuple(seating_with_rover(s) for s in grown.seatings))


def path_from_tables(tables: Sequence[int], first_round: int = 2) -> dict[int, int]:
    """Return a printed list of tables as a rover path that begins in a round."""
    return {first_round + index: table for index, table in enumerate(tables)}
