"""Mistakes: recorded as they happened, with the remaining rounds repaired.

A past round stays as it was played, not as it was planned. If the remaining session would break a law, two pairs
exchange places in some rounds. Or a table plays without boards that a contestant there has had, or is left out if
nothing else helps.

Single players meet more than once anyway: they continue as planned, and may meet once more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, groupby

from movements.engine import laws
from movements.engine.board_copies.borrowed_sets import borrowed_set
from movements.engine.declarations import Exemption
from movements.engine.model import Movement, Seating

from ..absences import declare_without_play
from ..change import (
    ArrowsTurn,
    BoardSpan,
    LineSatElsewhere,
    Mistake,
    PlayedOtherBoards,
    PlayedTheOtherWay,
    SatInEachOthersPlace,
    TookOtherBoards,
    amended_rounds,
)
from ..proposal import Kind, Proposal, identity_numbers, lawful_proposal
from .pieces import DividedSets, divided_sets
from .repair import (
    MISTAKE,
    correct_stands,
    individual_rounds_as_planned,
    line_continuations,
    line_up,
    remove_repeats,
    repaired_rounds,
    sessions_with_exchange,
    swapped_seating,
)


def turned_arrows(movement: Movement, fixed_rounds: int, change: ArrowsTurn) -> Iterator[Proposal]:
    """Yield the proposal with coming rounds arrow-switched; only with one winner."""
    rounds = [round for round in change.rounds if round > fixed_rounds and round <= movement.rounds]
    if not rounds or not movement.is_one_winner:
        return

    def turned_seating(seating: Seating) -> Seating:
        """Return a seating arrow-switched if the change means it."""
        is_meant = seating.round in rounds
        here = not change.tables or seating.table in change.tables
        return seating.turned() if is_meant and here else seating

    proposal = lawful_proposal(
        Proposal(
            kind="arrow-switch",
            before=movement,
            movement=replace(
                movement, seatings=tuple(turned_seating(s) for s in movement.seatings)
            ),
            from_round=min(rounds),
            numbers=identity_numbers(movement),
            facts={"round": min(rounds), "table": change.tables[0] if change.tables else 0},
        )
    )
    if proposal:
        yield proposal


def continuations_after_mistake(
    movement: Movement, fixed_rounds: int, change: Mistake
) -> Iterator[Proposal]:
    """Yield proposals to continue after a mistake at the tables, which is recorded as it happened.

    The rest stays as planned if that is lawful; otherwise it is repaired. If no repair is lawful, it stays as
    planned, and the broken laws are declared. A contestant that plays in no round any more is declared, too.
    """
    as_it_is = recorded_mistake(movement, fixed_rounds, change)
    if as_it_is is None:
        return
    as_played = _lawful_proposal("as-played", movement, as_it_is, change)
    if as_played:
        yield as_played
        return
    repairs: list[Proposal] = []
    for rest, facts in _remaining_rounds(as_it_is, fixed_rounds, change):
        kind: Kind = "as-played" if rest.seatings == as_it_is.seatings else "repaired"
        proposal = _lawful_proposal(kind, movement, rest, change, facts, is_declared=True)
        if proposal and not any(_is_equal_or_worse(proposal, other) for other in repairs):
            repairs.append(proposal)
    yield from repairs
    if not repairs:
        broken = _exempt_all_rounds(correct_stands(as_it_is))
        proposal = _lawful_proposal("as-planned", movement, broken, change, is_declared=True)
        if proposal:
            yield proposal


def _is_equal_or_worse(way: Proposal, other_proposal: Proposal) -> bool:
    """Return whether a proposal equals another, or leaves tables unplayed that the other plays."""
    if way.movement.seatings == other_proposal.movement.seatings:
        return True
    empty, played = (len(proposal.consequences.sit_outs) for proposal in (way, other_proposal))
    return "empty" in way.facts and empty >= played


def _remaining_rounds(
    as_it_is: Movement, fixed_rounds: int, change: Mistake
) -> Iterator[tuple[Movement, dict[str, int]]]:
    """Yield movements for the rounds after a mistake, each with the values that its description needs."""
    if as_it_is.contest.plays_alone:
        yield individual_rounds_as_planned(as_it_is, fixed_rounds), {}
        return
    if isinstance(change, LineSatElsewhere):
        yield from line_continuations(as_it_is, fixed_rounds, change.line)
    else:
        rest = repaired_rounds(
            as_it_is,
            fixed_rounds,
            _affected_contestants(as_it_is, change),
            with_boards=isinstance(change, TookOtherBoards),
        )
        if rest:
            yield rest, {}
    if isinstance(change, SatInEachOthersPlace):
        yield from sessions_with_exchange(as_it_is, fixed_rounds, change.one, change.other)
    yield remove_repeats(as_it_is, fixed_rounds), {"empty": 1}


def recorded_mistake(movement: Movement, fixed_rounds: int, change: Mistake) -> Movement | None:
    """Return the movement with a mistake recorded in a played round, and exemptions from the laws it broke.

    The coming rounds are as planned, lawful or not. Returns None if the mistake is impossible.
    """
    if not 1 <= change.round <= fixed_rounds or movement.contest.has_halves:
        return None
    happened = _movement_as_happened(movement, fixed_rounds, change)
    amended = amended_rounds(change, fixed_rounds)
    return None if happened is None else _exempt_fixed_rounds(happened, amended, fixed_rounds)


def divided_parts(
    movement: Movement, change: Mistake | None
) -> dict[str, tuple[str, Fraction, Fraction]]:
    """Return the parts into which a recorded mistake divides board sets, as a `Proposal` holds them."""
    cut = None
    if isinstance(change, TookOtherBoards):
        cut = _divide_sets(movement, change)
    elif isinstance(change, PlayedTheOtherWay):
        cut = divided_sets(movement, _matching_parts(movement, change))
    return dict(cut.parts) if cut else {}


def _divide_sets(movement: Movement, change: TookOtherBoards) -> DividedSets | None:
    """Return the movement with board sets divided where the mistake needs it; None if that is impossible."""
    names = dict.fromkeys(piece.name for piece in change.boards)
    come = tuple(name for name in names if borrowed_set(name) and name not in movement.sets)
    movement = replace(movement, sets=movement.sets + come)
    return divided_sets(movement, (*change.boards, *change.instead))


def _lawful_proposal(
    kind: Kind,
    old_movement: Movement,
    new_movement: Movement,
    change: Mistake,
    facts: Mapping[str, int] | None = None,
    *,
    is_declared: bool = False,
) -> Proposal | None:
    """Return the proposal after a mistake if it is lawful; otherwise None."""
    return lawful_proposal(
        Proposal(
            kind=kind,
            before=old_movement,
            movement=declare_without_play(new_movement, MISTAKE) if is_declared else new_movement,
            from_round=change.round,
            numbers=identity_numbers(old_movement),
            parts=divided_parts(old_movement, change),
            facts=facts or {},
        )
    )


def _movement_as_happened(
    movement: Movement, fixed_rounds: int, change: Mistake
) -> Movement | None:
    """Return the movement with rounds as they were played by mistake; None if that is impossible."""
    if isinstance(change, LineSatElsewhere):
        return _line_moved(movement, fixed_rounds, change)
    if isinstance(change, SatInEachOthersPlace):
        return _exchange_contestants(movement, change.round, change.one, change.other)
    if isinstance(change, PlayedTheOtherWay):
        return _turn_table(movement, change)
    if isinstance(change, TookOtherBoards):
        return _change_boards(movement, change)
    return _exchange_boards(movement, change)


def _line_moved(movement: Movement, fixed_rounds: int, change: LineSatElsewhere) -> Movement | None:
    """Return the movement with a direction `up` tables away in these rounds; None if a round has several parts."""
    moved = list(movement.seatings)
    for round in amended_rounds(change, fixed_rounds):
        at = [movement.seatings_at_table(round, table) for table in range(1, movement.tables + 1)]
        if any(len(here) != 1 for here in at):
            return None
        seatings = line_up(tuple(here[0] for here in at), change.line, change.up)
        moved = [s for s in moved if s.round != round] + list(seatings)
    moved.sort(key=lambda s: (s.round, s.table))
    edited = replace(movement, seatings=tuple(moved))
    return edited if {*edited.seatings} != {*movement.seatings} else None


def _turn_table(movement: Movement, change: PlayedTheOtherWay) -> Movement | None:
    """Return the movement with a table that sat the other way in a round, for all or some boards.

    Returns None for a table at which no boards were played: a pair that sits out alone turns nothing.
    """
    if not any(s.is_played for s in movement.seatings_at_table(change.round, change.table)):
        return None
    if not change.boards:
        return _edit_round(
            movement, change.round, lambda s: s.turned() if s.table == change.table else s
        )
    cut = divided_sets(movement, _matching_parts(movement, change))
    if cut is None:
        return None
    names = set(cut.names(change.boards))
    here = cut.movement.seatings_at_table(change.round, change.table)
    if not names <= {name for seating in here for name in seating.sets}:
        return None
    whole = next((s.sets for s in here if names.intersection(s.sets)), ())
    # number of sets that stay together: a round in parts has its other parts divided alike
    lengths = [len(list(group)) for _, group in groupby(whole, key=names.__contains__)]
    seatings = [
        part
        for seating in cut.movement.seatings
        for part in (
            _seating_in_parts(seating, names, lengths)
            if (seating.round, seating.table) == (change.round, change.table)
            else (seating,)
        )
    ]
    return replace(cut.movement, seatings=tuple(seatings))


def _matching_parts(movement: Movement, change: PlayedTheOtherWay) -> tuple[BoardSpan, ...]:
    """Return the boards played in the wrong directions, named for every part of the table's round."""
    parts = movement.seatings_at_table(change.round, change.table)
    others = (name for seating in parts for name in seating.sets if len(parts) > 1)
    return (*change.boards, *(replace(p, name=name) for name in others for p in change.boards))


