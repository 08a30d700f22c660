"""What happened instead of what should have: recorded as it was, and the rest repaired.

A round that is over is history, but history as it was played, not as it was planned. When the rest of
the evening would now break a law, the two pairs go where the other was due in some rounds, a table plays
without the boards that somebody there has had, or is left out in a round where nothing else helps.

Single players meet each other more than once as it is: they go on as planned, and may meet once more.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from .. import laws
from ..borrowed import borrowed
from ..declared import Exemption
from ..model import Movement, Seating, Side
from .change import (
    ArrowsTurn,
    Mistake,
    PlayedOtherBoards,
    PlayedTheOtherWay,
    SatInEachOthersPlace,
    TookOtherBoards,
)
from .layouts import Layout, best_layouts
from .pieces import Divided, divided
from .proposal import Kind, Proposal, lawful, same_numbers

EXCHANGED = 1.0
OTHER_BOARDS = 1.5
FEWER_BOARDS = 3.0
LEFT_OUT = 10.0
MISTAKE = "it happened by mistake"


def turned_arrows(movement: Movement, fixed: int, change: ArrowsTurn) -> Iterator[Proposal]:
    """Yield the evening with rounds to come turned; only with one winner (else fields would mix)."""
    rounds = [round for round in change.rounds if round > fixed and round <= movement.rounds]
    if not rounds or not movement.is_one_winner:
        return

    def turn(seating: Seating) -> Seating:
        is_meant = seating.round in rounds
        here = not change.tables or seating.table in change.tables
        return seating.turned() if is_meant and here else seating

    found = lawful(
        Proposal(
            kind="arrow-switch",
            before=movement,
            movement=replace(movement, seatings=tuple(turn(s) for s in movement.seatings)),
            from_round=min(rounds),
            numbers=same_numbers(movement),
            facts={"round": min(rounds), "table": change.tables[0] if change.tables else 0},
        )
    )
    if found:
        yield found


def as_it_was(
    movement: Movement,
    fixed: int,
    change: Mistake,
) -> Iterator[Proposal]:
    """Yield the evening as it was played, with the rest as planned if that is lawful, else repaired."""
    as_it_is = recorded(movement, fixed, change)
    if as_it_is is None:
        return
    as_played = _proposal("as-played", movement, as_it_is, change)
    if as_played:
        yield as_played
        return
    repaired = (
        _gone_on(as_it_is, fixed)
        if movement.contest.plays_alone
        else _repaired(
            as_it_is,
            fixed,
            _who(movement, change),
            with_boards=isinstance(change, TookOtherBoards),
        )
    )
    if repaired:
        kind: Kind = "as-played" if repaired.seatings == as_it_is.seatings else "repaired"
        found = _proposal(kind, movement, repaired, change)
        if found:
            yield found


def recorded(movement: Movement, fixed: int, change: Mistake) -> Movement | None:
    """Return the movement with a mistake in a fixed round as it was, and what it broke declared.

    The rounds to come are as planned, whether that is lawful or not. None when it cannot have happened.
    """
    if not 1 <= change.round <= fixed or movement.contest.has_halves:
        return None
    happened = _happened(movement, change)
    return None if happened is None else _forgiven(happened, change.round, fixed)


def parts_of(
    movement: Movement, change: Mistake | None
) -> dict[str, tuple[str, Fraction, Fraction]]:
    """Return into what sets are divided where a mistake is recorded, as a proposal says it."""
    cut = _cut(movement, change) if isinstance(change, TookOtherBoards) else None
    return dict(cut.parts) if cut else {}


def _cut(movement: Movement, change: TookOtherBoards) -> Divided | None:
    names = dict.fromkeys(piece.name for piece in change.boards)
    come = tuple(name for name in names if borrowed(name) and name not in movement.sets)
    movement = replace(movement, sets=movement.sets + come)
    return divided(movement, (*change.boards, *change.instead))


def _proposal(kind: Kind, before: Movement, after: Movement, change: Mistake) -> Proposal | None:
    return lawful(
        Proposal(
            kind=kind,
            before=before,
            movement=after,
            from_round=change.round,
            numbers=same_numbers(before),
            parts=parts_of(before, change),
        )
    )


def _happened(movement: Movement, change: Mistake) -> Movement | None:
    """The movement with the round as it was; None when that cannot have happened."""
    if isinstance(change, SatInEachOthersPlace):
        return _exchanged(movement, change.round, change.one, change.other)
    if isinstance(change, PlayedTheOtherWay):
        return _edited(
            movement, change.round, lambda s: s.turned() if s.table == change.table else s
        )
    if isinstance(change, TookOtherBoards):
        return _with_other_boards(movement, change)
    return _with_boards_exchanged(movement, change)


def _with_other_boards(movement: Movement, change: TookOtherBoards) -> Movement | None:
    """The movement with boards of a table replaced; what it took waits on no stand, what it left lies aside."""
    cut = _cut(movement, change)
    if cut is None or not change.boards:
        return None
    here = [name for s in cut.movement.at_table(change.round, change.table) for name in s.sets]
    had, left = cut.names(change.boards), cut.names(change.instead) or here
    kept = {*here} - {*left}
    if len(had) != len(left) or not {*left} <= {*here} or kept & {*had} or len({*had}) < len(had):
        return None
    coming = dict(zip(left, had, strict=True))

    def replaced(seating: Seating) -> Seating:
        if seating.table != change.table:
            return seating
        return replace(seating, sets=tuple(coming.get(name, name) for name in seating.sets))

    edited = _edited(cut.movement, change.round, replaced)
    return _with_true_stands(edited) if edited else None


def _with_true_stands(movement: Movement) -> Movement:
    """The movement without sets on stands that are at tables: as many as there are copies are somewhere."""
    stands = []
    for stand in movement.stands:
        played = Counter(
            name for s in movement.in_round(stand.round) if s.is_played for name in {*s.sets}
        )
        waiting = tuple(name for name in stand.sets if played[name] < movement.copies)
        if waiting:
            stands.append(replace(stand, sets=waiting))
    return replace(movement, stands=tuple(stands))


def _with_boards_exchanged(movement: Movement, change: PlayedOtherBoards) -> Movement | None:
    """The movement with the sets of two tables exchanged, part by part where a round is in parts."""
    tables = (change.table, change.other_table)
    here, there = (
        [name for s in movement.at_table(change.round, table) for name in s.sets]
        for table in tables
    )
    if not here or len(here) != len(there) or change.table == change.other_table:
        return None
    coming = {change.table: iter(there), change.other_table: iter(here)}

    def exchanged(seating: Seating) -> Seating:
        if seating.table not in tables:
            return seating
        return replace(seating, sets=tuple(next(coming[seating.table]) for _ in seating.sets))

    return _edited(movement, change.round, exchanged)


def _edited(movement: Movement, round: int, edit: Callable[[Seating], Seating]) -> Movement | None:
    edited = replace(
        movement, seatings=tuple(edit(s) if s.round == round else s for s in movement.seatings)
    )
    return edited if edited.seatings != movement.seatings else None


def _exchanged(movement: Movement, round: int, one: int, other: int) -> Movement | None:
    there = movement.absent(round)
    if one == other or one in there or other in there:
        return None
    sides = [side for s in movement.in_round(round) for side in (s.ns, s.ew)]
    if any(isinstance(side, tuple) and {one, other} <= {*side} for side in sides):
        return None  # partners in each other's chairs
    return _edited(movement, round, lambda s: _swapped(s, one, other))


def _swapped(seating: Seating, one: int, other: int) -> Seating:
    becomes = {one: other, other: one}

    def side(old: Side) -> Side:
        if isinstance(old, tuple):
            return (becomes.get(old[0], old[0]), becomes.get(old[1], old[1]))
        return old if old is None else becomes.get(old, old)

    return replace(seating, ns=side(seating.ns), ew=side(seating.ew))


def _who(movement: Movement, change: Mistake) -> tuple[int, ...]:
    """Those whose evening the mistake has upset."""
    if isinstance(change, SatInEachOthersPlace):
        return (change.one, change.other)
    if isinstance(change, PlayedOtherBoards | TookOtherBoards):
        tables = (change.table, getattr(change, "other_table", change.table))
        seatings = [s for t in tables for s in movement.at_table(change.round, t)]
        return tuple(dict.fromkeys(n for s in seatings for n in s.contestants))
    return ()


def _forgiven(movement: Movement, round: int, fixed: int) -> Movement:
    """Declare what the mistake broke in the rounds that are fixed: it has happened."""
    met: defaultdict[tuple[int, ...], set[int]] = defaultdict(set)
    played: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for seating in movement.seatings:
        if seating.round <= fixed and seating.is_played:
            if not movement.contest.plays_alone:
                for couple in combinations(sorted(set(seating.contestants)), 2):
                    met[couple].add(seating.round)
            for contestant in set(seating.contestants):
                for name in seating.sets:
                    played[contestant, name].append(seating.round)
    declared = [
        Exemption("meet-once", len(rounds), MISTAKE, couple, tuple(sorted(rounds)))
        for couple, rounds in met.items()
        if len(rounds) > 1 and round in rounds
    ]
    again: defaultdict[int, dict[tuple[int, ...], None]] = defaultdict(dict)
    for (contestant, _), rounds in played.items():
        if len(rounds) > 1 and round in rounds:
            again[contestant][tuple(sorted(set(rounds)))] = None
    declared += [
        Exemption("board-once", 2, MISTAKE, (contestant,), rounds)
        for contestant, found in again.items()
        for rounds in found
    ]
    if any(item.law == "copies" and item.round == round for item in laws.errors(movement)):
        declared.append(Exemption("copies", 0, MISTAKE, (), (round,)))
    known = set(movement.exemptions)
    return replace(
        movement,
        exemptions=movement.exemptions + tuple(d for d in declared if d not in known),
    )


def _gone_on(movement: Movement, fixed: int) -> Movement:
    """The rounds to come of single players as planned, without boards that somebody there has had.

    Who meets more often than they were to is declared: that hurts nobody as a board does.
    """
    had = {(n, name) for s in movement.seatings if s.round <= fixed for n, name in _plays(s)}
    seatings = []
    for seating in movement.seatings:
        if seating.round > fixed:
            again = {name for n, name in _plays(seating) if (n, name) in had}
            seating = _without_boards(seating, again)
        had |= {*_plays(seating)}
        seatings.append(seating)
    gone_on = _with_true_stands(replace(movement, seatings=tuple(seatings)))
    often = {v.contestants for v in laws.errors(gone_on) if v.law == "meet-once"}
    rounds = {
        couple: sorted({s.round for s in seatings if s.is_played and {*couple} <= {*s.contestants}})
        for couple in sorted(often)
    }
    declared = tuple(
        Exemption("meet-once", len(where), MISTAKE, couple, tuple(where))
        for couple, where in rounds.items()
    )
    return replace(gone_on, exemptions=gone_on.exemptions + declared)


def _plays(seating: Seating) -> Iterator[tuple[int, str]]:
    """Who plays which set."""
    if seating.is_played:
        for contestant in seating.contestants:
            for name in seating.sets:
                yield contestant, name


def _without_boards(seating: Seating, names: Collection[str]) -> Seating:
    """A table without some of its sets; where none is left nobody plays there."""
    kept = tuple(name for name in seating.sets if name not in names)
    if len(kept) == len(seating.sets):
        return seating
    return replace(seating, sets=kept) if kept else replace(seating, ew=None)


def _repaired(
    movement: Movement, fixed: int, upset: tuple[int, ...], *, with_boards: bool = False
) -> Movement | None:
    """Choose for every round to come: as planned, two of those upset exchanged, or a table left out.

    Or their table `with_boards` that lie somewhere, without those it has had, or exchanging with another.
    """
    history = tuple(s for s in movement.seatings if s.round <= fixed)
    rounds = range(fixed + 1, movement.rounds + 1)
    chosen = best_layouts(
        history,
        [_layouts(movement, fixed, round, upset, with_boards=with_boards) for round in rounds],
    )
    if chosen is None:
        return None
    future = tuple(s for layout in chosen for s in layout.seatings)
    repaired = replace(movement, seatings=history + future)
    return _with_true_stands(repaired) if with_boards else repaired


def _layouts(
    movement: Movement, fixed: int, round: int, upset: tuple[int, ...], *, with_boards: bool = False
) -> list[Layout]:
    """A round as planned, with two of those upset exchanged, or with tables left out."""
    planned = movement.in_round(round)
    layouts = [Layout(planned)]
    for one, other in combinations([n for n in upset if n not in movement.absent(round)], 2):
        if movement.field_of(one) != movement.field_of(other):
            continue  # with two winners nobody meets their own field
        exchanged = tuple(_swapped(s, one, other) for s in planned)
        if exchanged != planned:
            layouts.append(Layout(exchanged, EXCHANGED))
    tables = [s.table for s in planned if set(s.contestants) & set(upset)]
    if with_boards:
        layouts += _other_boards(movement, round, tables)
        layouts += _fewer_boards(movement, fixed, planned)
    for count in range(1, len(set(tables)) + 1):
        for left_out in combinations(dict.fromkeys(tables), count):
            layouts.append(
                Layout(tuple(s for p in planned for s in _left_out(p, left_out)), LEFT_OUT * count)
            )
    return layouts


def _other_boards(movement: Movement, round: int, tables: list[int]) -> Iterator[Layout]:
    """A round in which one of some tables has a set that nobody plays, or that of another table."""
    planned = movement.in_round(round)
    whole = {s.table: s for s in planned if len(s.sets) == 1}
    whole = {t: s for t, s in whole.items() if len(movement.at_table(round, t)) == 1}
    played = {name for s in planned if s.is_played for name in s.sets}
    lying = [name for name in movement.sets if name not in played and not borrowed(name)]
    for table in dict.fromkeys(tables):
        if table not in whole:
            continue
        here = whole[table]
        for name in lying:
            layouts = {here: replace(here, sets=(name,))}
            yield Layout(tuple(layouts.get(s, s) for s in planned), OTHER_BOARDS)
        for other in whole.values():
            if other.table != table and other.sets != here.sets:
                layouts = {
                    here: replace(here, sets=other.sets),
                    other: replace(other, sets=here.sets),
                }
                yield Layout(tuple(layouts.get(s, s) for s in planned), 2 * OTHER_BOARDS)


def _fewer_boards(movement: Movement, fixed: int, planned: tuple[Seating, ...]) -> Iterator[Layout]:
    """A round in which nobody plays the boards that somebody at their table has had, but others."""
    had = {(n, name) for s in movement.seatings if s.round <= fixed for n, name in _plays(s)}
    kept = tuple(
        _without_boards(s, {name for n, name in _plays(s) if (n, name) in had}) for s in planned
    )
    if kept != planned and all(
        one.is_played or not s.is_played for one, s in zip(kept, planned, strict=True)
    ):
        yield Layout(kept, FEWER_BOARDS)


def _left_out(seating: Seating, tables: tuple[int, ...]) -> tuple[Seating, ...]:
    """A table at which nobody plays: both pairs wait."""
    if seating.table not in tables:
        return (seating,)
    return (replace(seating, ew=None),)
