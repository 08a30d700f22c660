"""A club's handicap rules and roster, read once for several lists."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.clubs.people import categories
from bridgebuddy.events.queries.roster.person_search import roster_state

from ..models import Championship, HandicapRule, ManualHandicap
from ..rules import model
from .team_names import Names, team_names

#: default span of sessions for handicaps; a club may choose a longer one
MONTHS = 36


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """The data about a person that championships need: strength, manual handicap, membership and category."""

    key: int
    strength: int | None
    is_forgotten: bool
    #: the handicap that was set by hand
    by_hand: Decimal | None
    #: first day on which it is valid; None: always
    by_hand_since: date | None = None
    #: True if the roster has them with another club and without a member number
    is_visitor: bool = False
    #: their categories, as the roster has them
    categories: str = ""

    def may_be_ranked_in(self, championship: Championship) -> bool:
        """Return whether the person may be ranked in `championship`; anonymous people stay ranked."""
        if self.is_forgotten and str(self.key) in championship.nameless:
            return True
        most = championship.most_strength
        is_strong = most is not None and (self.strength is None or self.strength > most)
        is_other = bool(championship.category) and not categories.has_category(
            self.categories, championship.category
        )
        return (
            not is_strong
            and not is_other
            and not (championship.has_members_only and self.is_visitor)
        )


def known_player(person: Person, hand: ManualHandicap | None) -> KnownPlayer:
    """Return the data about a person that championships need, with the handicap set by hand."""
    is_forgotten = person.anonymous_since is not None
    return KnownPlayer(
        person.pk,
        person.strength,
        is_forgotten,
        hand.handicap if hand else None,
        hand.since if hand else None,
        person.is_visitor,
        person.categories,
    )


class ClubRules:
    """A club's handicap rule and roster, as championships need them."""

    def __init__(
        self,
        club: Club,
        *,
        rule: HandicapRule | None = None,
        everybody: Sequence[KnownPlayer] | None = None,
    ) -> None:
        self.club, self._rule, self._everybody = club, rule, everybody

    @cached_property
    def rule(self) -> HandicapRule:
        """Return the club's handicap rule, or the default one."""
        known = self._rule or HandicapRule.objects.filter(club=self.club).first()
        return known or HandicapRule(club=self.club)

    @cached_property
    def all_players(self) -> Sequence[KnownPlayer]:
        """Return all people of the club, including those made anonymous. One query."""
        if self._everybody is not None:
            return self._everybody
        rows = Person.objects.filter(club=self.club).values_list(
            *("pk", "strength", "anonymous_since", "handicap_by_hand__handicap"),
            *("handicap_by_hand__since", "other_club", "member_number", "categories"),
        )
        return [
            KnownPlayer(
                key, strength, bool(gone), by_hand, since, bool(other and not number), categories
            )
            for key, strength, gone, by_hand, since, other, number, categories in rows
        ]

    @cached_property
    def roster_state(self) -> tuple[int, int]:
        """Return a value that changes with the roster: its number of people and their highest key."""
        if self._everybody is None:
            return roster_state(self.club)
        return len(self._everybody), max((person.key for person in self._everybody), default=0)

    @cached_property
    def manual_handicaps(self) -> list[tuple[str, Decimal, date | None]]:
        """Return the handicaps set by hand: the person's key, the handicap, and its first day."""
        with_handicap = sorted(self.all_players, key=lambda player: player.key)
        return [
            (str(person.key), person.by_hand, person.by_hand_since)
            for person in with_handicap
            if person.by_hand is not None
        ]

    @cached_property
    def forgotten_people(self) -> list[str]:
        """Return the keys of people whose names were deleted."""
        return [
            str(key)
            for key in sorted(person.key for person in self.all_players if person.is_forgotten)
        ]

    def eligible_people(self, championship: Championship) -> frozenset[str] | None:
        """Return the keys of the people that may be ranked in `championship`, or None if all may."""
        return (
            None
            if championship.is_open
            else frozenset(
                str(people.key)
                for people in self.all_players
                if people.may_be_ranked_in(championship)
            )
        )

    def team_names(self, sessions: Collection[int]) -> Names:
        """Return the names of the teams in these sessions, by session and people."""
        return {key: names for key, names in self._team_names.items() if key in sessions}

    @cached_property
    def _team_names(self) -> Names:
        """Return the names of all teams of the club, by session and people."""
        return team_names(self.club)

    @property
    def months_needed(self) -> int:
        """Return from how many months before a day the handicaps need results."""
        return max(MONTHS, self.rule.months or 0)

    def handicap(self, frozen: date | None = None) -> model.Handicap:
        """Return the club's handicap rule as input for the calculation of handicaps."""
        rule = self.rule
        return model.Handicap(
            last=rule.last,
            least=rule.least,
            times=Fraction(rule.times),
            months=rule.months,
            band=None if not rule.band else Fraction(rule.band),
            most=None if rule.most is None else Fraction(rule.most),
            new=Fraction(rule.new),
            by_hand={key: Fraction(person) for key, person, _ in self.manual_handicaps},
            by_hand_since={key: since for key, _, since in self.manual_handicaps if since},
            frozen=frozen,
        )