def _seating_in_parts(
    seating: Seating, names: set[str], lengths: Sequence[int]
) -> Iterator[Seating]:
    """Yield a table's seating divided into parts; those with one of the named boards are arrow-switched."""
    place = 0
    for length in lengths if sum(lengths) == len(seating.sets) else [len(seating.sets)]:
        together = seating.sets[place : place + length]
        part = replace(seating, sets=together)
        yield part.turned() if names.intersection(together) else part
        place += length


def _change_boards(movement: Movement, change: TookOtherBoards) -> Movement | None:
    """Return the movement with other boards played at a table in a round."""
    cut = _divide_sets(movement, change)
    if cut is None or not change.boards:
        return None
    here = [
        name for s in cut.movement.seatings_at_table(change.round, change.table) for name in s.sets
    ]
    had, left = cut.names(change.boards), cut.names(change.instead) or here
    unchanged = {*here} - {*left}
    if (
        len(had) != len(left)
        or not {*left} <= {*here}
        or unchanged & {*had}
        or len({*had}) < len(had)
    ):
        return None
    coming = dict(zip(left, had, strict=True))

    def seating_with_other_boards(seating: Seating) -> Seating:
        """Return the seating of the table with the boards that it took."""
        if seating.table != change.table:
            return seating
        return replace(seating, sets=tuple(coming.get(name, name) for name in seating.sets))

    edited = _edit_round(cut.movement, change.round, seating_with_other_boards)
    return correct_stands(edited) if edited else None


