"""Assignment of seats: in order, by strength, or in turns over the weeks."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.models import Entry, SeatingMethod, Section
from bridgebuddy.events.queries.roster.sit_out_history import past_before
from bridgebuddy.events.queries.sessions.club_sessions import real_sessions
from bridgebuddy.events.queries.sessions.strengths import strengths_of
from movements.engine.contest import Contest
from movements.engine.drawing.draws import DRAWN_ON_RESULTS
from movements.engine.fairness.long_run_fairness import EnteredTogether, PastShares, seats_in_turn
from movements.engine.fairness.seeding import seed_seats
from movements.engine.model import Movement

#: equal strengths and equal past give equal seats
SEED = 1


def seats_by_method(
    section: Section,
    entries: Sequence[Entry],
    movement: Movement,
    labels: Mapping[int, str] | None = None,
) -> dict[Entry, int]:
    """Return each entry's seat (contestant number) by the section's method of seating.

    Stationary pairs get stationary seats first, if there are any. Seats given by hand stay: `labels` are the entries'
    labels until now, by key. An entry with the label "NS 3" keeps NS 3 as long as the movement has it.
    """
    entries = list(entries)
    seats: dict[Entry, int] = {}
    if section.seating == SeatingMethod.RANDOM:
        random.Random(section.seed).shuffle(entries)
    elif section.seating == SeatingMethod.HAND:
        numbers = {movement.label(number): number for number in movement.contestants}
        called = {entry: (labels or {}).get(entry.pk, "") for entry in entries}
        seats = {entry: numbers[label] for entry, label in called.items() if label in numbers}
    elif section.seating == SeatingMethod.EVEN:
        seats = seats_by_strength(entries, movement)
    elif section.seating == SeatingMethod.TURNS and takes_turns(section, movement):
        seats = seats_by_past_shares(entries, movement, past_before(section))
    return keep_and_assign_seats(entries, movement, seats)


def takes_turns(section: Section, movement: Movement) -> bool:
    """Return whether the movement's seats can be given so that sit-outs rotate over the weeks."""
    return section.contest == Contest.PAIRS and movement.family not in DRAWN_ON_RESULTS


def keep_and_assign_seats(
    entries: Sequence[Entry], movement: Movement, kept_seats: Mapping[Entry, int] | None = None
) -> dict[Entry, int]:
    """Return each entry's seat: `kept_seats`, then stationary seats for stationary pairs, then the rest in order."""
    seats = dict(kept_seats or {})
    free = [number for number in seats_in_room_order(movement) if number not in seats.values()]
    stationary = stationary_seats(movement, free)
    for entry in entries:
        if entry not in seats and entry.must_stay_seated and stationary:
            seats[entry] = stationary.pop(0)
            free.remove(seats[entry])
    for entry in entries:
        if entry not in seats:
            seats[entry] = free.pop(0)
    return seats


def seats_in_room_order(movement: Movement) -> list[int]:
    """Return the contestant numbers in the order of their tables in round 1, N-S first.

    If rounds are drawn, numbers are seeds: the first entry is number 1. A team has the number of its place on the
    list, and so has a single player in a movement with one winner.
    """
    is_numbered = movement.contest.has_halves or (
        movement.contest.plays_alone and movement.is_one_winner
    )
    if movement.family in DRAWN_ON_RESULTS or is_numbered:
        return list(movement.contestants)
    order = list(
        dict.fromkeys(
            number
            for seating in sorted(movement.in_round(1), key=lambda seating: seating.table)
            for number in seating.contestants
        )
    )
    return order + [number for number in movement.contestants if number not in set(order)]


def stationary_seats(movement: Movement, free: Sequence[int]) -> list[int]:
    """Return those of the `free` seats that stay at a table; first those that also keep their direction."""
    if movement.family in DRAWN_ON_RESULTS:
        return []  # people that must stay seated keep the first seat, see the draws
    stay, keep_direction = set(movement.stationary_contestants), set(movement.stationary)
    return sorted(
        (number for number in free if number in stay),
        key=lambda number: number not in keep_direction,
    )


def seats_by_strength(entries: Sequence[Entry], movement: Movement) -> dict[Entry, int]:
    """Return each entry's seat so that strengths are distributed as evenly as can be found.

    Stationary pairs keep the stationary seats they get in order of entry. If rounds are drawn, numbers are seeds, and
    the strongest is number 1.
    """
    strengths = strengths_of(entries)
    if strengths is None:
        return {}
    if movement.family in DRAWN_ON_RESULTS:
        order = sorted(range(len(entries)), key=lambda index: -strengths[index])
        return {entries[index]: number for number, index in enumerate(order, start=1)}
    seated = keep_and_assign_seats(entries, movement)
    stationary = set(movement.stationary_contestants)
    fixed = {
        index: seated[entry]
        for index, entry in enumerate(entries)
        if entry.must_stay_seated and seated[entry] in stationary
    }
    numbers = seed_seats(movement, strengths, fixed_seats=fixed, rng=random.Random(SEED))
    return dict(zip(entries, numbers, strict=True))


def seats_by_past_shares(
    entries: Sequence[Entry], movement: Movement, past: PastShares
) -> dict[Entry, int]:
    """Return each entry's seat so that sit-outs, directions and opponents even out over past sessions.

    Known strengths come after the sit-outs, and before the lines.
    """
    order = seats_in_room_order(movement)
    numbers = seats_in_turn(
        movement,
        [
            EnteredTogether(tuple(player.pk for player in entry.players), entry.must_stay_seated)
            for entry in entries
        ],
        past,
        order=order,
        stationary=stationary_seats(movement, order),
        strengths=strengths_of(entries),
        rng=random.Random(SEED),
    )
    return dict(zip(entries, numbers, strict=True))


def usual_seating(club: Club, contest: Contest) -> str:
    """Return the seating method for a new session: by turns if the last session used it, otherwise in order."""
    if contest != Contest.PAIRS:
        return SeatingMethod.ORDER
    last = Section.objects.filter(session__in=real_sessions(club), contest=contest).order_by("-pk")
    is_on = last.values_list("seating", flat=True).first() == SeatingMethod.TURNS
    return SeatingMethod.TURNS if is_on else SeatingMethod.ORDER
