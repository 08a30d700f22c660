"""The contents of an own page: last session, statistics, partners, seats and championships.

The owner is compared with nobody: only lists that the club publishes rank players.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

from django.db.models import Case, DecimalField, Subquery, Sum, When

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.people.names import joined_names
from bridgebuddy.events.imports import figure_text
from bridgebuddy.scoring.rules.rounding import rounded_number
from bridgebuddy.scoring.words import number_text
from bridgebuddy.seasons.models import Championship, HandicapRule
from bridgebuddy.seasons.queries.championships import ChampionshipTable, final_lists_for
from bridgebuddy.seasons.queries.club_rules import ClubRules, KnownPlayer, known_player
from bridgebuddy.seasons.queries.ledger import reported_points, round_to_hundredths
from bridgebuddy.seasons.words import masterpoints

from .own_sessions import (
    DECLARES,
    DEFENDS,
    WATCHES,
    PlayerHistory,
    PlayerTotals,
    PublicSession,
    player_history,
    published_sessions_of,
)
from .trend_chart import DOTS, OF_MEAN, ResultsTrendChart, format_whole_percent

BEST, LISTS, OTHERS, LATELY = 3, 3, 3, 24
#: a mean of fewer sessions, or boards, means little
FEW_EVENINGS, FEW_BOARDS = 5, 12
HUNDRED = 100


@dataclass(frozen=True)
class SessionView:
    """A session on a player's personal page, with the player's result."""

    open: PublicSession
    sums: dict[str, Any]
    partner: str = ""

    @property
    def place(self) -> str:
        """Return the player's place without the sign of a tie."""
        return str(self.sums.get("place", "")).rstrip("=")

    @property
    def ranked_count(self) -> int:
        """Return how many contestants the ranking had."""
        return int(self.sums.get("of", 0))

    @property
    def percent(self) -> Decimal | None:
        """Return the player's percentage; None if the session was scored otherwise."""
        is_percent = self.sums.get("unit") == "percent" and self.sums.get("value")
        return Decimal(self.sums["value"]) if is_percent else None

    @property
    def value(self) -> str:
        """Return the player's result as text with its unit."""
        return figure_text(str(self.sums.get("value", "")), self.sums.get("unit", ""))

    @property
    def section_and_direction(self) -> tuple[str, str]:
        """Return section and direction of the ranking as text."""
        return self.sums["where"][0], self.sums["where"][1]


@dataclass(frozen=True)
class BoardView:
    """A board of the latest session on a player's personal page, with the player's result."""

    number: int
    section: str
    outcome: dict[str, Any]
    percent: int  # in hundredths
    tricks: int | None

    @property
    def percent_text(self) -> str:
        """Return the player's percentage on the board as text."""
        return format_whole_percent(self.percent)


@dataclass(frozen=True)
class MeanShare:
    """A player's mean percentage over a number of sessions or boards."""

    label: str
    count: int
    mean: Fraction  # per cent
    is_little: bool = False
    places: int = 1
    tricks: int | None = None

    @property
    def percent_text(self) -> str:
        """Return the mean percentage as text."""
        return number_text(rounded_number(self.mean, self.places, 50), self.places)

    @property
    def width(self) -> str:
        """Return the width of the bar in a chart, in per cent."""
        return f"{min(float(self.mean), HUNDRED):.1f}"  # of the bar, in per cent


@dataclass(frozen=True)
class ChampionshipStanding:
    """The player's row in a published championship."""

    championship: Championship
    place: int | None
    ranked_count: int
    number: int


