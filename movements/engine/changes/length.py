"""The session ends earlier or later than planned, or rounds get fewer boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from movements.engine.declarations import Exemption

from .. import catalogue
from ..errors import MovementError
from ..model import Movement, Seating
from ..options import curtailed_movement
from .absences import declare_without_play
from .change import FewerBoards, LengthChanges
from .lines import longer_sessions
from .proposal import Proposal, identity_numbers, lawful_proposal, sets_together

#: fields declared for each round by itself, for any number of rounds
ROUND_BY_ROUND = ("present", "tables", "copies", "draw", "structure")


def length_proposals(
    movement: Movement, fixed_rounds: int, change: LengthChanges
) -> Iterator[Proposal]:
    """Yield proposals with another number of rounds: fewer, or more by the same moves."""
    if max(fixed_rounds, 1) <= change.rounds < movement.rounds:
        shorter = replace(curtailed_movement(movement, change.rounds), sets=movement.sets)
        shorter = replace(shorter, exemptions=exemptions_until(movement, change.rounds))
        proposal = lawful_proposal(
            Proposal(
                kind="shorter",
                before=movement,
                movement=declare_without_play(shorter, "the session was shortened"),
                from_round=change.rounds + 1,
                numbers=identity_numbers(movement),
                facts={"rounds": change.rounds},
            )
        )
        if proposal:
            yield proposal
    elif change.rounds > movement.rounds:
        longer = _longer_catalogue_movement(movement, change.rounds)
        if longer:
            yield longer
        else:
            yield from longer_sessions(movement, fixed_rounds, change)


def exemptions_until(movement: Movement, rounds: int) -> tuple[Exemption, ...]:
    """Return the exemptions of a session shortened to `rounds` rounds."""
    exemptions = []
    for item in movement.exemptions:
        left = tuple(round for round in item.rounds if round <= rounds)
        if left == item.rounds or (left and item.law in ROUND_BY_ROUND):
            exemptions.append(replace(item, rounds=left))
    return tuple(exemptions)


def _longer_catalogue_movement(movement: Movement, rounds: int) -> Proposal | None:
    """Return the family's own longer movement if it begins like the planned one; otherwise None."""
    try:
        longer = catalogue.build_movement(movement.family, movement.tables, rounds)
    except MovementError:
        return None
    if longer.fields != movement.fields:
        return None
    if (
        tuple(seating for seating in longer.seatings if seating.round <= movement.rounds)
        != movement.seatings
    ):
        return None
    return lawful_proposal(
        Proposal(
            kind="longer",
            before=movement,
            movement=longer,
            from_round=movement.rounds + 1,
            numbers=identity_numbers(movement),
            facts={"rounds": rounds},
        )
    )


def fewer_boards(
    movement: Movement, fixed_rounds: int, change: FewerBoards, sizes: Mapping[str, int]
) -> Iterator[Proposal]:
    """Yield the proposal without the last boards of every set from the next round on.

    Every set still to be played is divided into the boards played and those left out. A set that is small enough
    stays whole.
    """
    if not 0 < change.boards < change.of:
        return
    shares = _played_shares(movement, fixed_rounds, change, sizes)
    names = {name: _names_of_halves(name) for name in movement.sets if 0 < shares.get(name, 1) < 1}
    if all(share == 1 for share in shares.values()):
        return

    def all_parts(sets: tuple[str, ...]) -> tuple[str, ...]:
        """Return these sets with both parts."""
        return tuple(part for name in sets for part in names.get(name, (name,)))

    def remaining_parts(sets: tuple[str, ...], round: int) -> tuple[str, ...]:
        """Return the parts of these sets that are still played."""
        if round <= fixed_rounds:
            return all_parts(sets)
        remaining = (name for name in sets if shares.get(name, 1) > 0)
        return tuple(names[name][0] if name in names else name for name in remaining)

    seatings = (
        replace(seating, sets=remaining_parts(seating.sets, seating.round))
        for seating in movement.seatings
    )
    stands = (
        replace(stand, sets=remaining_parts(stand.sets, stand.round)) for stand in movement.stands
    )
    proposal = lawful_proposal(
        Proposal(
            kind="fewer-boards",
            before=movement,
            movement=replace(
                movement,
                sets=all_parts(movement.sets),
                seatings=tuple(seating for seating in seatings if seating.sets),
                stands=tuple(stand for stand in stands if stand.sets),
                shared=tuple(replace(s, sets=all_parts(s.sets)) for s in movement.shared),
            ),
            from_round=fixed_rounds + 1,
            numbers=identity_numbers(movement),
            parts={
                part: (name, low, high)
                for name, both in names.items()
                for part, low, high in zip(
                    both, (Fraction(0), shares[name]), (shares[name], Fraction(1)), strict=True
                )
            },
            facts={"boards": change.boards},
        )
    )
    if proposal:
        yield proposal


