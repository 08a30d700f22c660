"""Published results, readable by their address without a code or an account.

Names are those that people make public (`clubs/people/public_names.py`).

The address does not reveal the session's code, which ends. It exists as long as the results are
published.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.club_locale import use_club_formats, use_reader_language
from bridgebuddy.clubs.people.public_names import use_public_names
from bridgebuddy.events.access import one_snapshot
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.events.queries.sessions.sections import sections_of_session, sections_with_session
from bridgebuddy.scoring.draws.bracket import bracket_rounds
from bridgebuddy.scoring.footnotes import footnote_lines
from bridgebuddy.scoring.models import TOKEN_LENGTH, ScoringSettings
from bridgebuddy.scoring.results.barometer import Barometer
from bridgebuddy.scoring.results.butler import TeamPairs
from bridgebuddy.scoring.results.classes import additional_rankings
from bridgebuddy.scoring.results.dealing import deal_origin_of
from bridgebuddy.scoring.results.league import TeamMatches
from bridgebuddy.scoring.results.matches import TeamMatch
from bridgebuddy.scoring.results.scored import ScoredSession, SideScore
from bridgebuddy.scoring.results.sheets import PlayersScoreSheet, ScoreSheet, Traveller, boards_of
from bridgebuddy.scoring.results.team_sheets import players_sheet_of, score_sheet_of
from bridgebuddy.scoring.snapshot.kinds import has_matches
from bridgebuddy.scoring.snapshot.lines import PlayLine
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.winners import winners_headline
from bridgebuddy.web.http import mark_private, mark_public
from movements.words.sentences import plain_label

from ..access import players_page
from ..search import LONGEST_SEARCH, matching_rows
from .page_cache import ResultsCache
from .past_results import ShowPast, past_list, past_session_page


def published_session_view(
    view: Callable[..., HttpResponse], *, is_kept: bool = True, past: ShowPast | None = None
) -> Callable[..., HttpResponse]:
    """Decorator that gives a view the scored session with the token in the address, if it is published.

    Pages that depend on more than the address are not cached. `past` shows a session that another
    program scored; without it, such sessions have no page.
    """

    @require_safe
    @wraps(view)
    def published_page(request: HttpRequest, token: str, **rest: object) -> HttpResponse:
        """Answer a request for a published session, from the cache if nothing has changed."""
        with one_snapshot(request):
            scoring, together = find_published(token)
            if not together:
                return past_session_page(request, scoring, past)
            first = together[0]
            use_club_formats(first.club)
            use_reader_language(request, first.club)

            with use_public_names(first.club):
                results_cache = ResultsCache(request, together, scoring)

                def build_page() -> HttpResponse:
                    """Return the page built anew."""
                    return view(request, results_cache.scored(first), **rest)

                if not is_kept:
                    return mark_private(build_page())
                return mark_public(request, results_cache.answer(build_page))

    return published_page


published_file = partial(published_session_view, is_kept=False)


@players_page
def my_results(request: HttpRequest, section: Section, label: str) -> HttpResponse:
    """Show a contestant's results on phones; boards still to be played at other tables show only "entered"."""
    together = sections_of_session(section) if section.letter else [section]
    scoring = ScoringSettings.objects.filter(session=section.session_id).first()
    results_cache = ResultsCache(request, together, scoring)
    return results_cache.answer(
        lambda: _my_results(request, section, plain_label(label), results_cache.scored(section))
    )


def _my_results(
    request: HttpRequest, section: Section, label: str, scored: ScoredSession
) -> HttpResponse:
    """Return the page with a contestant's own results."""
    tonight = scored.tonight
    contestant = tonight.find(section, label)
    if contestant is None:
        return redirect("lookup", code=section.code)
    sheet = players_sheet_of(scored, section, contestant)
    context = {
        "section": section,
        "scored": scored,
        "tonight": tonight,
        "scoring": tonight.scoring,
        "sheet": sheet,
        "is_over": sheet.is_over,
        "ranking": _ranking_after_round(tonight, section),
        "matches": _matches_of(scored, section, contestant, sheet),
    }
    return render(request, "players/my_results.html", context)


def published_own_sheet(
    request: HttpRequest, section: Section, label: str
) -> PlayersScoreSheet | None:
    """Return a contestant's score sheet for its phone; None before the complete results are published.

    Makes one query, with several sections two, once the session has been scored.
    """
    scoring = ScoringSettings.objects.filter(session=section.session_id).first()
    if scoring is None or not scoring.is_published:
        return None
    together = sections_of_session(section) if section.letter else [section]
    scored = ResultsCache(request, together, scoring).scored(section)
    contestant = scored.tonight.find(section, label)
    if contestant is None or scored.is_provisional:
        return None
    return players_sheet_of(scored, section, contestant)


@dataclass(frozen=True)
class FinishedMatch:
    """A finished match of a team as its phones show it: opponents and result."""

    round: int
    against: str
    net: float
    vps: float | None


