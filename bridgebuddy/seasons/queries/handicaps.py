"""Handicaps of a club's players, calculated from its final lists, each with its derivation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.events.queries.states import row_values
from bridgebuddy.operations.caching import cached
from bridgebuddy.scoring.rules.rounding import exact_mean

from ..rules.handicap import RecentResults, WorkedHandicap, months_before
from .club_rules import ClubRules
from .final_lists import SEATS, final_lists_state, final_results, lines_by_session, percentages_of


class ClubHandicaps:
    """The handicaps of a club's people on a day, from results before that day."""

    def __init__(self, club: Club, on: date | None = None) -> None:
        self.club, self.on = club, on or club.today
        self.club_rules = ClubRules(club)
        rule = self.club_rules.rule
        since = months_before(self.on, self.club_rules.months_needed)
        self._finals = [
            final for final in final_results(club, since, on) if on is None or final.date < on
        ]
        state = repr(
            [
                self.on,
                row_values(rule),
                self.club_rules.manual_handicaps,
                self.club_rules.roster_state,
                final_lists_state(self._finals),
            ]
        )
        self.of: Mapping[str, WorkedHandicap] = cached(
            ("handicaps", club.pk), state, self._handicaps_by_person
        )

    def _handicaps_by_person(self) -> dict[str, WorkedHandicap]:
        """Return each person's handicap by key."""
        form, lines_of_session, people = (
            RecentResults(self.club_rules.handicap()),
            lines_by_session(self._finals),
            set[str](),
        )
        for final in self._finals:
            lines = lines_of_session[final.session]
            form.add_all(final.date, percentages_of(lines))
            people.update(str(person) for line in lines for person in line[SEATS])
        people.update(form.rule.by_hand)
        return {person: form.derived_handicap(person, self.on) for person in sorted(people)}

    def person(self, key: int) -> WorkedHandicap:
        """Return the handicap of the person with this key; without results the rule's value for new players."""
        handicap = self.of.get(str(key))
        if handicap is None:
            return RecentResults(self.club_rules.handicap()).derived_handicap(str(key), self.on)
        return handicap

    def people_with_handicaps(self) -> list[tuple[Person, WorkedHandicap]]:
        """Return the people of the roster with results and their handicaps, the highest first."""
        people = self.club.known_people.in_bulk()
        handicaps = [
            (people[int(person)], handicap_value)
            for person, handicap_value in self.of.items()
            if int(person) in people
        ]
        return sorted(
            handicaps,
            key=lambda handicap: (handicap[1].is_new, handicap[1].handicap, handicap[0].search),
        )

    def handicap_of_pair(self, people: list[int]) -> Fraction:
        """Return a pair's handicap: the mean of its players' handicaps."""
        return exact_mean([self.person(key).handicap for key in people])
