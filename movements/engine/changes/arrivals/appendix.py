"""A late pair without a rover or extra boards: the moving line gets one more place.

If the pair joins that line, each contestant that comes to the place waits there for a round. If it stays, the place
is half a table, an appendix, that shares the boards of another. In the circle all moving contestants pass the place
once, which changes their later sets. So it is lawful if there are many tables for the remaining rounds, rarely in a
complete movement of an odd number. Before the start the session may begin as an appendix movement instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from movements.engine.declarations import Share
from movements.engine.families.mitchells.appendix import possible_bases
from movements.engine.model import Movement, Seating, Side

from ..absences import exemptions_of_added_table
from ..lines import (
    LineSteps,
    RoundLines,
    meeting_history,
    rotated_items,
    round_lines,
    shift_with_skip,
    usual_steps,
)
from ..newcomer import GrownMovement, grown_in_line
from ..proposal import Proposal, renumbered_side
from ..table_count.rings import Done
from ..table_count.tables import begin_with_newcomer, related_movements


def appendix_proposals(movement: Movement, fixed_rounds: int) -> Iterator[Proposal]:
    """Yield proposals that lengthen the moving direction by a place, at an extra table or as a sit-out."""
    if not fixed_rounds:
        yield from _begun_with_appendix(movement)
        return
    steps, last = usual_steps(movement), round_lines(movement, fixed_rounds)
    if steps is None or last is None or movement.copies > 1 or movement.shared:
        return
    if None in (*last.ns, *last.ew) or movement.absent(fixed_rounds + 1):
        return  # there is a free seat
    for line in ("ew", "ns"):
        grown_movement = grown_in_line(movement, fixed_rounds, line)
        proposal = next(
            _appendix_proposals(
                grown_movement, _with_new_names(last, grown_movement), steps, stays=line == "ns"
            ),
            None,
        )
        if proposal:
            yield proposal


def _with_new_names(last: RoundLines, movement: GrownMovement) -> RoundLines:
    """Return a round with the numbers that contestants have once the newcomer is added."""
    return replace(
        last,
        ns=tuple(renumbered_side(side, movement.numbers) for side in last.ns),
        ew=tuple(renumbered_side(side, movement.numbers) for side in last.ew),
    )


# ── under way ──


@dataclass(frozen=True, slots=True)
class _AppendixPlan:
    """The coming rounds of a movement whose moving direction has one more place at its end.

    `after` is the table after which the place comes in the circle, `skip` the round after which the line skips a
    place (0: none).
    """

    rounds: tuple[RoundLines, ...]
    after: int
    skip: int


def _appendix_proposals(
    movement: GrownMovement, last: RoundLines, steps: LineSteps, stays: bool
) -> Iterator[Proposal]:
    """Yield proposals that seat the newcomer at an extra place, with an appendix table or by sitting out in turn."""
    done = meeting_history(movement.history)
    for plan in _continuation_plans(movement, last, steps, done, stays):
        proposal = (
            _appendix_table(movement, plan, done) if stays else _waiting_place(movement, plan)
        )
        if proposal:
            yield proposal


def _continuation_plans(
    movement: GrownMovement, last: RoundLines, steps: LineSteps, history: Done, stays: bool
) -> Iterator[_AppendixPlan]:
    """Yield every lawful continuation with an extra place at the existing tables, those without a skip first."""
    newcomer = movement.newcomer
    mover, stayer = (None, newcomer) if stays else (newcomer, None)
    tables = len(last.ns)
    at_end = replace(last, ew=(*last.ew, mover))
    for skip in (0, *range(movement.rounds[-1] - 1, movement.rounds[0] - 2, -1)):
        if not _continued_rounds(at_end, tables, movement.rounds, skip, steps, (set(), set())):
            continue  # the place elsewhere would not do either, independent of the boards played
        for after in range(tables, 0, -1):
            ring = replace(last, ew=(*last.ew[:after], mover, *last.ew[after:]))
            rounds = _continued_rounds(ring, after, movement.rounds, skip, steps, history)
            if rounds:
                with_place = (replace(r, ns=(*r.ns, stayer), sets=(*r.sets, ())) for r in rounds)
                yield _AppendixPlan(tuple(with_place), after, skip)


def _continued_rounds(
    ring: RoundLines, last_round: int, rounds: range, skip: int, steps: LineSteps, history: Done
) -> list[RoundLines]:
    """Return the coming rounds with the extra place last; empty if a meeting or a board set would repeat."""
    rounds_on = []
    met, played = set[tuple[Side, Side]](), set[tuple[Side, str]]()
    for round in rounds:
        up = shift_with_skip(steps.up) if round - 1 == skip else steps.up
        ring = replace(
            ring, ew=rotated_items(ring.ew, up), sets=rotated_items(ring.sets, steps.boards)
        )
        here = replace(
            ring, ew=(*ring.ew[:last_round], *ring.ew[last_round + 1 :], ring.ew[last_round])
        )
        couples, plays = _meetings_and_sets(here)
        if not (
            met.isdisjoint(couples)
            and history[0].isdisjoint(couples)
            and played.isdisjoint(plays)
            and history[1].isdisjoint(plays)
        ):
            return []
        met |= couples
        played |= plays
        rounds_on.append(here)
    return rounds_on


def _meetings_and_sets(round: RoundLines) -> tuple[set[tuple[Side, Side]], set[tuple[Side, str]]]:
    """Return who meets in a round and which side plays which set, without the extra place."""
    couples, plays = set[tuple[Side, Side]](), set[tuple[Side, str]]()
    for ns, ew, sets in zip(round.ns, round.ew, round.sets, strict=False):
        if ns is not None and ew is not None:
            couples.add((ns, ew))
            plays.update((side, name) for side in (ns, ew) for name in sets)
    return couples, plays


def _waiting_place(movement: GrownMovement, plan: _AppendixPlan) -> Proposal | None:
    """Return the movement in which contestants at the extra place sit out."""
    seatings = tuple(
        seating
        for number, round in zip(movement.rounds, plan.rounds, strict=True)
        for seating in round.seatings(number)
        if seating.table <= movement.before.tables
    )
    return movement.proposal(
        "waiting-place",
        replace(movement.movement, seatings=movement.history + seatings),
        facts={"after": plan.after, "skip": plan.skip},
    )


def _appendix_table(movement: GrownMovement, plan: _AppendixPlan, history: Done) -> Proposal | None:
    """Return the movement in which the newcomer sits at the extra place and shares the boards of a table."""
    added = movement.before.tables + 1
    played = history[1].union(*(_meetings_and_sets(round)[1] for round in plan.rounds))
    for partner in range(1, added):
        rounds = [
            replace(round, sets=(*round.sets[:-1], round.sets[partner - 1]))
            for round in plan.rounds
        ]
        there = [
            (ew, name)
            for round in rounds
            if (ew := round.ew[-1]) is not None
            for name in round.sets[-1]
        ]
        if played.isdisjoint(there):
            facts = {"table": added, "after": plan.after, "skip": plan.skip, "shares": partner}
            proposal = movement.proposal(
                "appendix-table", _with_appendix(movement, rounds, partner), facts=facts
            )
            if proposal:
                return proposal
    return None


def _with_appendix(movement: GrownMovement, rounds: Sequence[RoundLines], partner: int) -> Movement:
    """Return the movement with an extra table that shares boards with table `partner`."""
    added = movement.before.tables + 1
    seatings: list[Seating] = []
    shares = []
    for number, round in zip(movement.rounds, rounds, strict=True):
        seatings += round.seatings(number)
        if None not in (round.ew[-1], round.ew[partner - 1]):
            shares.append(Share(number, (partner, added), round.sets[-1]))
    return replace(
        movement.movement,
        tables=added,
        seatings=(*movement.history, *seatings),
        shared=tuple(shares),
        exemptions=(
            *movement.movement.exemptions,
            *exemptions_of_added_table(movement.before, movement.from_round),
        ),
    )


# ── before the start ──


def _begun_with_appendix(movement: Movement) -> Iterator[Proposal]:
    """Yield, before the start, Appendix Mitchells with one more table in which no more tables share boards.

    A Mitchell of 5, 7, 11 … tables can get a half table at which N-S wait in turn. An even number of tables with two
    that share anyway may become a 1½ appendix.
    """
    tables = movement.tables + 1
    if len(movement.contestants) != 2 * movement.tables:
        return
    if movement.family == "share-and-relay":
        for larger in related_movements(["one-and-a-half-appendix"], tables, movement.rounds, None):
            proposal = begin_with_newcomer(movement, larger, f"EW {tables}", "appendix-table")
            if proposal:
                yield proposal
    if movement.family == "mitchell" and movement.tables in possible_bases(tables):
        for larger in related_movements(
            ["appendix-mitchell"], tables, movement.rounds, f"EW {tables}"
        ):
            proposal = begin_with_newcomer(movement, larger, f"NS {tables}", "appendix-table")
            if proposal:
                yield proposal