def _exchange_boards(movement: Movement, change: PlayedOtherBoards) -> Movement | None:
    """Return the movement with the boards of two tables exchanged in a round."""
    tables = (change.table, change.other_table)
    here, there = (
        [name for s in movement.seatings_at_table(change.round, table) for name in s.sets]
        for table in tables
    )
    if not here or not there or change.table == change.other_table:
        return None
    if len(here) != len(there):
        return _exchange_all_boards(movement, change, here, there)
    coming = {change.table: iter(there), change.other_table: iter(here)}

    def seating_with_exchanged_boards(seating: Seating) -> Seating:
        """Return a seating with the boards of the other table."""
        if seating.table not in tables:
            return seating
        return replace(seating, sets=tuple(next(coming[seating.table]) for _ in seating.sets))

    return _edit_round(movement, change.round, seating_with_exchanged_boards)


def _exchange_all_boards(
    movement: Movement, change: PlayedOtherBoards, table_sets: list[str], other_sets: list[str]
) -> Movement | None:
    """Return the movement with all boards of two tables exchanged, if each plays them in one part."""
    came = {change.table: tuple(other_sets), change.other_table: tuple(table_sets)}
    if any(len(movement.seatings_at_table(change.round, table)) != 1 for table in came):
        return None
    return _edit_round(
        movement, change.round, lambda s: replace(s, sets=came[s.table]) if s.table in came else s
    )


