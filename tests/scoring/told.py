"""Readings of evenings, as a page: lists, sheets, boards, matches, draws, doubts, and exports.

Every property of an object is written, except for keys and empty ones. A contestant is their label, a board at a
table its section, round, table and number: "A2.3 b5".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

from django.db import models

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.models import Entry, Play, Section
from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.scoring.checks.effects import (
    MatchEffect,
    ResultEffect,
    document_with_fouled_board,
    document_with_penalty,
    effect_of_other_document,
    match_effect,
    result_effect,
)
from bridgebuddy.scoring.checks.result_checks import SectionDoubts
from bridgebuddy.scoring.draws.bracket import bracket_rounds
from bridgebuddy.scoring.models import FouledBoard, MatchRuling, Penalty
from bridgebuddy.scoring.results.archived import session_tables
from bridgebuddy.scoring.results.barometer import Barometer
from bridgebuddy.scoring.results.butler import TeamPairs
from bridgebuddy.scoring.results.classes import additional_rankings, class_columns
from bridgebuddy.scoring.results.league import TeamMatches
from bridgebuddy.scoring.results.matches import TeamMatch
from bridgebuddy.scoring.results.scored import ScoredSession, SideScore
from bridgebuddy.scoring.results.sheets import Traveller, travellers_of_board
from bridgebuddy.scoring.results.team_sheets import players_sheet_of, score_sheet_of
from bridgebuddy.scoring.rules.model import ContestantKey, Contract, PassedOut
from bridgebuddy.scoring.snapshot.cards import BoardCards
from bridgebuddy.scoring.snapshot.counted import RankingList
from bridgebuddy.scoring.snapshot.lines import PlayLine
from bridgebuddy.scoring.snapshot.ruled import penalty_of
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.proofs.documents import as_json

#: what says the same in other words, is a key, or leads to everything else
NOT_TOLD = {
    "scored",
    "tonight",
    "anchor",
    "index",
    "key",
    "play",
    "contestant_key",
    "who",
    "exact",
    "exact_total",
}
NOT_TOLD |= {"counted", "counted_boards", "lines", "pk", "label"}
#: what is told of results as a whole, and of a match
OF_SCORED = "entered_count due_count missing_count is_provisional is_complete method_name is_per_cent is_in_points is_in_victory_points"
OF_SCORED += " is_overall_in_points are_sections_apart fined departed_contestants"
OF_SCORED += " contestants_with_uncounted_penalty impossible"
OF_MATCH = "is_over is_bye has_begun score has_vps imps net carried winner is_level is_by_itself left_out entered_count due_count"


def asked(one: Any) -> Iterator[tuple[str, Any]]:
    """Yield the readable properties of an object, by name."""
    names = [each.name for each in fields(one)] if is_dataclass(one) else [*vars(one)]
    names += [
        name
        for kind in type(one).__mro__
        for name, found in vars(kind).items()
        if isinstance(found, property | cached_property)
    ]
    for name in dict.fromkeys(names):
        if name not in NOT_TOLD and not name.startswith("_"):
            yield name, getattr(one, name)


def told(value: Any) -> str:
    """Return a value in a line."""
    if value is None or isinstance(value, bool):
        return {None: "-", True: "yes", False: "no"}[value]
    if isinstance(value, int | float | Decimal | Fraction):
        return f"{float(value):.6g}"
    if isinstance(value, str | Contract):
        return str(value)
    if isinstance(value, Contestant):
        return value.slug
    if isinstance(value, Section):
        return value.name
    if isinstance(value, models.Model):
        return type(value).__name__
    if isinstance(value, PlayLine):
        return f"{value.section.name}{value.round}.{value.table} b{value.board}"
    if isinstance(value, Mapping):  # of JSON not every database keeps the order
        return _listed(
            (key, value[item]) for key, item in sorted((told(item), item) for item in value)
        )
    if isinstance(value, Collection):
        many = sorted(map(told, value)) if isinstance(value, set | frozenset) else map(told, value)
        return f"[{', '.join(many)}]"
    if isinstance(value, RankingList):
        return value.key
    if isinstance(value, TeamMatch):
        return " ".join(map(told, value.key.values()))
    if isinstance(value, SideScore):
        return f"{told(value.points)} ({told(value.percent)} %, {value.rule})"
    return f"{type(value).__name__}{_listed(asked(value))}"


def _listed(items: Any) -> str:
    return (
        "(" + ", ".join(f"{name} {told(item)}" for name, item in items if not _is_empty(item)) + ")"
    )


def _is_empty(one: Any) -> bool:
    """Return whether a value is left out; the number 0 is written."""
    return one is None or one is False or (isinstance(one, Collection) and not one)


def each(name: str, found: Any) -> Iterator[str]:
    """A line for each of some objects."""
    for item in found:
        yield f"{name} {told(item)}"


# ── of a session ──


def of_document(scored: ScoredSession) -> Iterator[str]:
    """Yield the input of the results."""
    for name, found in as_json(scored.document).items():
        if name not in ("name", "profile", "contest") and found:
            yield from each(name, found if isinstance(found, list) else [found])


def of_lists(scored: ScoredSession) -> Iterator[str]:
    """Yield the rankings, after each finished round too, and the columns beside them."""
    for found in scored.main_lists:
        yield from each(f"list {found.key}", found.standings)
        yield from each(f"list {found.key}", class_columns(scored, found))
    for title, found in additional_rankings(scored):
        yield f"list {title}: {told([(standing.place, standing.contestant) for standing in found.standings])}"
    yield f"all {told({name: getattr(scored, name) for name in OF_SCORED.split()})}"
    if butler := scored.counted_by("butler"):
        every = [standing for found in butler.main_lists for standing in found.standings]
        yield f"by Butler {told([(standing.place, standing.contestant, standing.row.total) for standing in every])}"
    barometer = Barometer(scored.tonight)
    yield f"barometer over {told([barometer.ranked_round_of(section) for section in scored.tonight.sections])}"
    for found in barometer.lists:
        yield f"barometer {found.key} {told([(standing.place, standing.contestant, standing.row.total) for standing in found.standings])}"
    yield f"barometer before {told(barometer.places_before)}"


def of_sheets(scored: ScoredSession, *slugs: str) -> Iterator[str]:
    """The sheets of some, also as they see it themselves."""
    tonight = scored.tonight
    for slug in slugs:
        who = tonight.find(tonight.section, slug)
        assert who is not None
        sheet = score_sheet_of(scored, tonight.section, who)
        yield from each(f"sheet {slug}", sheet.begun_stages)
        rest = {name: item for name, item in asked(sheet) if name not in ("stages", "standing")}
        yield f"sheet {slug} {told(rest)}"
        own = players_sheet_of(scored, tonight.section, who)
        hidden = [
            entry.line for stage in own.begun_stages for entry in stage.entries if entry.is_hidden
        ]
        shown = [
            (entry.line, entry.shown_value)
            for stage in own.begun_stages
            for entry in stage.entries
            if entry.side
        ]
        yield f"own sheet {slug} hides {told(hidden)}, shows {told(shown)}, is over {told(own.is_over)}"
        yield f"own sheet {slug} stands {told(own.standing and own.standing.place)}"


def of_boards(scored: ScoredSession, *boards: int) -> Iterator[str]:
    section = scored.tonight.section
    for board in boards:
        for found in travellers_of_board(scored, section, board):
            yield from _of_board(f"board {board}", found)


def of_hidden(tonight: SessionSnapshot, board: int) -> Iterator[str]:
    """Yield the results of a board for a reader who still plays it."""
    first, *_others = tonight.lines_of_board(tonight.section, board)
    masked = tonight.with_hidden_results([tonight.cards_of(first)])
    for line in masked.lines:
        if line.outcome != tonight.lines[line.index].outcome:
            read = masked.line_of(line.play)
            yield f"hidden {told(line)} {told([line.outcome, line.number, read == line])}"


def _of_board(title: str, found: Traveller) -> Iterator[str]:
    yield from each(title, found.rows)
    yield from each(title, found.fields)
    yield f"{title} {told({'rounds': found.rounds, 'match': found.match, 'over': found.is_over})}"
    if found.cards:
        yield f"{title} {of_cards(found.cards)}"


def of_cards(cards: BoardCards) -> str:
    """Yield all facts about a board's cards, except for the names of all 52."""
    points = {hand.seat: hand.points for hand in cards.hands}
    said = {"points": points, "makes": cards.makes, "par": cards.par}
    return f"cards {' '.join(rank or '-' for hand in cards.hands for _suit, rank in hand.suits)} {told(said)}"


