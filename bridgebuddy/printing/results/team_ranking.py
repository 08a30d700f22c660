"""The ranking of teams on paper: the table, the cross table and the pairs' list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bridgebuddy.scoring.draws.bracket import BracketRound, bracket_rounds
from bridgebuddy.scoring.results.butler import PairRow, TeamPairs
from bridgebuddy.scoring.results.league import CrossTableRow, TeamMatches, TeamStanding
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.winners import winners_headline

from ..layout import even_chunks

#: lines of a list on a page; the most teams whose matrix fits below their table, and on a page
LINES, TEAMS, BELOW, WIDEST = 34, 18, 9, 16


@dataclass(frozen=True)
class TeamPage:
    """A printed page of a team event: ranking, cross table, bracket or list of pairs."""

    scored: ScoredSession
    state: str
    standings: tuple[TeamStanding, ...] = ()
    crossings: tuple[CrossTableRow, ...] = ()
    pairs: tuple[PairRow, ...] = ()
    method: str = ""
    bracket: tuple[BracketRound, ...] = ()
    #: the winners, on the first page
    headline: str = ""


def team_pages(scored: ScoredSession, state: str) -> Iterator[TeamPage]:
    """Yield the pages of a team event: ranking with cross table, or a knockout's bracket, then the pairs."""
    matches, pairs = TeamMatches(scored), TeamPairs(scored)
    sections = scored.tonight.sections
    brackets = [tuple(bracket_rounds(matches, section)) for section in sections]
    matrices = [
        () if bracket else tuple(matches.cross_table(section_row))
        for section_row, bracket in zip(sections, brackets, strict=True)
    ]
    fits = len(sections) == 1 and len(matches.table) <= BELOW
    for part in even_chunks(len(matches.table), TEAMS):
        standings = tuple(matches.table[part.start : part.stop])
        first = winners_headline(scored) if part.start == 0 else ""
        yield TeamPage(scored, state, standings, matrices[0] if fits else (), headline=first)
    for bracket in brackets:
        if bracket:
            yield TeamPage(scored, state, bracket=bracket)
    if not fits:
        for crossings in matrices:
            if 0 < len(crossings) <= WIDEST:
                yield TeamPage(scored, state, crossings=crossings)
    for part in even_chunks(len(pairs.rows), LINES):
        rows = tuple(pairs.rows[part.start : part.stop])
        yield TeamPage(scored, state, pairs=rows, method=pairs.method)
