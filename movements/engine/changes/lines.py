"""Movements in which one line moves: who sits where in a round, and how the next round follows.

In a Mitchell and its kin everybody of one line goes the same number of tables up after a round, and
boards the same number down. That is enough to move a skip, to go on with a table more or to play on after the last
round, from any round on and whatever has happened before; the laws say whether it may be done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ..declared import Exemption
from ..model import Movement, Seating, Side
from .change import LengthChanges, SkipIsMoved
from .proposal import Proposal, absence, lawful, same_numbers

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lines:
    """A round, table by table: who sits N-S, who E-W, and which sets are played."""

    ns: tuple[Side, ...]
    ew: tuple[Side, ...]
    sets: tuple[tuple[str, ...], ...]

    def seatings(self, round: int) -> Iterator[Seating]:
        for index, sides in enumerate(zip(self.ns, self.ew, self.sets, strict=True)):
            yield Seating(round, index + 1, *sides)


@dataclass(frozen=True, slots=True)
class Steps:
    """How many tables up those who move go after a round, as a rule, and how many the boards do."""

    up: int
    boards: int


def lines(movement: Movement, round: int) -> Lines | None:
    """Return a round as lines; None where a table plays it in parts, or is not there."""
    at = [movement.at_table(round, table) for table in range(1, movement.tables + 1)]
    if not movement.contest.fills_a_side or any(len(seatings) != 1 for seatings in at):
        return None
    seatings = [seatings[0] for seatings in at]
    return Lines(
        tuple(s.ns for s in seatings),
        tuple(s.ew for s in seatings),
        tuple(s.sets for s in seatings),
    )


def rotated(items: Sequence[T], up: int) -> tuple[T, ...]:
    """Return items moved so many places up a ring: the last comes first.

    >>> rotated("ABCD", 1)
    ('D', 'A', 'B', 'C')
    """
    return tuple(items[(index - up) % len(items)] for index in range(len(items)))


def _shift(before: Sequence[T], after: Sequence[T]) -> int | None:
    """How far up the ring everything went, the shortest way; None where not everything did the same."""
    half = len(before) // 2
    for step in range(half + 1):
        for up in (step, -step):
            if rotated(before, up) == tuple(after):
                return up
    return None


def shifts(movement: Movement) -> dict[int, tuple[int | None, int | None]]:
    """Return after which round how far up those who move went, and the boards; empty without lines.

    Rounds before a table was added tell nothing of how all tables go on.
    """
    found: dict[int, tuple[int | None, int | None]] = {}
    other = None
    for round in range(movement.rounds, 0, -1):
        one = lines(movement, round)
        if one is None:
            break
        if other is not None:
            found[round] = (_shift(*_in_both(one, other)), _shift(one.sets, other.sets))
        other = one
    return dict(sorted(found.items()))


def _in_both(one: Lines, other: Lines) -> tuple[tuple[Side, ...], tuple[Side, ...]]:
    """Who sits E-W in two rounds, without those who leave or come in between: they take nobody along."""
    there = {*one.ns, *one.ew} & {*other.ns, *other.ew}
    before, after = (
        tuple(side if side in there else None for side in line) for line in (one.ew, other.ew)
    )
    return before, after


def usual_steps(movement: Movement) -> Steps | None:
    """Return what happens after most rounds; None in a movement that is not of this kind."""
    found = shifts(movement)
    if not found:
        return None
    ups = Counter(up for up, _ in found.values() if up)
    boards = Counter(down for _, down in found.values() if down)
    if not ups or not boards or ups.total() < len(found) or boards.total() < len(found) - 1:
        return None
    return Steps(ups.most_common(1)[0][0], boards.most_common(1)[0][0])


def moves_as_one(movement: Movement) -> bool:
    """Whether all who move go the same way round the tables: only such a line can skip one."""
    return usual_steps(movement) is not None


def one_more(up: int) -> int:
    """Return how far those who move go where they skip a table."""
    return up + (1 if up > 0 else -1)


# ── the skip ──


def moved_skips(movement: Movement, fixed: int, change: SkipIsMoved) -> Iterator[Proposal]:
    """Yield the evening with its skip after another round, taken out, or put in, wherever lawful."""
    steps, found = usual_steps(movement), shifts(movement)
    if steps is None:
        return
    now = sorted(after for after, (up, _) in found.items() if up != steps.up)
    if sum(after >= fixed for after in now) > 1:
        return
    last = max(fixed, 1)
    if last not in found:
        return
    later = next((after for after in now if after >= last), 0)
    for skip in (*range(last, movement.rounds), 0):
        if skip == later:
            continue
        seatings = [s for s in movement.seatings if s.round <= last]
        # from where those who play in the next round would have come: somebody may have left, or joined
        following, up = lines(movement, last + 1), found[last][0]
        assert following is not None
        assert up is not None
        ew = rotated(following.ew, -up)
        for round in range(last + 1, movement.rounds + 1):
            ew = rotated(ew, one_more(steps.up) if round - 1 == skip else steps.up)
            plan = lines(movement, round)
            assert plan is not None
            seatings += replace(plan, ew=ew).seatings(round)
        proposal = lawful(
            Proposal(
                kind="skip" if skip else "no-skip",
                before=movement,
                movement=replace(movement, seatings=tuple(seatings)),
                from_round=min(n for n in (skip, later) if n) + 1,
                numbers=same_numbers(movement),
                facts={"after": skip, "was": later},
            )
        )
        if proposal:
            yield proposal


# ── going on ──


def history(
    seatings: Sequence[Seating],
) -> tuple[set[tuple[Side, Side]], set[tuple[Side, str]]]:
    """Return who has met whom (both ways round), and who has played which set."""
    met, played = set(), set()
    for s in seatings:
        if s.is_played:
            met |= {(s.ns, s.ew), (s.ew, s.ns)}
            played |= {(side, name) for side in (s.ns, s.ew) for name in s.sets}
    return met, played


@dataclass(frozen=True, slots=True)
class GoneOn:
    """Rounds made by moving on from one; `last` is the last that could be played."""

    seatings: tuple[Seating, ...]
    last: int


def gone_on(
    current: Lines,
    fixed: int,
    rounds: int,
    skip: int,
    steps: Steps,
    done: tuple[set[tuple[Side, Side]], set[tuple[Side, str]]],
) -> GoneOn:
    """Move on from round `fixed` to the last, until two would meet again or a set come again.

    `done` says who has met, and who has played which set, up to then.
    """
    met, played = (set(before) for before in done)
    seatings: list[Seating] = []
    for round in range(fixed + 1, rounds + 1):
        up = one_more(steps.up) if round - 1 == skip else steps.up
        current = Lines(current.ns, rotated(current.ew, up), rotated(current.sets, steps.boards))
        for seating in current.seatings(round):
            if seating.is_played:
                couple = (seating.ns, seating.ew)
                plays = {(side, name) for side in couple for name in seating.sets}
                if couple in met or not plays.isdisjoint(played):
                    return GoneOn((), round - 1)
                met.add(couple)
                played |= plays
            seatings.append(seating)
    return GoneOn(tuple(seatings), rounds)


# ── more rounds ──


def _still_away(movement: Movement, rounds: int) -> tuple[Exemption, ...]:
    """Who has left by the last round is not there in those that are added either."""
    added = range(movement.rounds + 1, rounds + 1)
    return tuple(
        away
        for contestant in sorted(movement.absent(movement.rounds))
        for away in absence(contestant, added, "left")
    )


def played_on(movement: Movement, fixed: int, change: LengthChanges) -> Iterator[Proposal]:
    """Yield the evening with more rounds, going on as it does, with a skip where one is needed."""
    steps = usual_steps(movement)
    last = lines(movement, movement.rounds)
    if steps is None or last is None:
        return
    done = history(movement.seatings)
    for skip in (0, *range(movement.rounds, change.rounds)):
        added = gone_on(last, movement.rounds, change.rounds, skip, steps, done)
        if added.last < change.rounds:
            continue
        longer = replace(
            movement,
            rounds=change.rounds,
            seatings=movement.seatings + added.seatings,
            exemptions=movement.exemptions + _still_away(movement, change.rounds),
        )
        proposal = lawful(
            Proposal(
                kind="longer",
                before=movement,
                movement=longer,
                from_round=movement.rounds + 1,
                numbers=same_numbers(movement),
                facts={"rounds": change.rounds, "skip": skip},
            )
        )
        if proposal:
            yield proposal
            return
