"""The session review: the reasons of the ranking, and the course of the session."""

from __future__ import annotations

from itertools import pairwise

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import of_one_moment, section_for_scorer
from bridgebuddy.events.queries.games import board_text
from bridgebuddy.events.queries.lateness import kept_to_the_clock
from bridgebuddy.planning.next_session import next_time
from bridgebuddy.seasons.queries.expected import expected_of
from bridgebuddy.seasons.queries.luck import (
    LuckList,
    boards_of,
    fairness_of,
    has_draw,
    luck_of,
)
from bridgebuddy.seasons.queries.newcomers import newcomers
from bridgebuddy.seasons.queries.ratings import ratings_before
from bridgebuddy.seasons.services.ratings import prepare_lists

from .context import ResultsContext
from .evening_words import (
    chart_choice,
    luck_explanation,
    ruling_sentences,
    suggestion_sentence,
    time_sentences,
)

#: smaller effects read 0.0: all contestants weigh the same
NOTHING = 0.05


@never_cache
@require_safe
def looking_back(request: UserRequest, code: str) -> HttpResponse:
    """Show the influence of the draw once the list is final, and the course of the session."""
    prepare_lists(section_for_scorer(request, code).session)
    return _review_page(request, code)


@of_one_moment
def _review_page(request: UserRequest, code: str) -> HttpResponse:
    read = ResultsContext(request, code)
    if hidden := read.everything():
        return hidden
    section, scored = read.section, read.scored
    before = ratings_before(section.session)
    waits = before is not None and before.waits
    before = None if waits else before
    lists = luck_of(scored, before)
    wild, flat = boards_of(scored)
    times = kept_to_the_clock(section)
    after = next_time(section, times.lost if times else 0)
    context = read.context(
        "ranking",
        lists=[
            (
                ranking,
                draw_verdict(ranking),
                uncertain_places(ranking),
                has_effect(ranking),
                [(row, luck_explanation(row)) for row in ranking.rows],
            )
            for ranking in lists
        ],
        title=draw_verdict(lists[0]) if len(lists) == 1 else "",
        is_by_rating=any(ranking.is_by_rating for ranking in lists),
        has_draw=has_draw(scored),
        fairness=fairness_of(section),
        times=time_sentences(times) if times else (),
        wild=board_text(tuple(sorted(wild))),
        flat=board_text(tuple(flat)),
        ruled=list(ruling_sentences(scored)),
        expected=expected_of(scored, before),
        waits=waits,
        new=newcomers(section.session),
        chart=chart_choice(after) if after else "",
        to_try=suggestion_sentence(after) if after else "",
        pairs=after.line.pairs if after else 0,
        may_change_chart=request.rights.direct,
    )
    return render(request, "director/results/looking_back.html", context)


def draw_verdict(found: LuckList) -> str:
    """Say how far the top of a list depended on the draw; empty if other sessions decide it too."""
    if found.firm is None:
        return ""
    if not has_effect(found):
        return _("The draw had no influence: all comparisons were equal")
    if not found.firm:
        return _("With another draw others could have been first")
    if found.firm[0] == 1:
        return _("%(names)s would have won with any fair draw") % {
            "names": found.rows[0].standing.names
        }
    first = found.firm[0]
    return ngettext(
        "The first %(count)s would be the first %(count)s with any fair draw",
        "The first %(count)s would be the first %(count)s with any fair draw",
        first,
    ) % {"count": first}


def has_effect(found: LuckList) -> bool:
    """Return whether the numbers of a list show any effect of the draw."""
    return any(max(abs(row.luck.whole), row.luck.give_or_take) >= NOTHING for row in found.rows)


def uncertain_places(found: LuckList) -> list[str]:
    """Return the ranges of places whose order a fair draw could have changed: "2–5"."""
    if found.firm is None:
        return []
    placed = sum(bool(row.standing.place) for row in found.rows)
    cuts = [0, *found.firm, placed]
    return [f"{first + 1}–{last}" for first, last in pairwise(cuts) if last - first > 1]
