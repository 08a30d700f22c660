"""The notice on a contestant's phone about a live change, shown until it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bridgebuddy.events.models import SectionMovement
from bridgebuddy.events.queries.plan.differences import OwnGame, PlanDifferences, RoundDifference

from .page import PlannedRound, PlayerPage, SeatShown

#: possible changes of a game, the most important first
NEW: tuple[tuple[str, Callable[[OwnGame], object]], ...] = (
    ("seat", lambda game: game.seat),
    ("people", lambda game: game.others),
)


@dataclass(frozen=True)
class PlanNotice:
    """A notice on a player's phone that the plan has changed: the rounds that differ, and the main change."""

    movement: int  # the key of the movement that the notice is about
    rounds: tuple[int, ...] = ()  # the rounds that differ
    stop: PlannedRound | None = None  # the first of them
    seat: SeatShown | None = None  # the seat with the change
    kind: str = ""  # "out", "half", "fewer", "seat", "people" or "boards"
    do_others_stay: bool = False
    last_round: int = 0  # set if the session has another number of rounds now


def notice_for(page: PlayerPage, seen_version: int | None) -> PlanNotice | None:
    """Return the notice about changes since the version of the plan that the contestant has seen, or None.

    Without a read movement the first plan counts, which is on the cards. A change undone before it
    was read gives no notice, and neither does a newly drawn round. Costs one query for a single
    movement, three for several.
    """
    plan, section = page.plan, page.section
    if section.is_finished or seen_version == section.movement_id:
        return None
    known_version = _known_version(plan.versions, seen_version)
    if known_version is None or plan.equals_version(known_version):
        return None
    older = plan.plan_in_version(known_version)
    if older.contestant_of_entry(page.entry_pk) is None:  # a late contestant has no older plan
        return None
    difference = PlanDifferences(older, plan)
    different = {
        round_difference.round: round_difference
        for round_difference in difference.round_differences(page.entry_pk)
    }
    stops = [stop for stop in page.listed_rounds if stop.state != "done" and not stop.has_left]
    new = [
        stop
        for stop in stops
        if stop.round in different
        and stop.round <= older.evening.rounds
        and stop.round not in older.evening.open_rounds
    ]
    if not new:
        if not difference.rounds:
            return None
        return PlanNotice(section.movement_id or 0, last_round=difference.rounds)
    first = new[0]
    kind, seat = _main_change(first, different[first.round])
    return PlanNotice(
        movement=section.movement_id or 0,
        rounds=tuple(stop.round for stop in new),
        stop=first,
        seat=seat,
        kind=kind,
        do_others_stay=len(stops) > len(new),
        last_round=difference.rounds,
    )


def _known_version(
    versions: list[SectionMovement], seen_version: int | None
) -> SectionMovement | None:
    """Return the version of the movement's plan that the contestant has seen last, or else the first one."""
    return next(
        (version for version in versions if version.movement_id == seen_version), None
    ) or next(iter(versions), None)


def _main_change(stop: PlannedRound, different: RoundDifference) -> tuple[str, SeatShown | None]:
    """Return the kind of the most important change in a round, and the seat that it concerns."""
    if not stop.seats:
        return "out", None
    if any(not seat.table for seat in stop.seats):
        return "half", None
    if not different.after:
        return "fewer", stop.seat
    order = sorted(different.after, key=lambda row: (row.part, row.chair == "ew", row.table))
    for kind, fact in NEW:
        earlier_facts = {fact(move) for move in different.before}
        for game in order:
            if fact(game) not in earlier_facts:
                return kind, _seat_of_game(stop, game)
    return "boards", _seat_of_game(
        stop, next((move for move in order if move not in different.before), order[0])
    )


def _seat_of_game(stop: PlannedRound, game: OwnGame) -> SeatShown | None:
    """Return the player's seat in an encounter at a table, else the first seat of the round."""
    seats = (seat for seat in stop.seats if (seat.table, seat.place) == game.seat)
    return next(seats, stop.seat)