class PersonalPageContents:
    """The contents of a player's personal page: sessions, best boards, partners, opponents, championships.

    With `maximum` only so many of the newest sessions are read, and computed if they are not in the cache.

    Read it within `use_public_names`, so that other people have public names. Makes six queries if all is
    cached, and one for team names.
    """

    def __init__(self, person: Person, *, maximum: int | None = None) -> None:
        self.person, self.club, self._most = person, person.club, maximum
        #: the names of opponents, cached because most are met often
        self._together: dict[tuple[int, ...], str] = {}

    @cached_property
    def open(self) -> list[PublicSession]:
        """Return the player's sessions that are open to the public."""
        return published_sessions_of(self.person)[: self._most]

    @cached_property
    def _history(self) -> PlayerHistory:
        """Return the player's cached results in the published sessions."""
        return player_history(self.person, self.open) if self.open else PlayerHistory({}, [])

    @property
    def waiting_session_count(self) -> int:
        """Return how many of the player's sessions are still to be computed."""
        return self._history.waiting

    @cached_property
    def evenings(self) -> list[SessionView]:
        """Return the sessions that the player has played, with the player's results, newest first."""
        sums = self._history.sums
        return [
            SessionView(
                open_session,
                sums[open_session.session],
                self._joined_names_of_keys(sums[open_session.session]["with"]),
            )
            for open_session in self.open
            if open_session.session in sums and _has_something(sums[open_session.session])
        ]

    @property
    def last_session(self) -> SessionView | None:
        """Return the player's latest session; None without one."""
        return next(iter(self.evenings), None)

    @property
    def latest_sessions(self) -> list[SessionView]:
        """Return the latest sessions that the page lists."""
        return self.evenings[:LATELY]

    # ── names ──

    @cached_property
    def _people(self) -> list[Person]:
        """Return the people named on the page, in one query; the whole roster if there are championships."""
        sums = self._history.sums.values()
        keys = {person for sums in sums for person in sums["with"]}
        keys |= {person for sums in sums for others, *_ in sums["against"] for person in others}
        people = Person.objects.filter(club=self.club).select_related("handicap_by_hand")
        if not self._lists and len(keys) < MANY:
            people = people.filter(pk__in={*keys, self.person.pk})
        return list(people.annotate(given_in=self._reported_points_sum))

    @property
    def _reported_points_sum(self) -> Case:
        """Return a database expression that adds up the masterpoints reported for the player."""
        mine = reported_points(self.person, [open_session.session for open_session in self.open])
        added = mine.order_by().values("person").annotate(sum=Sum("points")).values("sum")
        points = DecimalField(max_digits=12, decimal_places=2)
        return Case(When(pk=self.person.pk, then=Subquery(added)), output_field=points)

    @cached_property
    def _names(self) -> dict[int, str]:
        """Return the public names of the people on the page, by primary key."""
        return {person.pk: person.name for person in self._people}

    def _joined_names_of_keys(self, keys: Iterable[int]) -> str:
        """Return the names of people (by primary key) as one text."""
        people = tuple(keys)
        if people not in self._together:
            names = [self._names[key] for key in people if key in self._names]
            self._together[people] = joined_names(sorted(names)) if names else ""
        return self._together[people]

    # ── the last session's boards ──

    @cached_property
    def _boards(self) -> list[BoardView]:
        """Return the player's boards of the latest session."""
        if self.last_session is None or not self.last_session.sums["boards"]:
            return []
        boards = [
            BoardView(number, section, outcome, percent, tricks)
            for number, section, outcome, _chair, percent, _points, tricks in self._history.boards
            if percent is not None and "contract" in outcome
        ]
        return sorted(boards, key=lambda board: (-board.percent, board.number))

    @property
    def best_boards(self) -> list[BoardView]:
        """Return the player's best boards of the latest session."""
        return self._boards[:BEST]

    @property
    def costly_boards(self) -> list[BoardView]:
        """Return the player's worst boards of the latest session, the worst first."""
        return self._boards[BEST:][::-1][:BEST]

    # ── statistics ──

    @cached_property
    def trend_chart(self) -> ResultsTrendChart | None:
        """Return the chart of the player's percentages over time; None for fewer than two."""
        dots = [
            (evening.open.day, evening.percent)
            for evening in self.evenings
            if evening.percent is not None
        ]
        latest = dots[: DOTS + OF_MEAN - 1][::-1]
        return ResultsTrendChart(latest) if len(latest) > 1 else None

    @cached_property
    def seats(self) -> list[tuple[str, MeanShare]]:
        """Return the player's mean percentage as declarer, as dummy, and as defender."""
        added = self._sums_of_kind("seats")
        return [(role, _mean_share(added[role])) for role in ROLES if added[role].boards]

    @cached_property
    def has_tricks(self) -> bool:
        """Return whether the means include tricks compared with double-dummy analysis."""
        return any(seat.tricks is not None for _role, seat in self.seats)

    @cached_property
    def lines(self) -> list[tuple[str, MeanShare]]:
        """Return the player's mean percentage as North-South and as East-West."""
        added = self._sums_of_kind("lines")
        return [(line, _mean_share(added[line])) for line in ("ns", "ew") if added[line].boards]

    @property
    def boards_without_declarer(self) -> int:
        """Return the number of boards in `lines` but not in `seats`: passed out, or with an adjusted score."""
        played, declared = (
            sum(mean.count for _key, mean in means) for means in (self.lines, self.seats)
        )
        return played - declared

    def _sums_of_kind(self, kind: str) -> defaultdict[str, PlayerTotals]:
        """Return the player's sums of a kind ("seats", "lines", …) over all sessions, by their key."""
        added: defaultdict[str, PlayerTotals] = defaultdict(PlayerTotals)
        for evening in self.evenings:
            for key, values in evening.sums[kind].items():
                added[key].join(values)
        return added

    @cached_property
    def partners(self) -> list[MeanShare]:
        """Return the player's mean percentage with each partner, the most frequent first."""
        by_partner: defaultdict[tuple[int, ...], list[Decimal]] = defaultdict(list)
        for evening in self.evenings:
            if evening.percent is not None and evening.sums["with"]:
                by_partner[tuple(evening.sums["with"])].append(evening.percent)
        shares = [
            MeanShare(
                self._joined_names_of_keys(person),
                len(every),
                Fraction(sum(every)) / len(every),
                len(every) < FEW_EVENINGS,
            )
            for person, every in by_partner.items()
        ]
        return _most_frequent_shares(shares)

    @cached_property
    def opponents(self) -> list[MeanShare]:
        """Return the player's mean percentage against each pair of opponents, the most frequent first."""
        added: defaultdict[tuple[int, ...], PlayerTotals] = defaultdict(PlayerTotals)
        for evening in self.evenings:
            for key, *values in evening.sums["against"]:
                added[tuple(key)].join(values)
        shares = [
            MeanShare(
                self._joined_names_of_keys(key),
                sums.boards,
                _mean_percent(sums),
                sums.boards < FEW_BOARDS,
            )
            for key, sums in added.items()
            if sums.boards
        ]
        return _most_frequent_shares(shares)

    # ── championships ──

    @cached_property
    def _lists(self) -> list[Championship]:
        """Return the club's latest published championships, as many as the page shows."""
        published = Championship.objects.filter(club=self.club, published_at__isnull=False)
        whole = published.select_related("event", "club__handicap_rule")
        return list(whole.order_by("-published_at", "-pk")[:LISTS])

    @cached_property
    def championships(self) -> list[ChampionshipStanding]:
        """Return the published championships in which the player has a place."""
        if not self._lists:
            return []
        everybody = [_known_player(person) for person in self._people]
        rule = getattr(self._lists[0].club, "handicap_rule", None) or HandicapRule(club=self.club)
        rules = ClubRules(self.club, rule=rule, everybody=everybody)
        every = final_lists_for(self.club, self._lists, rules)
        listed = []
        for championship in self._lists:
            championship.club = self.club
            standings = ChampionshipTable(championship, every, rules).standings
            whole = [*standings.lines, *standings.below]
            mine = str(self.person.pk)
            at = next((at for at, line in enumerate(whole) if mine in line.who), None)
            if at is not None:
                place = whole[at].place if at < len(standings.lines) else None
                among = len(standings.list_with(whole[at].who))
                listed.append(ChampionshipStanding(championship, place, among, at + 1))
        return listed

    @cached_property
    def points(self) -> str:
        """Return the player's reported masterpoints from published sessions; empty if none."""
        own = next((person for person in self._people if person.pk == self.person.pk), None)
        given = own and own.given_in  # type: ignore[attr-defined]  # read with them
        return masterpoints(points) if given and (points := round_to_hundredths(given)) else ""

    @property
    def since(self) -> date | None:
        """Return the date of the player's first session."""
        return self.evenings[-1].open.day if self.evenings else None

    @property
    def played_board_count(self) -> int:
        """Return how many boards the player has played."""
        return sum(evening.sums["boards"] for evening in self.evenings)


#: the most keys in one database query
MANY = 500
ROLES = (DECLARES, WATCHES, DEFENDS)


def _known_player(person: Person) -> KnownPlayer:
    """Return a person in the form that championship tables need."""
    return known_player(person, getattr(person, "handicap_by_hand", None))


def _has_something(session_data: dict[str, Any]) -> bool:
    """Return whether the page can show anything about a session; an imported one may have only the place."""
    return bool(session_data["boards"] or session_data.get("value") or session_data.get("place"))


def _mean_percent(sums: PlayerTotals) -> Fraction:
    """Return the mean percentage of the boards in these sums."""
    return Fraction(sums.hundredths, HUNDRED * sums.boards)


def _mean_share(sums: PlayerTotals) -> MeanShare:
    """Return sums over boards as a mean percentage with its number of boards, for the page."""
    tricks = sums.tricks if sums.compared else None
    return MeanShare("", sums.boards, _mean_percent(sums), places=0, tricks=tricks)


def _most_frequent_shares(shares: list[MeanShare]) -> list[MeanShare]:
    """Return the means over the most boards or sessions, as many as the page lists."""
    named = [share for share in shares if share.label]
    return sorted(named, key=lambda share: (-share.count, share.label))[:OTHERS]