def _matches_of(
    scored: ScoredSession, section: Section, contestant: Contestant, sheet: PlayersScoreSheet
) -> list[FinishedMatch]:
    """Return the finished matches of a team that its phones may see."""
    if not section.contest.has_halves:
        return []
    hidden = {
        stage.round for stage in sheet.begun_stages for entry in stage.entries if entry.is_hidden
    }
    finished = []
    for match in TeamMatches(scored).matches_of_team(section, contestant.slug):
        other, net = match.opponent_of(contestant), match.net
        mine = match.part_of_team(net, contestant) if net else None
        if other and mine is not None and match.is_over and hidden.isdisjoint(match.rounds):
            vps = match.score_of_team(contestant) if match.has_vps else None
            finished.append(FinishedMatch(match.round, other.surnames, mine, vps))
    return finished


def _ranking_after_round(tonight: SessionSnapshot, section: Section) -> dict[str, object] | None:
    """Return the ranking after the last finished round, if the director shows it to players."""
    if not tonight.scoring.barometer or not section.is_running:
        return None
    barometer = Barometer(tonight)
    after_round = barometer.results_after_round()
    if not after_round.entered_count or not barometer.ranked_round_of(section):
        return None
    return {"round": barometer.ranked_round_of(section), "scored": after_round}


def find_published(token: str) -> tuple[ScoringSettings, list[Section]]:
    """Return scoring settings and sections of the published session with a token. Raises `Http404`.

    Makes two queries. A session scored by another program has no sections.
    """
    scoring = (
        ScoringSettings.objects.read_by_all().filter(token=token).first()
        if token.isalnum() and len(token) == TOKEN_LENGTH
        else None
    )
    together = (
        list(sections_with_session().filter(session=scoring.session_id).order_by("pk"))
        if scoring
        else []
    )
    if scoring is None:
        raise Http404("no such results")
    return scoring, together


@partial(published_session_view, past=past_list)
def results(request: HttpRequest, scored: ScoredSession) -> HttpResponse:
    """Show the rankings of a published session."""
    return _ranking_page(request, scored)


def _ranking_page(request: HttpRequest, scored: ScoredSession, **found: object) -> HttpResponse:
    """Return the page with the published rankings."""
    table = TeamMatches(scored) if scored.tonight.contest.has_halves else None
    more = {
        "beside": scored.by_second_method,
        "more": additional_rankings(scored),
        "headline": winners_headline(scored),
        "footnotes": footnote_lines(scored),
    }
    return _results_page(request, scored, "ranking", matches=table, **more, **found)


def _redirect_to_matching_row(request: HttpRequest, scored: ScoredSession) -> HttpResponse:
    """Redirect to the ranking row that matches the searched name; list the matching rows if several do."""
    typed = request.GET.get("name", "")[:LONGEST_SEARCH]
    lines = [standing for ranking in scored.main_lists for standing in ranking.standings]
    search_result = matching_rows(typed, lines)
    if len(search_result.lines) == 1 and search_result.is_exact:
        address = reverse("public-results", args=[scored.tonight.scoring.token])
        return redirect(f"{address}#{search_result.lines[0].anchor}")
    return _ranking_page(request, scored, typed=typed.strip(), found=search_result)


find = published_session_view(_redirect_to_matching_row, is_kept=False)


@published_session_view
def sheets(request: HttpRequest, scored: ScoredSession) -> HttpResponse:
    """Show the list of all score sheets of a published session."""
    everybody = [
        (section, list(tonight_of.values()))
        for section, tonight_of in (
            (section, scored.tonight.plans[section.pk].drawn.contestants)
            for section in scored.tonight.sections
        )
    ]
    return _results_page(request, scored, "sheets", everybody=everybody)


@published_session_view
def sheet(request: HttpRequest, scored: ScoredSession, section: str, label: str) -> HttpResponse:
    """Show the score sheet of a contestant: its results on every board."""
    return _results_page(request, scored, "sheets", sheet=find_sheet(scored, section, label))


def find_sheet(scored: ScoredSession, section: str, label: str) -> ScoreSheet:
    """Return the score sheet of the contestant with a section and label. Raises `Http404`."""
    own_section = next((part for part in scored.tonight.sections if part.name == section), None)
    contestant = scored.tonight.find(own_section, label) if own_section else None
    if own_section is None or contestant is None:
        raise Http404("nobody has this label")
    return score_sheet_of(scored, own_section, contestant)


@published_session_view
def boards(request: HttpRequest, scored: ScoredSession) -> HttpResponse:
    """Show the list of boards of a published session."""
    tonight = scored.tonight
    listed = boards_by_section(scored)
    by_section = [
        (part, boards, any(Traveller(scored, part, board).cards for board in boards))
        for part, boards in listed
    ]
    honest = deal_origin_of(tonight, tonight.section)
    return _results_page(request, scored, "boards", boards=by_section, honest=honest)


