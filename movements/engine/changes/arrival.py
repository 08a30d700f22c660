"""A pair (or team, or player) comes late: a free seat, a rover, a party table, a table more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from ..families.transversal import Line, rover_path, with_contestant
from ..model import Exemption, Movement, Seating, Share, Side
from .change import PairArrives
from .labels import next_label
from .layouts import Layout, best_layouts
from .lines import with_new_table
from .proposal import Proposal, absence, lawful, sets_together

WAITS = 20.0
"""What a layout costs in which the newcomer sits out; above all that shares and stands cost."""
SHARES = 1.0
PATH_STEPS = 2500


@dataclass(frozen=True, slots=True)
class Grown:
    """A movement with a contestant more who is not there in the rounds that are fixed."""

    movement: Movement
    newcomer: int
    numbers: Mapping[int, int]
    from_round: int
    before: Movement

    def proposal(self, kind: str, movement: Movement, **more: object) -> Proposal | None:
        """Return a proposal with a movement, if that is lawful."""
        return lawful(
            Proposal(
                kind=kind,  # type: ignore[arg-type]
                before=self.before,
                movement=movement,
                from_round=self.from_round,
                numbers=self.numbers,
                newcomer=self.newcomer,
                **more,  # type: ignore[arg-type]
            )
        )

    @property
    def history(self) -> tuple[Seating, ...]:
        return tuple(s for s in self.movement.seatings if s.round < self.from_round)

    @property
    def rounds(self) -> range:
        return range(self.from_round, self.movement.rounds + 1)


def arrivals(movement: Movement, fixed: int, change: PairArrives) -> Iterator[Proposal]:
    """Yield the ways to let a contestant more play from the next round on, or from this one."""
    if not movement.sets or movement.open_rounds:
        return  # in a draw places are given anew every round, and before the first to everybody
    yield from free_seats(movement, fixed, change)
    if movement.contest != "pairs" or fixed >= movement.rounds:
        return
    for line in ("ns", "ew"):
        yield from rovers(movement, fixed, line, change)
    if movement.is_one_winner:
        yield from two_way_rovers(movement, fixed, change)
    yield from party_tables(movement, fixed)
    yield from with_new_table(movement, fixed, change)


def grown(movement: Movement, fixed: int, field: int) -> Grown:
    """Return the movement with a newcomer who is not there in the fixed rounds."""
    bigger, newcomer = with_contestant(movement, field, next_label(movement, field))
    bigger = replace(
        bigger,
        exemptions=(*bigger.exemptions, *absence(newcomer, range(1, fixed + 1), "came late")),
    )
    numbers = {n: n + (n >= newcomer) for n in movement.contestants}
    return Grown(bigger, newcomer, numbers, fixed + 1, movement)


# ── the missing pair's seat ──


def free_seats(movement: Movement, fixed: int, change: PairArrives) -> Iterator[Proposal]:
    """Yield the evening with the newcomer where somebody is missing.

    In the round that is being played too, if there still is time: at that table nobody has played.
    """
    joins = (
        change.joins_running
        and fixed > 0
        and any(not s.is_played and s.contestants for s in movement.in_round(fixed))
    )
    for index, _ in enumerate(movement.fields):
        one = grown(movement, fixed - 1 if joins else fixed, index)
        is_pairs = movement.contest == "pairs"
        seated = _in_free_seats(one, fixed) if is_pairs else _in_all_free_seats(one)
        if seated is None:
            continue
        found = one.proposal("free-seat", seated, facts={"running": int(joins)})
        if found:
            yield found


def _in_free_seats(one: Grown, fixed: int) -> Movement | None:
    """Seat a newcomer in one of the half tables of every round, where that is lawful.

    In a round that is being played, only at a table where nobody plays any part of it.
    """
    two_winners = not one.movement.is_one_winner
    field = one.movement.field_of(one.newcomer)
    choices = []
    for round in one.rounds:
        seatings = one.movement.in_round(round)
        layouts = [Layout(seatings, WAITS)]
        for seating in seatings:
            other = seating.ns if seating.ew is None else seating.ew
            if seating.is_played or other is None or not isinstance(other, int):
                continue
            if round <= fixed and any(
                s.is_played for s in one.movement.at_table(round, seating.table)
            ):
                continue
            if two_winners and one.movement.field_of(other) == field:
                continue
            layouts.append(Layout(_with(seatings, seating, _joined(seating, one.newcomer))))
        choices.append(layouts)
    chosen = best_layouts(one.history, choices)
    if chosen is None or all(layout.cost for layout in chosen):
        return None
    future = tuple(s for layout in chosen for s in layout.seatings)
    return replace(one.movement, seatings=one.history + future)


def _joined(seating: Seating, newcomer: Side) -> Seating:
    if seating.ns is None:
        return replace(seating, ns=newcomer)
    return replace(seating, ew=newcomer)


def _with(seatings: tuple[Seating, ...], old: Seating, new: Seating) -> tuple[Seating, ...]:
    return tuple(new if s is old else s for s in seatings)


def _in_all_free_seats(one: Grown) -> Movement | None:
    """Seat a team, or a player with the partner who waits, wherever a side is missing."""
    seatings: list[Seating] = list(one.history)
    is_seated = False
    for round in one.rounds:
        there = one.movement.in_round(round)
        seated = {number for s in there for number in s.contestants}
        waiting = [n for n in one.movement.contestants if n not in seated and n != one.newcomer]
        side: Side = one.newcomer
        if one.movement.contest == "individual":
            side = (one.newcomer, waiting[0]) if len(waiting) == 1 else None
        for seating in there:
            if not seating.is_played and seating.contestants and side is not None:
                is_seated = True
                seatings.append(_joined(seating, side))
            else:
                seatings.append(seating)
    return replace(one.movement, seatings=tuple(seatings)) if is_seated else None


# ── rovers ──


def rovers(movement: Movement, fixed: int, line: Line, change: PairArrives) -> Iterator[Proposal]:
    """Yield the evening with the newcomer as rover in a line, for as many rounds as can be."""
    path = _longest_path(movement, fixed + 1, line, change)
    if not path:
        return
    index = next((i for i, f in enumerate(movement.fields) if f.name == line), 0)
    one = grown(movement, fixed, index)
    seatings = tuple(
        _roved(one.movement, seating, line, path, one.newcomer) for seating in one.movement.seatings
    )
    found = one.proposal(
        "rover",
        replace(one.movement, seatings=seatings),
        facts={"ns": int(line == "ns"), "rounds": len(path), "of": len(one.rounds)},
    )
    if found:
        yield found


def _longest_path(
    movement: Movement, first: int, line: Line, change: PairArrives
) -> dict[int, int] | None:
    """Return a rover's path through all rounds to come, or through all but one or two of them."""
    spans = [(first, movement.rounds), (first, movement.rounds - 1), (first + 1, movement.rounds)]
    spans += [(first, movement.rounds - 2), (first + 1, movement.rounds - 1)]
    for start, end in spans:
        if end >= start:
            path = rover_path(movement, start, end, PATH_STEPS, replaces=line, spared=change.spared)
            if path:
                return path
    return None


