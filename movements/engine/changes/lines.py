"""Movements with one moving line: the seats of a round, and the step to the next.

In a Mitchell and related movements all contestants of one line move the same number of tables up after a round.
Boards move the same number down. That is enough to move a skip, or to continue with one more table or after the last
round, whatever happened before. The laws check whether it is allowed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from movements.engine.declarations import Exemption

from ..model import Movement, Seating, Side
from .absences import declare_absence
from .change import LengthChanges, SkipIsMoved
from .proposal import Proposal, identity_numbers, lawful_proposal

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RoundLines:
    """A round as rows by table: who sits N-S, who sits E-W, and the board sets."""

    ns: tuple[Side, ...]
    ew: tuple[Side, ...]
    sets: tuple[tuple[str, ...], ...]

    def seatings(self, round: int) -> Iterator[Seating]:
        """Yield the seatings of a round."""
        for index, sides in enumerate(zip(self.ns, self.ew, self.sets, strict=True)):
            yield Seating(round, index + 1, *sides)


@dataclass(frozen=True, slots=True)
class LineSteps:
    """The usual moves after a round: by how many tables the moving direction and the boards go up."""

    up: int
    boards: int


def round_lines(movement: Movement, round: int) -> RoundLines | None:
    """Return a round as rows by table; None if a table is missing, or plays in parts."""
    at = [movement.seatings_at_table(round, table) for table in range(1, movement.tables + 1)]
    if not movement.contest.fills_a_side or any(len(seatings) != 1 for seatings in at):
        return None
    seatings = [seatings[0] for seatings in at]
    return RoundLines(
        tuple(seating.ns for seating in seatings),
        tuple(seating.ew for seating in seatings),
        tuple(seating.sets for seating in seatings),
    )


def rotated_items(items: Sequence[T], up: int) -> tuple[T, ...]:
    """Return the items moved up a circle by `up` places, so that the last ones come first.

    >>> rotated_items("ABCD", 1)
    ('D', 'A', 'B', 'C')
    """
    return tuple(items[(index - up) % len(items)] for index in range(len(items)))


def _common_shift(old_items: Sequence[T], new_items: Sequence[T]) -> int | None:
    """Return by how many places in the circle all items moved; None if they did not move alike."""
    half = len(old_items) // 2
    for step in range(half + 1):
        for up in (step, -step):
            if rotated_items(old_items, up) == tuple(new_items):
                return up
    return None


def line_shifts(movement: Movement) -> dict[int, tuple[int | None, int | None]]:
    """Return the moves of moving contestants and of boards after each round; empty if they follow no rule.

    Rounds before a table was added are left out, because they do not describe all tables.
    """
    by_round: dict[int, tuple[int | None, int | None]] = {}
    before = None
    for round in range(movement.rounds, 0, -1):
        now = round_lines(movement, round)
        if now is None:
            break
        if before is not None:
            by_round[round] = (
                _common_shift(*_shared_sides(now, before)),
                _common_shift(now.sets, before.sets),
            )
        before = now
    return dict(sorted(by_round.items()))


def _shared_sides(
    first: RoundLines, second: RoundLines
) -> tuple[tuple[Side, ...], tuple[Side, ...]]:
    """Return the E-W sides of two rounds, without contestants present in only one of them."""
    there = {*first.ns, *first.ew} & {*second.ns, *second.ew}
    before, after = (
        tuple(side if side in there else None for side in line) for line in (first.ew, second.ew)
    )
    return before, after


def usual_steps(movement: Movement) -> LineSteps | None:
    """Return the moves after most rounds; None if the movement follows no such rule."""
    by_round = line_shifts(movement)
    if not by_round:
        return None
    ups = Counter(up for up, _ in by_round.values() if up)
    boards = Counter(down for _, down in by_round.values() if down)
    if not ups or not boards or ups.total() < len(by_round) or boards.total() < len(by_round) - 1:
        return None
    return LineSteps(ups.most_common(1)[0][0], boards.most_common(1)[0][0])


def moves_as_one(movement: Movement) -> bool:
    """Return whether all moving contestants move by the same number of tables, so that they can skip together."""
    return usual_steps(movement) is not None


def shift_with_skip(up: int) -> int:
    """Return by how many tables the moving direction goes up when it skips a table."""
    return up + (1 if up > 0 else -1)


# ── the skip ──


def moved_skips(movement: Movement, fixed_rounds: int, change: SkipIsMoved) -> Iterator[Proposal]:
    """Yield lawful proposals with the skip after another round, removed or added."""
    steps, by_round = usual_steps(movement), line_shifts(movement)
    if steps is None:
        return
    now = sorted(after for after, (up, _) in by_round.items() if up != steps.up)
    if sum(after >= fixed_rounds for after in now) > 1:
        return
    last = max(fixed_rounds, 1)
    if last not in by_round:
        return
    later = next((after for after in now if after >= last), 0)
    for skip in (*range(last, movement.rounds), 0):
        if skip == later:
            continue
        seatings = [seating for seating in movement.seatings if seating.round <= last]
        # origin of the contestants of the next round, as some may have left or joined
        following, up = round_lines(movement, last + 1), by_round[last][0]
        assert following is not None
        assert up is not None
        ew = rotated_items(following.ew, -up)
        for round in range(last + 1, movement.rounds + 1):
            ew = rotated_items(ew, shift_with_skip(steps.up) if round - 1 == skip else steps.up)
            plan = round_lines(movement, round)
            assert plan is not None
            seatings += replace(plan, ew=ew).seatings(round)
        proposal = lawful_proposal(
            Proposal(
                kind="skip" if skip else "no-skip",
                before=movement,
                movement=replace(movement, seatings=tuple(seatings)),
                from_round=min(n for n in (skip, later) if n) + 1,
                numbers=identity_numbers(movement),
                facts={"after": skip, "was": later},
            )
        )
        if proposal:
            yield proposal


# ── going on ──


def meeting_history(
    seatings: Sequence[Seating],
) -> tuple[set[tuple[Side, Side]], set[tuple[Side, str]]]:
    """Return who met whom in these seatings, and which sets each side has played."""
    met, played = set(), set()
    for seating in seatings:
        if seating.is_played:
            met |= {(seating.ns, seating.ew), (seating.ew, seating.ns)}
            played |= {(side, name) for side in (seating.ns, seating.ew) for name in seating.sets}
    return met, played


@dataclass(frozen=True, slots=True)
class ContinuedRounds:
    """Rounds that continue from a given one by the same moves; `last` is the last lawful round."""

    seatings: tuple[Seating, ...]
    last: int


def continue_rounds(
    current: RoundLines,
    fixed_rounds: int,
    rounds: int,
    skip: int,
    steps: LineSteps,
    history: tuple[set[tuple[Side, Side]], set[tuple[Side, str]]],
) -> ContinuedRounds:
    """Return the rounds after `fixed_rounds` by the same moves, until a meeting or a set would repeat.

    `history` gives the meetings, and the sets of each side, up to then.
    """
    met, played = (set(before) for before in history)
    seatings: list[Seating] = []
    for round in range(fixed_rounds + 1, rounds + 1):
        up = shift_with_skip(steps.up) if round - 1 == skip else steps.up
        current = RoundLines(
            current.ns, rotated_items(current.ew, up), rotated_items(current.sets, steps.boards)
        )
        for seating in current.seatings(round):
            if seating.is_played:
                couple = (seating.ns, seating.ew)
                plays = {(side, name) for side in couple for name in seating.sets}
                if couple in met or not plays.isdisjoint(played):
                    return ContinuedRounds((), round - 1)
                met.add(couple)
                played |= plays
            seatings.append(seating)
    return ContinuedRounds(tuple(seatings), rounds)


# ── more rounds ──


def _still_away(movement: Movement, rounds: int) -> tuple[Exemption, ...]:
    """Return the exemptions for contestants that have left, extended to the added rounds."""
    added = range(movement.rounds + 1, rounds + 1)
    return tuple(
        away
        for contestant in sorted(movement.absent(movement.rounds))
        for away in declare_absence(contestant, added, "left")
    )


def longer_sessions(
    movement: Movement, fixed_rounds: int, change: LengthChanges
) -> Iterator[Proposal]:
    """Yield proposals with more rounds by the same moves, with a skip if needed."""
    steps = usual_steps(movement)
    last = round_lines(movement, movement.rounds)
    if steps is None or last is None:
        return
    done = meeting_history(movement.seatings)
    for skip in (0, *range(movement.rounds, change.rounds)):
        added = continue_rounds(last, movement.rounds, change.rounds, skip, steps, done)
        if added.last < change.rounds:
            continue
        longer = replace(
            movement,
            rounds=change.rounds,
            seatings=movement.seatings + added.seatings,
            exemptions=movement.exemptions + _still_away(movement, change.rounds),
        )
        proposal = lawful_proposal(
            Proposal(
                kind="longer",
                before=movement,
                movement=longer,
                from_round=movement.rounds + 1,
                numbers=identity_numbers(movement),
                facts={"rounds": change.rounds, "skip": skip},
            )
        )
        if proposal:
            yield proposal
            return
