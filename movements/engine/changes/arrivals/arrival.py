"""A late pair, team or player: a free seat, a rover, a party table, or one more table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from movements.engine.declarations import Exemption
from movements.engine.drawing.draws import DRAWN_ON_RESULTS
from movements.engine.model import Movement, Seating, Side

from ..change import PairArrives
from ..layouts import WAITS, RoundLayout, best_layouts
from ..newcomer import GrownMovement, add_newcomer
from ..proposal import Proposal
from ..table_count.tables import add_table_with_newcomer
from ..table_count.under_way import larger_continuations
from .appendix import appendix_proposals
from .party import party_tables
from .rovers import rover_sessions, two_way_rover_proposals


def arrival_proposals(
    movement: Movement, fixed_rounds: int, change: PairArrives
) -> Iterator[Proposal]:
    """Yield proposals to seat one more contestant from the next round on, or from the current one."""
    if movement.open_rounds:
        yield from _proposals_for_later_draws(movement, fixed_rounds, change)
        return
    if not movement.sets:
        return  # the matches of all teams are drawn
    yield from free_seats(movement, fixed_rounds, change)
    if not movement.contest.fills_a_side or fixed_rounds >= movement.rounds:
        return
    for line in ("ns", "ew"):
        yield from rover_sessions(movement, fixed_rounds, line, change)
    if movement.is_one_winner:
        yield from two_way_rover_proposals(movement, fixed_rounds, change)
    yield from party_tables(movement, fixed_rounds)
    yield from add_table_with_newcomer(movement, fixed_rounds, change)
    if fixed_rounds:
        yield from larger_continuations(movement, fixed_rounds)
    yield from appendix_proposals(movement, fixed_rounds)


# ── rounds drawn from results ──


def _proposals_for_later_draws(
    movement: Movement, fixed_rounds: int, change: PairArrives
) -> Iterator[Proposal]:
    """Yield the proposals of a Swiss: play the pair with the bye at once, or be drawn from the next draw on.

    In rounds already drawn there are no other opponents left. A knock-out takes no newcomers.
    """
    if movement.family != "swiss":
        return
    if movement.sets:
        yield from free_seats(movement, fixed_rounds, change)
    grown_movement = add_newcomer(movement, fixed_rounds, 0)
    drawn = tuple(round for round in grown_movement.rounds if round not in movement.open_rounds)
    idle = (
        (Exemption("draw", 0, "came after the draw", (grown_movement.newcomer,), drawn),)
        if drawn
        else ()
    )
    after = replace(grown_movement.movement, exemptions=grown_movement.movement.exemptions + idle)
    proposal = grown_movement.proposal(
        "drawn-later", after, facts={"first": movement.open_rounds[0]}
    )
    if proposal:
        yield proposal


# ── the missing pair's seat ──


def free_seats(movement: Movement, fixed_rounds: int, change: PairArrives) -> Iterator[Proposal]:
    """Yield the proposal that seats the newcomer in an empty seat, from the next round on.

    The current round is possible too if there is time, because that table has not played.
    """
    starts = [fixed_rounds] if fixed_rounds < movement.rounds else []
    if change.joins_running and any(
        not s.is_played and s.contestants for s in movement.in_round(fixed_rounds)
    ):
        starts.insert(0, fixed_rounds - 1)
    for index, _ in enumerate(movement.fields):
        for start in starts:
            grown_movement = add_newcomer(movement, start, index)
            seated = newcomer_in_empty_seat(grown_movement, fixed_rounds)
            joins = start < fixed_rounds
            if seated is None or (
                joins and not _plays_in(seated, grown_movement.newcomer, fixed_rounds)
            ):
                continue
            proposal = grown_movement.proposal("free-seat", seated, facts={"running": int(joins)})
            if proposal:
                yield proposal


def newcomer_in_empty_seat(movement: GrownMovement, fixed_rounds: int) -> Movement | None:
    """Return the movement with the newcomer in an empty seat; None if there is none."""
    if movement.movement.contest.fills_a_side:
        return _seat_at_half_tables(movement, fixed_rounds)
    return _seat_at_missing_sides(movement)


def _plays_in(movement: Movement, contestant: int, round: int) -> bool:
    """Return whether a contestant plays in a round."""
    return any(s.is_played for s in movement.seatings_of(contestant) if s.round == round)


def _seating_with_kept_direction(
    movement: Movement, seating: Seating, waiting_pair: int
) -> Seating:
    """Return a drawn seating in which the pair that waited at the table keeps its direction.

    Alone at a table, a pair is stored North-South. One that must stay seated keeps its direction.
    """
    first = movement.seatings_of(waiting_pair)[0]
    is_home = movement.family in DRAWN_ON_RESULTS and first.table == seating.table
    is_other = (first.ns == waiting_pair) != (seating.ns == waiting_pair)
    return seating.turned() if is_home and is_other else seating


def _seat_at_half_tables(movement: GrownMovement, fixed_rounds: int) -> Movement | None:
    """Return the movement with the newcomer at a half table of every round; None if that breaks a law.

    In the current round only a table without any played part is possible.
    """
    two_winners = not movement.movement.is_one_winner
    field = movement.movement.field_of(movement.newcomer)
    choices = []
    for round in movement.rounds:
        seatings = movement.movement.in_round(round)
        layouts = [RoundLayout(seatings, WAITS)]
        for seating in seatings:
            other = seating.ns if seating.ew is None else seating.ew
            if seating.is_played or other is None or not isinstance(other, int):
                continue
            if round <= fixed_rounds and any(
                s.is_played for s in movement.movement.seatings_at_table(round, seating.table)
            ):
                continue
            if two_winners and movement.movement.field_of(other) == field:
                continue
            met = _seating_with_kept_direction(
                movement.movement, joined_seating(seating, movement.newcomer), other
            )
            layouts.append(RoundLayout(_replace_seating(seatings, seating, met)))
        choices.append(layouts)
    chosen = best_layouts(movement.history, choices)
    if chosen is None or all(layout.cost for layout in chosen):
        return None
    future = tuple(s for layout in chosen for s in layout.seatings)
    return replace(movement.movement, seatings=movement.history + future)


def joined_seating(seating: Seating, newcomer: Side) -> Seating:
    """Return a half table's seating with a contestant on its empty side."""
    if seating.ns is None:
        return replace(seating, ns=newcomer)
    return replace(seating, ew=newcomer)


