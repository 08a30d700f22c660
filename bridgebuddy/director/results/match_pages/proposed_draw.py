"""The data of the draw page: the proposal with reasons, and the published draw."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.scoring.draws.drawing import (
    CannotDraw,
    DrawWishes,
    MissingMatch,
    ProposedMatch,
    RoundDraw,
)
from bridgebuddy.scoring.models import Draw
from bridgebuddy.scoring.templatetags.teams import event_of_match

from ..context import ResultsPageData

POINTS = re.compile(r"[0-9]{1,3}(?:[.,][0-9]{1,2})?", re.ASCII)
CARRY = re.compile(r"carry-([A-Za-z0-9]{1,6})-([A-Za-z0-9]{1,6})", re.ASCII)
EXCHANGE = re.compile(r"[A-Za-z0-9]{1,6}-[A-Za-z0-9]{1,6}", re.ASCII)
MOST_EXCHANGES = 40


class DrawInput:
    """The director's decisions on a draw in a query string or form; invalid values are ignored."""

    def __init__(self, data: QueryDict) -> None:
        self.data = data
        self.points: dict[str, tuple[str, str]] = {}
        self.problem = ""

    def number(self, name: str) -> int:
        """Return the number typed in the form field `name`; 0 if it is no number."""
        typed = self.data.get(name, "")
        return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 10 else 0

    def wishes(self, missing_matches: tuple[MissingMatch, ...]) -> DrawWishes:
        """Return the director's decisions for the engine; `missing_matches` are matches without a result."""
        late = self.data.get("late", "")
        exchanges = tuple(typed_exchanges(self.data))
        wishes = DrawWishes(since=max(1, self.number("since")), exchanges=exchanges)
        if late == "last":
            return replace(wishes, late="last")
        if late == "given":
            return replace(
                wishes, late="given", given=dict(self._read_given_points(missing_matches))
            )
        return wishes

    def _read_given_points(
        self, missing_matches: tuple[MissingMatch, ...]
    ) -> Iterator[tuple[str, tuple[Fraction, Fraction]]]:
        """Yield the points typed for matches without a result, with the match's key."""
        for match in missing_matches:
            typed = tuple(self.data.get(f"{side}-{match.key}", "").strip() for side in "ha")
            self.points[match.key] = (typed[0], typed[1])
            if all(POINTS.fullmatch(part) for part in typed):
                home, away = (Fraction(part.replace(",", ".")) for part in typed)
                yield match.key, (home, away)
            else:
                self.problem = _("Enter points for both sides of each match, for example 0 to 20.")


def typed_exchanges(data: QueryDict) -> Iterator[tuple[str, str]]:
    """Yield each two contestants, by label, whose opponents the director wants exchanged in the draw."""
    exchanges = [exchange for exchange in data.getlist("x") if EXCHANGE.fullmatch(exchange)]
    new = f"{data.get('one', '')}-{data.get('other', '')}"
    if EXCHANGE.fullmatch(new):
        exchanges.append(new)
    for pair in exchanges[:MOST_EXCHANGES]:
        first, other = pair.split("-")
        if first != other:
            yield first, other


@dataclass(frozen=True)
class ExplainedMatch:
    """A match of the proposed draw, with the reason why these opponents were drawn."""

    meeting: ProposedMatch
    why: str
    is_odd: bool


@dataclass(frozen=True)
class UnfinishedMatch:
    """A match without a result, and the points that the director typed for it."""

    missing: MissingMatch
    home: Contestant
    away: Contestant
    points: tuple[str, str]


@dataclass(frozen=True)
class DrawStandingRow:
    """A row of the standings next to the proposed draw."""

    place: str
    contestant: Contestant | None
    total: float | None