@published_session_view
def board(request: HttpRequest, scored: ScoredSession, section: str, number: int) -> HttpResponse:
    """Show all results of a board of a published session."""
    own_section = next((part for part in scored.tonight.sections if part.name == section), None)
    listed = dict(boards_by_section(scored)).get(own_section, []) if own_section else []
    if own_section is None or number not in listed:
        raise Http404("nobody has played this board")
    place = listed.index(number)
    return _results_page(
        request,
        scored,
        "boards",
        traveller=Traveller(scored, own_section, number),
        before=listed[place - 1] if place else None,
        after=listed[place + 1] if place + 1 < len(listed) else None,
    )


@published_session_view
def matches(request: HttpRequest, scored: ScoredSession) -> HttpResponse:
    """Show the matches of a published session, round by round, and the cross tables."""
    team_matches = _matches_or_404(scored)
    brackets = {part.pk: bracket_rounds(team_matches, part) for part in scored.tonight.sections}
    sections = [
        (part, [] if brackets[part.pk] else team_matches.cross_table(part), brackets[part.pk])
        for part in scored.tonight.sections
    ]
    rounds = sorted(
        {round for team_match in team_matches.all for round in team_match.rounds}, reverse=True
    )
    if all(brackets.values()):
        rounds = []
    return _results_page(
        request, scored, "matches", matches=team_matches, sections=sections, rounds=rounds
    )


@published_session_view
def match(
    request: HttpRequest, scored: ScoredSession, section: str, round: int, home: str, away: str
) -> HttpResponse:
    """Show a match of a published session: both tables of teams, or the boards of two pairs."""
    found_match = find_match(scored, section, round, home, away)
    return _results_page(
        request, scored, "matches", match=found_match, rows=match_board_rows(scored, found_match)
    )


def find_match(scored: ScoredSession, section: str, round: int, home: str, away: str) -> TeamMatch:
    """Return the match of a round between `home` and `away`. Raises `Http404`."""
    where = next((part for part in scored.tonight.sections if part.name == section), None)
    found = _matches_or_404(scored).find(where, round, home, away) if where else None
    if found is None:
        raise Http404("these two do not meet")
    return found


@published_session_view
def pairs(request: HttpRequest, scored: ScoredSession) -> HttpResponse:
    """Show the list of the teams' pairs with their results, best first."""
    _team_matches_or_404(scored)
    return _results_page(request, scored, "pairs", pairs=TeamPairs(scored))


def _team_matches_or_404(scored: ScoredSession) -> TeamMatches:
    """Return the matches of a team contest. Raises `Http404` for other contests."""
    if not scored.tonight.contest.has_halves:
        raise Http404("no teams played")
    return TeamMatches(scored)


def _matches_or_404(scored: ScoredSession) -> TeamMatches:
    """Return the matches of a session. Raises `Http404` if there are none."""
    if not _has_matches(scored):
        raise Http404("nobody met in matches")
    return TeamMatches(scored)


def _has_matches(scored: ScoredSession) -> bool:
    """Return whether all sections of a session consist of matches: of teams, or of pairs in a Swiss."""
    return all(has_matches(part) for part in scored.tonight.sections)


def match_board_rows(
    scored: ScoredSession, match: TeamMatch
) -> list[tuple[PlayLine, int | None, list[SideScore | None]]]:
    """Return the boards of a match between pairs with both sides' scores; empty for teams."""
    if match.section.contest.has_halves:
        return []
    return [
        (
            line,
            scored.score(line),
            [
                scored.side(line, "ns" if team.slug == line.ns[0].slug else "ew")
                for team in match.teams
            ],
        )
        for line in match.lines
        if line.has_begun
    ]


def boards_by_section(scored: ScoredSession) -> list[tuple[Section, list[int]]]:
    """Return the boards of each section; one list of all boards if all sections are compared.

    Boards of drawn matches are left out: their numbers stand for other boards in each match.
    """
    tonight = scored.tonight
    played = [part for part in tonight.sections if not part.stored.is_draw]
    if tonight.session.same_deals and not scored.are_sections_apart:
        return [(part, boards_of(tonight.lines)) for part in played]
    return [(part, boards_of(tonight.lines_of_section(part))) for part in played]


def _results_page(
    request: HttpRequest, scored: ScoredSession, page: str, **more: object
) -> HttpResponse:
    """Return one of the pages of the published results."""
    context = {
        "section": scored.tonight.section,
        "scored": scored,
        "tonight": scored.tonight,
        "scoring": scored.tonight.scoring,
        "token": scored.tonight.scoring.token,
        "page": page,
        "has_matches": _has_matches(scored),
        "has_boards": not any(part.stored.is_draw for part in scored.tonight.sections),
        **more,
    }
    return render(request, "players/results.html", context)