def of_doubts(tonight: SessionSnapshot) -> list[str]:
    """Yield the doubts, with their boards."""
    return [
        told(
            [
                doubt.kind,
                doubt.lines,
                {"sure": doubt.is_sure, "others": doubt.others},
                doubt.facts,
                doubt.repair,
            ]
        )
        for doubt in SectionDoubts(tonight).all_doubts
    ]


def of_archive(club: Club) -> Iterator[str]:
    """Yield the exported numbers, without keys."""
    for name, rows in session_tables(club).items():
        for row in rows:
            ours = {
                key: _of_key(key, item) if key.endswith("_id") else item
                for key, item in row.items()
            }
            yield f"{name} {_listed(ours.items())}"


def _of_key(name: str, key: int | None) -> Any:
    """Return the object of a key, in words."""
    if name in ("entry_id", "home_id", "away_id"):
        return key and f"entry {Entry.objects.get(pk=key).position}"
    if name == "play_id":
        play = Play.objects.get(pk=key)
        return f"{play.section.name}{play.round}.{play.table} b{play.board}"
    return Section.objects.get(pk=key).name if name == "section_id" else None


# ── of matches ──


def of_matches(scored: ScoredSession) -> Iterator[str]:
    """Yield matches, the league's table, meetings, and the pairs of teams."""
    found, section = TeamMatches(scored), scored.tonight.section
    for match in found.all:
        yield from each(f"match {told(match)}", [dict(_of_match(match))])
        yield from each(f"match {told(match)}", match.rooms)
        yield from each(f"match {told(match)}", match.boards)
    yield f"rounds {told(found.rounds(section))}, columns {told(found.columns)}"
    for item in found.table:
        yield f"table {told(item)} {told(found.values_by_round(item))}"
    for row in found.cross_table(section):
        yield f"matrix {told(row.team)}: {told(row.cells)}"
    yield from each("bracket", bracket_rounds(found, section))
    for method in ("butler", "cross-imps"):
        yield from each(f"pairs {method}", TeamPairs(scored, method).rows)
        yield from each(f"pairs {method}", TeamPairs(scored, method).fields[:2])