class DrawProposal:
    """The proposed draw of the next round."""

    def __init__(self, context: ResultsPageData, data: QueryDict) -> None:
        self.section = context.section
        plain = RoundDraw(context.scored, context.section)
        self.asked = DrawInput(data)
        wishes = self.asked.wishes(plain.missing) if plain.round else DrawWishes()
        self.drawing = RoundDraw(context.scored, context.section, wishes)

    @property
    def round(self) -> int:
        """Return the number of the round to be drawn."""
        return self.drawing.round

    @cached_property
    def unfinished_matches(self) -> list[UnfinishedMatch]:
        """Return the matches whose missing results the draw must wait for, with the points typed for them."""
        people, numbers = self.drawing.people, self.drawing.numbers
        return [
            UnfinishedMatch(
                match,
                people[numbers[match.home]],
                people[numbers[match.away]],
                self.asked.points.get(match.key, ("", "")),
            )
            for match in self.drawing.missing
        ]

    @cached_property
    def _draw_error(self) -> CannotDraw | None:
        """Return the error of the movement engine if no draw is possible, or None."""
        try:
            self.drawing.movement_after_draw  # noqa: B018
        except CannotDraw as error:
            return error
        return None

    @cached_property
    def problem(self) -> str:
        """Return the sentence that says why no draw is possible; empty if one is."""
        if self.asked.problem:
            return self.asked.problem
        if self._draw_error is None or self._draw_error.is_missing:
            return ""
        if self._draw_error.is_exchanged:
            return _("The exchange would give a sit-out in every round. Exchange others.")
        return _(
            "No draw without a repeated meeting is possible. Allow meetings of the first "
            "rounds again, or end after this round."
        )

    @property
    def is_exchanged_wrongly(self) -> bool:
        """Return whether the opponents that the director exchanged by hand make the draw impossible."""
        return bool(not self.asked.problem and self._draw_error and self._draw_error.is_exchanged)

    @cached_property
    def can_be_published(self) -> bool:
        """Return whether there is a proposed draw that can be published."""
        return not (self.problem or self.drawing.is_waiting)

    @property
    def key(self) -> str:
        """Return a key of the proposed draw, by which a changed proposal is noticed when it is published."""
        return self.drawing.key

    @cached_property
    def lines(self) -> list[ExplainedMatch]:
        """Return the proposed matches, each with the reason for drawing these opponents."""
        return [self._explained_match(meeting) for meeting in self.drawing.meetings]

    def _explained_match(self, match: ProposedMatch) -> ExplainedMatch:
        """Return a proposed match with the reason why these opponents were drawn."""
        if match.away is None:
            return ExplainedMatch(match, self._bye_reason(match), is_odd=match.told.is_by_hand)
        first, second = (self._place_in_standings(order) for order in match.told.orders)
        ranked = _("ranked %(one)s and %(other)s") % {"one": first, "other": second}
        if match.told.met_in:
            again = _("met in round %(round)s") % {"round": match.told.met_in}
            return ExplainedMatch(match, f"{ranked}; {again}", is_odd=True)
        if match.told.is_by_hand:
            return ExplainedMatch(match, f"{ranked}; {_('exchanged by hand')}", is_odd=True)
        if match.told.apart:
            names = [
                self.drawing.rows[order - 1].contestant.surnames for order in match.told.apart[:2]
            ]
            words = {"one": names[0], "other": names[1], "round": match.told.apart[2]}
            reason = _("%(one)s and %(other)s met in round %(round)s") % words
            return ExplainedMatch(match, f"{ranked}: {reason}", is_odd=True)
        if match.told.is_odd:
            reason = _("so that all others find somebody new")
            return ExplainedMatch(match, f"{ranked}: {reason}", is_odd=True)
        return ExplainedMatch(match, ranked, is_odd=False)

    def _place_in_standings(self, order: int) -> str:
        """Return the place of a contestant in the standings; before the first results, its seed."""
        return self.drawing.rows[order - 1].place or str(order)

    def _bye_reason(self, match: ProposedMatch) -> str:
        """Return the sentence that says why a contestant has a bye."""
        if match.told.is_by_hand:
            return _("exchanged by hand")
        if self.drawing.bye_goes_to_lowest:
            return _("the lowest without a sit-out so far")
        return _("so that all others find somebody new")

    @property
    def repeated_match_count(self) -> int:
        """Return how many proposed matches are between opponents that have met before."""
        return sum(bool(line.meeting.told.met_in) for line in self.lines)

    @property
    def headline(self) -> str:
        """Return the headline of the proposed draw."""
        if not self.can_be_published:
            return _("Round %(round)s is drawn next") % {"round": self.round}
        count = sum(line.meeting.away is not None for line in self.lines)
        words = {"round": self.round, "count": count}
        if self.repeated_match_count:
            return ngettext(
                "Round %(round)s: %(again)s match is played a second time",
                "Round %(round)s: %(again)s matches are played a second time",
                self.repeated_match_count,
            ) % (words | {"again": self.repeated_match_count})
        return _("Draw for round %(round)s: no meeting is repeated") % words

    @property
    def standings_sentence(self) -> str:
        """Return the sentence that names the standings on which the draw is based."""
        counted = self.drawing.last_counted_round
        if not counted:
            return _("By seeds, since no results count yet.")
        return _("From the standings after round %(round)s.") % {"round": counted}

    @property
    def missing_text(self) -> str:
        """Return the sentence on matches whose results are missing."""
        rounds = sorted({late_match.missing.round for late_match in self.unfinished_matches})
        listed = get_text_list([str(number) for number in rounds], _("and"))
        return ngettext(
            "A match of round %(rounds)s has no result yet.",
            "%(count)s matches have no result yet, of round %(rounds)s.",
            len(self.unfinished_matches),
        ) % {"count": len(self.unfinished_matches), "rounds": listed}

    @property
    def last_complete_round(self) -> int:
        """Return the number of the last round in which every match has a result."""
        return (
            min((late_match.missing.round for late_match in self.unfinished_matches), default=1) - 1
        )

    @property
    def hidden_fields(self) -> list[tuple[str, str]]:
        """Return the director's decisions as hidden fields for the next form."""
        wishes = self.drawing.wishes
        fields = [("x", f"{first_label}-{other}") for first_label, other in wishes.exchanges]
        if wishes.since > 1:
            fields.append(("since", str(wishes.since)))
        if wishes.late != "wait":
            fields.append(("late", wishes.late))
        for key, (home, away) in self.asked.points.items():
            fields += [(f"h-{key}", home), (f"a-{key}", away)]
        return fields

    @property
    def query(self) -> str:
        """Return the director's decisions as a query string."""
        return urlencode(self.hidden_fields)

    @property
    def query_without_exchanges(self) -> str:
        """Return the director's decisions as a query string, without exchanged opponents."""
        return urlencode([parameter for parameter in self.hidden_fields if parameter[0] != "x"])

    @property
    def rounds_that_may_be_ignored(self) -> range:
        """Return the rounds before which the director may ignore meetings, so that opponents can meet again."""
        return range(2, max(2, self.round - 1) + 1) if self.round > 2 else range(0)