def _roved(
    movement: Movement, seating: Seating, line: Line, path: Mapping[int, int], rover: int
) -> Seating:
    if path.get(seating.round) != seating.table:
        return seating
    there = movement.at(seating.round, seating.table)
    displaced = there.ns if line == "ns" else there.ew
    return replace(seating, ns=rover) if seating.ns == displaced else replace(seating, ew=rover)


def two_way_rovers(movement: Movement, fixed: int, change: PairArrives) -> Iterator[Proposal]:
    """Yield the evening with the newcomer N-S for half a round and E-W for the other half.

    Nobody sits out for more than half a round. Only with one winner, and sets that can be halved.
    """
    path = rover_path(movement, fixed + 1, None, PATH_STEPS, spared=change.spared)
    if not path or any(len(movement.at_table(r, t)) > 1 for r, t in path.items()):
        return
    one = grown(movement, fixed, 0)
    on_path = {name for r, t in path.items() for name in movement.at(r, t).sets}
    if len(on_path) != len(path):
        return
    halves = {name: _halves(name) for name in on_path}

    def parts(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(part for name in names for part in halves.get(name, (name,)))

    def played(seating: Seating) -> tuple[Seating, ...]:
        if path.get(seating.round) != seating.table:
            return (replace(seating, sets=parts(seating.sets)),)
        first, second = parts(seating.sets)
        return (
            replace(seating, ns=one.newcomer, sets=(first,)),
            replace(seating, ew=one.newcomer, sets=(second,)),
        )

    bigger = replace(
        one.movement,
        sets=parts(movement.sets),
        seatings=tuple(part for s in one.movement.seatings for part in played(s)),
        stands=tuple(replace(s, sets=parts(s.sets)) for s in movement.stands),
        shared=tuple(replace(s, sets=parts(s.sets)) for s in movement.shared),
    )
    half = Fraction(1, 2)
    found = one.proposal(
        "two-way-rover",
        bigger,
        parts={
            part: (name, half * index, half * (index + 1))
            for name, both in halves.items()
            for index, part in enumerate(both)
        },
    )
    if found:
        yield found


def _halves(name: str) -> tuple[str, str]:
    return (f"{name}.1", f"{name}.2") if name[-1:].isdigit() else (f"{name}1", f"{name}2")


# ── a party table ──


def party_tables(movement: Movement, fixed: int) -> Iterator[Proposal]:
    """Yield the evening with the newcomer at a table more, against whoever would sit out.

    They play a set that waits, or share one with a table. Nobody sits out in the rounds in which that
    can be done.
    """
    rounds = range(fixed + 1, movement.rounds + 1)
    waiting = {r: [n for n, share in movement.sit_outs(r) if share == 1] for r in rounds}
    if not all(waiting.values()):
        return
    field = 0
    if not movement.is_one_winner:
        names = [f.name for f in movement.fields]
        homes = {movement.field_of(n).name for those in waiting.values() for n in those}
        if len(homes) != 1 or homes - {"ns", "ew"}:
            return
        field = names.index("ew" if homes == {"ns"} else "ns")
    one = grown(movement, fixed, field)
    party = movement.tables + 1
    chosen = best_layouts(one.history, [_party_layouts(one, r, waiting[r]) for r in rounds])
    if chosen is None or all(layout.cost >= WAITS for layout in chosen):
        return
    shares = tuple(
        Share(round, (layout.note, party), layout.seatings[-1].sets)
        for round, layout in zip(rounds, chosen, strict=True)
        if layout.note
    )
    added = tuple(s for layout in chosen for s in layout.seatings)
    taken = {(s.round, name) for s in added if s.table == party for name in s.sets}
    stands = (
        replace(s, sets=tuple(name for name in s.sets if (s.round, name) not in taken))
        for s in one.movement.stands
    )
    before = (
        Exemption("tables", movement.tables, "a table was added", (), tuple(range(1, fixed + 1))),
    )
    found = one.proposal(
        "party-table",
        replace(
            one.movement,
            tables=party,
            seatings=one.history + added,
            shared=(*one.movement.shared, *shares),
            stands=tuple(s for s in stands if s.sets),
            exemptions=(*one.movement.exemptions, *(before if fixed else ())),
        ),
        facts={"table": party},
    )
    if found:
        yield found


def _party_layouts(one: Grown, round: int, waiting: list[int]) -> list[Layout]:
    """The ways to use the party table in a round: with whom, and with which set."""
    movement, party = one.movement, one.before.tables + 1
    there = movement.in_round(round)
    lies_at = {name: s.table for s in there if s.is_played for name in s.sets}
    layouts = [Layout((*there, Seating(round, party, one.newcomer, None, ())), WAITS)]
    for old in waiting:
        guest = one.numbers[old]
        known = set(movement.sets_played(guest))
        ns, ew = (guest, one.newcomer)
        if movement.field_of(guest).name == "ew" or movement.is_one_winner:
            ns, ew = ew, ns
        for names in sets_together(movement, one.from_round):
            tables = {lies_at.get(name, 0) for name in names}
            if known.isdisjoint(names) and len(tables) == 1:
                table = tables.pop()
                layouts.append(
                    Layout(
                        (*_without(there, guest), Seating(round, party, ns, ew, names)),
                        SHARES + table / 1000 if table else 0.0,
                        table,
                    )
                )
    return layouts


def _without(seatings: tuple[Seating, ...], guest: int) -> tuple[Seating, ...]:
    """The seatings of a round when somebody who waits at a half table plays elsewhere."""
    return tuple(
        replace(s, ns=None, ew=None) if guest in s.contestants and not s.is_played else s
        for s in seatings
    )