def _played_shares(
    movement: Movement, fixed_rounds: int, change: FewerBoards, sizes: Mapping[str, int]
) -> dict[str, Fraction]:
    """Return which share of every coming set is played; empty if some table cannot play so few.

    Usually these are the first boards of a round. If that would leave out a contestant that plays a part of it, they
    are some of each part.
    """
    names = {
        name
        for seating in movement.seatings
        if seating.round > fixed_rounds
        for name in seating.sets
    }
    if not sizes:
        return dict.fromkeys(names, Fraction(change.boards, change.of))
    groups = sets_together(movement, fixed_rounds + 1)
    in_order = [sorted(group, key=movement.sets.index) for group in groups]
    plans = (
        [_first_boards({name: sizes[name] for name in group}, change.boards) for group in in_order],
        [
            _reduced_set_sizes({name: sizes[name] for name in group}, change.boards)
            for group in groups
        ],
    )
    for plan in plans:
        counts = {name: boards for group in plan for name, boards in group.items()}
        if names <= counts.keys() and _is_enough_everywhere(
            movement, fixed_rounds, change, sizes, counts
        ):
            return {name: Fraction(counts[name], sizes[name]) for name in names}
    return {}


def _is_enough_everywhere(
    movement: Movement,
    fixed_rounds: int,
    change: FewerBoards,
    sizes: Mapping[str, int],
    boards_by_set: Mapping[str, int],
) -> bool:
    """Return whether every coming table would still play enough boards."""
    for round, table in {
        (seating.round, seating.table)
        for seating in movement.seatings
        if seating.round > fixed_rounds
    }:
        games = movement.seatings_at_table(round, table)
        names = dict.fromkeys(name for game in games for name in game.sets)
        wanted = min(change.boards, sum(sizes[name] for name in names))
        going_on = [game for game in games if any(boards_by_set[name] for name in game.sets)]
        if sum(boards_by_set[name] for name in names) != wanted or _contestants_of_games(
            going_on
        ) != _contestants_of_games(games):
            return False
    return True


def _contestants_of_games(games: Iterable[Seating]) -> set[int]:
    """Return the contestants that play in these seatings."""
    return {number for game in games for number in game.contestants}


def _first_boards(sizes: Mapping[str, int], boards: int) -> dict[str, int]:
    """Return how many boards of each set are played, if a table plays `boards` of them in order."""
    boards_of_set = {}
    for name, size in sizes.items():
        boards_of_set[name] = min(size, boards)
        boards -= boards_of_set[name]
    return boards_of_set


def _reduced_set_sizes(sizes: Mapping[str, int], boards: int) -> dict[str, int]:
    """Return how many boards each set keeps if every set must keep some: the largest are reduced."""
    counts = dict(sizes)
    while sum(counts.values()) > boards and max(counts.values()) > 1:
        largest = max(counts.values())
        counts[[name for name, size in counts.items() if size == largest][-1]] -= 1
    return counts


def _names_of_halves(name: str) -> tuple[str, str]:
    """Return the names of the two halves into which a board set is divided."""
    return (f"{name}.1", f"{name}.2") if name[-1:].isdigit() else (f"{name}1", f"{name}2")
