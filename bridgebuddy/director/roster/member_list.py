"""The list of a club's members: filters with counts, and the columns that the club has chosen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import pgettext_lazy

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.events.queries.roster import players as queries
from bridgebuddy.publication.models import ResultsSubscription
from bridgebuddy.scoring.rules.rounding import rounded_number
from bridgebuddy.scoring.words import number_text
from bridgebuddy.seasons.models import RatingSettings
from bridgebuddy.seasons.queries.attendance import ClubAttendance
from bridgebuddy.seasons.queries.handicaps import ClubHandicaps
from bridgebuddy.seasons.queries.ledger import reported_totals
from bridgebuddy.seasons.queries.ratings import latest_ratings
from bridgebuddy.seasons.words import signed_handicap

ALL, AWAY, NEW, NO_NUMBER, NO_EMAIL = "all", "away", "new", "no-number", "no-email"
FILTERS: Mapping[str, str | Promise] = {
    ALL: pgettext_lazy("members", "All"),
    AWAY: _lazy("Not here for six weeks"),
    NEW: pgettext_lazy("members", "New"),
    NO_NUMBER: _lazy("No number"),
    NO_EMAIL: _lazy("No e-mail"),
}
#: the columns beside the name, in their order
COLUMNS: Mapping[str, str | Promise] = {
    "number": _lazy("Number"),
    "member_number": _lazy("Club’s number"),
    "email": _lazy("E-mail"),
    "partner": _lazy("Usually plays with"),
    "last": _lazy("Last played"),
    "evenings": _lazy("Sessions"),
    "year": _lazy("In 12 months"),
    "strength": _lazy("Strength"),
    "handicap": _lazy("Handicap"),
    "rating": _lazy("Rating"),
    "points": _lazy("Masterpoints"),
}
#: columns of figures, which stand on the right
FIGURES = {"evenings", "year", "strength", "handicap", "rating", "points"}
#: columns that a phone shows
ON_PHONES = {"number", "last"}
#: columns of a club that has not chosen; the first two only if some member has one
USUAL = ("number", "email", "partner", "last", "evenings")
#: after so many days a regular player counts as away
DAYS_A_WEEK = 7


@dataclass(frozen=True)
class MemberFilter:
    """A filter above the member list, such as "no e-mail", with the number of members that match it."""

    key: str
    title: str | Promise
    count: int


@dataclass(frozen=True)
class MemberColumn:
    """A column of the member list: key, title, and whether the club shows it."""

    key: str
    title: str | Promise
    is_shown: bool

    @property
    def css(self) -> str:
        """Return the CSS classes of the column's cells."""
        names = ["r" if self.key in FIGURES else "", "" if self.key in ON_PHONES else "wide"]
        return " ".join(name for name in names if name)


@dataclass(frozen=True)
class MemberRow:
    """A member in the list, with the values of the displayed columns."""

    player: queries.RosterPlayer
    cells: tuple[tuple[MemberColumn, object], ...]
    is_new: bool
    weeks_away: int


