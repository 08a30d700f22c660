"""The draw of a round as a sheet for the wall: opponents and tables."""

from __future__ import annotations

from dataclasses import dataclass

from bridgebuddy.events.queries.plan.games import Contestant, TableGame
from bridgebuddy.events.queries.plan.home_tables import home_table

from ..context import PrintJob
from ..layout import even_chunks
from ..selection import EVERYBODY, SheetSelection

#: matches on a page
LINES = 22


@dataclass(frozen=True)
class DrawnMatch:
    """A match of a drawn round: the opponents and their table, or both home tables of teams."""

    tables: str
    sides: tuple[Contestant, ...]
    boards: str = ""


@dataclass(frozen=True)
class DrawPage:
    """A page with the pairings of a drawn round."""

    round: int
    matches: tuple[DrawnMatch, ...]
    sit_outs: tuple[Contestant, ...]


def draw_pages(job: PrintJob, selection: SheetSelection = EVERYBODY) -> list[DrawPage]:
    """Return the pages with the pairings of the newest draw; empty if no round is drawn by results."""
    round, evening = newest_draw(job), job.plan.drawn
    if not round:
        return []
    matches = [_drawn_match(job, game) for game in evening.games.get(round, ()) if game.is_played]
    matches += [_home_table_match(trio.teams_present(round)) for trio in evening.triangles(round)]
    out = evening.sit_outs(round)
    parts = even_chunks(len(matches), LINES)
    return [
        DrawPage(round, tuple(matches[part.start : part.stop]), out if part is parts[-1] else ())
        for part in parts
    ]


def newest_draw(job: PrintJob) -> int:
    """Return the number of the round that was drawn last; 0 if no round is drawn by results."""
    if not job.stored.is_drawn_as_played:
        return 0
    rounds, still_open = job.plan.drawn.rounds, job.plan.drawn.open_rounds
    return max((r for r in range(1, rounds + 1) if r not in still_open), default=0)


def _drawn_match(job: PrintJob, game: TableGame) -> DrawnMatch:
    """Return the match of a drawn round that is played in a game, with its tables."""
    sides = tuple(sitting.contestant for sitting in game.ns + game.ew)
    if job.stored.is_draw:
        return _home_table_match(sides)
    return DrawnMatch(str(game.table), sides, game.board_text)


def _home_table_match(teams: tuple[Contestant, ...]) -> DrawnMatch:
    """Return the match of two teams, which is played at both home tables."""
    return DrawnMatch(", ".join(str(home_table(team)) for team in teams), teams)