def _of_match(match: TeamMatch) -> Iterator[tuple[str, Any]]:
    for name in OF_MATCH.split():
        yield name, getattr(match, name)
    yield (
        "with taken",
        match.adjusted_imps if match.imps and match.score and not match.has_vps else None,
    )
    yield "of", [(match.score_of_team(team), match.opponent_of(team)) for team in match.teams]


# ── of rulings that are not given yet ──


def of_effects(scored: ScoredSession, board: int) -> Iterator[str]:
    """Yield the effects of some rulings: another result of a board's first table, a penalty, and fouled cards."""
    tonight = scored.tonight
    line, *_others = tonight.lines_of_board(tonight.section, board)
    who = tonight.contestants[line.section.name, line.ns[0].slug]
    fine = Penalty(unit="matchpoints", amount=-1, kind="procedural")
    fouled = FouledBoard(section=tonight.section, board=board, from_round=2)
    passed = scored.document.with_outcome([line.index], PassedOut())
    fined = document_with_penalty(
        tonight, penalty_of(fine, ContestantKey(line.section.name, who.slug))
    )
    for title, found in (
        ("passed", result_effect(scored, passed, [line])),
        ("fined", effect_of_other_document(scored, fined, [], [who])),
        ("fouled", result_effect(scored, document_with_fouled_board(tonight, fouled), [line])),
    ):
        yield from _of_places(title, found)
        yield from each(f"{title} board", found.boards)


def of_match_effects(scored: ScoredSession) -> Iterator[str]:
    """Yield the effects of rulings on the first match, of either side."""
    match, kinds = TeamMatches(scored).all[0], MatchRuling.Kind
    home, away = (team.entry for team in match.teams)
    for kind in kinds.values:
        for item, other in ((home, away), (away, home)):
            said = {"one_points": 12, "other_points": 3, "one_award": "AVE+", "other_award": "AVE-"}
            found = match_effect(match, MatchRuling(kind=kind, one_id=item, other_id=other, **said))
            title = f"{kind} {'home' if item == home else 'away'}"
            yield from _of_places(title, found)
            yield f"{title} {told(found.sides)} {found.then.rule if found.then else found.problem}"


def _of_places(title: str, found: ResultEffect | MatchEffect) -> Iterator[str]:
    concerned, others = (
        [(change.who, change.now.place, change.then.place, change.moves) for change in changes]
        for changes in (found.concerned, found.others)
    )
    yield f"{title} {told({'concerned': concerned, 'others': others, 'beside': found.beside})}"