def _replace_seating(
    seatings: tuple[Seating, ...], old: Seating, new: Seating
) -> tuple[Seating, ...]:
    """Return the seatings with `old` replaced by `new`."""
    return tuple(new if seating is old else seating for seating in seatings)


def _seat_at_missing_sides(movement: GrownMovement) -> Movement | None:
    """Return the movement with the newcomer wherever a table lacks a side."""
    seatings: list[Seating] = list(movement.history)
    is_seated = False
    for round in movement.rounds:
        there = movement.movement.in_round(round)
        at_table = {number for s in there for number in s.contestants}
        elsewhere = at_table | movement.movement.absent(round) | {movement.newcomer}
        waiting = [n for n in movement.movement.contestants if n not in elsewhere]
        for seating in there:
            side = None if seating.is_played else _newcomer_side(movement, seating, waiting)
            if side is None or not seating.contestants:
                seatings.append(seating)
            else:
                is_seated = True
                seatings.append(joined_seating(seating, side))
    return replace(movement.movement, seatings=tuple(seatings)) if is_seated else None


def _newcomer_side(
    movement: GrownMovement, seating: Seating, waiting_contestants: list[int]
) -> Side:
    """Return the newcomer as a table's missing side; in an individual together with the waiting player.

    If north, south, east and west are ranked separately, players stay in their own field.
    """
    if not movement.movement.contest.plays_alone:
        return movement.newcomer
    if len(waiting_contestants) != 1:
        return None
    both = (movement.newcomer, waiting_contestants[0])
    if movement.movement.is_one_winner:
        return both
    lines = ("n", "s") if seating.ns is None else ("e", "w")
    by_line = {movement.movement.field_of(number).name: number for number in both}
    return (by_line[lines[0]], by_line[lines[1]]) if set(by_line) == set(lines) else None
