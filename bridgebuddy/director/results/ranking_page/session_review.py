"""The session review below the ranking: the reasons of the ranking, and the course of the session."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import section_for_scorer
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.lateness import actual_session_times
from bridgebuddy.events.queries.plan.games import board_text
from bridgebuddy.planning.next_session import next_chart_line
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.seasons.queries.expected import ExpectedList, expected_results_of_rankings
from bridgebuddy.seasons.queries.luck import (
    LuckList,
    balance_of_section,
    has_draw,
    luck_lists,
    widest_and_equal_boards,
)
from bridgebuddy.seasons.queries.newcomers import newcomers
from bridgebuddy.seasons.queries.ratings import ratings_before
from bridgebuddy.seasons.services.ratings import prepare_lists
from movements.engine.fairness.balance import Balance

from .evening_words import (
    chart_choice,
    luck_explanation,
    ruling_sentences,
    suggestion_sentence,
    time_sentences,
)

#: the fold of the review, in the page's address
REVIEW = "review"
#: smaller effects read 0.0: all contestants weigh the same
NOTHING = 0.05


@never_cache
@require_safe
def redirect_to_review(request: UserRequest, code: str) -> HttpResponse:
    """Redirect the former address of the session's review to the ranking, which contains it."""
    section = section_for_scorer(request, code)
    return redirect(f"{reverse('ranking', args=[section.code])}?open={REVIEW}#{REVIEW}")


def prepare_review(request: UserRequest, code: str) -> None:
    """Compute, or queue, the data of the review if the page opens it; the page itself may not write."""
    if asks_for_open_review(request):
        prepare_lists(section_for_scorer(request, code).session)


def asks_for_open_review(request: UserRequest) -> bool:
    """Return whether the request asks for the ranking with the review open."""
    return request.GET.get("open") == REVIEW


class SessionReview:
    """The review of a session after its end: luck of the draw, fairness, boards, rulings, suggestions."""

    def __init__(self, scored: ScoredSession, section: Section, *, is_open: bool) -> None:
        self.scored, self.section, self.is_open = scored, section, is_open
        before = ratings_before(section.session)
        #: whether a job must still calculate the ratings before the session
        self.waits = before is not None and before.are_missing
        self._before = None if self.waits else before
        self._luck = luck_lists(scored, self._before)
        self._clock = actual_session_times(section)
        self.times = list(time_sentences(self._clock)) if self._clock else []

    @property
    def title(self) -> str:
        """Return the verdict on the luck of the draw as the review's title; empty with several rankings."""
        return draw_verdict(self._luck[0]) if len(self._luck) == 1 else ""

    @property
    def sentence(self) -> str:
        """Return the most important sentence of the review; empty if there is nothing to say."""
        return self.title or next(iter(self.times), "")

    @cached_property
    def lists(self) -> list[tuple[Any, ...]]:
        """Return each ranking with a verdict on luck, uncertain places, and its rows."""
        return [
            (
                ranking,
                draw_verdict(ranking),
                uncertain_places(ranking),
                has_draw_effect(ranking),
                [(row, luck_explanation(row)) for row in ranking.rows],
            )
            for ranking in self._luck
        ]

    @property
    def is_by_rating(self) -> bool:
        """Return whether luck is computed from the players' ratings."""
        return any(ranking.is_by_rating for ranking in self._luck)

    @property
    def has_draw(self) -> bool:
        """Return whether the opponents of some rounds were drawn, as in a Swiss."""
        return has_draw(self.scored)

    @property
    def fairness(self) -> Balance | None:
        """Return the fairness of the movement; None if unknown."""
        return balance_of_section(self.section)

    @property
    def boards(self) -> list[tuple[str, str]]:
        """Return texts on the boards with the widest and with the most equal scores."""
        wild, flat = widest_and_equal_boards(self.scored)
        return [(board_text(tuple(sorted(wild))), board_text(tuple(flat)))]

    @property
    def rulings(self) -> list[str]:
        """Return the rulings as sentences."""
        return list(ruling_sentences(self.scored))

    @property
    def expected(self) -> list[ExpectedList]:
        """Return the rankings that could be expected from the players' ratings before the session."""
        return expected_results_of_rankings(self.scored, self._before)

    @property
    def newcomers(self) -> list[Person]:
        """Return the players who have played here for the first time."""
        return newcomers(self.section.session)

    @property
    def suggestions_for_next_time(self) -> list[tuple[str, str, int]]:
        """Return the chart's movement for the next session, an improvement, and the number of pairs."""
        after = next_chart_line(self.section, self._clock.lost if self._clock else 0)
        return (
            [(chart_choice(after), suggestion_sentence(after), after.line.pairs)] if after else []
        )


def draw_verdict(luck_list: LuckList) -> str:
    """Return a sentence on how far the top of a ranking depended on the luck of the draw."""
    if luck_list.firm is None:
        return ""
    if not has_draw_effect(luck_list):
        return _("The draw had no influence: all comparisons were equal")
    if not luck_list.firm:
        return _("With another draw others could have been first")
    if luck_list.firm[0] == 1:
        return _("%(names)s would have won with any fair draw") % {
            "names": luck_list.rows[0].standing.names
        }
    first = luck_list.firm[0]
    return ngettext(
        "The first %(count)s would be the first %(count)s with any fair draw",
        "The first %(count)s would be the first %(count)s with any fair draw",
        first,
    ) % {"count": first}


def has_draw_effect(luck_list: LuckList) -> bool:
    """Return whether the luck of the draw had a visible effect on a ranking."""
    return any(
        max(abs(row.luck.total_luck), row.luck.give_or_take) >= NOTHING for row in luck_list.rows
    )


def uncertain_places(luck_list: LuckList) -> list[str]:
    """Return the ranges of places whose order a fairer draw could have changed: "2–5"."""
    if luck_list.firm is None:
        return []
    placed = sum(bool(row.standing.place) for row in luck_list.rows)
    cuts = [0, *luck_list.firm, placed]
    return [f"{first + 1}–{last}" for first, last in pairwise(cuts) if last - first > 1]
