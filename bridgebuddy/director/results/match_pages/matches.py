"""The matches of a round, the cross table, and a single match, of teams or of pairs in a Swiss."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import read_in_one_snapshot
from bridgebuddy.scoring.draws.bracket import bracket_rounds
from bridgebuddy.scoring.results.league import TeamMatches
from bridgebuddy.scoring.snapshot.kinds import has_matches
from bridgebuddy.scoring.winners import winners_headline
from bridgebuddy.web.http import read_number

from ..context import ResultsPageData
from .match_rulings import MatchRulingForm, match_page


@never_cache
@require_safe
@read_in_one_snapshot
def matches(request: UserRequest, code: str) -> HttpResponse:
    """Show the matches of the current or last round, and the cross table."""
    read = ResultsPageData(request, code)
    if not _has_matches(read):
        return redirect("ranking", code=read.section.code)
    team_matches = TeamMatches(read.scored)
    bracket = bracket_rounds(team_matches, read.section)
    rounds = [
        round
        for round in range(1, read.section.rounds + 1)
        if team_matches.in_round(read.section, round)
    ]
    asked = read_number(request.GET.get("round"))
    round = asked if asked in rounds else None
    context = read.context(
        "matches",
        matches=team_matches,
        rounds=rounds,
        round=round or _round_to_show(read.section.shown_round, rounds),
        headline=_page_headline(read),
        crossings=[] if bracket else team_matches.cross_table(read.section),
        bracket=bracket,
    )
    context["list"] = team_matches.in_round(read.section, context["round"])
    return render(request, "director/results/matches.html", context)


def _round_to_show(round: int, rounds: list[int]) -> int:
    """Return `round`, or the last round before it that has matches."""
    return max(
        (number for number in rounds if number <= round), default=rounds[0] if rounds else round
    )


def _page_headline(context: ResultsPageData) -> str:
    """Return the page's headline: the round, and who leads or has won."""
    section, told = context.section, winners_headline(context.scored)
    if not section.is_running:
        return told
    facts = {"told": told, "round": section.round, "rounds": section.rounds}
    return _("%(told)s – round %(round)s of %(rounds)s") % facts


@never_cache
@require_safe
@read_in_one_snapshot
def match(request: UserRequest, code: str, round: int, home: str, away: str) -> HttpResponse:
    """Show a match: both tables, board by board, and its players.

    If the match does not exist, redirect to all matches.
    """
    read = ResultsPageData(request, code)
    found_match = None
    if _has_matches(read):
        found_match = TeamMatches(read.scored).find(read.section, round, home, away)
    if found_match is None:
        return redirect("matches", code=read.section.code)
    hidden = read.page_hiding_unplayed_boards(
        line
        for line in read.tonight.lines_of_section(read.section)
        if line.is_hidden and {home, away} == {contestant.slug for contestant in line.ns + line.ew}
    )
    return hidden or match_page(request, read, found_match, MatchRulingForm(found_match))


def _has_matches(context: ResultsPageData) -> bool:
    """Return whether the section plays matches whose opponents are known."""
    return has_matches(context.section) and context.scored.has_results
