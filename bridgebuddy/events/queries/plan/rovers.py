"""Rovers: the seats they take over, derived from the session's games.

A rover is no property of a movement: it comes with some families, and with a pair that arrives late. A rover usually
sits where another contestant would have sat that has no seat in that round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from bridgebuddy.events.models import SectionMovement

from .board_moves import Moment
from .evening_plan import SectionPlan
from .games import Contestant

Place = tuple[int, str]  # a table and a line
#: families with an extra table for the contestants whose seat the rover has
WITH_PARTY = ("rover-party", "two-way-rover-party")


class RoverSeats:
    """The rovers of a section, and the contestants whose seats they take round by round."""

    def __init__(self, plan: SectionPlan) -> None:
        self.plan = plan
        self.evening = plan.evening

    @cached_property
    def displaced_contestants(self) -> dict[int, dict[Moment, Contestant]]:
        """Return the contestants that each rover displaces, by the rover's number and by round and part."""
        seats_by_number: defaultdict[int, dict[Moment, Contestant]] = defaultdict(dict)
        if self._has_gaps:
            for moment in self._round_parts():
                for number, displaced in self._displaced_contestants(moment):
                    seats_by_number[number][moment] = self.evening.contestant_in(
                        displaced, moment[0]
                    )
        rovers = {
            number: seats
            for number, seats in seats_by_number.items()
            if self._is_usual(number, seats)
        }
        if len(rovers) == 1:
            ((rover, seats),) = rovers.items()
            seats |= self._alone_without_seat(rover)
        return {number: dict(sorted(seats.items())) for number, seats in rovers.items()}

    def _is_usual(self, number: int, seats: dict[Moment, Contestant]) -> bool:
        """Return whether a contestant takes another's seat in at least half of its games, so that it is a rover."""
        return 2 * len(seats) >= len(self._places_by_contestant[number])

    def _alone_without_seat(self, rover: int) -> dict[Moment, Contestant]:
        """Return, by round and part, the only contestant that sits out while a rover plays: the rover has its seat."""
        alone = {}
        for moment in self._places_by_contestant[rover]:
            absent = list(self._contestants_without_seat(moment))
            if len(absent) == 1:
                alone[moment] = self.evening.contestant_in(absent[0], moment[0])
        return alone

    def is_rover(self, number: int) -> bool:
        """Return whether the contestant with this number is a rover."""
        return number in self.displaced_contestants

    def displaced_by(self, number: int, round: int, part: int = 0) -> Contestant | None:
        """Return the contestant that a rover displaces in a round, or in a part of it."""
        seats = self.displaced_contestants.get(number, {})
        return seats.get((round, part or 1))

    def rover_displacing(self, number: int, round: int, part: int = 0) -> Contestant | None:
        """Return the rover that displaces a contestant in a round, or in a part of it."""
        for rover, seats in self.displaced_contestants.items():
            for (when, which), displaced in seats.items():
                if displaced.number == number and when == round and part in (0, which):
                    return self.evening.contestants[rover]
        return None

    @cached_property
    def party_table(self) -> int:
        """Return the number of the extra (party) table where pairs displaced by a rover play; 0 for none."""
        movement = self.evening.section.movement
        if movement and movement.family in WITH_PARTY:
            return movement.tables
        return _added_party_table(self.plan.versions)

    # ── moments, places, and contestants without a seat ──

    @cached_property
    def _has_gaps(self) -> bool:
        """Return whether some contestant sits out while others play; otherwise there are no rovers."""
        movement = self.evening.section.movement
        if movement is None or not movement.contest.fills_a_side:
            return False
        return any(
            True
            for moment in self._round_parts()
            for _number in self._contestants_without_seat(moment)
        )

    @cached_property
    def _parts_by_round(self) -> dict[int, int]:
        """Return the number of parts in which each round is played."""
        return {
            round: max(game.parts for game in games) for round, games in self.evening.games.items()
        }

    def _round_parts(self) -> Iterator[Moment]:
        """Yield each round with each of its parts."""
        for round in sorted(self._parts_by_round):
            for part in range(1, self._parts_by_round[round] + 1):
                yield round, part

    @cached_property
    def _places_by_contestant(self) -> dict[int, dict[Moment, Place]]:
        """Return each contestant's table and direction by round and part, without visits to the extra table."""
        places: defaultdict[int, dict[Moment, Place]] = defaultdict(dict)
        for number, seats in self.plan.people.seats.items():
            is_host = self._is_host(number)
            for seat in seats:
                if seat.table != self.party_table or is_host:
                    whole = range(1, self._parts_by_round[seat.round] + 1)
                    for part in whole if seat.parts == 1 else (seat.part,):
                        places[number][seat.round, part] = seat.table, seat.line
        return places

    def _is_host(self, number: int) -> bool:
        """Return whether a contestant plays at the extra (party) table in all rounds."""
        return all(seat.table == self.party_table for seat in self.plan.people.seats[number])

    def _seat_at_moment(self, number: int, moment: Moment) -> Place | None:
        """Return the seat of a contestant in a part of a round; None if it sits out."""
        return self._places_by_contestant.get(number, {}).get(moment)

    def _contestants_without_seat(self, moment: Moment) -> Iterator[int]:
        """Yield the contestants that sit out in a part of a round."""
        for number in self.evening.contestants:
            if self._seat_at_moment(number, moment) is None:
                yield number

    def _displaced_contestants(self, moment: Moment) -> Iterator[tuple[int, int]]:
        """Yield the rover and the displaced contestant, by number, for each seat taken over in a part of a round."""
        sits_at = {
            places[moment]: n
            for n, places in self._places_by_contestant.items()
            if moment in places
        }
        for number in self._contestants_without_seat(moment):
            if (place := self._usual_seat_at_moment(number, moment)) and place in sits_at:
                yield sits_at[place], number

    def _usual_seat_at_moment(self, number: int, moment: Moment) -> Place | None:
        """Return the seat that a contestant would have in a part of a round by its moves in other rounds."""
        places = self._places_by_contestant.get(number, {})
        round = moment[0]
        for (when, _part), place in places.items():
            if when == round:
                return place  # theirs for the other half
        if len(set(places.values())) == 1 and len(places) > 1:
            return next(iter(places.values()))
        before = self._seat_in_round(number, round - 1)
        if before and (up := self._usual_shift(round - 1, before[1])) is not None:
            return self._shifted_seat(before, up)
        after = self._seat_in_round(number, round + 1)
        if after and (up := self._usual_shift(round, after[1])) is not None:
            return self._shifted_seat(after, -up)
        return None

    def _seat_in_round(self, number: int, round: int) -> Place | None:
        """Return the seat of a contestant in the last part of a round."""
        return self._seat_at_moment(number, (round, self._parts_by_round.get(round, 1)))

    def _usual_shift(self, after_round: int, direction: str) -> int | None:
        """Return by how many tables the contestants of a direction usually move up after a round."""
        rule = self.plan.people.rules.get(after_round)
        if rule is None:
            return None
        return rule.ew if direction == "ew" else rule.ns

    def _shifted_seat(self, place: Place, up: int) -> Place:
        """Return the seat `up` tables further round the room, not counting the extra (party) table."""
        tables = self.plan.movement.tables - bool(self.party_table)
        return (place[0] - 1 + up) % tables + 1, place[1]


def _added_party_table(movements: Sequence[SectionMovement]) -> int:
    """Return the number of the extra (party) table where pairs displaced by a late pair's rover play; 0 for none."""
    versions = {rover_plan.version: rover_plan for rover_plan in movements}
    version = versions.get(max(versions, default=0))
    while version is not None:
        version_then = versions[version.holds or version.version]
        if version_then.change == "party-table":
            return int(version_then.facts["table"])
        if version_then.change == "rebuilt":
            return 0  # all coming rounds have changed since
        version = versions.get(version_then.parent or 0)
    return 0