def _edit_round(
    movement: Movement, round: int, edit: Callable[[Seating], Seating]
) -> Movement | None:
    """Return the movement with a round's seatings changed by `edit`; None if nothing changes."""
    edited = replace(
        movement,
        seatings=tuple(
            edit(seating) if seating.round == round else seating for seating in movement.seatings
        ),
    )
    return edited if edited.seatings != movement.seatings else None


def _exchange_contestants(
    movement: Movement, round: int, first: int, second: int
) -> Movement | None:
    """Return the movement with two contestants exchanged in a round; None if that is impossible."""
    there = movement.absent(round)
    if first == second or first in there or second in there:
        return None
    sides = [side for s in movement.in_round(round) for side in (s.ns, s.ew)]
    if any(isinstance(side, tuple) and {first, second} <= {*side} for side in sides):
        return None  # partners in each other's chairs
    return _edit_round(movement, round, lambda s: swapped_seating(s, first, second))


def _affected_contestants(movement: Movement, change: Mistake) -> tuple[int, ...]:
    """Return the contestants that the mistake concerns."""
    if isinstance(change, SatInEachOthersPlace):
        return (change.one, change.other)
    if isinstance(change, PlayedOtherBoards | TookOtherBoards):
        tables = (change.table, getattr(change, "other_table", change.table))
        seatings = [s for t in tables for s in movement.seatings_at_table(change.round, t)]
        return tuple(dict.fromkeys(n for seating in seatings for n in seating.contestants))
    return ()


def _exempt_all_rounds(movement: Movement) -> Movement:
    """Return the movement with exemptions for all laws that the mistake breaks, also in coming rounds."""
    return _exempt_fixed_rounds(movement, range(1, movement.rounds + 1), movement.rounds)


def _exempt_fixed_rounds(movement: Movement, amended: range, fixed_rounds: int) -> Movement:
    """Return the movement with exemptions for the laws that the mistake broke in played rounds."""
    met: defaultdict[tuple[int, ...], set[int]] = defaultdict(set)
    played: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for seating in movement.seatings:
        if seating.round <= fixed_rounds and seating.is_played:
            if not movement.contest.plays_alone:
                for couple in combinations(sorted(set(seating.contestants)), 2):
                    met[couple].add(seating.round)
            for contestant in set(seating.contestants):
                for name in seating.sets:
                    played[contestant, name].append(seating.round)
    declared = [
        Exemption("meet-once", len(rounds), MISTAKE, couple, tuple(sorted(rounds)))
        for couple, rounds in met.items()
        if len(rounds) > 1 and not rounds.isdisjoint(amended)
    ]
    again: defaultdict[int, dict[tuple[int, ...], None]] = defaultdict(dict)
    for (contestant, _), rounds in played.items():
        if len(rounds) > 1 and not set(rounds).isdisjoint(amended):
            again[contestant][tuple(sorted(set(rounds)))] = None
    declared += [
        Exemption("board-once", len(rounds), MISTAKE, (contestant,), rounds)
        for contestant, rounds_of_set in again.items()
        for rounds in rounds_of_set
    ]
    crowded = {v.round for v in laws.find_errors(movement) if v.law == "copies"} & set(amended)
    declared += [Exemption("copies", 0, MISTAKE, (), (round,)) for round in sorted(crowded)]
    exempted = set(movement.exemptions)
    return replace(
        movement,
        exemptions=movement.exemptions + tuple(d for d in declared if d not in exempted),
    )
