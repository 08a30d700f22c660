"""All coming rounds rebuilt by an exact search (OR-Tools CP-SAT).

It serves cases without a rule: one more pair in a Howell, two leaving pairs, or a mistake that affects the rest. A
meeting is a round, two contestants that have not met, and a set that neither has played. As many tables as possible
play in every round. No contestant sits out twice before all have once. Among equals, the solution with the most
planned meetings wins. Deterministic: one worker, a seed, and a limit that counts work, not seconds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from movements.engine.declarations import Exemption, Stand
from movements.engine.model import Movement, Seating

from ..absences import declare_without_play
from ..arrivals.arrival import arrival_proposals
from ..change import PairArrives, PairLeaves, PairReturns, Rebuild
from ..comeback import return_contestant, return_proposals
from ..departure import departure_proposals, with_declared_absence
from ..newcomer import add_newcomer
from ..proposal import Proposal, identity_numbers, lawful_proposal, sets_together
from ..table_count.idle_tables import remove_idle_tables
from .mistakes import continuations_after_mistake, divided_parts, recorded_mistake
from .repair import MISTAKE

MOST_MEETINGS = 12_000
"""Most possible meetings for the memory and time; with more, sets stay near their planned tables."""
MOST_SIT_OUTS = 3
"""Number of sit-outs of which each is worse than the one before; further ones are alike."""


@dataclass(frozen=True, slots=True)
class _PossibleMeeting:
    """A meeting that the rebuilt rounds may contain: round, both contestants and board set."""

    round: int
    one: int
    other: int
    name: str


@dataclass(frozen=True, slots=True)
class _SearchStart:
    """A start of the search for a rebuilt movement: the present contestants, and the best solution by rules."""

    base: Movement
    known: Movement
    numbers: Mapping[int, int]
    newcomer: int = 0


def rebuilt_sessions(movement: Movement, fixed_rounds: int, change: Rebuild) -> Iterator[Proposal]:
    """Yield the proposal with all coming rounds planned anew by search, if one was found."""
    if not movement.contest.fills_a_side or fixed_rounds >= movement.rounds or movement.open_rounds:
        return
    happened = change.happened
    starts = list(_search_starts(movement, fixed_rounds, change))
    for start in starts:
        solution = _rebuilt_movement(
            start.base, start.known, fixed_rounds, change.effort / len(starts)
        )
        if solution is None:
            continue
        after, is_proven = solution
        rebuilt = remove_idle_tables(after, fixed_rounds)
        proposal = lawful_proposal(
            Proposal(
                kind="rebuilt",
                before=movement,
                movement=declare_without_play(rebuilt, MISTAKE) if happened else rebuilt,
                from_round=happened.round if happened else fixed_rounds + 1,
                numbers=start.numbers,
                newcomer=start.newcomer,
                parts=divided_parts(movement, happened),
                facts={
                    "rounds": movement.rounds - fixed_rounds,
                    **_played_facts(after, fixed_rounds, is_proven),
                },
            )
        )
        if proposal:
            yield proposal
    yield from _proposals_by_rules(movement, fixed_rounds, change)


def _proposals_by_rules(
    movement: Movement, fixed_rounds: int, change: Rebuild
) -> Iterator[Proposal]:
    """Yield the proposals that rules give without a search."""
    if change.happened and not (change.leaves or change.arrives or change.returns):
        yield from continuations_after_mistake(movement, fixed_rounds, change.happened)


def _played_facts(new_movement: Movement, fixed_rounds: int, is_proven: bool) -> dict[str, int]:
    """Return how many tables play in the coming rounds, the upper limit, and whether that is proven best."""
    rounds = range(fixed_rounds + 1, new_movement.rounds + 1)
    played = sum(seating.is_played for round in rounds for seating in new_movement.in_round(round))
    people = len(new_movement.contestants)
    most = sum((people - len(new_movement.absent(round))) // 2 for round in rounds)
    return {"played": played, "most": most, "proven": int(is_proven or played >= most)}


def _search_starts(
    movement: Movement, fixed_rounds: int, change: Rebuild
) -> Iterator[_SearchStart]:
    """Yield the starts of the search: one, or with two winners and a newcomer one for each field."""
    base: Movement | None = movement
    if change.happened:
        base = recorded_mistake(movement, fixed_rounds, change.happened)
    if base is None:
        return
    start = base
    if change.happened:
        start = next(
            (
                p.movement
                for p in continuations_after_mistake(movement, fixed_rounds, change.happened)
            ),
            base,
        )
    for contestant in change.leaves:
        base = with_declared_absence(base, fixed_rounds, contestant)
        start = (
            _best_whole_movement(departure_proposals(start, fixed_rounds, PairLeaves(contestant)))
            or start
        )
    if change.returns:
        grown_movement = return_contestant(base, fixed_rounds, change.returns)
        again = return_proposals(start, fixed_rounds, PairReturns(change.returns))
        yield _SearchStart(
            grown_movement.movement,
            _best_whole_movement(again) or grown_movement.movement,
            grown_movement.numbers,
            grown_movement.newcomer,
        )
        return
    if not change.arrives:
        yield _SearchStart(base, start, identity_numbers(movement))
        return
    for index, _ in enumerate(movement.fields):
        grown_movement = add_newcomer(base, fixed_rounds, index)
        same = (
            p
            for p in arrival_proposals(start, fixed_rounds, PairArrives())
            if p.numbers == grown_movement.numbers
        )
        yield _SearchStart(
            grown_movement.movement,
            _best_whole_movement(same) or grown_movement.movement,
            grown_movement.numbers,
            newcomer=grown_movement.newcomer,
        )


def _best_whole_movement(proposals: Iterator[Proposal]) -> Movement | None:
    """Return the best movement found by rules that divides no board set; None without one."""
    whole = [proposal for proposal in proposals if not proposal.parts]
    return min(whole, key=lambda proposal: proposal.cost).movement if whole else None


def _rebuilt_movement(
    movement: Movement, known_plan: Movement, fixed_rounds: int, effort: float
) -> tuple[Movement, bool] | None:
    """Return the movement with all coming rounds planned anew, and whether it is proven best."""
    history = [seating for seating in movement.seatings if seating.round <= fixed_rounds]
    rounds = range(fixed_rounds + 1, movement.rounds + 1)
    meetings, is_all = _possible_meetings(movement, known_plan, history, rounds)
    if not meetings:
        return None
    chosen, is_best = _choose_meetings(movement, known_plan, history, rounds, meetings, effort)
    tables = max(movement.tables, *(sum(m.round == round for m in chosen) for round in rounds))
    sets = {names[0]: names for names in sets_together(movement, fixed_rounds + 1)}
    seatings = [
        s for round in rounds for s in _seat_meetings(movement, round, tables, chosen, sets)
    ]
    added: tuple[Exemption, ...] = ()
    if tables > movement.tables and fixed_rounds:
        why = "a table was added"
        added = (Exemption("tables", movement.tables, why, (), tuple(range(1, fixed_rounds + 1))),)
    after = replace(
        movement,
        tables=tables,
        seatings=(*history, *seatings),
        stands=(
            *(s for s in movement.stands if s.round <= fixed_rounds),
            *(stand for round in rounds for stand in _stands_of_round(movement, round, seatings)),
        ),
        shared=tuple(
            replace(s, round=round)
            for s in movement.shared
            for round in (range(1, fixed_rounds + 1) if s.round == 0 else (s.round,))
            if round <= fixed_rounds
        ),
        exemptions=movement.exemptions + added,
    )
    return after, is_all and is_best


def _stands_of_round(
    movement: Movement, round: int, seatings: Sequence[Seating]
) -> Iterator[Stand]:
    """Yield the board stands on which the sets lie that are not played in a round."""
    if movement.copies > 1:
        return
    played = {name for seating in seatings if seating.round == round for name in seating.sets}
    lies_at = {name: s.table for s in movement.in_round(round) for name in s.sets}
    lies_at |= {name: s.after_table for s in movement.waiting(round) for name in s.sets}
    for table in sorted(set(lies_at.values())):
        names = tuple(n for n, at in lies_at.items() if at == table and n not in played)
        if names:
            yield Stand(round, table, names)


def _possible_meetings(
    movement: Movement, known_plan: Movement, history: Sequence[Seating], rounds: range
) -> tuple[list[_PossibleMeeting], bool]:
    """Return the games that may follow the played rounds, and whether these are all, not only those near the plan."""
    met = {frozenset(s.contestants) for s in history if s.is_played}
    played = {(n, name) for s in history if s.is_played for n in s.contestants for name in s.sets}
    planned: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
    for seating in (*movement.seatings, *known_plan.seatings):
        for number in seating.contestants:
            planned[number, seating.round].update(seating.sets)
    couples = [
        couple
        for couple in combinations(movement.contestants, 2)
        if frozenset(couple) not in met
        and (movement.is_one_winner or movement.field_of(couple[0]) != movement.field_of(couple[1]))
    ]
    atoms = sets_together(movement, rounds.start)
    is_near = len(couples) * len(atoms) * len(rounds) > MOST_MEETINGS
    possible = [
        _PossibleMeeting(round, contestant, other, names[0])
        for round in rounds
        for contestant, other in couples
        if not movement.absent(round) & {contestant, other}
        for names in atoms
        if not any((contestant, n) in played or (other, n) in played for n in names)
        and (
            not is_near
            or planned[contestant, round].intersection(names)
            or planned[other, round].intersection(names)
        )
    ]
    return possible, not is_near


def _choose_meetings(
    movement: Movement,
    known_plan: Movement,
    history: Sequence[Seating],
    rounds: range,
    meetings: Sequence[_PossibleMeeting],
    effort: float,
) -> tuple[list[_PossibleMeeting], bool]:
    """Choose meetings for the coming rounds: as many as possible, then even sit-outs, then as planned.

    If nothing was found in time, the result is that of the rules. The second value says whether it is proven to be
    best.
    """
    begun = _meeting_keys(known_plan)
    try:
        from ortools.sat.python import cp_model  # slow and large, so imported only when needed
    except ImportError:  # optional: see the extra "search"
        return [meeting for meeting in meetings if _meeting_key(meeting) in begun], False

    model: Any = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in meetings]
    busy = _add_laws(model, movement.copies, meetings, chosen)
    waited = _sit_outs(movement, history)
    again = []
    for number in movement.contestants:
        there = [r for r in rounds if number not in movement.absent(r)]
        waits = len(there) + waited[number] - sum(v for r in there for v in busy[number, r])
        for times in range(1, MOST_SIT_OUTS + 1):
            beyond = model.new_int_var(0, len(there) + waited[number], "")
            model.add(beyond >= waits - times)
            again.append(beyond)
    as_planned = _meeting_keys(movement)
    planned = [_meeting_key(meeting) in as_planned for meeting in meetings]
    unchanged = sum(v for v, is_planned in zip(chosen, planned, strict=True) if is_planned)
    unequal = 1 + sum(planned)  # one sit-out less in a row outweighs all differences from the plan
    plays = 1 + unequal * (1 + len(again) * (len(rounds) + max(waited.values(), default=0)))
    model.maximize(plays * sum(chosen) - unequal * sum(again) + unchanged)
    for meeting, variable in zip(meetings, chosen, strict=True):
        model.add_hint(variable, int(_meeting_key(meeting) in begun))
    solver: Any = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_deterministic_time = effort
    solver.parameters.interleave_search = True  # all strategies in turn: repeatable
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return [meeting for meeting in meetings if _meeting_key(meeting) in begun], False
    best = [m for m, variable in zip(meetings, chosen, strict=True) if solver.value(variable)]
    return best, status == cp_model.OPTIMAL


def _add_laws(
    model: Any, copies: int, meetings: Sequence[_PossibleMeeting], decisions: Sequence[Any]
) -> dict[tuple[int, int], list[Any]]:
    """Add the laws of movements to the solver's model. Return each contestant's possible games by round."""
    once: defaultdict[Any, list[Any]] = defaultdict(list)
    busy: defaultdict[tuple[int, int], list[Any]] = defaultdict(list)
    in_play: defaultdict[tuple[int, str], list[Any]] = defaultdict(list)
    for meeting, variable in zip(meetings, decisions, strict=True):
        for number in (meeting.one, meeting.other):
            busy[number, meeting.round].append(variable)
            once["played", number, meeting.name].append(variable)
        once["met", meeting.one, meeting.other].append(variable)
        in_play[meeting.round, meeting.name].append(variable)
    for variables in (*busy.values(), *once.values()):
        model.add_at_most_one(variables)
    for variables in in_play.values():
        model.add(sum(variables) <= copies)
    return busy


_Place = tuple[int, frozenset[int], str]


def _meeting_key(meeting: _PossibleMeeting) -> _Place:
    """Return the key of a meeting: its round, contestants and board set."""
    return (meeting.round, frozenset((meeting.one, meeting.other)), meeting.name)


def _meeting_keys(movement: Movement) -> frozenset[_Place]:
    """Return the keys of all meetings in a movement: round, contestants and board set."""
    return frozenset(
        (seating.round, frozenset(seating.contestants), seating.sets[0])
        for seating in movement.seatings
        if seating.is_played and seating.sets
    )


def _sit_outs(movement: Movement, history: Sequence[Seating]) -> dict[int, int]:
    """Return the number of played rounds that each contestant has sat out."""
    waited = dict.fromkeys(movement.contestants, 0)
    for round in {s.round for s in history}:
        for number, share in movement.sit_outs(round):
            waited[number] += int(share == 1)
    return waited


def _seat_meetings(
    movement: Movement,
    round: int,
    tables: int,
    games: Sequence[_PossibleMeeting],
    sets: Mapping[str, tuple[str, ...]],
) -> Iterator[Seating]:
    """Yield seatings for a round's meetings: each at the table where a contestant stays or its set lies."""
    before = {
        n: seating.table
        for seating in movement.seatings
        if seating.round == round
        for n in seating.contestants
    }
    lies_at = {n: s.table for s in movement.in_round(round) for n in s.sets}
    stays = set(movement.stationary)
    wishes = []
    for meeting in games:
        if meeting.round != round:
            continue
        for table in range(1, tables + 1):
            liking = 2 * (lies_at.get(meeting.name) == table)
            for number in (meeting.one, meeting.other):
                liking += (4 if number in stays else 2) * (before.get(number) == table)
            wishes.append((-liking, table, meeting))
    wishes.sort(key=lambda wish: (wish[0], wish[1], wish[2].one))
    at: dict[int, _PossibleMeeting] = {}
    done: set[_PossibleMeeting] = set()
    for _, table, meeting in wishes:
        if table not in at and meeting not in done:
            at[table] = meeting
            done.add(meeting)
    for table in range(1, tables + 1):
        if table not in at:
            yield Seating(round, table, None, None, ())
            continue
        meeting = at[table]
        ns, ew = _sides_of_meeting(movement, round, meeting)
        yield Seating(round, table, ns, ew, sets[meeting.name])


def _sides_of_meeting(movement: Movement, round: int, meeting: _PossibleMeeting) -> tuple[int, int]:
    """Return who sits N-S and E-W in a meeting: by field with two winners, else as planned or in turn."""
    one, other = meeting.one, meeting.other
    if not movement.is_one_winner:  # the numbers of the N-S contestants come first
        return one, other
    for seating in movement.in_round(round):
        if one == seating.ew or other == seating.ns:
            return other, one
        if one == seating.ns or other == seating.ew:
            return one, other
    return (one, other) if (one + other + round) % 2 else (other, one)
