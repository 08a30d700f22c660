"""All rounds to come made anew, by exact search (OR-Tools CP-SAT).

Serves what no rule serves: a pair more in a Howell, two pairs who leave, a mistake that upsets the rest.
A meeting is a round, two contestants who have not met, and a set that neither has played. As many
tables as possible play in every round; nobody sits out twice before everybody has once; of equals the
one with the most meetings as planned. Deterministic: one worker, a seed, and a limit that counts work,
not seconds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from ..model import Exemption, Movement, Seating
from .arrival import arrivals, grown
from .change import PairArrives, Rebuild
from .proposal import Proposal, lawful, same_numbers

MOST_MEETINGS = 25_000
"""So many possible meetings fit in memory and time; beyond, sets stay near the tables planned."""
AS_PLANNED, SAME_TABLE = 3, 1
PLAYS, SECOND_SIT_OUT = 100, 60


@dataclass(frozen=True, slots=True)
class _Meeting:
    round: int
    one: int
    other: int
    name: str


def rebuilt(movement: Movement, fixed: int, change: Rebuild) -> Iterator[Proposal]:
    """Yield the evening with all rounds to come made anew, if something was found within the effort."""
    if movement.contest != "pairs" or fixed >= movement.rounds or movement.open_rounds:
        return
    for index, _ in enumerate(movement.fields):
        if change.arrives:
            one = grown(movement, fixed, index)
            base, numbers, newcomer = one.movement, one.numbers, one.newcomer
        elif index:
            return
        else:
            base, numbers, newcomer = movement, same_numbers(movement), 0
        known = _known(movement, fixed, change, numbers)
        after = _made_anew(base, known or base, fixed, change.effort)
        found = after and lawful(
            Proposal(
                kind="rebuilt",
                before=movement,
                movement=after,
                from_round=fixed + 1,
                numbers=numbers,
                newcomer=newcomer,
                facts={"rounds": movement.rounds - fixed},
            )
        )
        if found:
            yield found


def _known(
    movement: Movement, fixed: int, change: Rebuild, numbers: Mapping[int, int]
) -> Movement | None:
    """The best that rules give, to begin the search with: it never ends worse than that."""
    if not change.arrives:
        return None
    found = [
        one
        for one in arrivals(movement, fixed, PairArrives())
        if one.numbers == numbers and not one.parts
    ]
    return min(found, key=lambda one: one.cost).movement if found else None


def _made_anew(movement: Movement, known: Movement, fixed: int, effort: float) -> Movement | None:
    history = [s for s in movement.seatings if s.round <= fixed]
    rounds = range(fixed + 1, movement.rounds + 1)
    meetings = _possible(movement, known, history, rounds)
    if not meetings:
        return None
    chosen = _choose(movement, known, history, rounds, meetings, effort)
    if chosen is None:
        return None
    tables = max(movement.tables, *(sum(m.round == round for m in chosen) for round in rounds))
    seatings = [seating for round in rounds for seating in _seated(movement, round, tables, chosen)]
    added: tuple[Exemption, ...] = ()
    if tables > movement.tables and fixed:
        why = "a table was added"
        added = (Exemption("tables", movement.tables, why, (), tuple(range(1, fixed + 1))),)
    return replace(
        movement,
        tables=tables,
        seatings=(*history, *seatings),
        stands=tuple(s for s in movement.stands if s.round <= fixed),
        shared=tuple(
            replace(s, round=round)
            for s in movement.shared
            for round in (range(1, fixed + 1) if s.round == 0 else (s.round,))
            if round <= fixed
        ),
        exemptions=movement.exemptions + added,
    )


def _possible(
    movement: Movement, known: Movement, history: Sequence[Seating], rounds: range
) -> list[_Meeting]:
    """Every meeting that history allows; where they are too many, only with sets planned nearby."""
    met = {frozenset(s.contestants) for s in history if s.is_played}
    played = {(n, name) for s in history if s.is_played for n in s.contestants for name in s.sets}
    planned: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
    for seating in (*movement.seatings, *known.seatings):
        for number in seating.contestants:
            planned[number, seating.round].update(seating.sets)
    couples = [
        couple
        for couple in combinations(movement.contestants, 2)
        if frozenset(couple) not in met
        and (movement.is_one_winner or movement.field_of(couple[0]) != movement.field_of(couple[1]))
    ]
    atoms = _whole_sets(movement)
    is_near = len(couples) * len(atoms) * len(rounds) > MOST_MEETINGS
    return [
        _Meeting(round, one, other, names[0])
        for round in rounds
        for one, other in couples
        if not movement.absent(round) & {one, other}
        for names in atoms
        if not any((one, n) in played or (other, n) in played for n in names)
        and (
            not is_near
            or planned[one, round].intersection(names)
            or planned[other, round].intersection(names)
        )
    ]


def _whole_sets(movement: Movement) -> list[tuple[str, ...]]:
    """The sets that are played together at a table in a round: a set in parts is still one."""
    found: dict[tuple[str, ...], None] = {}
    grouped: set[str] = set()
    for seating in movement.seatings:
        names = tuple(
            dict.fromkeys(
                n for s in movement.at_table(seating.round, seating.table) for n in s.sets
            )
        )
        if names and names not in found and grouped.isdisjoint(names):
            found[names] = None
            grouped.update(names)
    return list(found)


def _choose(
    movement: Movement,
    known: Movement,
    history: Sequence[Seating],
    rounds: range,
    meetings: Sequence[_Meeting],
    effort: float,
) -> list[_Meeting] | None:
    from ortools.sat.python import cp_model  # slow and large: only where it is needed

    model: Any = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in meetings]
    by: dict[str, defaultdict[Any, list[Any]]] = {
        kind: defaultdict(list) for kind in ("busy", "met", "played", "in play", "tables")
    }
    for meeting, variable in zip(meetings, chosen, strict=True):
        for number in (meeting.one, meeting.other):
            by["busy"][number, meeting.round].append(variable)
            by["played"][number, meeting.name].append(variable)
        by["met"][meeting.one, meeting.other].append(variable)
        by["in play"][meeting.round, meeting.name].append(variable)
        by["tables"][meeting.round].append(variable)
    for kind in ("busy", "met", "played"):
        for variables in by[kind].values():
            model.add_at_most_one(variables)
    copies = 1 if movement.copies == 1 else movement.copies
    for variables in by["in play"].values():
        model.add(sum(variables) <= copies)
    seconds = []
    waited = _sit_outs(movement, history)
    for number in movement.contestants:
        there = [r for r in rounds if number not in movement.absent(r)]
        if not there:
            continue
        played = sum(v for r in there for v in by["busy"][number, r])
        excess = model.new_int_var(0, len(there) + waited[number], "")
        model.add(excess >= len(there) + waited[number] - played - 1)
        seconds.append(excess)
    planned = _planned(movement)
    model.maximize(
        PLAYS * sum(chosen)
        - SECOND_SIT_OUT * sum(seconds)
        + sum(
            variable * planned.get((m.round, frozenset((m.one, m.other)), m.name), 0)
            for m, variable in zip(meetings, chosen, strict=True)
            if (m.round, frozenset((m.one, m.other)), m.name) in planned
        )
    )
    begun = _planned(known)
    for meeting, variable in zip(meetings, chosen, strict=True):
        place = (meeting.round, frozenset((meeting.one, meeting.other)), meeting.name)
        model.add_hint(variable, int(place in begun))
    solver: Any = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_deterministic_time = effort
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return [m for m, variable in zip(meetings, chosen, strict=True) if solver.value(variable)]


def _planned(movement: Movement) -> dict[tuple[int, frozenset[int], str], int]:
    return {
        (s.round, frozenset(s.contestants), s.sets[0]): AS_PLANNED
        for s in movement.seatings
        if s.is_played and s.sets
    }


def _sit_outs(movement: Movement, history: Sequence[Seating]) -> dict[int, int]:
    """How many rounds everybody has sat out so far."""
    waited = dict.fromkeys(movement.contestants, 0)
    for round in {s.round for s in history}:
        for number, share in movement.sit_outs(round):
            waited[number] += int(share == 1)
    return waited


def _seated(
    movement: Movement, round: int, tables: int, chosen: Sequence[_Meeting]
) -> Iterator[Seating]:
    """Give the meetings of a round to tables: where one of the two stays or its set is planned."""
    sets = {names[0]: names for names in _whole_sets(movement)}
    before = {n: s.table for s in movement.seatings if s.round == round for n in s.contestants}
    lies_at = {n: s.table for s in movement.in_round(round) for n in s.sets}
    stays = set(movement.stationary)
    wishes = []
    for meeting in chosen:
        if meeting.round != round:
            continue
        for table in range(1, tables + 1):
            liking = 2 * (lies_at.get(meeting.name) == table)
            for number in (meeting.one, meeting.other):
                liking += (4 if number in stays else 2) * (before.get(number) == table)
            wishes.append((-liking, table, meeting))
    wishes.sort(key=lambda wish: (wish[0], wish[1], wish[2].one))
    at: dict[int, _Meeting] = {}
    done: set[_Meeting] = set()
    for _, table, meeting in wishes:
        if table not in at and meeting not in done:
            at[table] = meeting
            done.add(meeting)
    for table in range(1, tables + 1):
        if table not in at:
            yield Seating(round, table, None, None, ())
            continue
        meeting = at[table]
        ns, ew = _sides(movement, round, meeting)
        yield Seating(round, table, ns, ew, sets[meeting.name])


def _sides(movement: Movement, round: int, meeting: _Meeting) -> tuple[int, int]:
    """Who sits N-S: with two winners their line, otherwise who was to sit so, or in turn."""
    one, other = meeting.one, meeting.other
    if movement.field_of(other).name == "ns" or movement.field_of(one).name == "ew":
        return other, one
    if movement.field_of(one).name == "ns" or movement.field_of(other).name == "ew":
        return one, other
    for seating in movement.in_round(round):
        if one == seating.ew or other == seating.ns:
            return other, one
        if one == seating.ns or other == seating.ew:
            return one, other
    return (one, other) if (one + other + round) % 2 else (other, one)