class PublishedDraw:
    """The draw of the next round that players can see already, as the draw's page shows it."""

    def __init__(self, context: ResultsPageData, draw: Draw) -> None:
        self.draw, self.section = draw, context.section
        self._read = context
        people = context.tonight.plans[context.section.pk].drawn.contestants
        self._by_entry = {person.entry: person for person in people.values()}

    @property
    def rows(self) -> list[DrawStandingRow]:
        """Return the standings on which the draw was based."""
        return [
            DrawStandingRow(place, self._by_entry.get(entry), total)
            for entry, place, total in self.draw.standings
        ]

    @property
    def matches(self) -> list[tuple[int, Contestant | None, Contestant | None, str]]:
        """Return the matches with their tables, and in a knock-out with their events."""
        return [
            (
                table,
                self._by_entry.get(home),
                self._by_entry.get(away) if away else None,
                event_of_match(more[1]) if len(more) > 1 else "",
            )
            for table, home, away, *more in self.draw.matches
        ]

    @property
    def triangles(self) -> list[list[Contestant | None]]:
        """Return the contestants of each match of three (triangle) in the draw."""
        return [
            [self._by_entry.get(entry) for entry in triangle] for triangle in self.draw.triangles
        ]

    @cached_property
    def standings_have_changed(self) -> bool:
        """Return whether late or corrected results have changed the standings since the draw was made."""
        if not self.draw.counted:
            return False
        drawing = RoundDraw(self._read.scored, self.section)
        if self.draw.given:
            waiting = {match.key for match in drawing.missing_matches_until(self.draw.counted)}
            return any(f"{r}-{home}-{away}" not in waiting for r, home, away, *_ in self.draw.given)
        was = [(entry, total) for entry, _place, total in self.draw.standings]
        there = {entry for entry, _total in was}
        now = [
            (row.contestant.entry, row.total)
            for row in drawing.standings(self.draw.counted)
            if row.contestant.entry in there
        ]
        return was != now

    @property
    def has_begun(self) -> bool:
        """Return whether the drawn round has begun."""
        return self.section.round >= self.draw.round

    @property
    def sheets(self) -> list[tuple[str, str]]:
        """Return names and labels of the sheets that can be printed of this draw; empty for an earlier draw."""
        still_open = self.section.stored.open_rounds
        if self.draw.round != max(
            r for r in range(1, self.section.rounds + 1) if r not in still_open
        ):
            return []
        return [("draw", _("Print the draw")), ("draw-slips", _("Print a slip for everybody"))]


def advancing_contestants(data: QueryDict) -> DrawWishes:
    """Return the contestants that the director lets advance in a knock-out, from a query string or form."""
    through = [text for name in data if name.startswith("through") for text in data.getlist(name)]
    carry = []
    for name in data:
        typed = data.get(name, "").strip()
        if (match := CARRY.fullmatch(name)) and POINTS.fullmatch(typed):
            carry.append((match[1], match[2], float(typed.replace(",", "."))))
    return DrawWishes(
        through=tuple(through[: MOST_EXCHANGES * 4]),
        carry=tuple(carry),
        exchanges=tuple(typed_exchanges(data)),
    )