class MemberList:
    """The members of a club that match a search and a filter, sorted by surname or by attendance."""

    def __init__(
        self, club: Club, search_text: str = "", show: str = ALL, *, by_year: bool = False
    ) -> None:
        self.club, self.typed = club, search_text
        self.show = show if show in FILTERS else ALL
        self.by_year = by_year

    @cached_property
    def attendance(self) -> ClubAttendance:
        """Return the attendance of the club's members in the last year."""
        return ClubAttendance(self.club, self.club.today)

    @cached_property
    def emails(self) -> dict[int, str]:
        """Return the e-mail address of each person that has one."""
        subscriptions = ResultsSubscription.objects.filter(person__club=self.club)
        return dict(subscriptions.values_list("person", "email"))

    @cached_property
    def all_people(self) -> list[Person]:
        """Return all people on the roster."""
        return queries.find_people(self.club, "")

    @cached_property
    def _people_by_filter(self) -> dict[str, Collection[int]]:
        """Return the primary keys of the people that match each filter."""
        return {
            AWAY: {kind.person.pk for kind in self.attendance.absent_regulars},
            NEW: self._new_people,
            NO_NUMBER: {person.pk for person in self.all_people if not person.national_number},
            NO_EMAIL: {person.pk for person in self.all_people if person.pk not in self.emails},
        }

    @property
    def _new_people(self) -> set[int]:
        """Return the members who joined recently; empty if all members are new."""
        new = {kind.person.pk for kind in self.attendance.new}
        return new if len(new) < len(self.attendance.attendance_of_all) else set()

    @property
    def filters(self) -> list[MemberFilter]:
        """Return the filters that match at least one member, and the chosen filter."""
        counts = {ALL: len(self.all_people)} | {
            key: len(people) for key, people in self._people_by_filter.items()
        }
        return [
            MemberFilter(key, title, counts[key])
            for key, title in FILTERS.items()
            if counts[key] or key in (ALL, self.show)
        ]

    @cached_property
    def people(self) -> list[Person]:
        """Return the people that match search and filter, in the order of the list."""
        found = queries.find_people(self.club, self.typed) if self.typed else self.all_people
        if self.show != ALL:
            found = [person for person in found if person.pk in self._people_by_filter[self.show]]
        if self.by_year:
            found = sorted(found, key=lambda person: -self._sessions_in_year.get(person.pk, 0))
        return found

    @cached_property
    def _sessions_in_year(self) -> dict[int, int]:
        """Return each person's number of sessions in the last twelve months."""
        return {kind.person.pk: kind.evenings for kind in self.attendance.attendance_of_all}

    @cached_property
    def columns(self) -> list[MemberColumn]:
        """Return all columns that the club can choose."""
        shown = self._shown_columns
        return [MemberColumn(key, title, key in shown) for key, title in COLUMNS.items()]

    @property
    def shown_titles(self) -> str:
        """Return the titles of the displayed columns as text."""
        return ", ".join(str(column.title) for column in self.columns if column.is_shown)

    @property
    def _shown_columns(self) -> Collection[str]:
        """Return the keys of the chosen columns; by default of those that have values."""
        if self.club.member_columns is not None:
            return set(self.club.member_columns)
        is_used = {
            "number": any(person.national_number for person in self.all_people),
            "email": bool(self.emails),
        }
        return {key for key in USUAL if is_used.get(key, True)}

    def rows(self, people: Sequence[Person]) -> list[MemberRow]:
        """Return the rows of the member list for these people, with the values of the displayed columns."""
        records = queries.playing_records(people)
        shown = [column for column in self.columns if column.is_shown]
        values = {column.key: self._value_of_column(column.key) for column in shown}
        away = {kind.person.pk: kind.last for kind in self.attendance.absent_regulars}
        return [
            MemberRow(
                record,
                tuple((column, values[column.key](record)) for column in shown),
                record.person.pk in self._people_by_filter[NEW],
                _weeks_since(away.get(record.person.pk), self.club.today),
            )
            for record in records
        ]

    def _value_of_column(self, column: str) -> Callable[[queries.RosterPlayer], object]:
        """Return the function that returns a player's value in the column with this key."""
        match column:
            case "number":
                return lambda record: record.person.national_number
            case "member_number":
                return lambda record: record.person.member_number
            case "email":
                return lambda record: self.emails.get(record.person.pk, "")
            case "partner":
                return lambda record: record.usually_plays_with
            case "last":
                return lambda record: record.last_played
            case "evenings":
                return lambda record: record.evenings or ""
            case "year":
                return lambda record: self._sessions_in_year.get(record.person.pk, "")
            case "strength":
                return lambda record: (
                    "" if record.person.strength is None else record.person.strength
                )
            case "handicap":
                handicaps = ClubHandicaps(self.club)
                return lambda record: signed_handicap(handicaps.person(record.person.pk).handicap)
            case "rating":
                ratings = self._rating_texts
                return lambda record: ratings.get(record.person.pk, "")
            case _:
                points = {person.pk: total for person, total in reported_totals(self.club)}
                return lambda record: points.get(record.person.pk, "")

    @property
    def _rating_texts(self) -> dict[int, str]:
        """Return the ratings as texts by primary key of the person."""
        if not RatingSettings.objects.filter(club=self.club).exists():
            return {}
        return {
            int(person): f"{number_text(rounded_number(rating.percentage, 1, 50), 1)} %"
            for person, rating in latest_ratings(self.club).ratings.items()
        }


def _weeks_since(last: date | None, today: date) -> int:
    """Return the whole weeks since a day; 0 for None."""
    return (today - last).days // DAYS_A_WEEK if last else 0


def store_columns(club: Club, keys: Collection[str]) -> None:
    """Store which columns of the member list a club shows; unknown ones are ignored."""
    club.member_columns = [key for key in COLUMNS if key in keys]
    club.save(update_fields=["member_columns"])
